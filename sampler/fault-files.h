/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file behind an address at which a task had a page fault. The mappings of
 * the process are read when that is asked for, a little later than the fault, and
 * for a while faults beside it are taken for the same mapping's.
 */
#ifndef VIGIL_SAMPLER_FAULT_FILES_H
#define VIGIL_SAMPLER_FAULT_FILES_H

#include "sampler/files.h"

#define FAULT_MAPPINGS 16

struct fault_files {
	struct files *files; /* borrowed */
	struct fault_mapping {
		pid_t pid;
		uint64_t start, end, until; /* until: monotonic */
		uint64_t file;
	} known[FAULT_MAPPINGS];
	size_t next;
};

void fault_files_init(struct fault_files *faults, struct files *files);
/* The FILE id; 0 where there is none (memory without a file), or it cannot be told. tid: a thread of
   the process that lives. */
uint64_t fault_files_find(struct fault_files *faults, pid_t pid, pid_t tid, uint64_t address);

#endif
