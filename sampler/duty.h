/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observes a part of the time. A step that switches very often pays most for the
 * records of switches, so recording all of them is too expensive there. Then
 * windows of random length at random moments represent the whole time: between
 * them the kernel makes neither records of switches nor samples; records of tasks
 * and mappings continue.
 *
 * What each task used between two windows is known when the next one begins, from
 * what the kernel counts anyway (schedstat): its CPU time, which is thus exact,
 * and how often it was given a processor. The rest of the time it waited. Where it
 * executed is taken from its samples in the last windows; where it waited, from
 * looks at random moments (wait-looks.h). A task that waited throughout was in one
 * wait, which continues. What the step was doing, and when no task executed, is
 * taken from the windows (step_clock_skip). A task that ends between two windows
 * may be gone before its figures are read; it is assumed to have continued as
 * before.
 *
 * windows.c decides when windows open and close; this part accounts for the
 * unobserved time.
 */
#ifndef VIGIL_SAMPLER_DUTY_H
#define VIGIL_SAMPLER_DUTY_H

#include "common/compat.h"
#include "sampler/task-duty.h"

struct record_sample;
struct sampler;
struct task;

struct duty {
	bool closed;	 /* the time is unobserved */
	uint64_t since;	 /* monotonic time up to which all is accounted for */
	uint64_t chance; /* state of the random number generator, never 0 */
	/* Sums of the whole session, ns. */
	uint64_t executed; /* CPU time of tasks in unobserved time */
	uint64_t unseen;   /* unobserved time */
};

void duty_init(struct duty *duty);
/* Notes that a sample of a task has become a row. */
void duty_sampled(struct task *task, const struct record_sample *row);
/* Reads the kernel's counts of all tasks, for time that was observed (watched) or not. */
void duty_count(struct sampler *sampler, bool watched);
/* Begins unobserved time; call after duty_count, when all records are processed. */
void duty_close(struct sampler *sampler);
/* Ends unobserved time: accounts for it; call after duty_count. */
void duty_open(struct sampler *sampler);
/*
 * Takes the kernel's counts of tasks without a record since the window opened,
 * while it stays open.
 */
void duty_catch_up(struct sampler *sampler);
/* Accounts for unobserved time up to time, as a task or the session is about to end. */
void duty_settle(struct sampler *sampler, uint64_t time);
/*
 * Does the same from time to time, so that little must be assumed of a task that
 * ends unobserved.
 */
void duty_look(struct sampler *sampler);
/* Pauses the session at time, or continues it. */
void duty_pause(struct sampler *sampler, uint64_t time, bool pause);

#endif
