/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, page faults and input/output of the step's processes, from /proc.
 *
 * The kernel adds what a child used to its parent's numbers when the parent
 * waits for it, so a process that ended is counted on only when its parent is
 * not observed: otherwise its use comes with its parent's.
 */
#ifndef VIGIL_SAMPLER_RESOURCE_USAGE_H
#define VIGIL_SAMPLER_RESOURCE_USAGE_H

#include "engine/record-types.h"

#include <sys/types.h>

struct files;
struct process;
struct tasks;

/* What a process has used so far, as last seen; it only grows while the process lives. */
struct usage_counts {
	uint64_t minor_faults, major_faults;
	uint64_t read_bytes, write_bytes, read_calls, write_calls;
};

/* What is kept of each process; this part's alone. */
struct process_usage {
	struct usage_counts counts;
	uint64_t resident; /* pages of 4096 bytes, now */
};

/* What it works on; all borrowed. */
struct resource_usage_parts {
	struct tasks *tasks;
	struct files *files; /* looked at with each process */
};

struct resource_usage {
	struct resource_usage_parts parts;
	struct usage_counts ended; /* of processes that are gone */
	struct usage_counts told;  /* sums as of the last STEP row */
};

void resource_usage_init(struct resource_usage *usage, const struct resource_usage_parts *parts);
/* Look at the processes that live, as many as there is time for, and at their files. */
void resource_usage_look(struct resource_usage *usage);
/* Look at one process only, as what it uses just before its end would be missed otherwise. */
void resource_usage_look_at(struct process *process);
/* A process has ended (no task of it lives): count on what it used. */
void resource_usage_end(struct resource_usage *usage, struct process *process);
/* Fill in what the step has used since the last call, and its memory now. */
void resource_usage_step(struct resource_usage *usage, struct record_step *row);

#endif
