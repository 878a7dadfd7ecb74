/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Active frames that are not on a thread at present: of contexts that were
 * switched out (swapcontext), and of processes about to be forked.
 *
 * Each set has a key: the process and a number. Frames kept here are owned by
 * struct event_contexts until they are taken.
 */
#ifndef VIGIL_EVENTS_CONTEXTS_H
#define VIGIL_EVENTS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* An active program or function. */
struct event_frame {
	uint32_t program;
	uint64_t key; /* address of a function, or number of a COBOL program */
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
	struct event_context *all; /* unordered */
	size_t count, alloc;
};

/*
 * Numbers: of a context, as counted by the agent; of a thread's own context; of a
 * fork of a process.
 */
#define EVENT_CONTEXT_OF_THREAD(tid) (UINT64_C(1) << 63 | (uint64_t)(tid))
#define EVENT_CONTEXT_OF_FORK(fork) (UINT64_C(1) << 62 | (fork))

void event_contexts_release(struct event_contexts *contexts);
/* Keeps frames under a key, replacing those kept there; frames may be empty. */
void event_contexts_keep(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames frames);
/* Takes what is kept under a key; returns false, with *frames unchanged, if there is none. */
bool event_contexts_take(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames *frames);
/* Returns a copy of frames. */
struct event_frames event_frames_copy(const struct event_frames *frames);

#endif
