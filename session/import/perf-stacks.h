/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a perf.data's samples: by the call chain that the kernel walked, or by the copy of
 * the stack and the registers (perf record --call-graph dwarf), which are walked here as those of a
 * session are, through the files that are the recording's. Where neither leads on, a stack is what
 * there is: the instruction alone.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_STACKS_H
#define VIGIL_SESSION_IMPORT_PERF_STACKS_H

#include "session/import/imported.h"
#include "session/import/perf-data/perf-recording.h"

struct perf_stacks {
	struct imported *made;
	bool walks; /* registers of the recording's processor are known here */
	uint64_t unwalked; /* copies of a stack that could not be walked for that */
	struct unwind_frame frames[UNWIND_MAX_FRAMES];
};

struct perf_stack {
	uint32_t stack;
	uint32_t place;	 /* of a wait: the user's part alone, as in sessions; the whole where there is none */
	bool kernel; /* it was executing in the kernel */
	bool whole;  /* the stack reaches the start of the program or thread */
	unsigned reason; /* what the task waits for, as far as functions of the kernel tell; 0 */
};

/* The stack of a sample of a task. waiting: it leaves the processor, so what it waits for is asked. */
void perf_stacks_sample(struct perf_stacks *stacks, const struct imported_task *task,
			const struct perf_record *record, bool waiting, struct perf_stack *found);

#endif
