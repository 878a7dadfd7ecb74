/* SPDX-License-Identifier: Apache-2.0 */
/* Splits SORT's input into statements and reads words, numbers and constants from them. */
#include "common/compat.h"
#include "utilities/sort/sort-scan.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <strings.h>

#define STATEMENT_COLUMNS 71
#define SYMBOL_COLUMNS 80
#define CONTINUED_COLUMN 16 /* column where text broken at column 71 continues */
#define MAX_DIGITS 38

/* State between two lines. */
struct splitter {
	const struct source *source;
	struct diag_list *diags;
	struct sort_statement *open; /* statement to be continued; NULL: none */
	struct sort_statement **end;
	size_t columns; /* significant columns of a line */
	bool broken;	/* the previous line is continued by column 72 */
	bool quoted;	/* ... within apostrophes */
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

void sort_statement_add(struct sort_statement *statement, char c, struct scan_location place)
{
	GROW(statement->places, statement->text.length + 2, statement->place_alloc);
	statement->places[statement->text.length] = place;
	statement->places[statement->text.length + 1] =
		(struct scan_location){ place.line, place.column + 1 };
	/* a NUL would look like the end; no syntax rule accepts its substitute */
	strbuf_addch(&statement->text, c ? c : '\001');
}

static void add_byte(struct sort_statement *statement, char c, unsigned line, size_t column)
{
	sort_statement_add(statement, c, (struct scan_location){ line, (unsigned)column });
}

/*
 * Appends a line's operands, up to a blank; returns whether the statement
 * continues on the next line.
 */
static bool take_operands(struct splitter *cut, const struct source_line *line, size_t at,
			  unsigned number)
{
	size_t length = line->length < cut->columns ? line->length : cut->columns;
	struct strbuf *text = &cut->open->text;

	for (; at < length && (cut->quoted || !blank(line->text[at])); at++) {
		cut->quoted ^= line->text[at] == '\'';
		add_byte(cut->open, line->text[at], number, at + 1);
	}
	cut->broken = at == cut->columns && line->length > at && !blank(line->text[at]);
	if (cut->broken)
		return true;
	cut->quoted = false;
	return text->length > 0 &&
	       (text->text[text->length - 1] == ',' || text->text[text->length - 1] == ':');
}

/* Reads the operation at a position of the line, in upper case; returns its length. */
static size_t read_operation(struct sort_statement *statement, const struct source_line *line,
			     size_t at)
{
	size_t length = 0;

	while (at + length < line->length && !blank(line->text[at + length])) {
		if (length < SCAN_WORD - 1)
			statement->operation[length] =
				(char)toupper((unsigned char)line->text[at + length]);
		length++;
	}
	return length;
}

static size_t skip_blanks(const struct source_line *line, size_t at)
{
	while (at < line->length && blank(line->text[at]))
		at++;
	return at;
}

/*
 * Returns whether the first word of a line is a label: it begins in column 1 and
 * an operation follows.
 */
static bool labelled(const struct source_line *line, size_t length)
{
	static const char *const operations[] = { "SORT",   "MERGE",  "INCLUDE", "OMIT",   "INREC",
						  "OUTREC", "OUTFIL", "SUM",	 "OPTION", "RECORD",
						  "ALTSEQ", "MODS",   "END",	 "DEBUG" };

	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (length == strlen(operations[i]) &&
		    strncasecmp(line->text, operations[i], length) == 0)
			return false;
	return !memchr(line->text, '=', length) && skip_blanks(line, length) < line->length;
}

/* Appends a new statement without operands to the list. */
static struct sort_statement *add_statement(struct splitter *cut, unsigned line, size_t at)
{
	struct sort_statement *statement = xcalloc(1, sizeof(*statement));

	strbuf_init(&statement->text);
	statement->source = cut->source;
	statement->location = (struct location){ cut->source, line, (unsigned)at + 1, 1 };
	add_byte(statement, ' ', line, at + 1);
	strbuf_reset(&statement->text);
	cut->open = statement;
	*cut->end = statement;
	cut->end = &statement->next;
	return statement;
}

/* Begins a statement from the line's first words. */
static bool begin(struct splitter *cut, const struct source_line *line, unsigned number)
{
	struct sort_statement *statement = add_statement(cut, number, 0);
	size_t at = skip_blanks(line, 0), length = read_operation(statement, line, at);

	if (at == 0 && labelled(line, length)) {
		memset(statement->operation, 0, sizeof(statement->operation));
		at = skip_blanks(line, length);
		length = read_operation(statement, line, at);
	}
	statement->location =
		(struct location){ cut->source, number, (unsigned)at + 1, (unsigned)length };
	at = skip_blanks(line, at + length);
	statement->places[0] = (struct scan_location){ number, (unsigned)at + 1 };
	return take_operands(cut, line, at, number);
}

/* Continues the open statement. */
static bool continue_statement(struct splitter *cut, const struct source_line *line, unsigned number)
{
	size_t at = cut->broken ? CONTINUED_COLUMN - 1 : skip_blanks(line, 0);

	if (cut->broken && at > line->length)
		at = line->length;
	return take_operands(cut, line, at, number);
}

struct sort_statement *sort_statements(const struct source *source, bool cards,
				       struct diag_list *diags)
{
	struct sort_statement *list = NULL;
	struct splitter cut = { .source = source,
			      .diags = diags,
			      .end = &list,
			      .columns = cards ? STATEMENT_COLUMNS : SIZE_MAX };

	for (unsigned number = 1; number <= source->line_count; number++) {
		const struct source_line *line = &source->lines[number - 1];

		if ((line->length > 0 && line->text[0] == '*') ||
		    skip_blanks(line, 0) == line->length || skip_blanks(line, 0) >= cut.columns)
			continue;
		if (!(cut.open ? continue_statement(&cut, line, number) : begin(&cut, line, number)))
			cut.open = NULL;
	}
	if (cut.open)
		diag_add(diags, SEVERITY_SEVERE, 5541, &cut.open->location,
			 "ICE007A SYNTAX ERROR: the statement's operands continue, but nothing "
			 "follows");
	return list;
}

struct sort_statement *sort_symbol_lines(const struct source *source)
{
	struct sort_statement *list = NULL;
	struct splitter cut = { .source = source, .end = &list, .columns = SYMBOL_COLUMNS };

	for (unsigned number = 1; number <= source->line_count; number++) {
		const struct source_line *line = &source->lines[number - 1];
		size_t at = skip_blanks(line, 0);

		if (at == line->length || line->text[0] == '*')
			continue;
		add_statement(&cut, number, at);
		take_operands(&cut, line, at, number);
	}
	return list;
}

void sort_statements_free(struct sort_statement *list)
{
	while (list) {
		struct sort_statement *next = list->next;

		strbuf_release(&list->text);
		free(list->places);
		free(list);
		list = next;
	}
}

void scan_init(struct scan *scan, const struct sort_statement *statement, struct diag_list *diags)
{
	*scan = (struct scan){ statement, diags, statement->text.text, false, NULL };
}

int scan_error_at(struct scan *scan, const char *at, unsigned number, const char *format, ...)
{
	const struct sort_statement *statement = scan->statement;
	const struct scan_location *place = &statement->places[at - statement->text.text];
	struct location location = { statement->source, place->line, place->column, 1 };
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (!scan->failed) {
		va_start(ap, format);
		strbuf_vaddf(&text, format, ap);
		va_end(ap);
		diag_add(scan->diags, SEVERITY_SEVERE, number, &location, "%s", text.text);
		strbuf_release(&text);
	}
	scan->failed = true;
	return -1;
}

int scan_expected(struct scan *scan, const char *what)
{
	return scan_error_at(scan, scan->at, 5541, "ICE007A SYNTAX ERROR: expected %s%s", what,
			     *scan->at ? "" : ", and the statement ends");
}

int scan_unsupported(struct scan *scan, const char *at, const char *what)
{
	return scan_error_at(scan, at, 5540, "%s is not supported", what);
}

bool scan_done(const struct scan *scan)
{
	return scan->failed || *scan->at == '\0';
}

bool scan_accept(struct scan *scan, char c)
{
	if (scan->failed || *scan->at != c || c == '\0')
		return false;
	scan->at++;
	return true;
}

bool scan_require(struct scan *scan, char c)
{
	const char what[] = { '\'', c, '\'', '\0' };

	if (scan_accept(scan, c))
		return true;
	scan_expected(scan, what);
	return false;
}

size_t scan_peek(const struct scan *scan, char word[SCAN_WORD])
{
	size_t length = 0;

	for (const char *at = scan->at;
	     !scan->failed && (isalnum((unsigned char)*at) || (*at && strchr("$#@_", *at)));
	     at++, length++)
		if (length < SCAN_WORD - 1)
			word[length] = (char)toupper((unsigned char)*at);
	word[length < SCAN_WORD ? length : SCAN_WORD - 1] = '\0';
	return length;
}

bool scan_peek_is(const struct scan *scan, const char *word)
{
	char found[SCAN_WORD];

	return scan_peek(scan, found) > 0 && strcmp(found, word) == 0;
}

bool scan_keyword(struct scan *scan, const char *word, char c)
{
	char found[SCAN_WORD];
	size_t length = scan_peek(scan, found);

	if (length == 0 || strcmp(found, word) != 0 || (c && scan->at[length] != c))
		return false;
	scan->at += length + (c != '\0');
	return true;
}

size_t scan_number(struct scan *scan, size_t low, size_t high, const char *what)
{
	const char *start = scan->at;
	size_t value = 0;

	if (scan->failed || !isdigit((unsigned char)*start)) {
		scan_expected(scan, what);
		return 0;
	}
	for (; isdigit((unsigned char)*scan->at); scan->at++)
		if (value <= high)
			value = value * 10 + (size_t)(*scan->at - '0');
	if (value < low || value > high) {
		scan_error_at(scan, start, 5541, "ICE007A SYNTAX ERROR: %s must be from %zu to %zu",
			      what, low, high);
		return 0;
	}
	return value;
}

bool scan_at_decimal(const struct scan *scan)
{
	const char *at = scan->at;

	at += *at == '+' || *at == '-';
	return !scan->failed && isdigit((unsigned char)*at);
}

sort_number scan_decimal(struct scan *scan)
{
	sort_number value = 0;
	bool negative = scan_accept(scan, '-');
	unsigned digits = 0;

	if (!negative)
		scan_accept(scan, '+');
	if (scan->failed || !isdigit((unsigned char)*scan->at)) {
		scan_expected(scan, "a number");
		return 0;
	}
	for (; isdigit((unsigned char)*scan->at); scan->at++) {
		digits += digits > 0 || *scan->at != '0';
		if (digits < MAX_DIGITS)
			value = value * 10 + (*scan->at - '0');
	}
	if (digits >= MAX_DIGITS)
		scan_expected(scan, "a number of at most 37 digits");
	return negative ? -value : value;
}

bool scan_at_bytes(const struct scan *scan)
{
	return !scan->failed && strchr("CcXx", *scan->at) && scan->at[0] && scan->at[1] == '\'';
}

static int hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF";
	const char *found = c ? strchr(digits, toupper((unsigned char)c)) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* Appends the bytes of hexadecimal digits and skips the apostrophe after them. */
static void hex_bytes(struct scan *scan, struct strbuf *bytes)
{
	while (!scan->failed && !scan_accept(scan, '\'')) {
		int high = hex_digit(scan->at[0]), low = high < 0 ? -1 : hex_digit(scan->at[1]);

		if (low < 0) {
			scan_expected(scan, "pairs of hexadecimal digits and an apostrophe");
			return;
		}
		strbuf_addch(bytes, (char)(high << 4 | low));
		scan->at += 2;
	}
}

/* Appends characters and skips the apostrophe after them; two apostrophes are one character. */
static void quoted_bytes(struct scan *scan, struct strbuf *bytes)
{
	for (; *scan->at && (*scan->at != '\'' || scan->at[1] == '\''); scan->at++) {
		scan->at += *scan->at == '\'';
		strbuf_addch(bytes, *scan->at);
	}
	if (!scan_accept(scan, '\''))
		scan_expected(scan, "the apostrophe that ends the text");
}

void scan_text(struct scan *scan, struct strbuf *bytes)
{
	if (scan_accept(scan, '\''))
		quoted_bytes(scan, bytes);
	else
		scan_bytes(scan, bytes);
}

void scan_bytes(struct scan *scan, struct strbuf *bytes)
{
	bool hex = *scan->at == 'X' || *scan->at == 'x';
	size_t before = bytes->length;

	if (!scan_at_bytes(scan)) {
		scan_expected(scan, "C'text' or X'hexadecimal digits'");
		return;
	}
	scan->at += 2;
	if (hex)
		hex_bytes(scan, bytes);
	else
		quoted_bytes(scan, bytes);
	if (!scan->failed && bytes->length == before)
		scan_expected(scan, "a constant that is not empty before this");
}

void scan_skip_value(struct scan *scan)
{
	unsigned depth = 0;
	bool quoted = false;

	for (; *scan->at && !scan->failed; scan->at++) {
		if (*scan->at == '\'')
			quoted = !quoted;
		else if (!quoted && *scan->at == '(')
			depth++;
		else if (!quoted && (*scan->at == ')' || *scan->at == ',') && depth == 0)
			return;
		else if (!quoted && *scan->at == ')')
			depth--;
	}
}
