/* SPDX-License-Identifier: Apache-2.0 */
/* Prints JCL trees as canonical cards, and compares the trees of two decks. */
#include "common/compat.h"
#include "parser/jcl-tree.h"
#include "common/xalloc.h"

#define LAST_COLUMN 71
#define USUAL_COLUMN 16 /* column of continuations */

/* Appends text in apostrophes, with those inside doubled. */
static void print_quoted(struct strbuf *sb, const struct jcl_node *node)
{
	strbuf_addch(sb, '\'');
	for (unsigned i = 0; i < node->text_length; i++) {
		if (node->text[i] == '\'')
			strbuf_addch(sb, '\'');
		strbuf_addch(sb, node->text[i]);
	}
	strbuf_addch(sb, '\'');
}

void jcl_node_text(struct strbuf *sb, const struct jcl_node *node, bool apostrophes)
{
	switch (node->kind) {
	case JCL_WORD:
		strbuf_add(sb, node->text, node->text_length);
		break;
	case JCL_QUOTED:
		if (apostrophes)
			print_quoted(sb, node);
		else
			strbuf_add(sb, node->text, node->text_length);
		break;
	case JCL_KEYWORD:
		strbuf_add(sb, node->text, node->text_length);
		strbuf_addch(sb, '=');
		jcl_node_text(sb, node->child, apostrophes);
		break;
	case JCL_LIST:
		strbuf_addch(sb, '(');
		for (const struct jcl_node *child = node->child; child; child = child->next) {
			if (child != node->child)
				strbuf_addch(sb, ',');
			jcl_node_text(sb, child, apostrophes);
		}
		strbuf_addch(sb, ')');
		break;
	case JCL_JOINED:
		for (const struct jcl_node *child = node->child; child; child = child->next)
			jcl_node_text(sb, child, apostrophes);
		break;
	default:
		break;
	}
}

/* Returns the precedence of a kind of condition. */
static int binding(const struct jcl_node *node)
{
	switch (node->kind) {
	case JCL_OR:
		return 1;
	case JCL_AND:
		return 2;
	case JCL_NOT:
		return 3;
	case JCL_COMPARE:
		return 4;
	default:
		return 5;
	}
}

/*
 * Appends a word of a condition. THEN between blanks would end the condition, in
 * parentheses it does not.
 */
static void print_word(struct strbuf *sb, const struct jcl_node *node)
{
	size_t before = sb->length;
	bool ends;

	jcl_node_text(sb, node, true);
	ends = strcmp(sb->text + before, "THEN") == 0;
	if (ends) {
		strbuf_setlen(sb, before);
		strbuf_addstr(sb, "(THEN)");
	}
}

/* Appends the condition of an IF, in parentheses if its precedence is below needed. */
static void print_condition(struct strbuf *sb, const struct jcl_node *node, int needed)
{
	int mine = binding(node);

	if (mine < needed)
		strbuf_addch(sb, '(');
	if (node->kind == JCL_NOT) {
		strbuf_addstr(sb, "NOT ");
		print_condition(sb, node->child, mine);
	} else if (mine == 5) {
		print_word(sb, node);
	} else {
		print_condition(sb, node->child, mine == 4 ? 5 : mine);
		strbuf_addf(sb, " %s ",
			    node->kind == JCL_OR    ? "OR"
			    : node->kind == JCL_AND ? "AND"
						    : plan_relation_name(node->relation));
		print_condition(sb, node->child->next, mine + 1);
	}
	if (mine < needed)
		strbuf_addch(sb, ')');
}

/* Returns the length of the text including its first comma outside apostrophes and parentheses. */
static size_t piece_length(const char *text, size_t length, bool inside)
{
	bool open = false;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\'')
			open = !open;
		else if (!open && text[i] == ',' && (inside || depth <= 0))
			return i + 1;
		else if (!open)
			depth += (text[i] == '(') - (text[i] == ')');
	}
	return length;
}

/*
 * Returns the length of the unit at text: an operand if it has at most room
 * characters, else a part of it.
 */
static size_t unit_length(const char *text, size_t length, size_t room)
{
	size_t operand = piece_length(text, length, false);

	return operand <= room ? operand : piece_length(text, length, true);
}

/*
 * Returns whether a unit can be printed from column on: whole, or split inside
 * apostrophes at column 71 with no apostrophe in that column.
 */
static bool unit_fits(const char *unit, size_t length, size_t column)
{
	bool open = false;

	if (column > LAST_COLUMN)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (unit[i] == '\'')
			open = !open;
		if (column == LAST_COLUMN && i + 1 < length) {
			if (!open || unit[i] == '\'')
				return false;
			column = USUAL_COLUMN;
		} else {
			column++;
		}
	}
	return true;
}

/* Appends a unit from column on, splitting it at column 71. Returns the column after it. */
static size_t print_unit(struct strbuf *sb, const char *unit, size_t length, size_t column)
{
	for (size_t i = 0; i < length; i++) {
		strbuf_addch(sb, unit[i]);
		if (column++ == LAST_COLUMN && i + 1 < length) {
			strbuf_addstr(sb, "\n//             ");
			column = USUAL_COLUMN;
		}
	}
	return column;
}

/* Returns the first column between first and last at which a unit can be printed; 0: none. */
static size_t unit_column(const char *unit, size_t length, size_t first, size_t last)
{
	for (size_t column = first; column <= last; column++)
		if (unit_fits(unit, length, column))
			return column;
	return 0;
}

/* Returns the column on a new card at which a unit can be printed; 0: none. */
static size_t new_card_column(const char *unit, size_t length)
{
	if (length <= LAST_COLUMN - USUAL_COLUMN + 1)
		return USUAL_COLUMN;
	return unit_column(unit, length, 4, USUAL_COLUMN);
}

/* Appends an operand field that begins at column, split into cards; false if that fails. */
static bool print_operands(struct strbuf *sb, const char *text, size_t length, size_t column)
{
	size_t room = column <= LAST_COLUMN ? LAST_COLUMN - column + 1 : 0;
	size_t unit = unit_length(text, length, room);
	size_t next = unit_column(text, unit, column, LAST_COLUMN);

	if (next == 0)
		return length == 0;
	strbuf_addchars(sb, ' ', next - column);
	column = print_unit(sb, text, unit, next);
	for (text += unit, length -= unit; length > 0; text += unit, length -= unit) {
		unit = unit_length(text, length, LAST_COLUMN - USUAL_COLUMN + 1);
		if (column + unit > LAST_COLUMN + 1) {
			column = new_card_column(text, unit);
			if (column == 0)
				return false;
			strbuf_addstr(sb, "\n//");
			strbuf_addchars(sb, ' ', column - 3);
		}
		column = print_unit(sb, text, unit, column);
	}
	return true;
}

/* Appends the operand field on cards as it was read, if it has no canonical form. */
static void print_as_read(struct strbuf *sb, const struct jcl_text *text, size_t column)
{
	for (unsigned i = 0; i < text->segment_count; i++) {
		const struct jcl_segment *segment = &text->segments[i];
		unsigned begin = segment->offset, end = text->length;

		/* the text was truncated before THEN: segments may be beyond its end */
		if (i + 1 < text->segment_count && segment[1].offset < end)
			end = segment[1].offset;
		if (begin > end)
			begin = end;
		if (i > 0) {
			strbuf_rtrim(sb); /* the reader pads cards with blanks */
			strbuf_addstr(sb, "\n//");
			column = 3;
		}
		if (segment->column > column)
			strbuf_addchars(sb, ' ', segment->column - column);
		strbuf_add(sb, text->text + begin, end - begin);
	}
}

/* Appends a condition and THEN, split after blanks. */
static void print_words(struct strbuf *sb, const char *text, size_t length, size_t column)
{
	for (size_t i = 0; i < length;) {
		size_t end = i;

		for (bool open = false; end < length && (open || text[end] != ' '); end++)
			open ^= text[end] == '\'';
		if (column + (end - i) > LAST_COLUMN + 1 && i > 0) {
			bool wide = end - i > LAST_COLUMN - USUAL_COLUMN;

			strbuf_rtrim(sb);
			strbuf_addstr(sb, wide ? "\n// " : "\n//             ");
			column = wide ? 4 : USUAL_COLUMN;
		}
		strbuf_add(sb, text + i, end - i);
		column += end - i;
		while (end < length && text[end] == ' ' && column <= LAST_COLUMN) {
			strbuf_addch(sb, text[end++]);
			column++;
		}
		i = end;
		while (i < length && text[i] == ' ')
			i++;
	}
}

/* Appends the operand field of a statement as one text. */
static void operand_text(struct strbuf *sb, const struct jcl_statement *statement)
{
	if (statement->raw) {
		strbuf_add(sb, statement->text.text, statement->text.length);
	} else if (statement->operation == JCL_IF) {
		if (statement->operands)
			print_condition(sb, statement->operands, 0);
	} else {
		for (const struct jcl_node *node = statement->operands; node; node = node->next) {
			if (node != statement->operands)
				strbuf_addch(sb, ',');
			jcl_node_text(sb, node, true);
		}
	}
}

/* Appends the data cards and their end. */
static void print_data(struct strbuf *sb, const struct source *source,
		       const struct jcl_statement *statement)
{
	for (unsigned i = 0; i < statement->data_count; i++) {
		const struct source_line *line = &source->lines[statement->data_line + i - 1];

		strbuf_add(sb, line->text, line->length);
		/* the reader removes one CR at the end of a line */
		strbuf_addstr(sb,
			      line->length && line->text[line->length - 1] == '\r' ? "\r\n" : "\n");
	}
	strbuf_addf(sb, "%s\n", statement->delimiter ? statement->delimiter : "/*");
}

static bool ends_with(const struct strbuf *text, char c)
{
	return text->length > 0 && text->text[text->length - 1] == c;
}

/* Appends the operands after //NAME VERB, whose line began at start. */
static void print_field(struct strbuf *sb, const struct jcl_statement *statement, size_t start)
{
	size_t column = sb->length - start + 1, before = sb->length;
	struct strbuf text = STRBUF_INIT;

	operand_text(&text, statement);
	if (statement->raw || (statement->operation != JCL_IF &&
			       !print_operands(sb, text.text, text.length, column))) {
		strbuf_setlen(sb, before);
		print_as_read(sb, &statement->text, column);
		if (statement->operation == JCL_IF && !statement->no_then)
			strbuf_addstr(sb, text.length == 0 || ends_with(&text, ')') ||
							  ends_with(&text, '\'')
						  ? "THEN"
						  : " THEN");
	} else if (statement->operation == JCL_IF) {
		strbuf_addstr(&text, " THEN");
		print_words(sb, text.text, text.length, column);
	}
	strbuf_release(&text);
}

/* Appends the card or cards of a statement itself. */
static void print_cards(struct strbuf *sb, const struct jcl_statement *statement)
{
	size_t start = sb->length;

	strbuf_addf(sb, "//%s", statement->name);
	if (statement->verb[0])
		strbuf_addf(sb, " %s", statement->verb);
	if (statement->text.length > 0 || statement->operation == JCL_IF) {
		strbuf_addch(sb, ' ');
		print_field(sb, statement, start);
	}
	strbuf_addch(sb, '\n');
	if (statement->ended_by_null)
		strbuf_addstr(sb, "//\n");
	else if (statement->faulty && !statement->has_data)
		strbuf_addstr(sb, "/*\n"); /* prevents the next card from continuing it */
}

/* Appends one statement. */
static void print_statement(struct strbuf *sb, const struct source *source,
			    const struct jcl_statement *statement)
{
	switch (statement->operation) {
	case JCL_NULL:
		strbuf_addstr(sb, "//\n");
		break;
	case JCL_JES2:
	case JCL_JES3:
		strbuf_add(sb, statement->text.text, statement->text.length);
		strbuf_addch(sb, '\n');
		break;
	case JCL_STRAY:
		break;
	default:
		print_cards(sb, statement);
		break;
	}
	if (statement->has_data)
		print_data(sb, source, statement);
}

void jcl_print(const struct jcl_deck *deck, struct strbuf *sb)
{
	for (const struct jcl_statement *at = deck->statements; at; at = at->next)
		print_statement(sb, deck->source, at);
}

/* Returns whether two trees are equal. */
static bool node_equal(const struct jcl_node *a, const struct jcl_node *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (a->kind != b->kind || a->relation != b->relation ||
		    a->text_length != b->text_length ||
		    memcmp(a->text, b->text, a->text_length) != 0 ||
		    !node_equal(a->child, b->child))
			return false;
	}
	return !a && !b;
}

/* Returns whether the data cards of two statements are equal. */
static bool data_equal(const struct jcl_deck *a, const struct jcl_statement *left,
		       const struct jcl_deck *b, const struct jcl_statement *right)
{
	if (left->has_data != right->has_data || left->data_count != right->data_count)
		return false;
	for (unsigned i = 0; i < left->data_count; i++) {
		const struct source_line *one = &a->source->lines[left->data_line + i - 1];
		const struct source_line *other = &b->source->lines[right->data_line + i - 1];

		if (one->length != other->length ||
		    memcmp(one->text, other->text, one->length) != 0)
			return false;
	}
	return true;
}

/* Returns whether two texts are equal, ignoring blanks. */
static bool words_equal(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == ' ')
			a++;
		while (*b == ' ')
			b++;
		if (*a != *b)
			return false;
		if (*a == '\0')
			return true;
	}
}

/* Returns whether two statements are equal, ignoring locations. */
static bool statement_equal(const struct jcl_statement *a, const struct jcl_statement *b)
{
	bool verbatim = a->raw || a->operation == JCL_JES2 || a->operation == JCL_JES3;

	if (a->operation != b->operation || strcmp(a->name, b->name) != 0 ||
	    strcmp(a->verb, b->verb) != 0 || a->raw != b->raw)
		return false;
	if (verbatim && (a->operation == JCL_IF || a->operation == JCL_GROUPING))
		return words_equal(a->text.text, b->text.text);
	if (verbatim && (a->text.length != b->text.length ||
			 memcmp(a->text.text, b->text.text, a->text.length) != 0))
		return false;
	return node_equal(a->operands, b->operands);
}

bool jcl_equal(const struct jcl_deck *a, const struct jcl_deck *b)
{
	const struct jcl_statement *left = a->statements, *right = b->statements;

	for (; left && right; left = left->next, right = right->next)
		if (!statement_equal(left, right) || !data_equal(a, left, b, right))
			return false;
	return !left && !right;
}
