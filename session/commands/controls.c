/* SPDX-License-Identifier: Apache-2.0 */
/* Joins control statements from files and options into one deck. */
#include "common/compat.h"
#include "session/commands/controls.h"
#include "common/xalloc.h"

void controls_init(struct controls *controls, bool sampling_allowed)
{
	controls->sampling_allowed = sampling_allowed;
	controls->sources = NULL;
	controls->library = NULL;
	controls->deck = xcalloc(1, sizeof(*controls->deck));
}

void controls_release(struct controls *controls)
{
	control_free(controls->deck);
	source_free(controls->sources);
	free(controls->library);
	controls->deck = NULL;
	controls->sources = NULL;
}

/* Move the statements of one deck to the end of another, and free the first. */
static void join(struct control_deck *to, struct control_deck *from)
{
	struct control_statement **end = &to->statements;

	while (*end)
		end = &(*end)->next;
	*end = from->statements;
	for (struct control_statement *statement = *end; statement; statement = statement->next)
		if (statement->block)
			statement->block += to->blocks;
	to->blocks += from->blocks;
	from->statements = NULL;
	control_free(from);
}

void controls_add_source(struct controls *controls, struct source *source, bool cards,
			 struct diag_list *diags)
{
	struct control_deck *deck;

	source->next = controls->sources;
	controls->sources = source;
	deck = control_parse(source, cards, diags);
	deck->sampling_allowed = controls->sampling_allowed;
	deck->earlier = controls->deck;
	control_check(deck, diags);
	join(controls->deck, deck);
}

int controls_add_file(struct controls *controls, const char *path, struct diag_list *diags,
		      struct error *err)
{
	struct source *source = source_read(path, err);

	if (!source)
		return -1;
	controls_add_source(controls, source, false, diags);
	return 0;
}

void controls_add_lines(struct controls *controls, const struct option_list *lines,
			struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;

	if (!lines->count)
		return;
	for (size_t i = 0; i < lines->count; i++)
		strbuf_addf(&text, "%s\n", lines->items[i]);
	controls_add_source(controls, source_new("-c", text.text, text.length), false, diags);
	strbuf_release(&text);
}

size_t controls_requests(const struct controls *controls, const struct control_statement **last)
{
	size_t count = 0;

	*last = NULL;
	for (const struct control_statement *statement = controls->deck->statements; statement;
	     statement = statement->next) {
		if (!control_measures(statement))
			continue;
		*last = statement;
		count++;
	}
	return count;
}
