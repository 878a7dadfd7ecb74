/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a step with its last nights: whether it took more or less than their
 * scatter explains, and which parts make up the difference.
 *
 * It is compared with the runs of the same job, step and program that ended
 * normally, in at most NIGHTS_MAX nights before its night; measured ones only
 * with measured ones; each run of a night is one value. At least NIGHTS_MIN
 * nights are needed. A difference must exceed their scatter (scatter.h), the
 * step's margin if it has one (waits), one percent, and a floor for each figure. A
 * step that abended is not compared.
 */
#ifndef VIGIL_SESSION_HISTORY_LAST_NIGHTS_H
#define VIGIL_SESSION_HISTORY_LAST_NIGHTS_H

#include "session/history/scatter.h"
#include "session/history/step-history.h"

#define NIGHTS_MIN 5
#define NIGHTS_MAX 30

/* Fills differs, change, nights and difference of a step, which need not be in the history yet. */
int last_nights_compare(struct history *history, struct history_step *step, struct error *err);
/*
 * Returns the difference of a step's figure from earlier runs if it exceeds all
 * these limits, else 0. scatter: of the earlier runs; margin: of the step.
 */
double last_nights_beyond(enum history_figure figure, const struct scatter *scatter, double value,
			  double margin);

#endif
