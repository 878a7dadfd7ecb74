/* SPDX-License-Identifier: Apache-2.0 */
/* A collector's table of processes. */
#include "common/compat.h"
#include "collectors/process-table.h"

/* Removes an entry. */
static void evict(struct processes *processes, struct process_entry *entry)
{
	if (entry->block)
		processes->release(entry->block);
	free(entry->block);
	*entry = (struct process_entry){ 0 };
}

void *processes_anchor(struct vigil_communication *area, size_t size)
{
	if (!area->anchor)
		area->anchor = calloc(1, size);
	return area->anchor;
}

void *processes_find(struct processes *processes, const struct vigil_task *task)
{
	struct process_entry *oldest = &processes->entries[0];

	processes->calls++;
	for (size_t i = 0; i < PROCESSES_MAX; i++) {
		struct process_entry *entry = &processes->entries[i];

		if (entry->block && entry->pid == task->pid) {
			oldest = entry;
			break;
		}
		if (entry->used < oldest->used)
			oldest = entry;
	}
	if (!oldest->block || oldest->pid != task->pid || oldest->generation != task->generation) {
		evict(processes, oldest);
		oldest->block = calloc(1, processes->size);
		oldest->pid = task->pid;
		oldest->generation = task->generation;
	}
	oldest->used = processes->calls;
	return oldest->block;
}
