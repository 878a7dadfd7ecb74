/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trend of a step, or of one of its procedures, over its nights: a point for
 * each night in which it ran. For several runs in a night, amounts are the median
 * of those that ended normally (of all, if none did), and the rest is from the
 * last run.
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_TREND_H
#define VIGIL_SESSION_HISTORY_STEP_TREND_H

#include "session/history/scatter.h"
#include "session/history/step-history.h"

/* Amounts of a point by number: those of the step (enum history_figure), then those of the procedure. */
enum trend_amount {
	TREND_PROCEDURE_CPU = HISTORY_FIGURES, /* ns; unknown if the run did not keep it */
	TREND_PROCEDURE_SAMPLES,
	TREND_PROCEDURE_MARGIN, /* of its CPU time, ns */
	TREND_AMOUNTS
};

struct trend_point {
	const struct history_step *last; /* last run of the night, in step_trend.runs */
	size_t first_run, run_count;	 /* in step_trend.runs */
	unsigned abends;
	double amounts[TREND_AMOUNTS]; /* NAN: unknown */
};

struct step_trend {
	struct history_steps runs;  /* oldest first, with waits and procedures */
	struct trend_point *points; /* oldest first */
	size_t count, alloc;
	bool of_procedure;
};

/*
 * Reads the last nights of a step, limited to nights; procedure: NULL, or the name
 * of one, case-insensitive. A step without runs has no points. -1 with the reason.
 */
int step_trend_init(struct step_trend *trend, struct history *history, const char *job,
		    const char *label, const char *procedure, size_t nights, struct error *err);
void step_trend_release(struct step_trend *trend);
/* Returns the scatter of an amount over the points that have it; without_last: except the last. */
struct scatter step_trend_scatter(const struct step_trend *trend, unsigned amount,
				  bool without_last);

/* Returns the ends of an axis for the points of an amount; false if no point has it. */
bool step_trend_axis(const struct step_trend *trend, unsigned amount, double *low,
		     double *high);
/*
 * Appends width columns that show a point's position on the axis: '*' the point,
 * 'x' a night with an abend, '-' from the position of the previous night, ':' the
 * median.
 */
void step_trend_draw(const struct step_trend *trend, unsigned amount, size_t point,
		     size_t width, struct strbuf *sb);

#endif
