/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a process is the program that a request means.
 *
 * PROGRAM is the name of its file, without folders, or the name that the kernel
 * has for it (of a script, the script's). UNIT is a folder of its control group's
 * path, and CGROUP that path or the beginning of it at a folder; of a machine with
 * several hierarchies, in any of them. A request holds for processes of its
 * maker; one of root for all. By PID, UNIT and CGROUP others' are found, too, so
 * that the request can say why they are not measured.
 */
#ifndef VIGIL_SESSION_WATCH_MEANT_H
#define VIGIL_SESSION_WATCH_MEANT_H

#include "parser/control.h"

#include <sys/types.h>

/* user: who made the request. */
bool meant_by(const struct control_request *request, uid_t user, pid_t pid);
/* Whether a path of a control group is the one that a request means, or below it. */
bool meant_path(const struct control_request *request, const char *path);
/* When a process began, seconds since 1970, and its start in the kernel's ticks; false: it is gone,
   or has ended and nobody has waited for it. */
bool meant_started(pid_t pid, int64_t *second, uint64_t *ticks);

#endif
