/* SPDX-License-Identifier: Apache-2.0 */
/* What the reports of coverage show, in which order, and their notes. */
#include "common/compat.h"
#include "reports/coverage-tables.h"
#include "common/xalloc.h"

/* Prints which programs and lines the report shows, if not all are selected. */
static void put_selection(const struct context *context, struct document *document)
{
	const struct coverage_selection *selection = &context->options->coverage;
	const char *program = context->options->events.program;
	struct strbuf sb = STRBUF_INIT;

	if (program)
		strbuf_addf(&sb, " PROGRAM=%s", program);
	if (selection->below > 0)
		strbuf_addf(&sb, " BELOW=%g", selection->below);
	if (selection->missed)
		strbuf_addstr(&sb, " MISSED=ON");
	if (sb.length) {
		document_text(document, "SELECTED%s", sb.text);
		document_text(document, "%s", "");
	}
	strbuf_release(&sb);
}

bool coverage_begin(struct context *context, struct document *document,
		    enum coverage_grouping grouping, struct coverage_view *view)
{
	const struct coverage_sums *sums = &context->profile->coverage;
	struct coverage_selection selection = context->options->coverage;

	if (!coverage_any(sums)) {
		document_note(document, SEVERITY_INFO, 6520,
			      "the session has no coverage; COVERAGE=ON of FUNCTION=INIT requests "
			      "it");
		return false;
	}
	selection.program = context->options->events.program;
	put_selection(context, document);
	if (sums->orphans)
		document_note(document, SEVERITY_WARNING, 6526,
			      "%" PRIu64
			      " records of coverage belong to programs or statements that "
			      "are missing in the data set: they are left out",
			      sums->orphans);
	coverage_view_init(view, sums, grouping, &selection);
	for (size_t i = 0; i < view->procedure_count; i++)
		tokens_register(&context->tokens, coverage_text(view, view->procedures[i].name));
	if (view->unit_count)
		return true;
	document_note(document, SEVERITY_INFO, 6527, "nothing that has coverage was selected");
	coverage_view_release(view);
	return false;
}

/* Compares how often, or how much of, a unit was executed; ties stay in order of name. */
static int compare(const void *first, const void *second, void *argument)
{
	const struct context *const *arguments = argument;
	const struct context *context = arguments[0];
	const struct coverage_view *view = (const void *)arguments[1];
	size_t a = *(const size_t *)first, b = *(const size_t *)second;
	const struct coverage_counts *x = &view->units[a].counts, *y = &view->units[b].counts;
	double more = 0;

	if (context->options->sort == REPORT_SORT_PERCENT)
		more = coverage_statement_percent(x) - coverage_statement_percent(y);
	else if (context->options->sort == REPORT_SORT_HITS)
		more = (double)y->statements_executed - (double)x->statements_executed;
	if (more < 0 || more > 0)
		return more < 0 ? -1 : 1;
	return a < b ? -1 : a > b;
}

size_t *coverage_order(const struct context *context, const struct coverage_view *view)
{
	const void *arguments[] = { context, view };
	size_t *order = xcalloc(view->unit_count + 1, sizeof(*order));

	for (size_t i = 0; i < view->unit_count; i++)
		order[i] = i;
	qsort_r(order, view->unit_count, sizeof(*order), compare, arguments);
	return order;
}

void coverage_unit_notes(struct document *document, const struct coverage_view *view,
			 const struct coverage_unit *unit)
{
	const char *name = coverage_text(view, unit->name);

	if (unit->partial)
		document_note(document, SEVERITY_WARNING, 6522, "%s is covered in part: %s", name,
			      *coverage_text(view, unit->reason) ? coverage_text(view, unit->reason)
								 : "the reason is not known");
	if (unit->optimised)
		document_note(document, SEVERITY_INFO, 6521,
			      "%s was compiled with optimisation: its lines are those of the "
			      "compiler's line table: the compiler joins, moves and drops "
			      "statements",
			      name);
	if (unit->builds > 1)
		document_note(document, SEVERITY_INFO, 6523,
			      "%s was covered in %zu builds, which are joined by source file and "
			      "line",
			      name, unit->builds);
}

const char *coverage_state_word(enum coverage_state state)
{
	static const char *const words[] = { "MISSED", "PARTLY", "EXECUTED" };

	return words[state];
}

enum row_colour coverage_state_colour(enum coverage_state state)
{
	static const enum row_colour colours[] = { ROW_RED, ROW_YELLOW, ROW_GREEN };

	return colours[state];
}
