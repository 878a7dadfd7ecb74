/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a step until it is over: waits for its process, ends its process group
 * when the job is cancelled, and finds and ends processes that it left behind.
 */
#ifndef VIGIL_SESSION_JOB_SUPERVISE_H
#define VIGIL_SESSION_JOB_SUPERVISE_H

#include "session/job/runner.h"

struct step_usage {
	int status;	       /* as wait(2) returns it */
	uint64_t user, system; /* ns of CPU time, of the whole process tree */
	uint64_t peak;	       /* resident bytes of its largest process */
	unsigned left;	       /* processes that the step left behind and that were ended */
	bool elapsed_reached;  /* the step was ended because it took longer than the job's
			        * options allow */
	bool limit_reached;    /* the step was ended because its processes together reached the
			        * CPU limit */
};

/*
 * The measurement's work while the step runs. serve waits at most timeout_ms. owns
 * returns whether a child of this process belongs to the measurement.
 */
struct supervise_service {
	void (*serve)(void *argument, int timeout_ms);
	bool (*owns)(void *argument, pid_t pid);
	void *argument;
};

/* Begin and end catching the signals that cancel a job, and adopting orphans. */
int supervise_begin(struct runner *runner, struct error *err);
void supervise_end(struct runner *runner);
/*
 * Waits until the step's process and all its descendants are over. Ends them if
 * they have used cpu_limit seconds of CPU time (0: no limit), or if the step takes
 * longer than job_options.elapsed_limit. service NULL: none.
 */
void supervise_step(struct runner *runner, pid_t pid, const char *step_name, uint64_t cpu_limit,
		    const struct supervise_service *service, struct step_usage *usage);
/* Returns whether a signal has cancelled the job; waits at most timeout_ms for one. */
bool supervise_cancelled(struct runner *runner, int timeout_ms);

#endif
