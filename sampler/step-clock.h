/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the whole step over time: executing, waiting or delayed, and the
 * clocks by which waits are charged.
 *
 * While no task executes, time is divided evenly among the waiting tasks; those
 * that only wait for another task of the step (CLASS_MINOR) count only if no other
 * does. To charge a wait in one operation at its end, each class has a clock that
 * runs at 1 / (tasks of the class): a wait's charge is the clock's advance from
 * its start to its end. Remainders of the division are carried over, so the
 * charges add up to the time divided.
 *
 * All times are of the active clock, which stops while the measurement is paused.
 */
#ifndef VIGIL_SAMPLER_STEP_CLOCK_H
#define VIGIL_SAMPLER_STEP_CLOCK_H

#include "common/compat.h"

enum wait_class {
	CLASS_MAJOR = 0, /* waits for something outside the step, or for a processor */
	CLASS_MINOR = 1, /* waits only for a child or another task */
	CLASS_COUNT
};

/*
 * Sums of an interval, ns. charged and alone: time charged to waits of a class,
 * and the part of it with only one such task.
 */
struct step_clock_sums {
	double exec, used, wait, delay, run_alone, file_alone; /* used: CPU time of all tasks */
	double charged[CLASS_COUNT], alone[CLASS_COUNT];
};

struct step_clock {
	uint64_t now;	 /* monotonic time of the last advance */
	uint64_t active; /* active clock */
	bool paused;
	uint64_t passed_paused; /* ns for which it was paused in total */
	uint64_t used;		/* ns of CPU time of all tasks */

	/* For sessions that observe only a part of the time (duty.h). */
	bool closed;		     /* unobserved time: the active clock waits for
				      * step_clock_skip */
	struct step_clock_sums seen; /* sums of recent observed time */

	/* Numbers of tasks in each state. */
	uint64_t running, preempted;
	uint64_t waiting[CLASS_COUNT]; /* preempted ones are in CLASS_MAJOR */
	uint64_t file_waits;	       /* tasks known to wait for a file */
	uint64_t files;		       /* distinct files waited for */

	/* Sums since the last step_clock_take. */
	uint64_t exec, wait, delay;
	uint64_t taken_at; /* active clock at that time */

	/* Clocks. */
	uint64_t share[CLASS_COUNT];	 /* charge of a wait of the class */
	uint64_t remainder[CLASS_COUNT]; /* ns not divided yet */
	uint64_t alone[CLASS_COUNT];	 /* charge while there was only one such task */
	uint64_t run_alone;		 /* one task executing, no task waiting for a file */
	uint64_t idle;			 /* no task executing */
	uint64_t file_alone;		 /* no task executing, exactly one file waited for */
};

/* The functions below count what the step's tasks do; no count may fall below zero. */

/* Begins at a monotonic time. */
void step_clock_init(struct step_clock *clock, uint64_t now);
/* Advances the clocks to now; a time before the last one has no effect. */
void step_clock_advance(struct step_clock *clock, uint64_t now);
/*
 * Returns the sums since the last call and clears them; the three add up to the
 * advance of the active clock with tasks alive.
 */
void step_clock_take(struct step_clock *clock, uint64_t *exec, uint64_t *wait, uint64_t *delay);

/*
 * Accounts for passed ns of unobserved time that end now, in which tasks used
 * executed ns of CPU time. The number of tasks executing at once, and the division
 * of the rest, are assumed to be as recently observed: advances the active clock,
 * and all clocks except those of charges. skipped: the amounts to be charged.
 */
void step_clock_skip(struct step_clock *clock, uint64_t passed, uint64_t executed,
		     struct step_clock_sums *skipped);
/* Multiplies the weight of what was observed so far by keep, 0 to 1. */
void step_clock_fade(struct step_clock *clock, double keep);

/* A task is given a processor, or leaves it. */
void step_clock_begin_running(struct step_clock *clock);
void step_clock_end_running(struct step_clock *clock);
/* A task wants a processor and has none, or no longer; its wait is counted separately. */
void step_clock_begin_preempted(struct step_clock *clock);
void step_clock_end_preempted(struct step_clock *clock);
/* A task begins or ends a wait of a class. */
void step_clock_begin_wait(struct step_clock *clock, enum wait_class class);
void step_clock_end_wait(struct step_clock *clock, enum wait_class class);
/*
 * A wait turns out to be for a file, or ends; the first task begins to wait for a
 * file, or the last one ends.
 */
void step_clock_begin_file_wait(struct step_clock *clock);
void step_clock_end_file_wait(struct step_clock *clock);
void step_clock_begin_file(struct step_clock *clock);
void step_clock_end_file(struct step_clock *clock);

#endif
