/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TASK ids for events: those of the sampler where it knows the thread,
 * otherwise rows of their own, with ids from EVENT_IDS_FIRST.
 */
#ifndef VIGIL_EVENTS_TASK_ROWS_H
#define VIGIL_EVENTS_TASK_ROWS_H

#include "events/decoder.h"

struct task_rows {
	uint64_t next;	    /* the next id of our own */
	struct idmap pids;  /* PROCESS id of the sampler -> pid */
	struct idmap tasks; /* pid and tid -> TASK id of the sampler, the newest */
	struct idmap cpu;   /* TASK id of the sampler -> CPU time */
};

void task_rows_init(struct task_rows *rows);
void task_rows_release(struct task_rows *rows);
/*
 * See what the sampler says in a snapshot, give ids to the decoder's tasks, let
 * those end that were killed, and add rows of those the sampler does not know.
 */
void task_rows_make(struct task_rows *rows, struct event_decoder *decoder,
		    struct snapshot *snapshot);

#endif
