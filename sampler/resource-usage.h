/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, page faults and input/output of the step's processes, from /proc.
 *
 * The kernel adds what a child used to its parent's numbers when the parent
 * waits for it, so a process that ended is counted on only when its parent is
 * not observed: otherwise its use comes with its parent's. What a process used
 * before the session began does not count, nor what its parent is given of that.
 */
#ifndef VIGIL_SAMPLER_RESOURCE_USAGE_H
#define VIGIL_SAMPLER_RESOURCE_USAGE_H

#include "records/record-types.h"

#include <sys/types.h>

struct file_counts;
struct files;
struct process;
struct tasks;

/* What a process has used so far, as last seen; it only grows while the process lives. */
struct usage_counts {
	uint64_t minor_faults, major_faults;
	uint64_t read_bytes, write_bytes, read_calls, write_calls;
	uint64_t moved; /* bytes read and written, from and to whatever */
};

/* What is kept of each process; this part's alone. */
struct process_usage {
	struct usage_counts counts;
	struct usage_counts before; /* part of it: from before the session */
	uint64_t peak_before;	    /* most memory before the session, bytes */
	uint64_t resident;	    /* pages of 4096 bytes, now */
	bool io_unknown;	    /* its input and output cannot be read */
	bool gone;		    /* its end is not known yet, but its parent has what it used */
	bool no_heir;		    /* it is not given what its children used */
};

/* One that has ended and used something before the session, until its parent has waited for it. */
struct usage_unclaimed {
	pid_t pid;
	uint64_t parent;
	struct usage_counts before;
};

/* What it works on; all borrowed. */
struct resource_usage_parts {
	struct tasks *tasks;
	struct files *files; /* looked at with each process */
	const struct file_counts *counts; /* NULL: no process counts what it reads and writes */
};

struct resource_usage {
	struct resource_usage_parts parts;
	uint64_t begun;	 /* clock ticks since the system began, when the session did */
	uint64_t peak;	 /* most memory of one process, bytes */
	uint64_t moved;	 /* bytes read and written by all, as of the last STEP row */
	bool io_unknown; /* of a process at least */
	pid_t held;	 /* the process that held_io is of */
	int held_io;	 /* descriptor of its /proc/PID/io, -1 none */
	struct usage_unclaimed *unclaimed;
	size_t unclaimed_count, unclaimed_alloc;
	struct usage_counts ended; /* of processes that are gone */
	struct usage_counts told;  /* sums as of the last STEP row */
};

void resource_usage_init(struct resource_usage *usage, const struct resource_usage_parts *parts);
void resource_usage_release(struct resource_usage *usage);
/* A process was found that nobody observed before: what it used before the session does not count. */
void resource_usage_adopt(struct resource_usage *usage, struct process *process);
/* Look at the processes that live, as many as there is time for, and at their files. */
void resource_usage_look(struct resource_usage *usage);
/*
 * Keep one process readable to its very end, when only root may open what the system has of it:
 * the first of the step, which has no parent that is observed. Called before its exec.
 */
void resource_usage_hold(struct resource_usage *usage, pid_t pid);
/* Look at one process only, as what it uses just before its end would be missed otherwise. */
void resource_usage_look_at(struct resource_usage *usage, struct process *process);
/* The same for one that has ended and was not yet waited for. */
void resource_usage_last_look(struct resource_usage *usage, struct process *process);
/* A process has ended (no task of it lives, or ever did): count on what it used. */
void resource_usage_end(struct resource_usage *usage, struct process *process);
/* Fill in what the step has used since the last call, and its memory now. */
void resource_usage_step(struct resource_usage *usage, struct record_step *row);

#endif
