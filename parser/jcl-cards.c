/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 1 of JCL: joins cards into statements, and separates in-stream data. */
#include "common/compat.h"
#include "parser/jcl-tree.h"
#include "common/xalloc.h"

#include <strings.h>

#define LAST_COLUMN 71	       /* of a statement's text */
#define QUOTED_CONTINUATION 15 /* text in apostrophes continues in column 16 */

/* One card; index 0 is column 1. */
struct card {
	const char *text;
	unsigned length; /* length in the source */
	unsigned limit;	 /* at most column 71 */
	unsigned line;	 /* from 1 */
};

/* Returns the card of a line; skips a byte order mark at the start of the first. */
static struct card card_at(const struct jcl_reader *reader, unsigned index)
{
	const struct source_line *line = &reader->source->lines[index];
	unsigned mark =
		index == 0 && line->length >= 3 && memcmp(line->text, "\xEF\xBB\xBF", 3) == 0 ? 3
											      : 0;
	struct card card = { line->text + mark, (unsigned)line->length - mark, 0, index + 1 };

	card.limit = card.length < LAST_COLUMN ? card.length : LAST_COLUMN;
	return card;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Returns the first index from start on that is not blank, or the limit. */
static unsigned skip_blanks(const struct card *card, unsigned start)
{
	while (start < card->limit && blank(card->text[start]))
		start++;
	return start < card->limit ? start : card->limit;
}

/* Returns the first index from start on that is blank, or the limit. */
static unsigned skip_word(const struct card *card, unsigned start)
{
	while (start < card->limit && !blank(card->text[start]))
		start++;
	return start;
}

static bool card_is_statement(const struct card *card)
{
	return card->length >= 2 && card->text[0] == '/' && card->text[1] == '/';
}

static bool card_is_comment(const struct card *card)
{
	return card_is_statement(card) && card->length >= 3 && card->text[2] == '*';
}

static bool card_is_delimiter(const struct card *card)
{
	return card->length >= 2 && card->text[0] == '/' && card->text[1] == '*';
}

static bool card_is_null(const struct card *card)
{
	return card_is_statement(card) && skip_blanks(card, 2) == card->limit;
}

/* Returns whether the card can continue a statement: // and a blank, then something. */
static bool card_is_continuation(const struct card *card)
{
	return card_is_statement(card) && card->limit > 2 && blank(card->text[2]) &&
	       !card_is_null(card);
}

static struct location card_location(const struct jcl_reader *reader, const struct card *card,
				     unsigned start, unsigned length)
{
	return (struct location){ reader->source, card->line, start + 1, length ? length : 1 };
}

/* Reports what a mainframe refuses and vigil accepts: an error if strict, else a warning. */
#define lenient(reader, statement, at, number, ...) \
	do { \
		if ((reader)->strict) { \
			(statement)->faulty = true; \
			diag_add((reader)->diags, SEVERITY_ERROR, number, at, __VA_ARGS__); \
		} else { \
			diag_add((reader)->diags, SEVERITY_WARNING, number, at, __VA_ARGS__); \
		} \
	} while (0)

/* Reports once that lower case is read as upper case. */
static void report_lower_case(struct jcl_reader *reader, struct jcl_statement *statement,
		       const struct card *card, unsigned at)
{
	struct location location = card_location(reader, card, at, 1);

	if (reader->lower_reported)
		return;
	reader->lower_reported = true;
	if (reader->strict)
		statement->faulty = true;
	diag_add(reader->diags, reader->strict ? SEVERITY_ERROR : SEVERITY_WARNING, 1001, &location,
		 "lower case outside apostrophes is read as upper case (reported once for the "
		 "deck)");
}

/* Reports once that a tab is read as one blank. */
static void report_tab(struct jcl_reader *reader, const struct card *card, unsigned at)
{
	struct location location = card_location(reader, card, at, 1);

	if (reader->tab_reported)
		return;
	reader->tab_reported = true;
	diag_add(reader->diags, SEVERITY_WARNING, 1002, &location,
		 "a tab is read as one blank (reported once for the deck)");
}

/* Returns one character of a statement in the form used in its text. */
static char fold(struct jcl_reader *reader, struct jcl_statement *statement,
		 const struct card *card, unsigned at)
{
	char c = card->text[at];
	struct location location;

	if (c >= 'a' && c <= 'z') {
		report_lower_case(reader, statement, card, at);
		return upper(c);
	}
	if ((unsigned char)c >= 0x20 && c != 0x7f)
		return c;
	location = card_location(reader, card, at, 1);
	if (!statement->faulty)
		diag_add(reader->diags, SEVERITY_ERROR, 1018, &location,
			 "a byte X'%02X' does not belong in a statement", (unsigned char)c);
	statement->faulty = true;
	return '?';
}

/* Returns a folded copy of a stretch of the card. */
static char *folded_copy(struct jcl_reader *reader, struct jcl_statement *statement,
			 const struct card *card, unsigned start, unsigned end)
{
	char *copy = jcl_arena_get(&reader->deck->arena, end - start + 1);

	for (unsigned i = start; i < end; i++)
		copy[i - start] = fold(reader, statement, card, i);
	copy[end - start] = '\0';
	return copy;
}

/* Adds a segment: from here on the statement's text comes from this card and index. */
static void segment_add(struct jcl_reader *reader, const struct card *card, unsigned start)
{
	GROW(reader->segments, reader->segment_count + 1, reader->segment_alloc);
	reader->segments[reader->segment_count++] =
		(struct jcl_segment){ (unsigned)reader->text.length, card->line, start + 1, 0 };
}

/* Returns whether the operand at the end of the text so far is PATH=. */
static bool in_path(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] != ',') {
		if (length >= 6 && memcmp(text + length - 6, "PATH=/", 6) == 0)
			return length == 6 || text[length - 7] == ',';
		length--;
	}
	return false;
}

/*
 * Appends the operand text of one card from start on. Ends at the first blank
 * outside apostrophes or after column 71; *quote is the offset of the apostrophe
 * still open in the text, or SIZE_MAX. Returns the index of the end.
 */
static unsigned append_operands(struct jcl_reader *reader, struct jcl_statement *statement,
				const struct card *card, unsigned start, size_t *quote)
{
	bool open = *quote != SIZE_MAX;
	char joined[LAST_COLUMN];
	size_t base = reader->text.length;
	unsigned i = start;

	segment_add(reader, card, start);
	for (; i < card->limit; i++) {
		char c = card->text[i];

		if (c == '\'') {
			if (!open)
				*quote = base + (i - start);
			open = !open;
		} else if (!open && blank(c)) {
			break;
		} else if (!open && c >= 'a' && c <= 'z' && in_path(joined, i - start) &&
			   !reader->strict) {
			/* an unquoted file name keeps its case */
		} else if ((!open && c >= 'a' && c <= 'z') || (unsigned char)c < 0x20 ||
			   c == 0x7f) {
			c = c == '\t' ? ' ' : fold(reader, statement, card, i);
		}
		joined[i - start] = c;
	}
	strbuf_add(&reader->text, joined, i - start);
	if (i < card->limit && card->text[i] == '\t')
		report_tab(reader, card, i);
	if (!open)
		*quote = SIZE_MAX;
	return i;
}

/* Returns the index of the next line after line that is no comment card, or the number of lines. */
static unsigned next_card(const struct jcl_reader *reader, unsigned line)
{
	for (line++; line < reader->source->line_count; line++) {
		struct card card = card_at(reader, line);

		if (!card_is_comment(&card))
			break;
	}
	return line;
}

/* With an apostrophe open at column 71, returns where the next card continues, 0 if it cannot. */
static unsigned continue_quoted(struct jcl_reader *reader, struct jcl_statement *statement,
				const struct card *card, struct card *next, size_t quote)
{
	struct jcl_text text = { reader->text.text, (unsigned)reader->text.length,
				 (unsigned)reader->segment_count, reader->segments };
	struct location at = jcl_location(reader->source, &text, (unsigned)quote, 1);
	unsigned start;

	if (reader->line + 1 < reader->source->line_count) {
		*next = card_at(reader, reader->line + 1);
		if (card_is_continuation(next)) {
			start = skip_blanks(next, 2);
			if (start >= QUOTED_CONTINUATION) {
				strbuf_addchars(&reader->text, ' ', LAST_COLUMN - card->limit);
				return QUOTED_CONTINUATION;
			}
			strbuf_rtrim(&reader->text);
			at = card_location(reader, next, start, 1);
			lenient(reader, statement, &at, 1007,
				"text in apostrophes should continue in column 16, not "
				"%u", start + 1);
			return start;
		}
	}
	strbuf_rtrim(&reader->text);
	statement->faulty = statement->open_quote = true;
	diag_add(reader->diags, SEVERITY_ERROR, 1006, &at, "this apostrophe is not closed%s",
		 card->length > LAST_COLUMN
			 ? ": a card is read up to column 71; the text continues in column 16 of "
			   "the next"
			 : "");
	return 0;
}

/* After operands that end with a comma, returns where the next card continues, 0 if none does. */
static unsigned continue_comma(struct jcl_reader *reader, struct jcl_statement *statement,
			       const struct card *card, unsigned end, struct card *next)
{
	struct location at = card_location(reader, card, end - 1, 1);
	unsigned line = next_card(reader, reader->line), start;

	if (line < reader->source->line_count) {
		*next = card_at(reader, line);
		if (card_is_null(next)) {
			reader->line = line;
			statement->ended_by_null = true;
			diag_add(
				reader->diags, SEVERITY_WARNING, 1020, &at,
				"a null statement follows this comma, which needs a continuation");
			return 0;
		}
		if (card_is_continuation(next)) {
			reader->line = line - 1;
			start = skip_blanks(next, 2);
			at = card_location(reader, next, start, 1);
			if (start > 15)
				lenient(reader, statement, &at, 1005,
					"a continuation should begin in columns 4 to 16, not %u",
					start + 1);
			return start;
		}
	}
	statement->faulty = true;
	diag_add(reader->diags, SEVERITY_ERROR, 1004, &at,
		 "expected continuation not received after this comma");
	return 0;
}

/* Returns whether the card begins a statement without a name instead of continuing a comment. */
static bool begins_statement(const struct card *card)
{
	unsigned start = skip_blanks(card, 2), length = skip_word(card, start) - start;
	enum jcl_operation operation;
	char verb[12];

	if (length >= sizeof(verb))
		return false;
	for (unsigned i = 0; i < length; i++)
		verb[i] = upper(card->text[start + i]);
	operation = jcl_operation_find(verb, length);
	return operation != JCL_UNKNOWN && operation != JCL_OPERATOR;
}

/* Skips the cards that continue a comment (column 72 is not blank). */
static void skip_comment_continuation(struct jcl_reader *reader)
{
	struct card card = card_at(reader, reader->line), next;

	while (card.length > LAST_COLUMN && !blank(card.text[LAST_COLUMN]) &&
	       reader->line + 1 < reader->source->line_count) {
		next = card_at(reader, reader->line + 1);
		if (!card_is_continuation(&next) || begins_statement(&next))
			return;
		reader->line++;
		card = next;
	}
}

/* Reports operands that reach column 72, which is not read. */
static void check_column_72(struct jcl_reader *reader, struct jcl_statement *statement,
			    const struct card *card, unsigned end)
{
	struct location at = card_location(reader, card, LAST_COLUMN, card->length - LAST_COLUMN);

	if (end == LAST_COLUMN && !blank(card->text[LAST_COLUMN]))
		lenient(reader, statement, &at, 1003,
			"the operands run over column 71; column 72 and what follows are not read");
}

/* Reports a comment that begins like an operand: a blank probably replaces a comma. */
static void check_comment(struct jcl_reader *reader, const struct jcl_statement *statement,
			  const struct card *card, unsigned end)
{
	unsigned start = skip_blanks(card, end), stop = skip_word(card, start), at = start;
	struct location location = card_location(reader, card, start, stop - start);

	while (at < stop && card->text[at] >= 'A' && card->text[at] <= 'Z')
		at++;
	if (at < start + 2 || at > start + 8 || at + 1 >= stop || card->text[at] != '=' ||
	    (statement->operation != JCL_EXEC && statement->operation != JCL_DD &&
	     statement->operation != JCL_JOB))
		return;
	diag_add(reader->diags, SEVERITY_WARNING, 1027, &location,
		 "%.*s follows a blank and is a comment", (int)(stop - start),
		 card->text + start);
}

/* Joins the operand field from start on the current card over its continuations. */
static void join_operands(struct jcl_reader *reader, struct jcl_statement *statement,
			  unsigned start)
{
	struct card card = card_at(reader, reader->line), next = card;
	size_t quote = SIZE_MAX;

	while (start > 0) {
		unsigned end = append_operands(reader, statement, &card, start, &quote);

		if (quote != SIZE_MAX) {
			start = continue_quoted(reader, statement, &card, &next, quote);
		} else if (reader->text.length > 0 && end > start &&
			   reader->text.text[reader->text.length - 1] == ',') {
			start = continue_comma(reader, statement, &card, end, &next);
		} else {
			check_comment(reader, statement, &card, end);
			if (card.length > LAST_COLUMN) {
				check_column_72(reader, statement, &card, end);
				skip_comment_continuation(reader);
			}
			start = 0;
		}
		if (start > 0) {
			reader->line = next.line - 1;
			card = next;
		}
	}
}

/* Returns the offset of the word THEN at or after from in the text, or SIZE_MAX. */
static size_t find_then(const struct strbuf *text, size_t from)
{
	for (size_t i = from; i + 4 <= text->length; i++) {
		if (memcmp(text->text + i, "THEN", 4) != 0)
			continue;
		if (i > 0 && !strchr(" )'", text->text[i - 1]))
			continue;
		if (i + 4 == text->length || text->text[i + 4] == ' ')
			return i;
	}
	return SIZE_MAX;
}

/* Returns the index after the word THEN on a card, or the card's limit. */
static unsigned then_end(const struct card *card, unsigned start)
{
	for (unsigned i = start; i + 4 <= card->limit; i++)
		if (strncasecmp(card->text + i, "THEN", 4) == 0 &&
		    (i == start || strchr(" \t)'", card->text[i - 1])) &&
		    (i + 4 == card->limit || blank(card->text[i + 4])))
			return i + 4;
	return card->limit;
}

/* Appends the rest of a card up to THEN, including blanks, folded. */
static void append_condition(struct jcl_reader *reader, struct jcl_statement *statement,
			     const struct card *card, unsigned start)
{
	segment_add(reader, card, start);
	for (unsigned i = start, end = then_end(card, start); i < end; i++)
		strbuf_addch(&reader->text,
			     blank(card->text[i]) ? ' ' : fold(reader, statement, card, i));
	strbuf_rtrim(&reader->text);
}

/* Joins the condition of an IF up to its THEN. */
static void join_condition(struct jcl_reader *reader, struct jcl_statement *statement,
			   unsigned start)
{
	struct card card = card_at(reader, reader->line);
	struct location at;
	size_t from = 0, then;

	for (;;) {
		append_condition(reader, statement, &card, start);
		then = find_then(&reader->text, from);
		if (then != SIZE_MAX)
			break;
		from = reader->text.length;
		unsigned line = next_card(reader, reader->line);

		if (line >= reader->source->line_count)
			break;
		card = card_at(reader, line);
		if (!card_is_continuation(&card) || begins_statement(&card))
			break;
		strbuf_addch(&reader->text, ' ');
		reader->line = line;
		start = skip_blanks(&card, 2);
	}
	if (then != SIZE_MAX) {
		strbuf_setlen(&reader->text, then);
		strbuf_rtrim(&reader->text);
		return;
	}
	at = jcl_statement_location(reader->source, statement);
	statement->faulty = statement->no_then = true;
	diag_add(reader->diags, SEVERITY_ERROR, 1021, &at, "the IF has no THEN");
}

/*
 * Appends the rest of a card up to the first blank outside parentheses; returns
 * how many are open.
 */
static int append_grouping(struct jcl_reader *reader, struct jcl_statement *statement,
			   const struct card *card, unsigned start, int depth)
{
	segment_add(reader, card, start);
	for (unsigned i = start; i < card->limit; i++) {
		char c = card->text[i];

		if (blank(c) && depth <= 0)
			break;
		depth += (c == '(') - (c == ')');
		strbuf_addch(&reader->text, blank(c) ? ' ' : fold(reader, statement, card, i));
	}
	strbuf_rtrim(&reader->text);
	return depth;
}

/* Joins the operands of a grouping statement: they include blanks inside parentheses. */
static void join_grouping(struct jcl_reader *reader, struct jcl_statement *statement,
			  unsigned start)
{
	struct card card = card_at(reader, reader->line);
	struct location at;
	int depth = 0;

	for (;;) {
		unsigned line;

		depth = append_grouping(reader, statement, &card, start, depth);
		line = next_card(reader, reader->line);
		if (depth <= 0 &&
		    (reader->text.length == 0 || reader->text.text[reader->text.length - 1] != ','))
			return;
		if (line >= reader->source->line_count)
			break;
		card = card_at(reader, line);
		if (!card_is_continuation(&card) || begins_statement(&card))
			break;
		reader->line = line;
		start = skip_blanks(&card, 2);
		if (depth > 0)
			strbuf_addch(&reader->text, ' ');
	}
	statement->faulty = true;
	at = jcl_statement_location(reader->source, statement);
	diag_add(reader->diags, SEVERITY_ERROR, 1004, &at, "expected continuation not received: %s",
		 depth > 0 ? "a parenthesis is not closed" : "the operands end with a comma");
}

/* Returns whether the text has a possible symbol: a single ampersand before a name. */
static bool may_have_symbols(const char *text, size_t length)
{
	const char *end = text + length;

	while ((text = memchr(text, '&', (size_t)(end - text))) != NULL) {
		if (text + 1 < end && text[1] == '&')
			text++;
		else if (text + 1 < end &&
			 ((text[1] >= 'A' && text[1] <= 'Z') ||
			  (text[1] >= 'a' && text[1] <= 'z') || strchr("@#$", text[1])))
			return true;
		text++;
	}
	return false;
}

/* Moves the joined text into the statement. */
static void keep_text(struct jcl_reader *reader, struct jcl_statement *statement)
{
	struct jcl_arena *arena = &reader->deck->arena;
	struct jcl_text *text = &statement->text;
	size_t size = reader->segment_count * sizeof(*text->segments);

	if (reader->text.length > JCL_MAXIMUM_TEXT) {
		struct location at = jcl_statement_location(reader->source, statement);

		statement->faulty = statement->open_quote = true;
		diag_add(reader->diags, SEVERITY_ERROR, 1022, &at,
			 "the statement is longer than %d characters", JCL_MAXIMUM_TEXT);
	}
	text->length = (unsigned)reader->text.length;
	text->text = jcl_arena_get(arena, reader->text.length + 2);
	memcpy(text->text, reader->text.text, reader->text.length);
	text->text[text->length] = text->text[text->length + 1] = '\0';
	text->segment_count = (unsigned)reader->segment_count;
	text->segments = jcl_arena_get(arena, size);
	if (size)
		memcpy(text->segments, reader->segments, size);
	statement->has_symbols = may_have_symbols(text->text, text->length);
}

/* Runs stage 2 for one statement: its operands become a tree. */
static void parse_operands(struct jcl_reader *reader, struct jcl_statement *statement)
{
	bool condition = statement->operation == JCL_IF;

	if (statement->operation == JCL_GROUPING || statement->no_then || statement->open_quote) {
		statement->raw = true;
		return;
	}
	if (jcl_syntax_parse(reader->syntax, &statement->text, condition, statement->has_symbols,
			     &statement->operands))
		return;
	statement->operands = NULL;
	statement->raw = true;
	if (!statement->has_symbols)
		statement->faulty = true;
}

static struct jcl_statement *statement_new(struct jcl_reader *reader, enum jcl_operation operation)
{
	struct jcl_statement *statement = jcl_arena_get(&reader->deck->arena, sizeof(*statement));

	memset(statement, 0, sizeof(*statement));
	statement->operation = operation;
	statement->name = statement->verb = "";
	statement->line = statement->last_line = reader->line + 1;
	*reader->tail = statement;
	reader->tail = &statement->next;
	reader->deck->count++;
	return statement;
}

/* Returns the value of a keyword operand if it is a word or in apostrophes, else NULL. */
static const char *keyword_text(const struct jcl_node *operand, const char *keyword)
{
	for (; operand; operand = operand->next)
		if (operand->kind == JCL_KEYWORD && strcmp(operand->text, keyword) == 0 &&
		    (operand->child->kind == JCL_WORD || operand->child->kind == JCL_QUOTED))
			return operand->child->text;
	return NULL;
}

/* Returns whether a JES2 statement begins on this card, not a delimiter. */
static bool card_is_jes2(const struct card *card)
{
	static const char *const words[] = { "JOBPARM", "ROUTE",   "PRIORITY", "SETUP", "MESSAGE",
					     "NOTIFY",	"NETACCT", "OUTPUT",   "XEQ",	"XMIT",
					     "SIGNON",	"SIGNOFF", "MAIN",     "FORMAT" };
	unsigned end = card_is_delimiter(card) ? skip_word(card, 2) : 2;

	if (end > 2 && card->text[2] == '$')
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == end - 2 &&
		    strncasecmp(words[i], card->text + 2, end - 2) == 0)
			return true;
	return false;
}

/* Returns whether a JES3 statement begins on this card, not a comment. */
static bool card_is_jes3(const struct card *card)
{
	static const char *const words[] = { "MAIN",	   "FORMAT",  "NET",	    "NETACCT",
					     "DATASET",	   "PROCESS", "ENDPROCESS", "OPERATOR",
					     "ENDDATASET", "PAUSE",   "ROUTE" };
	unsigned end;

	if (!card_is_comment(card) || card->length < 4 || card->text[3] < 'A' ||
	    card->text[3] > 'Z')
		return false;
	end = skip_word(card, 3);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == end - 3 && memcmp(words[i], card->text + 3, end - 3) == 0)
			return strncmp(words[i], "END", 3) == 0 ||
			       skip_blanks(card, end) < card->limit;
	return false;
}

/* Returns whether the card ends in-stream data; *consumed: whether it belongs to the data. */
static bool ends_data(const struct card *card, const char *delimiter, bool cards_end,
		      bool *consumed)
{
	size_t length = delimiter ? strlen(delimiter) : 0;

	*consumed = true;
	if (delimiter && card->length >= length && memcmp(card->text, delimiter, length) == 0)
		return true;
	if (cards_end && card_is_statement(card)) {
		*consumed = false;
		return true;
	}
	if (delimiter || !card_is_delimiter(card))
		return false;
	*consumed = !card_is_jes2(card);
	return true;
}

/* Reports text on a delimiter card. */
static void check_delimiter(struct jcl_reader *reader, const struct card *card)
{
	struct location at = card_location(reader, card, 2, skip_word(card, 2) - 2);

	if (card->limit > 2 && skip_blanks(card, 2) < card->limit)
		diag_add(reader->diags, SEVERITY_WARNING, 1013, &at,
			 "this is not a JES2 statement; it is read as a delimiter");
}

/* Separates the data cards from the current line on. */
static void read_data(struct jcl_reader *reader, struct jcl_statement *statement,
		      const char *delimiter, bool cards_end)
{
	struct location at = jcl_statement_location(reader->source, statement);
	bool consumed = false, ended = false;

	statement->has_data = true;
	statement->delimiter = delimiter;
	statement->data_line = reader->line + 1;
	for (; !ended && reader->line < reader->source->line_count; reader->line++) {
		struct card card = card_at(reader, reader->line);

		if (ends_data(&card, delimiter, cards_end, &consumed)) {
			ended = true;
			if (!delimiter && consumed)
				check_delimiter(reader, &card);
			reader->line -= !consumed;
		} else {
			statement->data_count++;
		}
	}
	if (!ended && delimiter)
		diag_add(reader->diags, SEVERITY_WARNING, 1016, &at,
			 "delimiter %s is missing: all cards to the end are data", delimiter);
}

/* Returns the DLM of a DD * or DATA, checked; NULL: none. */
static const char *data_delimiter(struct jcl_reader *reader, struct jcl_statement *statement)
{
	const char *delimiter = keyword_text(statement->operands, "DLM");
	struct location at = jcl_statement_location(reader->source, statement);

	if (!delimiter)
		return NULL;
	if (strlen(delimiter) >= 2 && strlen(delimiter) <= 18)
		return delimiter;
	statement->faulty = true;
	diag_add(reader->diags, SEVERITY_ERROR, 1017, &at,
		 "DLM needs two characters (18 at most), not '%s'", delimiter);
	return NULL;
}

/* Reads the data of a statement, if any. */
static void statement_data(struct jcl_reader *reader, struct jcl_statement *statement)
{
	const struct jcl_node *first = statement->operands;
	bool star, data;

	if (statement->operation == JCL_XMIT) {
		read_data(reader, statement, data_delimiter(reader, statement), false);
		return;
	}
	if (statement->operation != JCL_DD || !first || first->kind != JCL_WORD)
		return;
	star = strcmp(first->text, "*") == 0;
	data = strcmp(first->text, "DATA") == 0;
	if (star || data)
		read_data(reader, statement, data_delimiter(reader, statement), star);
}

/* Checks the name field; a DD may have the form STEP.NAME to override one in a procedure. */
static void check_name(struct jcl_reader *reader, struct jcl_statement *statement,
		       const struct card *card)
{
	const char *name = statement->name, *dot = strchr(name, '.');
	size_t length = strlen(name);
	struct location at = card_location(reader, card, 2, (unsigned)length);
	bool valid = jcl_name_valid(name, length);

	if (dot && (statement->operation == JCL_DD || statement->operation == JCL_OUTPUT))
		valid = jcl_name_valid(name, (size_t)(dot - name)) &&
			jcl_name_valid(dot + 1, length - (size_t)(dot - name) - 1);
	if (length == 0 || valid)
		return;
	statement->faulty = true;
	if (length > 8 && !dot)
		diag_add(reader->diags, SEVERITY_ERROR, 1009, &at,
			 "the name %s is longer than 8 characters", name);
	else
		diag_add(reader->diags, SEVERITY_ERROR, 1008, &at,
			 "%s is not a name: 1 to 8 of A-Z 0-9 @ # $, the first no digit", name);
}

/* Reports a missing or unknown operation field. */
static void check_operation(struct jcl_reader *reader, struct jcl_statement *statement,
			    const struct card *card, unsigned end)
{
	struct location at = card_location(reader, card, end, 1);

	if (statement->operation == JCL_OPERATOR && statement->name[0])
		statement->operation = JCL_UNKNOWN;
	if (statement->operation != JCL_UNKNOWN)
		return;
	statement->faulty = true;
	if (statement->verb[0] == '\0') {
		diag_add(reader->diags, SEVERITY_ERROR, 1010, &at, "an operation is missing");
		return;
	}
	at = card_location(reader, card, statement->verb_column - 1,
			   (unsigned)strlen(statement->verb));
	diag_add(reader->diags, SEVERITY_ERROR, 1011, &at,
		 "%s is not an operation; expected JOB, EXEC, DD, SET, IF, PROC, ...",
		 statement->verb);
}

/* Returns whether the text after the operation is a comment. */
static bool without_operands(const struct jcl_statement *statement)
{
	return statement->operation == JCL_PEND || statement->operation == JCL_ELSE ||
	       statement->operation == JCL_ENDIF || statement->operation == JCL_ENDCNTL ||
	       statement->verb[0] == '\0';
}

/* Reads one statement that begins on the current card. */
static void read_statement(struct jcl_reader *reader)
{
	struct card card = card_at(reader, reader->line);
	struct jcl_statement *statement = statement_new(reader, JCL_UNKNOWN);
	unsigned name_end = skip_word(&card, 2), verb = skip_blanks(&card, name_end),
		 verb_end = skip_word(&card, verb), start = skip_blanks(&card, verb_end);

	if (name_end < card.limit && card.text[name_end] == '\t')
		report_tab(reader, &card, name_end);
	if (name_end > 2)
		statement->name = folded_copy(reader, statement, &card, 2, name_end);
	if (verb_end > verb) {
		statement->verb = jcl_operation_verb(card.text + verb, verb_end - verb);
		if (!statement->verb)
			statement->verb = folded_copy(reader, statement, &card, verb, verb_end);
		statement->verb_column = verb + 1;
		statement->operation = jcl_operation_find(statement->verb, verb_end - verb);
	}
	check_operation(reader, statement, &card, name_end);
	check_name(reader, statement, &card);
	strbuf_reset(&reader->text);
	reader->segment_count = 0;
	if (!without_operands(statement)) {
		if (statement->operation == JCL_IF)
			join_condition(reader, statement, start);
		else if (statement->operation == JCL_GROUPING)
			join_grouping(reader, statement, start);
		else if (start < card.limit)
			join_operands(reader, statement, start);
		keep_text(reader, statement);
		parse_operands(reader, statement);
	}
	statement->last_line = ++reader->line;
	statement_data(reader, statement);
}

/* Keeps the text of a card that is no JCL statement. */
static struct jcl_statement *read_verbatim(struct jcl_reader *reader, enum jcl_operation operation)
{
	struct card card = card_at(reader, reader->line);
	struct jcl_statement *statement = statement_new(reader, operation);
	unsigned end = card.limit;

	/* A CR at its end becomes part of the line end when it is printed. */
	while (end > 0 && (blank(card.text[end - 1]) || card.text[end - 1] == '\r'))
		end--;
	statement->text.text = jcl_arena_text(&reader->deck->arena, card.text, end);
	statement->text.length = end;
	reader->line++;
	return statement;
}

/* Reads a JES3 statement; DATASET has data up to ENDDATASET. */
static void read_jes3(struct jcl_reader *reader)
{
	struct jcl_statement *statement = read_verbatim(reader, JCL_JES3);

	if (statement->text.length >= 10 && memcmp(statement->text.text, "//*DATASET", 10) == 0)
		read_data(reader, statement, "//*ENDDATASET", false);
}

/* Reads data cards without a DD; a run of only blank cards is dropped. */
static void read_stray(struct jcl_reader *reader)
{
	unsigned first = reader->line, line = first;
	struct location at = { reader->source, first + 1, 1, 1 };

	for (; line < reader->source->line_count; line++) {
		struct card card = card_at(reader, line);

		card.limit = card.length;
		if (card_is_statement(&card) || card_is_delimiter(&card))
			break;
		if (skip_blanks(&card, 0) < card.limit) {
			struct jcl_statement *statement = statement_new(reader, JCL_STRAY);

			statement->line = first + 1;
			read_data(reader, statement, NULL, true);
			return;
		}
	}
	if (line < reader->source->line_count)
		diag_add(reader->diags, SEVERITY_WARNING, 1025, &at, "a blank card is ignored");
	reader->line = line;
}

/* Reads a card with slash and asterisk: a delimiter without data, or for JES2. */
static void read_delimiter(struct jcl_reader *reader)
{
	struct card card = card_at(reader, reader->line);

	if (card_is_jes2(&card)) {
		read_verbatim(reader, JCL_JES2);
		return;
	}
	check_delimiter(reader, &card);
	reader->line++;
}

/* Reads what begins on the current card. */
static void read_card(struct jcl_reader *reader)
{
	struct card card = card_at(reader, reader->line);

	if (card_is_delimiter(&card))
		read_delimiter(reader);
	else if (!card_is_statement(&card))
		read_stray(reader);
	else if (card_is_jes3(&card))
		read_jes3(reader);
	else if (card_is_comment(&card))
		reader->line++;
	else if (card_is_null(&card))
		read_verbatim(reader, JCL_NULL);
	else
		read_statement(reader);
}

struct jcl_deck *jcl_parse(const struct source *source, const struct jcl_options *options,
			   struct diag_list *diags)
{
	struct jcl_deck *deck = xcalloc(1, sizeof(*deck));
	struct jcl_syntax syntax;
	struct jcl_reader reader = { .deck = deck,
				     .source = source,
				     .diags = diags,
				     .strict = options && options->strict,
				     .tail = &deck->statements,
				     .syntax = &syntax,
				     .text = STRBUF_INIT };

	deck->source = source;
	jcl_syntax_init(&syntax, &deck->arena, source, diags);
	while (reader.line < source->line_count)
		read_card(&reader);
	jcl_syntax_release(&syntax);
	strbuf_release(&reader.text);
	free(reader.segments);
	return deck;
}

void jcl_free(struct jcl_deck *deck)
{
	if (!deck)
		return;
	while (deck->members) {
		struct jcl_member *next = deck->members->next;

		jcl_free(deck->members->deck);
		source_free(deck->members->source);
		free(deck->members);
		deck->members = next;
	}
	jcl_arena_release(&deck->arena);
	free(deck);
}

size_t jcl_statement_count(const struct jcl_deck *deck)
{
	return deck->count;
}
