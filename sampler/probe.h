/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks once at a blocked task from outside: what it waits for, on which file, and
 * from where in the program (its user stack). Needs no privilege for processes of
 * the same user; costs some ten microseconds.
 *
 * Source: /proc/PID/task/TID/syscall (number, arguments, stack pointer,
 * instruction pointer), and the memory from the stack pointer on.
 */
#ifndef VIGIL_SAMPLER_PROBE_H
#define VIGIL_SAMPLER_PROBE_H

#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/files.h"
#include "program/unwind/unwind.h"

enum probe_result {
	PROBE_BLOCKED, /* site and frames are filled */
	PROBE_RUNNING, /* it runs, or runs again: no information */
	PROBE_GONE,    /* the task has ended */
	PROBE_REFUSED, /* not permitted; reason is derived from its state only, no frames */
};

struct probe_site {
	enum wait_reason reason;
	uint64_t file;	  /* FILE id; 0: none */
	uint64_t syscall; /* number + 1; 0: not in a system call (page fault) */
	/* The holder of the lock that is waited for, if it can be determined: */
	pid_t lock_process; /* a process that holds a file lock, */
	pid_t lock_thread;  /* or the thread that the lock in the program's memory names as its
			     * owner */
	enum unwind_end end;
	size_t depth; /* number of frames filled */
	/* Input of the walk; the stack belongs to the prober and is valid until the next look. */
	uint64_t stack_pointer, instruction;
	const unsigned char *stack;
	size_t stack_size;
};

struct prober;

/* files is borrowed. */
struct prober *prober_new(struct files *files);
void prober_free(struct prober *prober);
/*
 * Looks at task tid of process pid. frames has space for UNWIND_MAX_FRAMES. space
 * NULL: no frames.
 */
enum probe_result prober_look(struct prober *prober, struct space *space, pid_t pid, pid_t tid,
			      struct probe_site *site, struct unwind_frame *frames);
/*
 * Determines what a task waited for in a call some time ago, from the arguments
 * alone; returns false if only a look at that time could have shown it. A
 * descriptor counts once it has been the same file for a while. No frames.
 */
bool prober_classify(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		 struct probe_site *site);
/*
 * Copies memory of a thread's process from address on, as far as it can be read
 * and at most some pages; returns the number of bytes.
 */
size_t probe_memory(pid_t tid, uint64_t address, void *buffer, size_t size);
/* Returns whether any look was refused so far, for the note on missing data. */
bool prober_refused(const struct prober *prober);

#endif
