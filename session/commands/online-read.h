/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil read --online: reads the newest events of a running step, from another
 * terminal or from the step itself. Reading pauses collecting; vigil start clears
 * the buffer and resumes.
 */
#ifndef VIGIL_SESSION_COMMANDS_ONLINE_READ_H
#define VIGIL_SESSION_COMMANDS_ONLINE_READ_H

#include "session/commands/command.h"

struct online_read {
	const char *operand; /* a job or process; NULL: the step this process is part of */
	const char *spool;   /* of the job; NULL: any (find-session.h) */
	const char *save;    /* name of the resource to create; NULL: print reports */
	const char *library; /* of resources; NULL: the default */
	bool replace;
	bool print; /* print reports even if they are saved */
};

/* Reads, prints or saves; returns the exit status. */
int online_read(const struct online_read *what);

#endif
