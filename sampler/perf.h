/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's side of a measurement: one ring a processor, the events on the
 * step's tasks that write into them, and the records merged by time.
 *
 * Each ring belongs to a dummy event on vigil's own process, so that it
 * outlives every task of the step; the events on the step's tasks are
 * redirected into the ring of their processor.
 *
 * Periods are drawn at random, a little below the one that was asked for: a
 * program that does something else each period would be met at the same all the
 * time. Each event has its own, and those of tasks that started no others get a
 * new one again and again. An inherited event keeps the period it was born
 * with, and the kernel passes events from task to task as it likes, so each
 * sample tells the period of the event that made it.
 *
 * What tells of switches and samples costs a step that switches very often a large part of its
 * time. So it can be left out for a while, in all tasks at once, also those that begin meanwhile.
 * What tells of tasks and mappings goes on: it is a second event, which also makes a record when a
 * major page fault of user code is over: such waits are short, come at any time and have nothing to
 * do with what the task waits for otherwise. Where descriptors are few, later tasks have none, and
 * nothing is left out.
 *
 * Where the kernel may be sampled a third one makes a sample each time a task leaves
 * the processor, just before the record of that: so the place of each wait is known. The reader
 * switches this off while tasks leave too often (switch-places.h).
 */
#ifndef VIGIL_SAMPLER_PERF_H
#define VIGIL_SAMPLER_PERF_H

#include "common/error.h"
#include "common/idmap.h"
#include "sampler/ring.h"

#include <sys/types.h>

enum observation_kind {
	OBSERVED_SAMPLE,
	OBSERVED_FAULT,	  /* a page of the program came from a file or swap; sample: where */
	OBSERVED_LEAVING, /* the task leaves the processor next; sample: where it was */
	OBSERVED_IN,	  /* the task was given a processor */
	OBSERVED_OUT,	  /* the task left the processor */
	OBSERVED_FORK,	  /* pid, tid: the new task */
	OBSERVED_EXIT,
	OBSERVED_COMM,
	OBSERVED_MAP,
	OBSERVED_LOST, /* the kernel dropped records for want of room */
};

/* One record of the kernel; pointers lead into the ring and hold until the callback returns. */
struct observation {
	enum observation_kind kind;
	uint64_t time;
	pid_t pid, tid;
	unsigned processor; /* whose ring it lay in: 1 and more; 0: not known */
	union {
		struct observed_sample {
			uint64_t period;  /* ns of CPU time it stands for */
			uint64_t address; /* FAULT: what was not there */
			bool finer;	  /* of the events for short tasks (short-tasks.h) */
			bool kernel;	  /* it was executing in the kernel */
			uint64_t abi;	  /* 0: no registers */
			const uint64_t *registers; /* those of arch_register_mask, in its order */
			const unsigned char *stack;
			size_t stack_size;
			const uint64_t *chain; /* kernel addresses, innermost first */
			size_t chain_length;
		} sample;
		bool preempted; /* OUT: it could have gone on */
		struct {
			pid_t parent_pid, parent_tid;
		} fork;
		struct {
			const char *name;
			bool exec;
		} comm;
		struct {
			uint64_t start, length, offset;
			uint32_t major, minor;
			uint64_t inode;
			const char *path;
		} map;
		uint64_t lost; /* records */
	};
};

typedef void (*perf_each)(void *argument, const struct observation *observation);

struct perf {
	bool open;	       /* from perf_init to perf_release, whatever became of it */
	bool kernel;	       /* the kernel is sampled too */
	bool wake_each_sample; /* wake the reader at each; set before the first perf_observe */
	uint64_t period;       /* as asked for: no event has a longer one */
	uint64_t chance;       /* state of the random numbers, never 0 */
	size_t next_varied;    /* of events */
	size_t ring_size;
	struct perf_cpu {
		int cpu;
		int fd;	       /* the ring's owner */
		unsigned fill; /* percent, at the beginning of the last perf_drain */
		struct ring ring;
	} * cpus;
	size_t cpu_count;
	struct perf_root {
		int fd;
		pid_t tid;
		uint64_t period, before; /* until since (monotonic) it had the other */
		uint64_t since;
		uint64_t counted; /* ns of CPU time when its counting began anew */
		uint64_t vary_at; /* before this it cannot have counted enough for another period */
		bool kept;	  /* its task has started others: its count is theirs, too */
	} * events;		  /* on tasks */
	size_t event_count, event_alloc;
	struct idmap roots;	/* streams of the events in events, to their number + 1 */
	struct idmap finer_ids; /* of the first of the events in finer, also of ended ones */
	struct idmap fault_ids; /* of the first of the events in faults */
	int *faults;		/* they tell of tasks and mappings, too */
	size_t fault_count, fault_alloc;
	bool no_faults;		  /* for some tasks at least */
	struct idmap leaving_ids; /* of the first of the events in leavings */
	int *leavings;
	size_t leaving_count, leaving_alloc;
	bool no_leavings;  /* given up, or not permitted */
	bool leavings_off; /* by perf_tell_leavings */
	bool closed;	   /* by perf_watch */
	int *finer;	   /* events that only sample, more often (short-tasks.h) */
	size_t finer_count, finer_alloc;
};

enum perf_result {
	PERF_OK,
	PERF_REFUSED, /* not permitted or not there; the next rung may work */
	PERF_GONE,    /* the task has ended */
	PERF_FAILED,
};

/* Make the rings, for sampling of the kernel too or of user code only. */
enum perf_result perf_init(struct perf *perf, bool kernel, uint64_t period, struct error *err);
void perf_release(struct perf *perf);
/* Observe a task and all it will start; on_exec: from its next exec on, otherwise at once. */
enum perf_result perf_observe(struct perf *perf, pid_t tid, bool on_exec, struct error *err);
/*
 * Sample a task and all it will start with a period of its own as well, from now on and until
 * perf_end_finer. Only samples come from this, each with that period.
 */
bool perf_observe_finer(struct perf *perf, pid_t tid, uint64_t period);
void perf_end_finer(struct perf *perf);
/* Whether switches and samples can be left out, and doing so until it is called again. */
bool perf_can_close(const struct perf *perf);
void perf_watch(struct perf *perf, bool on);
/* Whether the kernel tells where tasks leave the processor (OBSERVED_LEAVING), unless it is
   switched off. */
bool perf_may_tell_leavings(const struct perf *perf);
void perf_tell_leavings(struct perf *perf, bool on);
/* ns of CPU time that the tasks observed and all that they started have used, by the kernel's own
 * count. */
uint64_t perf_counted(const struct perf *perf);
/* The largest fill of a ring now, in percent. */
unsigned perf_fill(struct perf *perf);
/* Pass on all records up to time in order; returns the largest fill of a ring seen, in percent. */
unsigned perf_drain(struct perf *perf, uint64_t time, perf_each each, void *argument);
/* Pass on, of the records that are new to a view (ring_follow), the samples, or those that tell
   that an address space changes. They stay in their ring. */
void perf_look_at_samples(struct perf *perf, struct ring *view, perf_each each, void *argument);
void perf_look_at_changes(struct perf *perf, struct ring *view, perf_each each, void *argument);
/*
 * Draw new periods for some of the events on tasks that have counted for a while. A new one begins
 * to count anew: dropped is called with what it had counted towards the next sample, and will not
 * tell.
 */
typedef void (*perf_dropped)(void *argument, pid_t tid, uint64_t ns);
void perf_vary(struct perf *perf, perf_dropped dropped, void *argument);
/* A task has started another. */
void perf_keep(struct perf *perf, pid_t tid);
/* Sample each period ns from now on, as far as the first events still serve a task. */
void perf_set_period(struct perf *perf, uint64_t period);

#endif
