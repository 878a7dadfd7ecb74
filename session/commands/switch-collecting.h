/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands start and pause share: they find the transaction area
 * (agent/transaction-area.h) of a session that runs, and switch it. Inside a
 * step it is the one that VIGIL_TRANSACTIONS names; from elsewhere that of a
 * process of the step, of the vigil that measures it, or of a job's step.
 */
#ifndef VIGIL_SESSION_COMMANDS_SWITCH_COLLECTING_H
#define VIGIL_SESSION_COMMANDS_SWITCH_COLLECTING_H

#include "session/commands/command.h"

/*
 * Start or pause what the operand names: a process or job number, or a job name; none: this
 * process's own step. spool: of the job, NULL any (find-session.h). Without an operand, outside of what is measured, nothing happens and the
 * status is EXIT_OK, so that scripts run unmeasured as well.
 */
int switch_collecting(bool start, const char *spool, int argc, char **argv);

#endif
