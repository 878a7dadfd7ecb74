/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of a command that observes a process: noted when they come, dealt
 * with in the loop. SIGINT, SIGQUIT, SIGHUP and SIGTERM that were ignored at
 * the start stay ignored. SIGCHLD and SIGPIPE only interrupt sleep.
 */
#ifndef VIGIL_SESSION_COMMANDS_SIGNALS_H
#define VIGIL_SESSION_COMMANDS_SIGNALS_H

#include "common/compat.h"

void signals_catch(void);
/*
 * ^Z as well: it stops vigil together with the step, which could then not be
 * looked at. It is noted instead; once the step has been seen standing still,
 * the loop calls signals_stop. Where SIGTSTP was ignored at the start it stays so.
 */
void signals_catch_stop(void);
/* Whether a SIGTSTP waits for signals_stop. */
bool signals_stop_wanted(void);
/* Stop as SIGTSTP does; returns when the process is continued. */
void signals_stop(void);
/* For a child before its exec: everything as it was before signals_catch. */
void signals_restore(void);
/*
 * Take one signal that came; 0 when there is none. *from_terminal: the
 * kernel sent it to the terminal's whole process group, so the step has it
 * as well.
 */
int signals_take(bool *from_terminal);

#endif
