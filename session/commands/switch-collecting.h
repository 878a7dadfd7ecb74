/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the commands start and pause: they find the transaction area
 * (agent/transaction-area.h) of a running session and switch collecting. Inside a
 * step it is the area in VIGIL_TRANSACTIONS; elsewhere that of a process of the
 * step, of the vigil that measures it, or of a job's step.
 */
#ifndef VIGIL_SESSION_COMMANDS_SWITCH_COLLECTING_H
#define VIGIL_SESSION_COMMANDS_SWITCH_COLLECTING_H

#include "session/commands/command.h"

/*
 * Starts or pauses the session that the operand names: a process or job number, or
 * a job name; without operand this process's step. spool: of the job, NULL: any
 * (find-session.h). Without an operand, outside a measured step, nothing happens
 * and the status is EXIT_OK, so that scripts also run unmeasured. Returns the exit
 * status.
 */
int switch_collecting(bool start, const char *spool, int argc, char **argv);

#endif
