/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks once at a blocked task from outside: what it waits for, on which
 * file, and from where in the program (its user stack). Works for one's own
 * processes without privilege; costs some ten microseconds.
 *
 * Source: /proc/PID/task/TID/syscall (number, arguments, stack pointer,
 * instruction pointer), and the memory behind the stack pointer.
 */
#ifndef VIGIL_SAMPLER_PROBE_H
#define VIGIL_SAMPLER_PROBE_H

#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/files.h"
#include "program/unwind/unwind.h"

enum probe_result {
	PROBE_BLOCKED, /* site and frames are filled */
	PROBE_RUNNING, /* it runs, or runs again: nothing to tell */
	PROBE_GONE,    /* the task has ended */
	PROBE_REFUSED, /* not permitted; reason is the best that its state tells, no frames */
};

struct probe_site {
	enum wait_reason reason;
	uint64_t file;	  /* FILE id, 0 none */
	uint64_t syscall; /* number + 1; 0: not in a system call (page fault) */
	/* Who holds the lock, where that is what is waited for and it can be told: */
	pid_t lock_process; /* a process that holds a file lock, */
	pid_t lock_thread;  /* or the thread that the lock in the program's memory says holds it */
	enum unwind_end end;
	size_t depth; /* frames filled */
	/* What they were walked from; the stack is the prober's until the next look. */
	uint64_t stack_pointer, instruction;
	const unsigned char *stack;
	size_t stack_size;
};

struct prober;

/* files is borrowed. */
struct prober *prober_new(struct files *files);
void prober_free(struct prober *prober);
/*
 * Look at task tid of process pid. frames holds UNWIND_MAX_FRAMES. space may
 * be NULL: then there are no frames.
 */
enum probe_result prober_look(struct prober *prober, struct space *space, pid_t pid, pid_t tid,
			      struct probe_site *site, struct unwind_frame *frames);
/*
 * What a task waited for in a call some time ago, from the arguments alone; false when only a look
 * at that time could have told. A descriptor counts once it has been the same file for a
 * while. No frames.
 */
bool prober_tell(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		 struct probe_site *site);
/* Copy memory of a process by a thread of it, some pages at most and as far as it can be read from
   address on; returns how many bytes. */
size_t probe_memory(pid_t tid, uint64_t address, void *buffer, size_t size);
/* Whether a look was refused so far, for the note on what is missing. */
bool prober_refused(const struct prober *prober);

#endif
