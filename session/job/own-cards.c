/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and checks the control statements that a job's steps have in DD VIGIL. */
#include "common/compat.h"
#include "session/job/own-cards.h"
#include "common/xalloc.h"
#include "session/job/data-sets.h"
#include "session/requests/requests.h"

/* Returns the cards of a DD VIGIL that is a file; NULL, with a message, if they cannot be read. */
static struct source *file_source(struct runner *runner, const struct plan_dd *dd,
				  struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	struct strbuf path = STRBUF_INIT;
	struct source *source = NULL;

	if (dd->kind == DD_PATH)
		strbuf_addstr(&path, dd->path);
	else if (dd->dsn && catalog_name_valid(dd->dsn))
		data_set_path(runner, dd->dsn, &path, &err);
	if (dd->kind == DD_DATASET && dd->member)
		strbuf_addf(&path, "/%s", dd->member);
	if (path.length > 0)
		source = source_read(path.text, &err);
	if (!source)
		diag_add(diags, SEVERITY_ERROR, 5301, &dd->location,
			 "cannot read the control statements before the job begins: %s",
			 error_text(&err));
	strbuf_release(&path);
	error_release(&err);
	return source;
}

static const struct plan_dd *vigil_dd(const struct plan_step *step)
{
	for (const struct plan_dd *dd = step->dds; dd; dd = dd->next)
		if (strcmp(dd->name, "VIGIL") == 0)
			return dd;
	return NULL;
}

/* Returns the cards of one member of a DD VIGIL; NULL, with a message, if they cannot be read. */
static struct source *member_source(struct runner *runner, const struct plan_dd *dd,
				    struct diag_list *diags)
{
	if (dd->kind == DD_INSTREAM)
		return statements_cards(dd);
	if (dd->kind == DD_DATASET || dd->kind == DD_PATH)
		return file_source(runner, dd, diags);
	return source_new("DD VIGIL", "", 0);
}

/* Returns all cards of a DD VIGIL; a concatenation is one input. */
static struct source *dd_source(struct runner *runner, const struct plan_dd *dd,
				struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;
	struct source *whole;

	if (!dd->next_concat)
		return member_source(runner, dd, diags);
	for (; dd; dd = dd->next_concat) {
		struct source *member = member_source(runner, dd, diags);

		for (size_t i = 0; member && i < member->line_count; i++) {
			strbuf_add(&text, member->lines[i].text, member->lines[i].length);
			strbuf_addch(&text, '\n');
		}
		source_free(member);
	}
	whole = source_new("DD VIGIL", text.text, text.length);
	strbuf_release(&text);
	return whole;
}

/* Repeats the messages that the deck's check has queued about the cards of one DD. */
static void repeat_messages(const struct runner *runner, const struct checked_cards *checked,
			    struct diag_list *diags)
{
	const struct diag_list *queued = runner->options->diags;

	for (size_t i = 0; queued && i < queued->count; i++) {
		const struct diag *one = &queued->items[i];

		if (one->location.source == checked->statements.sources)
			diag_add(diags, one->severity, one->number, &one->location, "%s", one->text);
	}
}

/* Returns the cards of one DD VIGIL, parsed and checked; NULL if they cannot be read. */
static struct own_cards *check_one(struct runner *runner, const struct plan_step *step,
				   const struct plan_dd *dd, struct diag_list *diags)
{
	const struct checked_cards *checked = checked_cards_of(runner->options->cards, dd);
	struct source *source = checked ? NULL : dd_source(runner, dd, diags);
	struct own_cards *cards;

	RETURN_IF(!checked && !source, NULL);
	cards = xcalloc(1, sizeof(*cards));
	cards->step = step;
	statements_init(&cards->statements);
	if (checked) {
		repeat_messages(runner, checked, diags);
		cards->deck = checked->statements.deck;
		return cards;
	}
	statements_add_source(&cards->statements, source, true, diags);
	request_check_reports(cards->statements.deck, &request_place_step, diags);
	cards->deck = cards->statements.deck;
	return cards;
}

int own_cards_check(struct runner *runner, struct own_cards **list)
{
	struct diag_list diags = DIAG_LIST_INIT;
	int result;

	*list = NULL;
	for (const struct plan_step *step = runner->plan->steps; step; step = step->next) {
		const struct plan_dd *dd = vigil_dd(step);
		struct own_cards *cards = dd ? check_one(runner, step, dd, &diags) : NULL;

		if (!cards)
			continue;
		cards->next = *list;
		*list = cards;
	}
	if (diags.count > 0)
		job_log_diagnostics(&runner->log, &diags);
	result = diag_max_severity(&diags) >= SEVERITY_ERROR ? -1 : 0;
	diag_list_release(&diags);
	return result;
}

void own_cards_free(struct own_cards *list)
{
	while (list) {
		struct own_cards *next = list->next;

		statements_release(&list->statements);
		free(list);
		list = next;
	}
}

const struct control_deck *own_cards_of(const struct own_cards *list, const struct plan_step *step)
{
	for (; list; list = list->next)
		if (list->step == step)
			return list->deck;
	return NULL;
}
