/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot of the system's processes, from /proc. */
#ifndef VIGIL_SESSION_JOB_PROCESS_TREE_H
#define VIGIL_SESSION_JOB_PROCESS_TREE_H

#include "common/procfs.h"

struct process {
	pid_t pid, parent;
	uint64_t cpu; /* ns: its own, and that of the children it has waited for */
	char name[PROCFS_NAME_SIZE];
};

struct processes {
	struct process *items;
	size_t count, alloc;
};

/*
 * Reads all processes, ordered by pid; those that end meanwhile are left out. The
 * caller releases processes.
 */
void processes_read(struct processes *processes);
void processes_release(struct processes *processes);
/* Returns the child of ancestor that pid is or descends from; 0: none. */
pid_t processes_branch(const struct processes *processes, pid_t pid, pid_t ancestor);

#endif
