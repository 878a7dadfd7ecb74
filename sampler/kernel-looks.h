/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at tasks that execute in the kernel, where an ordinary user may not sample them.
 *
 * Between two samples of a task there is a gap. What it used in a gap beyond the period
 * of the sample that ends it was used by the kernel: the missing time, which is exact.
 * Where, looks tell: tasks that have lately missed time are looked at in rounds at random
 * moments (tick.c). A look walks the stack downwards from what the last sample showed
 * (unwind-down.h), and asks data collectors. Nothing is stopped: a look reads memory. A task
 * that is given pages of memory has called nothing: the kernel tells where it is (page-look.h).
 *
 * As rounds come at random moments, each look that meets the kernel stands for the mean
 * time between two. So each place gets an unbiased share, however short the calls of the
 * kernel are; what looks stand for is scaled to the missing time that is known.
 */
#ifndef VIGIL_SAMPLER_KERNEL_LOOKS_H
#define VIGIL_SAMPLER_KERNEL_LOOKS_H

#include "sampler/mode-probe.h"
#include "sampler/perf.h"
#include "sampler/sampler-config.h"
#include "sampler/task-kernel.h"
#include "sampler/wait-estimates.h"

struct stack_resolver;
struct step_clock;
struct task;
struct tasks;
struct transactions;

/* Maximum number of looks in one round. */
#define KERNEL_LOOKS_A_ROUND 4

/* The parts it uses; all borrowed. */
struct kernel_looks_parts {
	const struct step_clock *clock;
	struct tasks *tasks;
	struct stack_resolver *resolver;
	struct transactions *transactions;
	struct perf *perf;
	const enum privilege *privilege; /* nothing is done but for PRIVILEGE_USER */
};

struct kernel_looks {
	struct kernel_looks_parts parts;
	struct wait_gaps gaps; /* times between rounds */
	double chance;	       /* probability that a task was among those looked at in the last round */
	uint64_t round_at;     /* time of the last round; 0: none */
	uint64_t random;       /* state of the random numbers, never 0 */
	uint64_t looks;	       /* number of looks */
	bool found;	       /* one of them has found the calls of its task */
	double squares;	       /* variance of the places of missing time beyond that of samples, ns^2 */
	struct timer_lateness lateness;
	struct page_watch watches[KERNEL_LOOKS_A_ROUND]; /* of the last round */
	unsigned watch_count;
	struct page_cost page_cost;
	bool busy;	       /* there are tasks to be looked at */
};

void kernel_looks_init(struct kernel_looks *looks, const struct kernel_looks_parts *parts);
/* Ends what the last round began; to be called before perf_release. */
void kernel_looks_end(struct kernel_looks *looks);
/* Looks at tasks that have lately executed in the kernel. now: monotonic. */
void kernel_looks_round(struct kernel_looks *looks, uint64_t now);
/* A task was given a page of memory (OBSERVED_PAGE). */
void kernel_looks_page(struct kernel_looks *looks, struct task *task, const struct observation *seen);
/*
 * A task is sampled at time, which ends a gap; missing: ns of its CPU time for which
 * there are no samples yet, of this gap and earlier ones. Returns how many samples of
 * period ns are to be added now, at the places of kernel_looks_place; -1: looks know
 * nothing of the task.
 */
int64_t kernel_looks_close(struct kernel_looks *looks, struct task *task, uint64_t time, int64_t missing,
			   uint64_t period);
/*
 * Returns how many ns of a task's missing time may wait for the next looks to show their
 * place; 0: looks have not found it in the kernel lately.
 */
uint64_t kernel_looks_held(const struct kernel_looks *looks, const struct task *task, uint64_t time);
/* Returns whether looks have seen the task in the kernel since its last sample, up to time. */
bool kernel_looks_saw(const struct task *task, uint64_t time);
/*
 * count samples of period ns were added for what a task missed up to time, without an end
 * of the gap, at the places of kernel_looks_place.
 */
void kernel_looks_settled(struct kernel_looks *looks, struct task *task, uint64_t time, uint64_t count,
			  uint64_t period);
/*
 * A task has waited for long, and all that it missed before has been placed: what looks
 * have seen before shows nothing of the time after it.
 */
void kernel_looks_waited(struct task *task);
/* A sample, kept or not, was applied: a new gap begins, and what was seen before is forgotten. */
void kernel_looks_sampled(const struct step_clock *clock, struct task *task, const struct observation *seen);
/*
 * Returns the place of one of count samples that are missing up to time, by its index: as
 * looks saw it in this gap, or else lately; NULL: not known. Valid until the next look.
 */
const struct kernel_place *kernel_looks_place(const struct task *task, uint64_t time, uint64_t index, uint64_t count);
/* Forgets what is known of a task: it executes another program. */
void kernel_looks_forget(struct task *task);

#endif
