/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of a command that observes a process: the handler records them, the loop
 * acts on them. SIGINT, SIGQUIT, SIGHUP and SIGTERM that were ignored at the start
 * stay ignored. SIGCHLD and SIGPIPE only interrupt sleep.
 */
#ifndef VIGIL_SESSION_COMMANDS_SIGNALS_H
#define VIGIL_SESSION_COMMANDS_SIGNALS_H

#include "common/compat.h"

void signals_catch(void);
/*
 * Also catches ^Z, which would stop vigil together with the step, so that vigil
 * could not look at the stopped step. The signal is recorded instead; once the
 * step has been seen stopped, the loop calls signals_stop. An ignored SIGTSTP
 * stays ignored.
 */
void signals_catch_stop(void);
/* Returns whether a SIGTSTP is pending for signals_stop. */
bool signals_stop_wanted(void);
/* Stops this process as SIGTSTP does; returns when it is continued. */
void signals_stop(void);
/* For a child before its exec: restores the state before signals_catch. */
void signals_restore(void);
/*
 * Takes one pending signal; 0: none. *from_terminal: the kernel sent it to the
 * terminal's whole process group, so the step has received it as well.
 */
int signals_take(bool *from_terminal);

#endif
