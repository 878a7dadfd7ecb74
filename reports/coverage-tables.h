/* SPDX-License-Identifier: Apache-2.0 */
/* What the reports of coverage have in common. */
#ifndef VIGIL_REPORTS_COVERAGE_TABLES_H
#define VIGIL_REPORTS_COVERAGE_TABLES_H

#include "profile/coverage.h"
#include "reports/report-class.h"

/* The columns that say of a line whether it was executed, and how often; more: to the legend of the
 * state. */
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
 * Make the view a report shows and say what was selected; false, with a note in the place of
 * the report, when there is nothing to show. The view is released by the caller when true.
 */
bool coverage_begin(struct context *context, struct document *document,
		    enum coverage_grouping grouping, struct coverage_view *view);
/* The units of a view in the order that was asked for; the caller frees the array. */
size_t *coverage_order(const struct context *context, const struct coverage_view *view);
/* Notes on a unit: what makes its figures other than they seem. */
void coverage_unit_notes(struct document *document, const struct coverage_view *view,
			 const struct coverage_unit *unit);
/* EXECUTED, PARTLY, MISSED. */
const char *coverage_state_word(enum coverage_state state);
/* The colour of a line in a state. */
enum row_colour coverage_state_colour(enum coverage_state state);

#endif
