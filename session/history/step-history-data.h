/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of the history.
 *
 *	history-file.c	  the file, and its tables
 *	history-write.c	  adds jobs and steps
 *	history-bound.c	  removes old steps, and keeps their sums
 *	history-read.c	  queries
 *	history-struct.c  steps and jobs: names, memory
 *	last-nights.c	  compares a step with its last nights
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_HISTORY_DATA_H
#define VIGIL_SESSION_HISTORY_STEP_HISTORY_DATA_H

#include "session/history/database.h"
#include "session/history/step-history.h"

struct history {
	struct database database;
};

/* In history-bound.c: removes steps that are too old or too many, within a transaction. */
int history_bound(struct history *history, struct error *err);

#endif
