/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's process connector: reports to root each process that executes a
 * program (exec). Not available to others, nor in most containers.
 */
#ifndef VIGIL_SESSION_WATCH_CONNECTOR_H
#define VIGIL_SESSION_WATCH_CONNECTOR_H

#include "common/compat.h"

#include <sys/types.h>

/*
 * Returns a descriptor that is readable when a process has executed a program; -1:
 * not available.
 */
int connector_open(void);
/* Ends the kernel's reports and closes; accepts -1. */
void connector_close(int fd);
/* Closes a copy of the descriptor; reports to the other continue. */
void connector_leave(int fd);
/* Reads the next process that executed a program: 1; 0: no more now; -1: some were lost. */
int connector_next(int fd, pid_t *pid);

#endif
