/* SPDX-License-Identifier: Apache-2.0 */
/* Joins lines of SYSIN into logical commands, without comments. */
#include "common/compat.h"
#include "utilities/idcams/tree.h"
#include "common/xalloc.h"

/* A logical command while it is read. */
struct joining {
	struct strbuf text;
	struct idcams_position *places;
	size_t alloc;
	bool in_comment, quoted;
	struct idcams_position comment; /* where the open comment began */
	bool ended;		     /* by ';' */
};

static void add(struct joining *joining, char c, size_t line, size_t column)
{
	GROW(joining->places, joining->text.length + 1, joining->alloc);
	joining->places[joining->text.length] =
		(struct idcams_position){ (unsigned)line + 1, (unsigned)column + 1 };
	strbuf_addch(&joining->text, c);
}

/* Appends a line's characters from column on, up to the right margin or a ';'. */
static size_t take(struct joining *joining, const struct source_line *line, size_t number,
		   size_t column, size_t end)
{
	for (; column < end; column++) {
		const char *at = line->text + column;
		char second = column + 1 < end ? at[1] : '\0';

		if (joining->in_comment) {
			joining->in_comment = at[0] != '*' || second != '/';
			column += !joining->in_comment;
		} else if (!joining->quoted && at[0] == '/' && second == '*') {
			joining->in_comment = true;
			joining->comment =
				(struct idcams_position){ (unsigned)number + 1, (unsigned)column + 1 };
			column++;
		} else if (!joining->quoted && at[0] == ';') {
			joining->ended = true;
			return column + 1;
		} else {
			joining->quoted ^= at[0] == '\'';
			add(joining, at[0] && at[0] != '\t' ? at[0] : ' ', number, column);
		}
	}
	return column;
}

/* Removes trailing blanks and a continuation mark. Returns the mark, or 0. */
static char remove_mark(struct joining *joining, size_t start)
{
	struct strbuf *text = &joining->text;
	char last;

	while (text->length > start && text->text[text->length - 1] == ' ')
		strbuf_setlen(text, text->length - 1);
	last = text->length > start ? text->text[text->length - 1] : '\0';
	if (last != '-' && last != '+')
		return '\0';
	strbuf_setlen(text, text->length - 1);
	return last;
}

/* Returns the column of the first nonblank character, from 0. */
static size_t skip_blanks(const struct source_line *line, size_t column, size_t end)
{
	while (column < end && line->text[column] == ' ')
		column++;
	return column;
}

/* Reads one logical command, which may be blank. */
static void join(struct idcams_scanner *scanner, struct joining *joining)
{
	char mark = '-';

	while (mark && scanner->line < scanner->source->line_count) {
		const struct source_line *line = &scanner->source->lines[scanner->line];
		size_t end = line->length < scanner->right ? line->length : scanner->right;
		size_t start = joining->text.length;
		size_t column = scanner->column ? scanner->column : scanner->left - 1;

		if (mark == '+')
			column = skip_blanks(line, column, end);
		scanner->column = take(joining, line, scanner->line, column, end);
		if (joining->ended)
			return;
		scanner->column = 0;
		mark = remove_mark(joining, start);
		if (joining->in_comment)
			mark = '-';
		if (mark == '-')
			add(joining, ' ', scanner->line, end);
		scanner->line++;
	}
}

bool idcams_scan(struct idcams_scanner *scanner, struct idcams_text *text)
{
	while (scanner->line < scanner->source->line_count) {
		struct joining joining = { .text = STRBUF_INIT };

		join(scanner, &joining);
		if (joining.in_comment || strspn(joining.text.text, " ") < joining.text.length) {
			*text = (struct idcams_text){
				.places = joining.places,
				.last_line = (unsigned)scanner->line + joining.ended,
				.open = joining.quoted,
			};
			if (joining.in_comment)
				text->comment = joining.comment;
			text->text = strbuf_detach(&joining.text, &text->length);
			return true;
		}
		strbuf_release(&joining.text);
		free(joining.places);
	}
	return false;
}

void idcams_text_release(struct idcams_text *text)
{
	free(text->text);
	free(text->places);
	*text = (struct idcams_text){ 0 };
}
