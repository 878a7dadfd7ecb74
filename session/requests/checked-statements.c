/* SPDX-License-Identifier: Apache-2.0 */
/* Joins control statements from files, options and cards into one deck. */
#include "common/compat.h"
#include "session/requests/checked-statements.h"
#include "common/xalloc.h"

void statements_init(struct statements *statements)
{
	statements->sources = NULL;
	statements->deck = xcalloc(1, sizeof(*statements->deck));
}

void statements_release(struct statements *statements)
{
	control_free(statements->deck);
	source_free(statements->sources);
	statements->deck = NULL;
	statements->sources = NULL;
}

/* Moves the statements of one deck to the end of another, and frees the first. */
static void join(struct control_deck *to, struct control_deck *from)
{
	struct control_statement **end = &to->statements;

	while (*end)
		end = &(*end)->next;
	*end = from->statements;
	to->inputs++;
	for (struct control_statement *statement = *end; statement; statement = statement->next) {
		statement->input = to->inputs;
		if (statement->block)
			statement->block += to->blocks;
	}
	to->blocks += from->blocks;
	from->statements = NULL;
	control_free(from);
}

void statements_add_source(struct statements *statements, struct source *source, bool cards,
			   struct diag_list *diags)
{
	struct control_deck *deck;

	source->next = statements->sources;
	statements->sources = source;
	deck = control_parse(source, cards, diags);
	deck->earlier = statements->deck;
	control_check(deck, diags);
	join(statements->deck, deck);
}

int statements_add_file(struct statements *statements, const char *path, struct diag_list *diags,
			struct error *err)
{
	struct source *source = source_read(path, err);

	if (!source)
		return -1;
	statements_add_source(statements, source, false, diags);
	return 0;
}

void statements_add_lines(struct statements *statements, const char *const *lines, size_t count,
			  struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "%s\n", lines[i]);
	statements_add_source(statements, source_new(STATEMENTS_LINES, text.text, text.length), false, diags);
	strbuf_release(&text);
}

size_t statements_requests(const struct statements *statements,
			   const struct control_statement **last)
{
	size_t count = 0;

	*last = NULL;
	for (const struct control_statement *statement = statements->deck->statements; statement;
	     statement = statement->next) {
		if (!control_samples(statement))
			continue;
		*last = statement;
		count++;
	}
	return count;
}

struct source *statements_cards(const struct plan_dd *dd)
{
	struct strbuf text = STRBUF_INIT;
	struct source *source;

	assert(dd->kind == DD_INSTREAM && dd->data_source && dd->data_line > 0);
	strbuf_addchars(&text, '\n', dd->data_line - 1);
	strbuf_add(&text, dd->data, dd->data_length);
	source = source_new(dd->data_source->name, text.text, text.length);
	strbuf_release(&text);
	return source;
}

struct checked_cards *checked_cards_add(struct checked_cards **list, const struct plan_dd *dd,
					struct diag_list *diags)
{
	struct checked_cards *cards = xcalloc(1, sizeof(*cards));

	cards->dd = dd;
	cards->next = *list;
	*list = cards;
	statements_init(&cards->statements);
	statements_add_source(&cards->statements, statements_cards(dd), true, diags);
	return cards;
}

const struct checked_cards *checked_cards_of(const struct checked_cards *list,
					     const struct plan_dd *dd)
{
	while (list && list->dd != dd)
		list = list->next;
	return list;
}

void checked_cards_free(struct checked_cards *list)
{
	while (list) {
		struct checked_cards *next = list->next;

		statements_release(&list->statements);
		free(list);
		list = next;
	}
}
