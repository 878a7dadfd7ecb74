/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's process connector: tells root of each process that begins a
 * program (exec). It cannot be had by others, nor in most containers.
 */
#ifndef VIGIL_SESSION_WATCH_CONNECTOR_H
#define VIGIL_SESSION_WATCH_CONNECTOR_H

#include "common/compat.h"

#include <sys/types.h>

/* A descriptor that can be read when a process began a program; -1: it cannot be had. */
int connector_open(void);
/* The kernel need not tell any more; also for -1. */
void connector_close(int fd);
/* Close a copy of the descriptor: the other is told as before. */
void connector_leave(int fd);
/* The next process that began a program: 1; 0: no more now; -1: some were lost. */
int connector_next(int fd, pid_t *pid);

#endif
