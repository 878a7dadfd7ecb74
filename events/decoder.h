/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes EVENT rows from what the agent has written: times from ticks, CPU time
 * from anchors, levels from what begins and ends, sites from names and
 * addresses.
 *
 * CPU time. An event's row is made when the anchor after it is there, or when
 * its lane ends (settle.h).
 *
 * Levels. Programs and functions that begin are active until they end. One that
 * ends takes those above it along, which have been left by longjmp, by an
 * exception or by a killed program, and the one below it goes on.
 *
 * A forked process goes on with what was active in the thread that forked it, and
 * ends it; it has not begun there. Where it is read before its parent it waits for
 * it, HELD_MOST slots at most.
 *
 * Blocks. Where a program filter, a line, COUNT or TIME rejects an event of a task
 * whose last event was kept, an MB stands in its place: what the task
 * does from there on is nobody's time. A function that is blocked is not told of
 * at all, so that its time is that of the function which called it; when the last
 * function that is kept ends, an MB follows.
 */
#ifndef VIGIL_EVENTS_DECODER_H
#define VIGIL_EVENTS_DECODER_H

#include "events/contexts.h"
#include "events/filter.h"
#include "events/known.h"
#include "events/patch-plan.h"
#include "events/library-events.h"
#include "events/sites.h"
#include "records/record-types.h"
#include "step/step-tasks.h"
#include "step/transaction-history.h"

/* A process that the agent has told of. */
struct event_process {
	pid_t pid, parent;
	uint64_t start, end;
	uint32_t program; /* of sites: what it executes */
	uint32_t name;	  /* of the pool: its path */
	uint64_t execs;
	uint64_t looked; /* ns: when /proc was last asked for its mappings */
	uint64_t image;	 /* lane with which the agent counts it, or its parent's */
	uint64_t image_start; /* ns: when that began */
	struct space *space;
	uint64_t fork; /* which of its parent's it is, 7 bits */
	bool forked;   /* it was forked, and what was active in its parent is not known yet */
	uint64_t first_task; /* number of the one that was forked */
	size_t index;	     /* of processes */
	bool changed;  /* since its row was made */
	bool vigils;  /* executes vigil itself (vigil start): its events are not the step's */
};

/* An event that waits for its CPU time. */
struct event_waiting {
	uint64_t time;
	uint32_t site, level;
	int64_t code;
	uint32_t data;	      /* string */
	uint32_t transaction; /* TRANSACTION id */
};

/* In rows: the task is a number, its id is not known yet. */
#define EVENT_TASK_NUMBER (UINT64_C(1) << 63)

/* A thread of one image of a process. */
struct event_task {
	uint64_t number; /* from 1 */
	uint64_t lane;
	pid_t pid, tid;
	struct step_task *base; /* what the step knows of it; NULL: that is not known yet */
	uint64_t id;		/* TASK id; 0 not known yet */
	struct event_process *process;
	uint64_t start, end, last; /* ns */
	uint64_t gone; /* ns: it was killed, which was noticed then; its end is not told yet */
	bool left;     /* what ended is this image of it only: it has exec'ed, and goes on */
	struct event_frame *frames;
	size_t frame_count, frame_alloc;
	uint64_t context; /* that it is in; 0 its own */
	/* Until what a forked process's parent did was read: slots that wait, their lane, and behind
	   which process; NULL: none do. */
	struct event_slot *held;
	size_t held_count, held_alloc;
	struct event_lane_reader held_lane;
	struct event_process *behind;
	/* The last anchor: time, and time less CPU time, the agent's own not counted. */
	uint64_t anchor;
	int64_t idle;
	int64_t own;		 /* ns of the agent's so far */
	uint64_t cpu, first_cpu; /* ns, at the last and the first anchor */
	int64_t settled_cpu;	 /* ns, of the last row that was made, the agent's own not counted */
	uint64_t early;		 /* ns of CPU time that rows got since the last anchor of the agent (settle.h) */
	bool has_anchor, changed;
	uint64_t written; /* events since the last anchor, with those that are not kept */
	bool running; /* its last row lasts until the next event; false before, after an MB, and in a pause */
	uint64_t anchor_cpu;	      /* of an anchor whose event has not come */
	uint64_t anchor_own;	      /* ns */
	bool anchored;		      /* there is one */
	/* Marks of its last statement and paragraph, while frame_count is at_depth; 0 none. */
	uint64_t at_statement, at_paragraph;
	size_t at_depth;
	uint32_t database; /* of the last database call: a name of the pool */
	struct event_waiting *waiting; /* events behind the last anchor */
	size_t waiting_count, waiting_alloc;
};

/* A task comes to a statement, section or paragraph. */
static inline void event_task_is_at(struct event_task *task, uint64_t mark)
{
	if (task->at_depth != task->frame_count)
		task->at_paragraph = 0;
	task->at_depth = task->frame_count;
	task->at_statement = mark;
	if ((mark & 0xff) != EVENT_MARK_STATEMENT)
		task->at_paragraph = mark;
}

struct event_decoder {
	struct event_pool *pool;
	struct event_sites *sites;
	struct engine *engine;
	struct transaction_history *history;
	struct transactions *led; /* that events lead; NULL: the sampler does */
	struct event_filter *filter;
	struct patch_plan *patches; /* functions with numbers; NULL: there are none */
	struct event_task **tasks; /* by number - 1 */
	size_t task_count, task_alloc;
	struct event_process **processes;
	size_t process_count, process_alloc;
	struct idmap by_pid; /* pid -> index of its newest process */
	struct idmap behind; /* pid -> index of the process behind which its tasks wait, or have waited */
	struct event_contexts contexts;
	struct recordset rows; /* whose CPU time is known (settle.h) */
	bool unnamed;	       /* some of them have a task's number */
	uint64_t gap; /* ns between events from which on there is an anchor */
	uint64_t own; /* ns of CPU time that the agent used */
	uint64_t offered;
	struct event_known known;
	bool cobol, functions, patched, user, python; /* sources that were seen */
	struct library_events library;
	bool paused; /* the slot that is decoded was written while collecting was paused */
};

void event_decoder_init(struct event_decoder *decoder, struct event_pool *pool,
			struct event_sites *sites, struct transaction_history *history,
			struct event_filter *filter, struct engine *engine);
void event_decoder_release(struct event_decoder *decoder);
/* Take slots of a lane: an event_pool_take, argument is the decoder. */
void event_decoder_take(void *argument, struct event_lane_reader *lane,
			const struct event_slot *slots, size_t count);
/*
 * A task that is gone ends: cpu is the CPU time, ns, that it had used, as far as that is known.
 * One that an exec of its process has ended has no event of its own for that (the exec has). What
 * is not known yet waits for a later call, but not for one that is the last.
 */
void event_decoder_gone(struct event_decoder *decoder, struct event_task *task, uint64_t cpu,
			bool last);
/* Make rows of all that waits for an anchor: the session ends. */
void event_decoder_settle(struct event_decoder *decoder);
/* No event of any task is told any more: from a time on it is nobody's. */
void event_decoder_pause(struct event_decoder *decoder, uint64_t time);
/* Add an event of the whole session. */
void event_decoder_session(struct event_decoder *decoder, enum event_type type, uint64_t time);

#endif
