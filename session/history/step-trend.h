/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step, or one procedure of it, through its nights: a point for each night
 * in which it ran. Where it ran several times in a night, amounts are the
 * median of those runs that ended by themselves (of all, where none did), and
 * the rest is the last run's.
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_TREND_H
#define VIGIL_SESSION_HISTORY_STEP_TREND_H

#include "session/history/scatter.h"
#include "session/history/step-history.h"

/* Amounts of a point by number: those of the step (enum history_figure), then those of the procedure. */
enum trend_amount {
	TREND_PROCEDURE_CPU = HISTORY_FIGURES, /* ns; not known where the run did not keep it */
	TREND_PROCEDURE_SAMPLES,
	TREND_PROCEDURE_MARGIN, /* of its CPU time, ns */
	TREND_AMOUNTS
};

struct trend_point {
	const struct history_step *last; /* the last run of the night, of step_trend.runs */
	size_t first_run, run_count;	 /* of step_trend.runs */
	unsigned abends;
	double amounts[TREND_AMOUNTS]; /* NAN: not known */
};

struct step_trend {
	struct history_steps runs;  /* oldest first, with waits and procedures */
	struct trend_point *points; /* oldest first */
	size_t count, alloc;
	bool of_procedure;
};

/*
 * The last nights of a step, so many at most; procedure: NULL, or the name of one, in any case of
 * letters. A step without runs has no points. -1 with the reason.
 */
int step_trend_init(struct step_trend *trend, struct history *history, const char *job,
		    const char *label, const char *procedure, size_t nights, struct error *err);
void step_trend_release(struct step_trend *trend);
/* The scatter of an amount over the points where it is known, but for the last when without_last. */
struct scatter step_trend_scatter(const struct step_trend *trend, unsigned amount,
				  bool without_last);

/* The ends of an axis for the points of an amount; false when none is known. */
bool step_trend_axis(const struct step_trend *trend, unsigned amount, double *low,
		     double *high);
/*
 * Append width columns that show a point's place on the axis: '*' it, 'x' a night with an abend, '-'
 * from the place of the night before, ':' the median.
 */
void step_trend_draw(const struct step_trend *trend, unsigned amount, size_t point,
		     size_t width, struct strbuf *sb);

#endif
