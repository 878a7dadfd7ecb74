/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, page faults and input/output of the step's processes, from /proc.
 *
 * The kernel adds the usage of a child to its parent's numbers when the parent
 * waits for it, so the usage of an ended process is kept only if its parent is not
 * observed: otherwise it is in its parent's. Usage before the session does not
 * count, nor does what a parent gets from that.
 */
#ifndef VIGIL_SAMPLER_RESOURCE_USAGE_H
#define VIGIL_SAMPLER_RESOURCE_USAGE_H

#include "records/record-types.h"

#include <sys/types.h>

struct file_counts;
struct files;
struct process;
struct tasks;

/* Usage of a process so far, as last read; it only grows while the process lives. */
struct usage_counts {
	uint64_t minor_faults, major_faults;
	uint64_t read_bytes, write_bytes, read_calls, write_calls;
	uint64_t moved; /* bytes read and written, from and to any file */
};

/* State of one process; only this part accesses it. */
struct process_usage {
	struct usage_counts counts;
	struct usage_counts before; /* the part from before the session */
	uint64_t peak_before;	    /* peak memory before the session, bytes */
	uint64_t resident;	    /* current, in pages of 4096 bytes */
	bool io_unknown;	    /* its input and output cannot be read */
	bool gone;		    /* its end is not reported yet, but its parent already has
				     * its usage */
	bool no_heir;		    /* it does not get the usage of its children */
};

/* An ended process with usage before the session, until its parent has waited for it. */
struct usage_unclaimed {
	pid_t pid;
	uint64_t parent;
	struct usage_counts before;
};

/* The parts it uses; all borrowed. */
struct resource_usage_parts {
	struct tasks *tasks;
	struct files *files; /* examined with each process */
	const struct file_counts *counts; /* NULL: no process counts what it reads and writes */
};

struct resource_usage {
	struct resource_usage_parts parts;
	uint64_t begun;	 /* clock ticks from system boot to the beginning of the session */
	uint64_t peak;	 /* peak memory of one process, bytes */
	uint64_t moved;	 /* bytes read and written by all, at the last STEP row */
	bool io_unknown; /* of at least one process */
	pid_t held;	 /* the process of held_io */
	int held_io;	 /* descriptor of its /proc/PID/io, -1: none */
	struct usage_unclaimed *unclaimed;
	size_t unclaimed_count, unclaimed_alloc;
	struct usage_counts ended; /* sums of ended processes */
	struct usage_counts reported;  /* sums at the last STEP row */
};

void resource_usage_init(struct resource_usage *usage, const struct resource_usage_parts *parts);
void resource_usage_release(struct resource_usage *usage);
/* Adds a process that was not observed before: its usage before the session does not count. */
void resource_usage_adopt(struct resource_usage *usage, struct process *process);
/* Reads the usage and the files of live processes, as many as there is time for. */
void resource_usage_look(struct resource_usage *usage);
/*
 * Keeps one process readable to its end, even if only root may open its files in
 * /proc: the first of the step, which has no observed parent. Call before its
 * exec.
 */
void resource_usage_hold(struct resource_usage *usage, pid_t pid);
/*
 * Reads the usage of one process only, as its last usage before its end would be
 * missed otherwise.
 */
void resource_usage_look_at(struct resource_usage *usage, struct process *process);
/* Does the same for a process that has ended and was not yet waited for. */
void resource_usage_last_look(struct resource_usage *usage, struct process *process);
/* Keeps the usage of a process that has ended (no task of it lives, or ever did). */
void resource_usage_end(struct resource_usage *usage, struct process *process);
/* Fills in what the step has used since the last call, and its current memory. */
void resource_usage_step(struct resource_usage *usage, struct record_step *row);

#endif
