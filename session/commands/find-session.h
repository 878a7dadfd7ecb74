/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the session that start, pause and read mean: by the name or number of a
 * job, a process of the step, or the process that measures. What it finds is the
 * session's area (agent/transaction-area.h). The system shows it only to the
 * owner of these processes and to root.
 */
#ifndef VIGIL_SESSION_COMMANDS_FIND_SESSION_H
#define VIGIL_SESSION_COMMANDS_FIND_SESSION_H

#include "session/commands/command.h"

/*
 * The path of the area, which the caller frees; otherwise a message and the exit status. Each spool
 * numbers its jobs from JOB00001: with a spool only its jobs are meant; without (NULL) those of
 * VIGIL_SPOOL, or ./spool, go before those of others.
 */
int find_session(const char *operand, const char *spool, char **area);
/* The option of the commands that take a job. */
#define FIND_SESSION_SPOOL_OPTION(target) \
	{ "spool", 0, OPTION_STRING, "DIR", \
	  "folder of the job; default VIGIL_SPOOL, then ./spool, then any", target }
/* That of the step this process is part of; NULL: none. */
const char *find_session_own(void);
/* Whether the area that was found is no longer there, because its session has ended meanwhile. */
bool find_session_ended(const char *area);

#endif
