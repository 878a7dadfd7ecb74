/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is active where no thread is just now: in contexts that gave the
 * processor to others (swapcontext), and in processes that are about to be forked.
 *
 * Each has a key: the process and a number. Frames that are kept belong to
 * this until they are taken.
 */
#ifndef VIGIL_EVENTS_CONTEXTS_H
#define VIGIL_EVENTS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A program that is active. */
struct event_frame {
	uint32_t program;
	uint64_t key; /* address of a function, number of a COBOL program */
};

struct event_frames {
	struct event_frame *all;
	size_t count, alloc;
};

struct event_context {
	pid_t pid;
	uint64_t number;
	struct event_frames frames;
};

struct event_contexts {
	struct event_context *all; /* in no order */
	size_t count, alloc;
};

/* Numbers: of a context that the agent counts; of a thread's own; of the fork of a process. */
#define EVENT_CONTEXT_OF_THREAD(tid) (UINT64_C(1) << 63 | (uint64_t)(tid))
#define EVENT_CONTEXT_OF_FORK(fork) (UINT64_C(1) << 62 | (fork))

void event_contexts_release(struct event_contexts *contexts);
/* Keep frames under a key, in place of those that are there; also where there are none. */
void event_contexts_keep(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames frames);
/* Take what is kept under a key; false: nothing is, and *frames is as it was. */
bool event_contexts_take(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames *frames);
/* A copy of frames. */
struct event_frames event_frames_copy(const struct event_frames *frames);

#endif
