/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the lines of a DD into control statements. */
#include "common/compat.h"
#include "utilities/utility-statements.h"
#include "common/xalloc.h"
#include "utilities/dd.h"

#define STATEMENT_COLUMNS 71

/* Appends the statement part of a line without trailing blanks. */
static void statement_text(const struct source_line *line, struct strbuf *text)
{
	size_t length = line->length;

	strbuf_reset(text);
	if (length > 0 && line->text[0] == '*')
		return;
	strbuf_add(text, line->text, length < STATEMENT_COLUMNS ? length : STATEMENT_COLUMNS);
	strbuf_rtrim(text);
}

/* Appends a line's text to the open statement. */
static void join(struct strbuf *statement, const char *text)
{
	while (statement->length > 0 && *text == ' ')
		text++;
	strbuf_addstr(statement, text);
}

struct utility_statement *utility_statements(struct utility *utility, const char *ddname)
{
	struct source *source = dd_source(utility, ddname);
	struct utility_statement *list = NULL, **end = &list;
	struct strbuf text = STRBUF_INIT, open_statement = STRBUF_INIT;
	unsigned first = 0;

	RETURN_IF(!source, NULL);
	for (size_t i = 0; i < source->line_count; i++) {
		statement_text(&source->lines[i], &text);
		if (text.length == 0)
			continue;
		if (open_statement.length == 0)
			first = (unsigned)i + 1;
		join(&open_statement, text.text);
		if (text.text[text.length - 1] == ',' && i + 1 < source->line_count)
			continue;
		*end = xcalloc(1, sizeof(**end));
		(*end)->line = first;
		(*end)->text = strbuf_detach(&open_statement, NULL);
		end = &(*end)->next;
	}
	strbuf_release(&text);
	strbuf_release(&open_statement);
	source_free(source);
	return list;
}

void utility_statements_free(struct utility_statement *list)
{
	while (list) {
		struct utility_statement *next = list->next;

		free(list->text);
		free(list);
		list = next;
	}
}
