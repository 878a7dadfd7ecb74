/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of processes. */
#include "common/compat.h"
#include "session/job/process-tree.h"
#include "common/clock.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#include <unistd.h>

static int by_number(const void *first, const void *second)
{
	const struct process *one = first, *other = second;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

void processes_read(struct processes *processes)
{
	const uint64_t tick = NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	struct procfs_numbers walk;
	struct procfs_stat stat;
	long pid;

	*processes = (struct processes){ 0 };
	procfs_processes(&walk);
	while ((pid = procfs_next_number(&walk)) >= 0) {
		struct process *process;

		if (!procfs_stat((pid_t)pid, &stat))
			continue;
		GROW(processes->items, processes->count + 1, processes->alloc);
		process = &processes->items[processes->count++];
		*process = (struct process){
			.pid = (pid_t)pid,
			.parent = stat.parent,
			.cpu = (stat.user + stat.system + stat.children_user +
				stat.children_system) *
			       tick,
		};
		memcpy(process->name, stat.name, sizeof(process->name));
	}
	if (processes->count)
		qsort(processes->items, processes->count, sizeof(*processes->items), by_number);
}

void processes_release(struct processes *processes)
{
	free(processes->items);
	*processes = (struct processes){ 0 };
}

/* Returns the parent of a process, 0 if unknown. */
static pid_t parent_of(const struct processes *processes, pid_t pid)
{
	size_t at = LOWER_BOUND(processes->count, i, processes->items[i].pid < pid);
	bool found = at < processes->count && processes->items[at].pid == pid;

	return found ? processes->items[at].parent : 0;
}

pid_t processes_branch(const struct processes *processes, pid_t pid, pid_t ancestor)
{
	/* A pid reused during the scan must not cause an endless loop. */
	for (size_t level = 0; pid > 0 && level < processes->count; level++) {
		pid_t parent = parent_of(processes, pid);

		if (parent == ancestor)
			return pid;
		pid = parent;
	}
	return 0;
}
