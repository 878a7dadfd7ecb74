/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the reports of coverage. */
#ifndef VIGIL_REPORTS_COVERAGE_TABLES_H
#define VIGIL_REPORTS_COVERAGE_TABLES_H

#include "profile/coverage.h"
#include "reports/report-class.h"

/*
 * The columns that show whether a line was executed, and how often; more: added to
 * the legend of the state.
 */
#define COVERAGE_STATE_COLUMN(more) \
	{ \
		.id = "state", .heading = "STATE", .width = 8, .type = COLUMN_TEXT, \
		.legend = "EXECUTED: all statements of the line; PARTLY: some statements, " \
			  "blocks or places of it; MISSED: none" more \
	}
#define COVERAGE_COUNT_COLUMN(width_) \
	FIGURE(COLUMN_NUMBER, "count", NULL, "COUNT", width_, \
	       .legend = "how often the line was executed; where statements are not counted by " \
			 "events, in how many sessions")

/*
 * Makes the view that a report shows and prints the selection; returns false, with
 * a note instead of the report, if there is nothing to show. If true, the caller
 * releases the view.
 */
bool coverage_begin(struct context *context, struct document *document,
		    enum coverage_grouping grouping, struct coverage_view *view);
/* Returns the units of a view in the requested order; the caller frees the array. */
size_t *coverage_order(const struct context *context, const struct coverage_view *view);
/* Adds notes on a unit that explain how its figures can mislead. */
void coverage_unit_notes(struct document *document, const struct coverage_view *view,
			 const struct coverage_unit *unit);
/* Returns EXECUTED, PARTLY or MISSED. */
const char *coverage_state_word(enum coverage_state state);
/* Returns the colour of a line in a state. */
enum row_colour coverage_state_colour(enum coverage_state state);

#endif
