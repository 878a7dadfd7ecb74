/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step beside its last nights: whether it took more or less than they
 * scatter, and of what that is made.
 *
 * It is compared with the runs of the same job, step and program in at most
 * NIGHTS_MOST nights before its own that ended by themselves, measured ones
 * with measured ones; several runs of a night are so many values. There must
 * be NIGHTS_LEAST nights. A difference is beyond their scatter
 * (scatter.h), beyond the step's own margin where it has one (waits), and
 * beyond one percent and a floor of each figure. A step that abended is not
 * compared.
 */
#ifndef VIGIL_SESSION_HISTORY_LAST_NIGHTS_H
#define VIGIL_SESSION_HISTORY_LAST_NIGHTS_H

#include "session/history/scatter.h"
#include "session/history/step-history.h"

#define NIGHTS_LEAST 5
#define NIGHTS_MOST 30

/* Fill differs, change, nights and difference of a step, which need not be in the history yet. */
int last_nights_compare(struct history *history, struct history_step *step, struct error *err);
/* The difference of a figure of a step from runs of before that is beyond all that, or 0; scatter:
   theirs. margin: the step's own. */
double last_nights_beyond(enum history_figure figure, const struct scatter *scatter, double value,
			  double margin);

#endif
