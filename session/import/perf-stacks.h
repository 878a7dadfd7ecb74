/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of the samples of a perf.data: from the call chain walked by the kernel,
 * or from the copied stack and registers (perf record --call-graph dwarf), which
 * are unwound here as in a session, with the files that match the recording. If
 * neither leads further, the stack is the instruction alone.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_STACKS_H
#define VIGIL_SESSION_IMPORT_PERF_STACKS_H

#include "session/import/imported.h"
#include "session/import/perf-data/perf-recording.h"

struct perf_stacks {
	struct imported *made;
	bool walks; /* registers of the recording's processor are supported here */
	uint64_t unwalked; /* copied stacks that could not be walked because of registers */
	struct unwind_frame frames[UNWIND_MAX_FRAMES];
};

struct perf_stack {
	uint32_t stack;
	uint32_t place;	 /* of a wait: only the user part, as in sessions; the whole stack if
			  * there is none */
	bool kernel; /* the task was executing in the kernel */
	bool whole;  /* the stack reaches the start of the program or thread */
	unsigned reason; /* reason of the wait according to kernel functions; 0: unknown */
};

/*
 * Finds the stack of a task's sample. waiting: the task leaves the processor, so
 * the wait's reason is determined.
 */
void perf_stacks_sample(struct perf_stacks *stacks, const struct imported_task *task,
			const struct perf_record *record, bool waiting, struct perf_stack *found);

#endif
