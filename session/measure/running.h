/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a process that runs already and is to be measured, and whether it may be. */
#ifndef VIGIL_SESSION_MEASURE_RUNNING_H
#define VIGIL_SESSION_MEASURE_RUNNING_H

#include "common/error.h"

#include <sys/types.h>

/* Its program's name: of its file, or as the kernel has it; the caller frees it. */
char *running_program(pid_t pid);
/* Its command line, arguments separated by blanks; the caller frees it. */
char *running_command(pid_t pid);
/* Whether it is there and may be observed: 0, or -1 with the reason. */
int running_check(pid_t pid, struct error *err);

#endif
