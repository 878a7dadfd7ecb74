/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which task of the step (step/step-tasks.h) an event's task is, and rows of those
 * that events alone know of.
 *
 * An event's task is a thread of one image: where a thread has exec'ed, several are
 * one task of the step.
 */
#ifndef VIGIL_EVENTS_TASK_ROWS_H
#define VIGIL_EVENTS_TASK_ROWS_H

#include "events/decoder.h"

/*
 * Give ids to the decoder's tasks, let those end that were killed, and add rows of those that
 * nobody observes. An observer has told by then what the snapshot has of him.
 */
void task_rows_make(struct step_tasks *tasks, struct event_decoder *decoder,
		    struct snapshot *snapshot);

#endif
