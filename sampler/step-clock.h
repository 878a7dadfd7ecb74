/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the whole step over time: executing, waiting or delayed, and
 * the clocks by which waits are charged.
 *
 * While no task executes, time is divided evenly among the waiting tasks;
 * those that only wait for another task of the step (CLASS_MINOR) count only
 * when no other does. To charge a wait in one step at its end, each class has
 * a clock that runs at 1 / (tasks of the class): a wait's charge is the
 * clock's advance from its start to its end. Remainders of the division are
 * carried, so the charges add up to the time divided.
 *
 * All times are of the active clock, which stands still while the
 * measurement is paused.
 */
#ifndef VIGIL_SAMPLER_STEP_CLOCK_H
#define VIGIL_SAMPLER_STEP_CLOCK_H

#include "common/compat.h"

enum wait_class {
	CLASS_MAJOR = 0, /* waits for something outside the step, or to be dispatched */
	CLASS_MINOR = 1, /* waits only for a child or another task */
	CLASS_COUNT
};

/* What an interval came to, ns; charged and alone: to waits of a class, and while one task counted. */
struct step_clock_sums {
	double exec, used, wait, delay, run_alone, file_alone; /* used: CPU time of all tasks */
	double charged[CLASS_COUNT], alone[CLASS_COUNT];
};

struct step_clock {
	uint64_t now;	 /* monotonic time of the last advance */
	uint64_t active; /* the active clock */
	bool paused;
	uint64_t passed_paused; /* how long it stood still, all in all */
	uint64_t used;		/* ns of CPU time of all tasks */

	/* While only a part of the time is watched (duty.h). */
	bool closed;		     /* nobody watches: the active clock waits for step_clock_skip */
	struct step_clock_sums seen; /* what watched time came to lately */

	/* Tasks by what they do now. */
	uint64_t running, preempted;
	uint64_t waiting[CLASS_COUNT]; /* the preempted count in CLASS_MAJOR */
	uint64_t file_waits;	       /* tasks that are known to wait for a file */
	uint64_t files;		       /* distinct files waited for */

	/* Sums since the last step_clock_cut. */
	uint64_t exec, wait, delay;
	uint64_t cut; /* the active clock at that cut */

	/* Clocks. */
	uint64_t share[CLASS_COUNT];	 /* charge of a wait of the class */
	uint64_t remainder[CLASS_COUNT]; /* ns not divided yet */
	uint64_t alone[CLASS_COUNT];	 /* charge while only one task counted */
	uint64_t run_alone;		 /* one task executing, no file waited for */
	uint64_t idle;			 /* no task executing */
	uint64_t file_alone;		 /* no task executing, exactly one file waited for */
};

/* What the step's tasks do is counted by the functions below; no count passes below zero. */

/* Begin at a monotonic time. */
void step_clock_init(struct step_clock *clock, uint64_t now);
/* Let time pass up to now; a time before the last is taken as the last. */
void step_clock_advance(struct step_clock *clock, uint64_t now);
/* What passed since the last cut; the three add up to what the active clock moved with tasks alive.
 */
void step_clock_cut(struct step_clock *clock, uint64_t *exec, uint64_t *wait, uint64_t *delay);

/*
 * Nobody watched for so many ns, which end now; tasks executed so many of them. How many executed at
 * once, and what the rest was, is taken to have been as it was seen lately: the active clock moves,
 * all but the clocks of charges do. What is to be charged is in skipped.
 */
void step_clock_skip(struct step_clock *clock, uint64_t passed, uint64_t executed,
		     struct step_clock_sums *skipped);
/* What was seen so far counts for so much less, 0 to 1. */
void step_clock_fade(struct step_clock *clock, double keep);

/* A task is given a processor, or leaves it. */
void step_clock_begin_running(struct step_clock *clock);
void step_clock_end_running(struct step_clock *clock);
/* A task wants a processor and has none, or does no longer; its wait is counted beside. */
void step_clock_begin_preempted(struct step_clock *clock);
void step_clock_end_preempted(struct step_clock *clock);
/* A task begins or ends a wait of a class. */
void step_clock_begin_wait(struct step_clock *clock, enum wait_class class);
void step_clock_end_wait(struct step_clock *clock, enum wait_class class);
/* A wait turns out to be one for a file, or ends; the file is waited for by one task or more, or by
   none any longer. */
void step_clock_begin_file_wait(struct step_clock *clock);
void step_clock_end_file_wait(struct step_clock *clock);
void step_clock_begin_file(struct step_clock *clock);
void step_clock_end_file(struct step_clock *clock);

#endif
