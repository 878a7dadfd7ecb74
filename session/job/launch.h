/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts the process of a step, with its own process group, folder, streams and
 * limits. The process is killed if vigil ends.
 *
 * An unmeasured step is started with vfork, which does not copy vigil's page
 * tables. A measured one is forked and waits before its exec until launch_release
 * (gate.h), so that the measurement sees it from its first instruction.
 */
#ifndef VIGIL_SESSION_JOB_LAUNCH_H
#define VIGIL_SESSION_JOB_LAUNCH_H

#include "session/measure/gate.h"

#include <sys/types.h>

struct launch {
	const char *program;
	char *const *arguments;
	char *const *environment;
	char *pid_digits; /* in the environment, overwritten by the child; NULL: none */
	const char *folder;
	const char *input, *output, *error; /* paths; error NULL: same as output */
	uint64_t cpu_limit;		    /* seconds; 0: none */
	int inherited;			    /* descriptor that the program inherits; 0: none */
	bool gated;			    /* wait for launch_release before exec */

	/* Set by launch_start. */
	pid_t pid;
	struct gate gate;   /* closed if not gated */
	int failure;	    /* errno of what failed in the child; 0: nothing so far */
	const char *failed; /* what failed in the child: "exec", ... */
};

/* Starts the process. -1: there is no process. */
int launch_start(struct launch *launch, struct error *err);
/* Lets a gated process continue to its exec. */
void launch_release(struct launch *launch);
/* Called after the process has ended: finds out whether its exec failed, and closes the gate. */
void launch_finish(struct launch *launch);

#endif
