/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a running process that shall be measured, and whether it may be. */
#ifndef VIGIL_SESSION_MEASURE_RUNNING_H
#define VIGIL_SESSION_MEASURE_RUNNING_H

#include "common/error.h"

#include <sys/types.h>

/* Returns the name of its program: of its file, or as the kernel has it; the caller frees it. */
char *running_program(pid_t pid);
/* Returns its command line, arguments separated by blanks; the caller frees it. */
char *running_command(pid_t pid);
/* Checks that it exists and may be observed: 0, or -1 with the reason. */
int running_check(pid_t pid, struct error *err);

#endif
