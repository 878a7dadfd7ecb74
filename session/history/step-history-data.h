/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the history.
 *
 *	history-file.c	  the file, and its tables
 *	history-write.c	  what jobs bring
 *	history-bound.c	  what goes, and is summed up
 *	history-read.c	  what is there
 *	history-struct.c  what steps and jobs are: names, memory
 *	last-nights.c	  a step beside its last nights
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_HISTORY_DATA_H
#define VIGIL_SESSION_HISTORY_STEP_HISTORY_DATA_H

#include "session/history/database.h"
#include "session/history/step-history.h"

struct history {
	struct database database;
};

/* history-bound.c: take away what is too old or too much; within a transaction. */
int history_bound(struct history *history, struct error *err);

#endif
