/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from /proc what processes and threads there are. */
#ifndef VIGIL_SAMPLER_PRESENT_H
#define VIGIL_SAMPLER_PRESENT_H

#include "common/compat.h"

#include <sys/types.h>

/* Called with a process and one of its threads, or with a child and its parent. */
typedef void (*present_each)(void *argument, pid_t first, pid_t second);

/* The state letter of a thread; 0 when it is gone. */
char present_state(pid_t pid, pid_t tid);
/* The name of a thread; "" when it is gone. */
void present_name(pid_t pid, pid_t tid, char *name, size_t size);
/* The number behind a name ("PPid:") in the status of a process; -1 when it is gone. */
long present_number(pid_t pid, const char *name);
/* The path of a process's executable; false when it cannot be told. */
bool present_program(pid_t pid, char *path, size_t size);
void present_threads(pid_t pid, present_each each, void *argument);
void present_children(pid_t pid, present_each each, void *argument);

#endif
