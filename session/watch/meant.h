/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a process is the program that a request selects.
 *
 * PROGRAM is the name of its file, without folders, or its name in the kernel (for
 * a script, the script's). UNIT is a folder in the path of its control group, and
 * CGROUP is that path or a leading part up to a folder; on a machine with several
 * hierarchies, in any of them. A request applies to processes of its user; one of
 * root to all. PID, UNIT and CGROUP also match others' processes, so that the
 * request can report why they are not measured.
 */
#ifndef VIGIL_SESSION_WATCH_MEANT_H
#define VIGIL_SESSION_WATCH_MEANT_H

#include "parser/control.h"

#include <sys/types.h>

/* user: of the request. */
bool request_selects_process(const struct control_request *request, uid_t user, pid_t pid);
/* Returns whether the path of a control group is the one that a request selects, or below it. */
bool request_selects_path(const struct control_request *request, const char *path);
/*
 * Reads the start time of a process, in seconds since 1970 and in kernel ticks;
 * false: it is gone, or is exiting: it cannot be measured any more.
 */
bool process_start_time(pid_t pid, int64_t *second, uint64_t *ticks);

#endif
