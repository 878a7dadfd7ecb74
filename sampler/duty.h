/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watching a part of the time. The records of switches are what a step pays for
 * that switches very often, so there no record of all of them can be had. Then
 * windows of random length, which begin at random moments, do for all of it:
 * between them the kernel makes neither records of switches nor samples; those
 * of tasks and mappings go on.
 *
 * What each task used between two windows is known when the next begins, from what
 * the kernel counts anyway (schedstat): its CPU time, which so is exact, and how
 * often it was given a processor. The rest of the time it waited. Where it
 * executed, its samples in the last windows tell; where it waited, looks at
 * random moments (wait-looks.h). A task that waited all the time was
 * in one wait, which goes on. What the step was doing, and when nobody executed, is taken from the
 * windows (step_clock_skip). A task that ends between two windows may be gone before
 * its figures are read; it is taken to have gone on as before.
 *
 * When windows are opened and closed is windows.c's business; this settles what was not seen.
 */
#ifndef VIGIL_SAMPLER_DUTY_H
#define VIGIL_SAMPLER_DUTY_H

#include "common/compat.h"
#include "sampler/task-duty.h"

struct record_sample;
struct sampler;
struct task;

struct duty {
	bool closed;	 /* nobody watches */
	uint64_t since;	 /* monotonic time from which on that is to be settled */
	uint64_t chance; /* state of the random numbers, never 0 */
	/* Of the whole session, ns. */
	uint64_t executed; /* by tasks while nobody watched */
	uint64_t unseen;   /* how long that was */
};

void duty_init(struct duty *duty);
/* A sample of a task has become a row. */
void duty_sampled(struct task *task, const struct record_sample *row);
/* Read what the kernel has counted of all tasks, in time that was watched or was not. */
void duty_count(struct sampler *sampler, bool watched);
/* Nobody watches from now on: this was counted, and all records are taken. */
void duty_close(struct sampler *sampler);
/* All is watched from now on: this was counted, too, and what was not seen is settled. */
void duty_open(struct sampler *sampler);
/* It stays so, and some tasks have told nothing since: take what the kernel has counted. */
void duty_catch_up(struct sampler *sampler);
/* Nobody watches, and a task is about to end, or the session is: settle all that was not seen up to
   a time. */
void duty_settle(struct sampler *sampler, uint64_t time);
/* The same now and then, so that of a task that ends unseen little is taken for granted. */
void duty_look(struct sampler *sampler);
/* The session is to be paused at a time, or goes on. */
void duty_pause(struct sampler *sampler, uint64_t time, bool pause);

#endif
