/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes EVENT rows from what the agent has written: times from ticks, CPU time
 * from anchors, levels from begins and ends, sites from names and addresses.
 *
 * CPU time. An event's row is made when the anchor after it has been read, or when
 * its lane ends (settle.h).
 *
 * Levels. Programs and functions are active from their begin to their end. One
 * that ends also ends those above it, which were left by longjmp, by an exception
 * or by a killed program, and the one below it resumes.
 *
 * A forked process inherits the frames active in the thread that forked it, and
 * ends them; they have not begun there. If it is read before its parent it waits
 * for that, for at most HELD_MAX slots.
 *
 * Blocks. If a program filter, a line, COUNT or TIME rejects an event of a task
 * whose last event was kept, an MB takes its place: the task's time from there on
 * counts for no event. A blocked function is not reported at all, so that its time
 * counts for its caller; when the last function that is kept ends, an MB follows.
 */
#ifndef VIGIL_EVENTS_DECODER_H
#define VIGIL_EVENTS_DECODER_H

#include "events/contexts.h"
#include "events/filter.h"
#include "events/known.h"
#include "events/patch-plan.h"
#include "events/library-events.h"
#include "events/sites.h"
#include "records/event-run-writer.h"
#include "records/record-types.h"
#include "step/step-tasks.h"
#include "step/transaction-history.h"

/* A process reported by the agent. */
struct event_process {
	pid_t pid, parent;
	uint64_t start, end;
	uint32_t program; /* number in sites: its executable */
	uint32_t name;	  /* number of a name in the pool: its path */
	uint64_t execs;
	uint64_t looked; /* ns: last read of its mappings in /proc */
	uint64_t image;	 /* lane that identifies its image (or its parent's) to the agent */
	uint64_t image_start; /* ns: when that image began */
	struct space *space;
	uint64_t fork; /* number of the fork in its parent, 7 bits */
	bool forked;   /* forked, and its parent's frames are not known yet */
	uint64_t first_task; /* number of its first task */
	size_t index;	     /* index in processes */
	bool changed;  /* a row is due */
	bool is_vigil;  /* executes vigil itself (vigil start): its events are not the step's */
};

/* An event that waits for its CPU time. */
struct event_waiting {
	uint64_t time;
	uint32_t site;
	uint32_t resumes; /* of a program that ends: site at which its caller resumes; 0 none */
	int64_t code;
	uint32_t level;
	uint32_t data;	      /* string */
	uint32_t transaction; /* TRANSACTION id */
};

/* Sums that a thread has made by itself, which wait for its CPU time (tallies.h). */
struct event_tallied {
	struct event_step *steps; /* the last one is that of the last event */
	size_t count, alloc;
	uint64_t hits;	     /* in all of them */
	uint64_t start, end; /* ns: of the first event, and of the last */
	uint64_t block;	     /* number of the last block taken */
	bool complete;	     /* up to the next anchor */
	bool left;	     /* what the thread had not written was taken */
};

/* In rows: the task is given by number, since its id is not known yet. */
#define EVENT_TASK_NUMBER (UINT64_C(1) << 63)

/* A thread of one image of a process. */
struct event_task {
	uint64_t number; /* from 1 */
	uint64_t lane;
	pid_t pid, tid;
	struct step_task *base; /* the step's task; NULL: not known yet */
	uint64_t id;		/* TASK id; 0 not known yet */
	struct event_process *process;
	uint64_t start, end, last; /* ns */
	uint64_t gone; /* ns: when it was noticed that it had been killed; its end is not
		        * reported yet */
	bool left;     /* only this image of it has ended: it has exec'ed, and continues */
	struct event_frame *frames;
	size_t frame_count, frame_alloc;
	uint64_t context; /* current context; 0 its own */
	/*
	 * While the parent of a forked process has not been read: slots that wait, their
	 * lane, and the process they wait for; NULL: none wait.
	 */
	struct event_slot *held;
	size_t held_count, held_alloc;
	struct event_lane_reader held_lane;
	struct event_process *behind;
	/* The last anchor: time, and time less CPU time, without the agent's. */
	uint64_t anchor;
	int64_t idle;
	int64_t own;		 /* ns used by the agent so far */
	uint64_t cpu, first_cpu; /* ns, at the last and the first anchor */
	int64_t settled_cpu;	 /* ns: of the last row made, without the agent's */
	uint64_t early;		 /* ns of CPU time assigned to rows since the agent's last anchor
				  * (settle.h) */
	bool has_anchor, changed;
	uint64_t written; /* events since the last anchor, including those not kept */
	bool running; /* its last row lasts until the next event; false at first, after an MB,
		       * and in a pause */
	uint64_t anchor_cpu;	      /* of an anchor whose event has not been read */
	uint64_t anchor_own;	      /* ns */
	bool anchored;		      /* there is such an anchor */
	/*
	 * Marks of its last statement and paragraph, valid while frame_count is at_depth;
	 * 0 none.
	 */
	uint64_t at_statement, at_paragraph;
	size_t at_depth;
	uint32_t database; /* of the last database call: number of a name in the pool */
	struct event_waiting *waiting; /* events after the last anchor */
	size_t waiting_count, waiting_alloc;
	uint64_t waiting_times;		   /* number of their distinct times: an end makes two events at one time */
	struct event_tallied tallied;
	size_t waiting_other; /* number of them that are not plain: a run cannot hold them */
	size_t database_calls; /* kept events of database calls that begin, less those that end */
	struct event_run_writer *run; /* NULL: it has never had one */
	/* Number + 1 of the last snapshot in which it had a run, and of that with late rows. */
	uint64_t run_in, late_in;
};

/* Records that a task reached a statement, section or paragraph. */
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
	struct transactions *led; /* those that events lead; NULL: the sampler leads them */
	struct event_filter *filter;
	struct patch_plan *patches; /* functions that have numbers; NULL: none */
	struct event_task **tasks; /* by number - 1 */
	size_t task_count, task_alloc;
	struct event_process **processes;
	size_t process_count, process_alloc;
	struct idmap by_pid; /* pid -> index of its newest process */
	struct idmap behind; /* pid -> index of the process that its tasks wait for, or waited
			      * for */
	struct event_contexts contexts;
	/*
	 * Events with known CPU time (settle.h), as rows of the next snapshot, as runs,
	 * and as rows of the snapshot after it: those that follow a run of their task.
	 */
	struct recordset rows, runs, late;
	bool compact;	       /* plain events may become runs */
	bool bare;	       /* of runs, only the sums are wanted */
	uint64_t paused_at;    /* ns: the last pause of the session that has a row */
	bool all_late;	       /* an event of the session is late, so all that follow are */
	struct event_task **running; /* tasks with a run that is not in runs yet */
	size_t running_count, running_alloc;
	size_t run_slots; /* in all of these runs */
	uint64_t snapshots; /* taken so far */
	bool unnamed;	       /* some rows or runs have a task's number */
	uint64_t gap; /* ns between events above which there is an anchor */
	uint64_t own; /* ns of CPU time used by the agent */
	uint64_t offered;
	struct event_known known;
	bool cobol, functions, patched, user, python; /* sources that were seen */
	struct library_events library;
	bool paused; /* the present slot was written while collecting was paused */
};

void event_decoder_init(struct event_decoder *decoder, struct event_pool *pool,
			struct event_sites *sites, struct transaction_history *history,
			struct event_filter *filter, struct engine *engine);
void event_decoder_release(struct event_decoder *decoder);
/* Takes slots of a lane: an event_pool_take whose argument is the decoder. */
void event_decoder_take(void *argument, struct event_lane_reader *lane,
			const struct event_slot *slots, size_t count);
/*
 * Ends a task whose thread is gone: cpu is the CPU time, ns, it had used, as far
 * as known. A task ended by an exec of its process gets no end event (the exec is
 * one). What is not known yet waits for a later call, unless last is set.
 */
void event_decoder_gone(struct event_decoder *decoder, struct event_task *task, uint64_t cpu,
			bool last);
/* At the end of the session: makes rows of all events that wait for an anchor. */
void event_decoder_settle(struct event_decoder *decoder);
/* Ends the last event of every task at a time: time after it counts for no event. */
void event_decoder_pause(struct event_decoder *decoder, uint64_t time);
/* Adds an event of the whole session. */
void event_decoder_session(struct event_decoder *decoder, enum event_type type, uint64_t time);

#endif
