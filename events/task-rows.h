/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps the decoder's tasks to tasks of the step (step/step-tasks.h), and makes
 * rows of those that only events have seen.
 *
 * A task of the decoder is a thread of one process image: if a thread has exec'ed,
 * several of them are one task of the step.
 */
#ifndef VIGIL_EVENTS_TASK_ROWS_H
#define VIGIL_EVENTS_TASK_ROWS_H

#include "events/decoder.h"

/*
 * Gives ids to the decoder's tasks, ends those that were killed, and adds rows of
 * those that are not observed. An observer must have recorded by then what it has
 * for the snapshot.
 */
void task_rows_make(struct step_tasks *tasks, struct event_decoder *decoder,
		    struct snapshot *snapshot);

#endif
