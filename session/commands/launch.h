/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a command that is to be measured: the child waits before its exec
 * until the sampler follows it.
 */
#ifndef VIGIL_SESSION_COMMANDS_LAUNCH_H
#define VIGIL_SESSION_COMMANDS_LAUNCH_H

#include "common/error.h"

#include <sys/types.h>

#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

struct launch {
	pid_t pid;
	int go;	     /* written: let the child go */
	int failure; /* read: errno of an exec that failed, nothing when it succeeded */
};

/* Whether a program could be executed: 0, EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE with the reason. */
int launch_find(const char *program, struct error *err);
/* Start the child; environment is "NAME=value" or NULL. */
int launch_prepare(struct launch *launch, char **argv, const char *environment, struct error *err);
/* Let it go; returns once it runs the program: 0, or the errno of its exec. */
int launch_go(struct launch *launch);

#endif
