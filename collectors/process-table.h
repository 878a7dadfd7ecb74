/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a collector knows of each process it was called for: a block of its
 * own for each, zeroed when the process (or what it executes) is new. When
 * there are too many the one that was asked for longest ago is forgotten.
 */
#ifndef VIGIL_COLLECTORS_PROCESS_TABLE_H
#define VIGIL_COLLECTORS_PROCESS_TABLE_H

#include "vigil/collector.h"

#define PROCESSES_MAX 128

struct processes {
	size_t size;		 /* of a block */
	void (*release)(void *); /* the content of a block that goes */
	uint64_t calls;
	struct process_entry {
		pid_t pid;
		uint64_t generation, used;
		void *block;
	} entries[PROCESSES_MAX];
};

/* What the collector keeps between calls: size bytes on its anchor, zeroed at the first; NULL when
   there is no memory. */
void *processes_anchor(struct vigil_communication *area, size_t size);
/* The block of the task's process; NULL when there is no memory. */
void *processes_find(struct processes *processes, const struct vigil_task *task);

#endif
