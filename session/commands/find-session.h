/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the session that start, pause and read refer to: by the name or number of
 * a job, by a process of the step, or by the monitoring process. The result is the
 * session's area (agent/transaction-area.h), which the system shows only to the
 * owner of these processes and to root.
 */
#ifndef VIGIL_SESSION_COMMANDS_FIND_SESSION_H
#define VIGIL_SESSION_COMMANDS_FIND_SESSION_H

#include "session/commands/command.h"

/*
 * Stores the path of the area, which the caller frees; otherwise prints a message
 * and returns the exit status. Each spool numbers its jobs from JOB00001: with a
 * spool only its jobs count; without one (NULL) jobs of VIGIL_SPOOL, or ./spool,
 * take precedence over those of others.
 */
int find_session(const char *operand, const char *spool, char **area);
/* The option row of the commands that take a job. */
#define FIND_SESSION_SPOOL_OPTION(target) \
	{ "spool", 0, OPTION_STRING, "DIR", \
	  "folder of the job; default VIGIL_SPOOL, then ./spool, then any", target }
/* Returns the area of the step that this process is part of; NULL: none. */
const char *find_own_session_area(void);
/* Returns whether the area is gone because its session has ended since it was found. */
bool find_session_ended(const char *area);

#endif
