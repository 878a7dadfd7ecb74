/* SPDX-License-Identifier: Apache-2.0 */
/* Token-Longname Cross Reference: the names behind the tokens of the other reports. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "reports/report-class.h"
#include "reports/text.h"

#define NAME_WIDTH 98

static const struct column columns[] = {
	{ .id = "token",
	  .heading = "TOKEN",
	  .width = 32,
	  .type = COLUMN_TEXT,
	  .legend = "short form used where a column is too narrow for the name" },
	{ .id = "long_name",
	  .heading = "LONG NAME",
	  .width = NAME_WIDTH,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "part", .heading = "LONG NAME", .width = NAME_WIDTH, .type = COLUMN_TEXT },
};

static int compare_tokens(const void *first, const void *second)
{
	const struct token *a = *(const struct token *const *)first;
	const struct token *b = *(const struct token *const *)second;

	return strcmp(a->token, b->token);
}

/* Puts one name, in as many rows as its length needs. */
static void put_token(struct table *table, const struct token *token)
{
	struct strbuf part = STRBUF_INIT;
	const char *rest = token->name;

	for (bool first = true; first || *rest; first = false) {
		struct row *row = table_row(table, ROW_DETAIL);

		strbuf_reset(&part);
		strbuf_add(&part, rest, text_wrap(rest, NAME_WIDTH));
		rest += part.length;
		rest += strspn(rest, " ");
		row_text(table, row, first ? token->token : "");
		row_text(table, row, first ? token->name : "");
		row_text(table, row, part.text);
	}
	strbuf_release(&part);
}

static void build(struct context *context, struct document *document)
{
	const struct tokens *tokens = &context->tokens;
	const struct token **order = xcalloc(tokens->count + 1, sizeof(void *));
	struct table *table =
		document_table(document, "tokens", NULL, columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < tokens->count; i++)
		order[i] = &tokens->items[i];
	qsort(order, tokens->count, sizeof(void *), compare_tokens);
	for (size_t i = 0; i < tokens->count; i++)
		put_token(table, order[i]);
	free(order);
}

const struct report_class report_tlx = { "TLX", "Token-Longname Cross Reference", build,
					 REPORT_OF_SESSION };
