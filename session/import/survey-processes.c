/* SPDX-License-Identifier: Apache-2.0 */
/* Separates the processes of a recorded command from others. */
#include "common/compat.h"
#include "session/import/survey-processes.h"
#include "common/xalloc.h"

void survey_processes_init(struct survey_processes *processes)
{
	memset(processes, 0, sizeof(*processes));
	idmap_init(&processes->by_pid);
}

void survey_processes_release(struct survey_processes *processes)
{
	idmap_release(&processes->by_pid);
	free(processes->items);
}

/* Returns the index of a process, created if new. */
static size_t number_of(struct survey_processes *processes, uint32_t pid)
{
	uint64_t number;

	if (idmap_get(&processes->by_pid, pid, &number))
		return (size_t)number;
	GROW(processes->items, processes->count + 1, processes->alloc);
	processes->items[processes->count] = (struct survey_process){ .start = 0 };
	idmap_put(&processes->by_pid, pid, processes->count);
	return processes->count++;
}

void survey_processes_at(struct survey_processes *processes, uint32_t pid, uint64_t time,
			 bool sampled)
{
	size_t number = number_of(processes, pid);
	struct survey_process *process = &processes->items[number];

	process->sampled |= sampled;
	if (!time)
		return;
	if (!process->start || time < process->start)
		process->start = time;
	if (time > process->end)
		process->end = time;
}

void survey_processes_fork(struct survey_processes *processes, uint32_t parent, uint32_t pid)
{
	size_t from = number_of(processes, parent), number = number_of(processes, pid);

	if (from != number)
		processes->items[number].parent = from + 1;
}

void survey_processes_settle(struct survey_processes *processes)
{
	bool any = false;

	for (size_t i = 0; i < processes->count; i++) {
		size_t at = i;

		any |= processes->items[i].sampled;
		/* Each is marked only once, so a cycle ends. */
		while (processes->items[i].sampled && processes->items[at].parent &&
		       !processes->items[processes->items[at].parent - 1].sampled) {
			at = (size_t)processes->items[at].parent - 1;
			processes->items[at].sampled = true;
		}
	}
	processes->all |= !any;
}

void survey_processes_times(const struct survey_processes *processes, uint64_t *start, uint64_t *end)
{
	uint64_t first = *end, last = *start;

	for (size_t i = 0; i < processes->count; i++) {
		const struct survey_process *process = &processes->items[i];

		if (!process->sampled || !process->start)
			continue;
		if (process->start >= *start && process->start < first)
			first = process->start;
		if (process->end <= *end && process->end > last)
			last = process->end;
	}
	if (processes->all || first > last)
		return;
	*start = first;
	*end = last;
}

bool survey_processes_count(const struct survey_processes *processes, uint32_t pid)
{
	uint64_t number;

	return processes->all ||
	       (idmap_get(&processes->by_pid, pid, &number) && processes->items[number].sampled);
}

void survey_processes_forked(struct survey_processes *processes, uint32_t parent, uint32_t pid)
{
	if (!processes->all && survey_processes_count(processes, parent))
		survey_processes_at(processes, pid, 0, true);
}
