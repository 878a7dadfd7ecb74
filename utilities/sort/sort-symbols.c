/* SPDX-License-Identifier: Apache-2.0 */
/* Reads SYMNAMES and replaces symbols in statements. */
#include "common/compat.h"
#include "utilities/sort/sort-symbols.h"
#include "common/xalloc.h"
#include "utilities/sort/field.h"

#include <ctype.h>
#include <strings.h>

static bool name_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("$#@_-", c));
}

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (name_byte(text[length]))
		length++;
	return length;
}

static struct sort_symbol *add_symbol(struct sort_symbols *symbols, const char *name, size_t length)
{
	struct sort_symbol *symbol;

	GROW(symbols->symbols, symbols->count + 1, symbols->alloc);
	symbol = &symbols->symbols[symbols->count++];
	symbol->name = xstrndup(name, length);
	strbuf_init(&symbol->place);
	strbuf_init(&symbol->format);
	return symbol;
}

void sort_symbols_release(struct sort_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++) {
		free(symbols->symbols[i].name);
		strbuf_release(&symbols->symbols[i].place);
		strbuf_release(&symbols->symbols[i].format);
	}
	free(symbols->symbols);
	*symbols = (struct sort_symbols){ 0 };
}

/* Parses "position,length[,format]" after the name. */
static void parse_field(struct scan *scan, struct sort_symbols *symbols, struct sort_symbol *symbol)
{
	struct sort_field field = { symbols->next, 0, FORMAT_NONE };
	const char *at;

	if (scan_accept(scan, '='))
		field.position = symbols->before;
	else if (!scan_accept(scan, '*'))
		field.position = scan_number(scan, 1, FIELD_HIGHEST, "a position");
	if (*scan->at == ',') {
		scan->at++;
		field.length = scan_number(scan, 1, FIELD_HIGHEST, "a length");
		strbuf_addf(&symbol->place, "%zu,%zu", field.position, field.length);
	} else {
		strbuf_addf(&symbol->place, "%zu", field.position);
	}
	at = scan->at;
	if (scan_accept(scan, ',')) {
		if (!field_format_scan(scan, &field.format))
			scan_expected(scan, "a format");
		strbuf_add(&symbol->format, at, (size_t)(scan->at - at));
	}
	symbols->before = field.position;
	symbols->next = field.position + field.length;
}

/* Parses a line; its first word, up to the blank, is the statement's operation. */
static void parse_line(struct scan *scan, struct sort_symbols *symbols)
{
	size_t length = name_length(scan->at);
	const char *name = scan->at;
	bool skip = length == 4 && strncasecmp(name, "SKIP", 4) == 0;
	struct sort_symbol *symbol;

	scan->at += length;
	if (length == 0 || !scan_require(scan, ',')) {
		scan_expected(scan, "a name and ','");
		return;
	}
	if (skip || (length == 8 && strncasecmp(name, "POSITION", 8) == 0)) {
		size_t value = scan_number(scan, 1, FIELD_HIGHEST, "a number of bytes");

		symbols->next = skip ? symbols->next + value : value;
		return;
	}
	symbol = add_symbol(symbols, name, length);
	if (*scan->at == '*' || *scan->at == '=' ||
	    (isdigit((unsigned char)*scan->at) && strchr(scan->at, ','))) {
		parse_field(scan, symbols, symbol);
		if (!scan_done(scan))
			scan_expected(scan, "the end of the line");
	} else {
		strbuf_addstr(&symbol->place, scan->at);
	}
}

void sort_symbols_read(struct sort_symbols *symbols, const struct source *source,
		       struct diag_list *diags)
{
	struct sort_statement *lines = sort_symbol_lines(source);

	symbols->next = symbols->before = 1;
	for (const struct sort_statement *line = lines; line; line = line->next) {
		struct scan scan;

		scan_init(&scan, line, diags);
		parse_line(&scan, symbols);
	}
	sort_statements_free(lines);
}

/*
 * Returns whether one of the words, each followed by a blank in words, is at this
 * position as a whole.
 */
static bool word_of(const char *at, const char *words)
{
	size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	for (; length > 0 && *words; words += strcspn(words, " ") + 1)
		if (strncasecmp(words, at, length) == 0 && words[length] == ' ')
			return true;
	return false;
}

/*
 * Returns whether a symbol is replaced with its format, judged by the word before
 * it and the text after it: in keys, conditions, sums and arithmetic, but not
 * where bytes are only moved.
 */
static bool with_format(const struct sort_statement *statement, const char *word, const char *after)
{
	static const char relations[] = "EQ NE GT GE LT LE ";
	static const char numbers[] = "EDIT TO SIGNS LENGTH ADD SUB MUL DIV MOD MIN MAX M ";
	static const char formats[] =
		"CH BI FI ZD PD FS CSF UFF SFF LS TS SS AQ AC CSL CST CLO CTO ";
	const char *next = *after == ',' ? after + 1 : "";

	if (word_of(next, formats))
		return false;
	return word_of(next, relations) || word_of(next, numbers) || word_of(word, relations) ||
	       word_of(word, numbers) ||
	       (strcmp(statement->operation, "INREC") != 0 &&
		strcmp(statement->operation, "OUTREC") != 0 &&
		strcmp(statement->operation, "OUTFIL") != 0);
}

static const struct sort_symbol *find_symbol(const struct sort_symbols *symbols, const char *name,
					     size_t length)
{
	for (size_t i = symbols->count; length > 0 && i-- > 0;)
		if (strlen(symbols->symbols[i].name) == length &&
		    memcmp(symbols->symbols[i].name, name, length) == 0)
			return &symbols->symbols[i];
	return NULL;
}

static void add_text(struct sort_statement *statement, const struct strbuf *text,
		     struct scan_location place)
{
	for (size_t i = 0; i < text->length; i++)
		sort_statement_add(statement, text->text[i], place);
}

/* Copies a statement's operands to another statement, with symbols replaced. */
static void replace(const struct sort_symbols *symbols, const struct sort_statement *from,
		    struct sort_statement *to)
{
	const char *text = from->text.text, *word = "";
	bool quoted = false;

	for (size_t i = 0; i < from->text.length;) {
		bool begins = !quoted && (i == 0 || strchr("(,:=", text[i - 1]));
		size_t length = begins ? name_length(text + i) : 0;
		const struct sort_symbol *symbol = find_symbol(symbols, text + i, length);

		if (symbol) {
			add_text(to, &symbol->place, from->places[i]);
			if (with_format(from, word, text + i + length))
				add_text(to, &symbol->format, from->places[i]);
			i += length;
			word = "";
			continue;
		}
		word = length > 0 ? text + i : text[i] == '(' ? "" : word;
		quoted ^= text[i] == '\'';
		sort_statement_add(to, text[i], from->places[i]);
		i++;
	}
	to->places[to->text.length] = from->places[from->text.length];
}

void sort_symbols_apply(const struct sort_symbols *symbols, struct sort_statement *statements)
{
	for (; symbols->count > 0 && statements; statements = statements->next) {
		struct sort_statement made = { .text = STRBUF_INIT };

		if (statements->text.length == 0)
			continue;
		replace(symbols, statements, &made);
		strbuf_release(&statements->text);
		free(statements->places);
		statements->text = made.text;
		statements->places = made.places;
		statements->place_alloc = made.place_alloc;
	}
}
