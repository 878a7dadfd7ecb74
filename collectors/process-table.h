/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector's data for each process it was called for: a block per process,
 * zeroed when the process (or its program) is new. When there are too many, the
 * least recently used one is dropped.
 */
#ifndef VIGIL_COLLECTORS_PROCESS_TABLE_H
#define VIGIL_COLLECTORS_PROCESS_TABLE_H

#include "vigil/collector.h"

#define PROCESSES_MAX 128

struct processes {
	size_t size;		 /* of a block */
	void (*release)(void *); /* frees the contents of a dropped block */
	uint64_t calls;
	struct process_entry {
		pid_t pid;
		uint64_t generation, used;
		void *block;
	} entries[PROCESSES_MAX];
};

/*
 * Returns what the collector keeps between calls: size bytes on its anchor, zeroed
 * at the first call; NULL if there is no memory.
 */
void *processes_anchor(struct vigil_communication *area, size_t size);
/* Returns the block of the task's process; NULL if there is no memory. */
void *processes_find(struct processes *processes, const struct vigil_task *task);

#endif
