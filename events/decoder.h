/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes EVENT rows from what the agent has written: times from ticks, CPU time
 * from anchors, levels from what begins and ends, sites from names and
 * addresses.
 *
 * CPU time. An anchor says how much a thread had used at the moment of the
 * event behind it. What the thread was off the processor between two anchors is
 * laid before the later one's event when that stands behind a gap, otherwise
 * evenly between them; so an event's row is made when the anchor after it is
 * there, or when its lane ends.
 *
 * Levels. Programs and functions that begin are active until they end. One that
 * ends takes those above it along, which have been left by longjmp, by an
 * exception or by a killed program, and the one below it goes on.
 *
 * Blocks. Where a program filter, a line, COUNT or TIME rejects an event of a task
 * whose last event was kept, an MP of the task stands in its place: what the task
 * does from there on is nobody's time. A function that is blocked is not told of
 * at all, so that its time is that of the function which called it; when the last
 * function that is kept ends, an MP follows.
 */
#ifndef VIGIL_EVENTS_DECODER_H
#define VIGIL_EVENTS_DECODER_H

#include "events/changes.h"
#include "events/filter.h"
#include "events/sites.h"

/* A process that the agent has told of. */
struct event_process {
	pid_t pid, parent;
	uint64_t id; /* PROCESS id; 0 not known yet */
	uint64_t start, end;
	uint32_t program; /* of sites: what it executes */
	uint32_t name;	  /* of the pool: its path */
	uint64_t execs;
	uint64_t looked; /* ns: when /proc was last asked for its mappings */
	uint64_t image;	 /* lane with which the agent counts it, or its parent's */
	struct space *space;
	bool changed; /* since its row was made */
	bool vigils;  /* executes vigil itself (vigil start): its events are not the step's */
};

/* A program that is active. */
struct event_frame {
	uint32_t program;
	uint64_t key; /* address of a function, number of a COBOL program */
};

/* A thread of one image of a process. */
struct event_task {
	uint64_t number; /* from 1 */
	pid_t pid, tid;
	uint64_t id; /* TASK id; 0 not known yet */
	struct event_process *process;
	uint64_t start, end, last; /* ns */
	struct event_frame *frames;
	size_t frame_count, frame_alloc;
	/* The last anchor: time, and time less CPU time, the agent's own not counted. */
	uint64_t anchor;
	int64_t idle;
	int64_t own;		 /* ns of the agent's so far */
	uint64_t cpu, first_cpu; /* ns, at the last and the first anchor */
	bool has_anchor, changed;
	uint64_t written; /* events since the last anchor, with those that are not kept */
	bool running; /* its last row lasts until the next event; false before, and after an MP */
	uint64_t anchor_cpu;	      /* of an anchor whose event has not come */
	uint64_t anchor_own;	      /* ns */
	bool anchored;		      /* there is one */
	struct record_event *pending; /* events behind the last anchor: rows without idle */
	size_t pending_count, pending_alloc;
};

struct event_decoder {
	struct event_pool *pool;
	struct event_sites *sites;
	struct engine *engine;
	struct event_changes *changes;
	struct event_filter *filter;
	struct event_task **tasks; /* by number - 1 */
	size_t task_count, task_alloc;
	struct event_process **processes;
	size_t process_count, process_alloc;
	struct idmap by_pid; /* pid -> index of its newest process */
	/* Rows whose CPU time is known; task and transaction are numbers, of tasks and of changes.
	 */
	struct recordset rows;
	uint64_t gap; /* ns between events from which on there is an anchor */
	uint64_t own; /* ns of CPU time that the agent used */
	uint64_t offered;
	bool cobol, functions, user; /* sources that were seen */
};

void event_decoder_init(struct event_decoder *decoder, struct event_pool *pool,
			struct event_sites *sites, struct event_changes *changes,
			struct event_filter *filter, struct engine *engine);
void event_decoder_release(struct event_decoder *decoder);
/* Take slots of a lane: an event_pool_take, argument is the decoder. */
void event_decoder_take(void *argument, struct event_lane_reader *lane,
			const struct event_slot *slots, size_t count);
/* Make rows of all that waits for an anchor: the session ends. */
void event_decoder_settle(struct event_decoder *decoder);
/* Add an event of the whole session. */
void event_decoder_session(struct event_decoder *decoder, enum event_type type, uint64_t time);

#endif
