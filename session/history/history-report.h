/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of vigil history: which steps there are, and a step's or a procedure's trend. */
#ifndef VIGIL_SESSION_HISTORY_HISTORY_REPORT_H
#define VIGIL_SESSION_HISTORY_HISTORY_REPORT_H

#include "reports/report.h"
#include "session/history/step-trend.h"

/* Print the steps of a history with their sums. */
int history_report_steps(const struct history_totals *totals, const struct report_options *options,
			 FILE *stream, struct error *err);

/* What a trend is of; all texts are borrowed. */
struct history_trend_asked {
	const struct step_trend *trend; /* with one point at least */
	const struct history_total *total;
	const char *procedure; /* NULL: of the step */
	unsigned drawn; /* what the line of the listing shows */
};

/* Print a trend. */
int history_report_trend(const struct history_trend_asked *asked,
			 const struct report_options *options, FILE *stream, struct error *err);

#endif
