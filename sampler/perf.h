/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's side of a measurement: one ring a processor, the events on the
 * step's tasks that write into them, and the records merged by time.
 *
 * Each ring belongs to a dummy event on vigil's own process, so that it
 * outlives every task of the step; the events on the step's tasks are
 * redirected into the ring of their processor.
 *
 * An inherited event keeps the period it was born with, and the kernel
 * passes events from task to task as it likes, so each sample tells the
 * period of the event that made it.
 *
 * A second event makes a record when a major page fault of user code is over:
 * such waits are short, come at any time and have nothing to do with what the
 * task waits for otherwise. Where descriptors are few this is given up for all
 * tasks.
 */
#ifndef VIGIL_SAMPLER_PERF_H
#define VIGIL_SAMPLER_PERF_H

#include "common/error.h"
#include "common/idmap.h"
#include "sampler/ring.h"

#include <sys/types.h>

enum observation_kind {
	OBSERVED_SAMPLE,
	OBSERVED_FAULT, /* a page of the program came from a file or swap; sample: where */
	OBSERVED_IN,   /* the task was given a processor */
	OBSERVED_OUT,  /* the task left the processor */
	OBSERVED_FORK, /* pid, tid: the new task */
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
	union {
		struct observed_sample {
			uint64_t period;	   /* ns of CPU time it stands for */
			bool finer; /* of the events for short tasks (short-tasks.h) */
			bool kernel;		   /* it was executing in the kernel */
			uint64_t abi;		   /* 0: no registers */
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
	bool open;	 /* from perf_init to perf_release, whatever became of it */
	bool kernel;	 /* the kernel is sampled too */
	bool wake_each_sample; /* wake the reader at each; set before the first perf_observe */
	uint64_t period; /* of the first events, now */
	size_t ring_size;
	struct perf_cpu {
		int cpu;
		int fd; /* the ring's owner */
		struct ring ring;
	} * cpus;
	size_t cpu_count;
	int *events; /* on tasks */
	size_t event_count, event_alloc;
	struct idmap roots; /* streams of the events in events */
	struct idmap finer_ids; /* of the first of the events in finer, also of ended ones */
	struct idmap fault_ids; /* of the first of the events in faults */
	int *faults;
	size_t fault_count, fault_alloc;
	bool no_faults; /* given up */
	int *finer;	/* events that only sample, more often (short-tasks.h) */
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
/* Pass on all records up to time in order; returns the largest fill of a ring seen, in percent. */
unsigned perf_drain(struct perf *perf, uint64_t time, perf_each each, void *argument);
/* Pass on, of the records that are new to a view (ring_follow), the samples, or those that tell that
   an address space changes. They stay in their ring. */
void perf_look_at_samples(struct perf *perf, struct ring *view, perf_each each, void *argument);
void perf_look_at_changes(struct perf *perf, struct ring *view, perf_each each, void *argument);
/* Sample each period ns from now on, as far as the first events still serve a task. */
void perf_set_period(struct perf *perf, uint64_t period);

#endif
