/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job leaves if the vigil that ran it was killed: processes of its step,
 * and files in its folder. The job's guard (guard.h) ends the processes at once.
 * If the guard was killed too, the next submit to the same spool does so, and
 * clears the folder.
 *
 * A process belongs to the job if its environment names the job's folder
 * (VIGIL_JOB_SPOOL), if it is in the step's process group or session, if it was
 * seen as a child of vigil (orphans of the step become that) or below one in a
 * different session, or if it descends from such a process. One that cleared its
 * environment and left its session less than REMAINS_NOTE_MS before vigil was
 * killed is not found.
 */
#ifndef VIGIL_SESSION_JOB_REMAINS_H
#define VIGIL_SESSION_JOB_REMAINS_H

#include "common/strbuf.h"

#include <sys/types.h>

#define REMAINS_NOTE_MS 200

/* A process that was seen, held by a descriptor because its pid may be reused. */
struct seen_process {
	pid_t pid;
	int fd; /* pidfd; -1: not held yet */
};

struct remains {
	struct seen_process *items;
	size_t count, alloc;
};

/* Notes the pids of this process's children; a process forked meanwhile then calls remains_hold. */
void remains_note_children(struct remains *remains);
/* Holds what was noted only by pid; drops what has ended. */
void remains_hold(struct remains *remains);
/*
 * Notes the current children of a process, and their descendants in other
 * sessions, but neither this process itself nor those in except (NULL: none);
 * drops those that ended.
 */
void remains_note_descendants(struct remains *remains, pid_t parent, const struct remains *except);
void remains_release(struct remains *remains);
/*
 * Kills the processes of the job in a folder, including those that were seen and
 * those in the group or session of step (0: unknown). The pids of survivors are
 * appended to alive ("12 14"). Returns the number of processes killed.
 */
unsigned remains_end(struct remains *remains, const char *folder, pid_t step, struct strbuf *alive);

/*
 * Cleans up after jobs in an open spool (path without links) whose STATE is READ,
 * RUNNING, WAITING or empty, or that still have a work folder, and that no living
 * vigil has locked: their processes are killed, STATE becomes KILLED, and work is
 * removed, as are sample data sets without a whole snapshot (NAME.vprf.PID-N).
 * Jobs found settled are not looked at again (settled.h).
 */
void remains_clean(int spool, const char *path);

#endif
