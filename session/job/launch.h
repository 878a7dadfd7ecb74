/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts the process of a step: its own process group and folder, its
 * streams, its limits; it ends when vigil ends.
 *
 * An unmeasured step is started with vfork, which does not copy vigil's page
 * tables. A measured one is forked and waits before its exec until
 * launch_release (gate.h), so that the measurement sees it from its first instruction.
 */
#ifndef VIGIL_SESSION_JOB_LAUNCH_H
#define VIGIL_SESSION_JOB_LAUNCH_H

#include "session/measure/gate.h"

#include <sys/types.h>

struct launch {
	const char *program;
	char *const *arguments;
	char *const *environment;
	char *pid_digits; /* in the environment, to be overwritten by the child; NULL none */
	const char *folder;
	const char *input, *output, *error; /* paths; error NULL: the same as output */
	uint64_t cpu_limit;		    /* seconds, 0 none */
	int inherited;			    /* a descriptor that the program gets; 0 none */
	bool gated;			    /* wait for launch_release before exec */

	/* Set by launch_start. */
	pid_t pid;
	struct gate gate;   /* closed when not gated */
	int failure;	    /* errno of what failed in the child, 0 while nothing did */
	const char *failed; /* what failed in the child: "exec", ... */
};

/* Starts the process. -1: there is none. */
int launch_start(struct launch *launch, struct error *err);
/* Lets a gated process go on to its exec. */
void launch_release(struct launch *launch);
/* After the process ended: find out whether its exec failed, close the gate. */
void launch_finish(struct launch *launch);

#endif
