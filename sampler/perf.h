/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's perf events: one ring per processor, the events on the step's tasks
 * that write into the rings, and the records merged by time.
 *
 * Each ring belongs to a dummy event on vigil's own process, so that it outlives
 * every task of the step; the events on the step's tasks are redirected into the
 * ring of their processor.
 *
 * Periods are drawn at random, a little below the requested one: a program that
 * repeats itself each period would otherwise always be sampled at the same point.
 * Each event has its own period, and events on tasks that started no others get a
 * new one repeatedly. An inherited event keeps its initial period, and the kernel
 * moves events between tasks at will, so each sample is recorded with the period
 * of the event that made it.
 *
 * Records of switches and samples cost a large part of the time of a step that
 * switches very often. So they can be disabled for a while, in all tasks at once,
 * also those that begin meanwhile. Records of tasks and mappings continue: they
 * come from a second event, which also makes a record when a major page fault of
 * user code is over; such waits are short, come at any time and are independent of
 * what the task waits for otherwise. If descriptors are scarce, later tasks have
 * no second event, and nothing can be disabled.
 *
 * If the kernel may be sampled, a third event makes a sample each time a task
 * leaves the processor, just before the record of the switch: so the place of each
 * wait is known. The reader switches this off while tasks leave too often
 * (switch-places.h).
 *
 * If only user code may be sampled, looks at tasks in the kernel ask for the next minor page
 * faults of user code (perf_watch_pages), which the kernel tells an ordinary user.
 */
#ifndef VIGIL_SAMPLER_PERF_H
#define VIGIL_SAMPLER_PERF_H

#include "common/error.h"
#include "common/idmap.h"
#include "sampler/ring.h"

#include <sys/types.h>

enum observation_kind {
	OBSERVED_SAMPLE,
	OBSERVED_FAULT,	  /* a page of the program was read from a file or swap; sample: where */
	OBSERVED_PAGE,	  /* the program was given a page that was in memory; sample: where (perf_watch_pages) */
	OBSERVED_LEAVING, /* the task is about to leave the processor; sample: where it was */
	OBSERVED_IN,	  /* the task was given a processor */
	OBSERVED_OUT,	  /* the task left the processor */
	OBSERVED_FORK,	  /* pid, tid: the new task */
	OBSERVED_EXIT,
	OBSERVED_COMM,
	OBSERVED_MAP,
	OBSERVED_LOST, /* the kernel dropped records for lack of space */
};

/*
 * One record of the kernel; its pointers point into the ring and are valid until
 * the callback returns.
 */
struct observation {
	enum observation_kind kind;
	uint64_t time;
	pid_t pid, tid;
	unsigned processor; /* number of the processor of the ring, from 1; 0: not known */
	union {
		struct observed_sample {
			uint64_t period;  /* ns of CPU time that it stands for */
			uint64_t address; /* FAULT, PAGE: the address that was not in memory */
			bool finer;	  /* from the events for short tasks (short-tasks.h) */
			bool kernel;	  /* the task was executing in the kernel */
			uint64_t abi;	  /* 0: no registers */
			const uint64_t *registers; /* those in arch_register_mask, in its order */
			const unsigned char *stack;
			size_t stack_size;
			const uint64_t *chain; /* kernel addresses, innermost first */
			size_t chain_length;
		} sample;
		bool preempted; /* OUT: the task could have continued */
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
		uint64_t lost; /* number of records */
	};
};

typedef void (*perf_each)(void *argument, const struct observation *observation);

/* Number of looks at pages given whose records may be in the rings. */
#define PERF_PAGE_IDS 64

struct perf {
	bool open;	       /* from perf_init to perf_release, whether or not it succeeded */
	bool kernel;	       /* the kernel is sampled too */
	bool told;	       /* samples have the period of their event, whatever was asked for
				* (sampler_config.other_options); set after perf_init */
	bool wakeup_each_sample; /* wake up the reader at each sample; set before the first
			        * perf_observe */
	uint64_t period;       /* ns as requested: no event has a longer one */
	uint64_t chance;       /* state of the random number generator, never 0 */
	size_t next_varied;    /* next index in events */
	size_t ring_size;
	struct perf_cpu {
		int cpu;
		int fd;	       /* event that owns the ring */
		unsigned fill; /* percent, at the beginning of the last perf_drain */
		struct ring ring;
	} * cpus;
	size_t cpu_count;
	struct perf_root {
		int fd;
		pid_t tid;
		uint64_t period, before; /* period, and the one it had before since (monotonic) */
		uint64_t since;
		uint64_t counted; /* ns of CPU time when its period was started anew */
		uint64_t vary_at; /* earliest time at which it can have counted enough for
				   * another period */
		bool kept;	  /* its task has started others: its count includes theirs */
	} * events;		  /* events on tasks */
	size_t event_count, event_alloc;
	struct idmap roots;	/* stream id -> index in events + 1 */
	struct idmap finer_ids; /* ids of the root events in finer, also of ended ones */
	struct idmap fault_ids; /* ids of the root events in faults */
	int *faults;		/* events that also record tasks and mappings */
	size_t fault_count, fault_alloc;
	bool no_faults;		  /* at least some tasks have none */
	uint64_t page_ids[PERF_PAGE_IDS]; /* of the last events that record pages given */
	unsigned page_ids_next;
	enum { PAGES_UNASKED, PAGES_ALLOWED, PAGES_REFUSED } pages;
	struct idmap leaving_ids; /* ids of the root events in leavings */
	int *leavings;
	size_t leaving_count, leaving_alloc;
	bool no_leavings;  /* given up, or not permitted */
	bool leavings_off; /* by perf_record_leavings */
	bool closed;	   /* by perf_enable */
	int *finer;	   /* events that only sample, more often (short-tasks.h) */
	size_t finer_count, finer_alloc;
};

enum perf_result {
	PERF_OK,
	PERF_REFUSED, /* not permitted or not available; the next lower privilege level may work */
	PERF_GONE,    /* the task has ended */
	PERF_FAILED,
};

/* Makes the rings, for sampling of the kernel too or of user code only. */
enum perf_result perf_init(struct perf *perf, bool kernel, uint64_t period, struct error *err);
void perf_release(struct perf *perf);
/* Observes a task and all that it will start; on_exec: from its next exec on, otherwise at once. */
enum perf_result perf_observe(struct perf *perf, pid_t tid, bool on_exec, struct error *err);
/*
 * Also samples a task and all that it will start with a separate period, from now
 * until perf_end_finer. These events make only samples. Returns false if one
 * cannot be opened.
 */
bool perf_observe_finer(struct perf *perf, pid_t tid, uint64_t period);
void perf_end_finer(struct perf *perf);
/* Returns whether switches and samples can be disabled; perf_enable disables or enables them. */
bool perf_can_close(const struct perf *perf);
void perf_enable(struct perf *perf, bool on);
/*
 * Returns whether the kernel can record where tasks leave the processor
 * (OBSERVED_LEAVING); perf_record_leavings switches it on or off.
 */
bool perf_can_record_leavings(const struct perf *perf);
void perf_record_leavings(struct perf *perf, bool on);
/*
 * Returns the ns of CPU time that the observed tasks and all that they started
 * have used, by the kernel's count.
 */
uint64_t perf_counted(const struct perf *perf);
/* Returns the largest current fill of a ring, percent. */
unsigned perf_fill(struct perf *perf);
/* Passes all records up to time on, in order; returns the largest fill of a ring seen, percent. */
unsigned perf_drain(struct perf *perf, uint64_t time, perf_each each, void *argument);
/*
 * Pass the records on that are new to a view (ring_follow): the samples, or the
 * records of changes to address spaces. They stay in their ring.
 */
void perf_look_at_samples(struct perf *perf, struct ring *view, perf_each each, void *argument);
void perf_look_at_changes(struct perf *perf, struct ring *view, perf_each each, void *argument);
/*
 * Draws new periods for some of the events on tasks that have counted for a while.
 * A new period starts counting anew: dropped is called with the ns counted towards
 * a sample that will not be made.
 */
typedef void (*perf_dropped)(void *argument, pid_t tid, uint64_t ns);
void perf_vary(struct perf *perf, perf_dropped dropped, void *argument);
/* Records the places of the next few pages that a task is given, as far as they were in memory. */
struct page_watch {
	int fd;		/* -1: none */
	uint64_t begun; /* time from which places are recorded, at the earliest */
	uint64_t ready; /* and at the latest */
};
/*
 * Returns whether pages can be watched. While any are, each page fault of the machine takes
 * somewhat longer; and the kernel changes its own code for the first and the last of them,
 * which takes a tenth of a millisecond.
 */
bool perf_can_watch_pages(struct perf *perf);
/* Begins to; cpu: where the task is. */
void perf_watch_pages(struct perf *perf, pid_t tid, int cpu, struct page_watch *watch);
void perf_watch_pages_end(struct page_watch *watch);
/* Notes that a task has started another. */
void perf_keep(struct perf *perf, pid_t tid);
/*
 * Samples each period ns from now on; affects the root events, as far as their
 * task still has them.
 */
void perf_set_period(struct perf *perf, uint64_t period);

#endif
