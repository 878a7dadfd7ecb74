/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and checks the control statements that a job's steps have in DD VIGIL. */
#include "common/compat.h"
#include "session/job/measured.h"
#include "common/xalloc.h"
#include "reports/report.h"
#include "session/job/data-sets.h"

/* Whether the lines of a source from number on are the in-stream data. */
static bool lines_match(const struct source *source, size_t number, const char *data)
{
	for (; *data; number++) {
		size_t length = strcspn(data, "\n");

		if (number > source->line_count || source->lines[number - 1].length != length ||
		    memcmp(source->lines[number - 1].text, data, length) != 0)
			return false;
		data += length + (data[length] == '\n');
	}
	return true;
}

/* The line of the deck at which a DD's in-stream data begins; 0 when it cannot be told. */
static size_t data_line(const struct plan_dd *dd)
{
	const struct source *source = dd->location.source;

	if (!source || !dd->data_length)
		return 0;
	for (size_t line = dd->location.line + 1; line <= source->line_count; line++)
		if (lines_match(source, line, dd->data))
			return line;
	return 0;
}

/*
 * The cards as an input of their own, whose line numbers are the deck's, so
 * that messages point into the deck.
 */
static struct source *instream_source(const struct plan_dd *dd)
{
	struct strbuf text = STRBUF_INIT;
	size_t line = data_line(dd);
	struct source *source;

	if (line > 1)
		strbuf_addchars(&text, '\n', line - 1);
	strbuf_add(&text, dd->data ? dd->data : "", dd->data_length);
	source = source_new(line ? dd->location.source->name : "DD VIGIL", text.text, text.length);
	strbuf_release(&text);
	return source;
}

/* The cards of a DD VIGIL that is a file; NULL with a message when they cannot be read. */
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
			 "the control statements cannot be read before the job begins: %s",
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

/* A report that no listing has, or one on another session than the step's, is an error now. */
static void check_report(const struct control_statement *one, struct diag_list *diags)
{
	const struct control_report *report = &one->report;

	for (size_t i = 0; i < report->code_count; i++)
		if (!report_known(report->codes[i]) && strcmp(report->codes[i], "ALL") != 0)
			diag_add(diags, SEVERITY_ERROR, 5306, &one->location,
				 "%s is not a report; \"vigil report --help\" lists them",
				 report->codes[i]);
	if (report->input)
		diag_add(diags, SEVERITY_ERROR, 5307, &one->location,
			 "INPUT has no place in DD VIGIL: the report is on the step itself; a step "
			 "with PGM=VIGIL reports on other data sets");
}

/* The cards of one member of a DD VIGIL; NULL with a message when they cannot be read. */
static struct source *member_source(struct runner *runner, const struct plan_dd *dd,
				    struct diag_list *diags)
{
	if (dd->kind == DD_INSTREAM)
		return instream_source(dd);
	if (dd->kind == DD_DATASET || dd->kind == DD_PATH)
		return file_source(runner, dd, diags);
	return source_new("DD VIGIL", "", 0);
}

/* All cards of a DD VIGIL; a concatenation is one input. */
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

/* Parse and check one DD VIGIL; NULL when its cards cannot be read. */
static struct own_cards *check_one(struct runner *runner, const struct plan_step *step,
				   const struct plan_dd *dd, struct diag_list *diags)
{
	struct source *source = dd_source(runner, dd, diags);
	struct own_cards *cards;

	RETURN_IF(!source, NULL);
	cards = xcalloc(1, sizeof(*cards));
	cards->step = step;
	cards->source = source;
	cards->deck = control_parse(source, true, diags);
	cards->deck->sampling_allowed = true;
	control_check(cards->deck, diags);
	for (const struct control_statement *one = cards->deck->statements; one; one = one->next)
		if (one->verb == CONTROL_REPORT && one->checked)
			check_report(one, diags);
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
	result = diag_worst(&diags) >= SEVERITY_ERROR ? -1 : 0;
	diag_list_release(&diags);
	return result;
}

void own_cards_free(struct own_cards *list)
{
	while (list) {
		struct own_cards *next = list->next;

		control_free(list->deck);
		source_free(list->source);
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
