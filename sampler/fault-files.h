/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the file of an address at which a task had a page fault. The mappings of
 * the process are read when this is asked, a little later than the fault; for a
 * while, further faults in the range of that mapping are assumed to belong to it.
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
/*
 * Returns the FILE id; 0: none (memory without a file), or unknown. tid: a live
 * thread of the process.
 */
uint64_t fault_files_find(struct fault_files *faults, pid_t pid, pid_t tid, uint64_t address);

#endif
