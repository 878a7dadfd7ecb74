/* SPDX-License-Identifier: Apache-2.0 */
/* Splits COBOL source into words, literals and periods. */
#include "common/compat.h"
#include "common/cobol-scan.h"

#include <ctype.h>
#include <strings.h>

#define FIXED_TEXT 7 /* columns before area A */
#define CARD_END 80  /* number of columns of a card */
#define FIXED_END 72 /* last column with program text */

bool cobol_scan_looks_fixed(char *const *lines, size_t line_count)
{
	size_t seen = 0, odd = 0;

	for (size_t i = 0; i < line_count; i++) {
		const char *text = lines[i];
		size_t length = strnlen(text, FIXED_TEXT);

		if (!text[strspn(text, " \t\r")] || memchr(text, '\t', length))
			continue;
		seen++;
		if (length == FIXED_TEXT && text[FIXED_TEXT - 1] == '*')
			continue;
		if (strlen(text) > CARD_END + 1)
			odd++;
		else if (length == FIXED_TEXT && !strchr(" *-/Dd$>#", text[FIXED_TEXT - 1]))
			odd++;
		else if (length < FIXED_TEXT && isalpha((unsigned char)text[0]))
			odd++;
	}
	return odd * 20 <= seen;
}

void cobol_scan_init(struct cobol_scan *scan, char *const *lines, size_t line_count, bool fixed)
{
	memset(scan, 0, sizeof(*scan));
	scan->lines = lines;
	scan->line_count = line_count;
	scan->fixed = fixed;
	strbuf_init(&scan->text);
	strbuf_init(&scan->token);
}

void cobol_scan_release(struct cobol_scan *scan)
{
	strbuf_release(&scan->text);
	strbuf_release(&scan->token);
}

/* Copies a line into scan->text with tabs expanded. */
static void expand_line(struct cobol_scan *scan, const char *line)
{
	strbuf_reset(&scan->text);
	for (;;) {
		size_t plain = strcspn(line, "\t\r");

		strbuf_add(&scan->text, line, plain);
		line += plain;
		if (!*line)
			return;
		if (*line++ == '\t')
			strbuf_addchars(&scan->text, ' ', 8 - scan->text.length % 8);
	}
}

/*
 * Applies a directive that changes the reference format; returns true if the line
 * is a directive.
 */
static bool take_directive(struct cobol_scan *scan)
{
	const char *text = scan->text.text + strspn(scan->text.text, " ");
	const char *word;

	if (strncmp(text, ">>", 2) && text[0] != '$')
		return false;
	word = strcasestr(text, "SOURCE");
	if (word && strcasestr(word, "FREE"))
		scan->fixed = false;
	else if (word && strcasestr(word, "FIXED"))
		scan->fixed = true;
	return true;
}

/* Advances to the next line with program text; *continued: it continues the last one. */
static bool next_line(struct cobol_scan *scan, bool *continued)
{
	*continued = false;
	while (scan->line < scan->line_count) {
		char indicator;

		expand_line(scan, scan->lines[scan->line++]);
		scan->at = 0;
		if (!scan->fixed) {
			if (take_directive(scan))
				continue;
			return true;
		}
		if (scan->text.length > FIXED_END)
			strbuf_setlen(&scan->text, FIXED_END);
		if (scan->text.length < FIXED_TEXT)
			continue;
		indicator = scan->text.text[FIXED_TEXT - 1];
		memset(scan->text.text, ' ', FIXED_TEXT - 1);
		if (strchr("*/Dd", indicator) || take_directive(scan))
			continue;
		scan->at = FIXED_TEXT;
		*continued = indicator == '-';
		return true;
	}
	return false;
}

/* Returns whether a character can be part of a word. */
static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

/* Reads a literal, including its continuation lines; its opening quote has been read. */
static void read_literal(struct cobol_scan *scan, char quote)
{
	bool continued;

	for (;;) {
		while (scan->at < scan->text.length) {
			char c = scan->text.text[scan->at++];

			if (c != quote)
				strbuf_addch(&scan->token, c);
			else if (scan->text.text[scan->at] == quote)
				strbuf_addch(&scan->token, scan->text.text[scan->at++]);
			else
				return;
		}
		if (!next_line(scan, &continued))
			return;
		if (!continued)
			return; /* no closing quote on its line: the rest is read as text */
		while (scan->text.text[scan->at] == ' ')
			scan->at++;
		if (scan->text.text[scan->at] == quote)
			scan->at++;
	}
}

/* Reads the word that begins here; a decimal point between digits is part of it. */
static void read_word(struct cobol_scan *scan)
{
	const char *text = scan->text.text;
	size_t from = scan->at++;

	while (is_word_character(text[scan->at]) ||
	       ((text[scan->at] == '.' || text[scan->at] == ',') && scan->at &&
		isdigit((unsigned char)text[scan->at - 1]) &&
		isdigit((unsigned char)text[scan->at + 1])))
		scan->at++;
	strbuf_add(&scan->token, text + from, scan->at - from);
}

/*
 * Skips pseudo-text delimiters and comments; returns false if the rest of the line
 * is not program text.
 */
static bool skip_marks(struct cobol_scan *scan)
{
	const char *text = scan->text.text;

	while (scan->at < scan->text.length) {
		if (!strncmp(text + scan->at, "==", 2)) {
			scan->pseudo_text = !scan->pseudo_text;
			scan->at += 2;
		} else if (!strncmp(text + scan->at, "*>", 2) ||
			   (!scan->fixed && !scan->at && text[0] == '*')) {
			return false;
		} else if (scan->pseudo_text ||
			   !(is_word_character(text[scan->at]) || strchr("\"'.", text[scan->at]))) {
			scan->at++;
		} else {
			return true;
		}
	}
	return false;
}

/* Reads the token that begins here. */
static void read_token(struct cobol_scan *scan, struct cobol_token *token)
{
	char c = scan->text.text[scan->at];

	strbuf_reset(&scan->token);
	token->line = scan->line;
	if (c == '.' && !isdigit((unsigned char)scan->text.text[scan->at + 1])) {
		token->kind = COBOL_PERIOD;
		scan->at++;
	} else if (c == '"' || c == '\'') {
		token->kind = COBOL_LITERAL;
		scan->at++;
		read_literal(scan, c);
	} else {
		token->kind = COBOL_WORD;
		read_word(scan);
	}
	token->text = scan->token.text;
	token->length = scan->token.length;
}

bool cobol_scan_next(struct cobol_scan *scan, struct cobol_token *token)
{
	bool continued;

	while (!skip_marks(scan))
		if (!next_line(scan, &continued))
			return false;
	read_token(scan, token);
	return true;
}

/* Returns whether the next character belongs to a PICTURE; a period at its end does not. */
static bool in_picture(const struct cobol_scan *scan)
{
	const char *text = scan->text.text + scan->at;

	return text[0] && text[0] != ' ' &&
	       !((text[0] == '.' || text[0] == ',' || text[0] == ';') &&
		 (!text[1] || text[1] == ' '));
}

bool cobol_scan_picture(struct cobol_scan *scan, struct cobol_token *token)
{
	bool continued;

	while (scan->at >= scan->text.length || scan->text.text[scan->at] == ' ')
		if (scan->at < scan->text.length)
			scan->at++;
		else if (!next_line(scan, &continued))
			return false;
	strbuf_reset(&scan->token);
	while (in_picture(scan))
		strbuf_addch(&scan->token, scan->text.text[scan->at++]);
	*token = (struct cobol_token){ .kind = COBOL_WORD,
				       .text = scan->token.text,
				       .length = scan->token.length,
				       .line = scan->line };
	return true;
}

bool cobol_next(struct cobol_reader *reader)
{
	reader->end = reader->end || !cobol_scan_next(reader->scan, &reader->token);
	return !reader->end;
}

bool cobol_is_word(const struct cobol_reader *reader, const char *word)
{
	return !reader->end && reader->token.kind == COBOL_WORD &&
	       !strcasecmp(reader->token.text, word);
}

void cobol_skip_sentence(struct cobol_reader *reader)
{
	while (!reader->end && reader->token.kind != COBOL_PERIOD)
		cobol_next(reader);
}

void cobol_scan_program_name(const char *function, struct strbuf *sb)
{
	static const char init[] = "_module_init";
	size_t length = strlen(function);

	if (length > sizeof(init) - 1 && !strcmp(function + length - (sizeof(init) - 1), init))
		length -= sizeof(init) - 1;
	else if (length > 1 && function[length - 1] == '_')
		length--;
	for (size_t i = 0; i < length; i++) {
		bool hyphen = function[i] == '_' && i + 1 < length && function[i + 1] == '_';

		strbuf_addch(sb, hyphen ? '-' : function[i]);
		i += hyphen;
	}
}
