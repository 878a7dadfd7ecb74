/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of vigil history: the known steps, and the trend of a step or procedure. */
#ifndef VIGIL_SESSION_HISTORY_HISTORY_REPORT_H
#define VIGIL_SESSION_HISTORY_HISTORY_REPORT_H

#include "reports/report.h"
#include "session/history/step-trend.h"

/* Prints the steps of a history with their sums. */
int history_report_steps(const struct history_totals *totals, const struct report_options *options,
			 FILE *stream, struct error *err);

/* A trend to print; all texts are borrowed. */
struct history_trend_asked {
	const struct step_trend *trend; /* with at least one point */
	const struct history_total *total;
	const char *procedure; /* NULL: trend of the step */
	unsigned drawn; /* amount shown by the line of the listing */
};

/* Prints a trend. */
int history_report_trend(const struct history_trend_asked *asked,
			 const struct report_options *options, FILE *stream, struct error *err);

#endif
