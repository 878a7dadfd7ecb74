/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil read --online: the newest events of a step that is running, from another
 * terminal or from the step itself. Reading pauses the collecting; vigil start
 * clears the buffer and goes on.
 */
#ifndef VIGIL_SESSION_COMMANDS_ONLINE_READ_H
#define VIGIL_SESSION_COMMANDS_ONLINE_READ_H

#include "session/commands/command.h"

struct online_read {
	const char *operand; /* a job or process; NULL: the step this process is part of */
	const char *spool;   /* of the job; NULL: any (find-session.h) */
	const char *save;    /* the name of the resource to make; NULL: print reports */
	const char *library; /* of resources; NULL: the default */
	bool replace;
	bool print; /* print reports also where they are saved */
};

/* Read, print or save; the exit status. */
int online_read(const struct online_read *what);

#endif
