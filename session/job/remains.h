/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job leaves when the vigil that ran it was killed: processes of its
 * step, and files in its folder. The job's guard (guard.h) ends the processes
 * at once; the next submit of the same spool does it where the guard was killed
 * as well, and clears the folder.
 *
 * A process is the job's when its environment names the job's folder
 * (VIGIL_JOB_SPOOL), when it is in the step's process group or session, when
 * it was seen as a child of vigil, which orphans of the step become, or below one in a
 * session of its own, or when it descends from such a one. One that cleared its environment and left its session less
 * than REMAINS_LOOK_MS before vigil was killed is not found.
 */
#ifndef VIGIL_SESSION_JOB_REMAINS_H
#define VIGIL_SESSION_JOB_REMAINS_H

#include "common/strbuf.h"

#include <sys/types.h>

#define REMAINS_LOOK_MS 200

/* A process that was seen, held by a descriptor: its number may be used again. */
struct seen_process {
	pid_t pid;
	int fd; /* -1: not held yet */
};

struct remains {
	struct seen_process *items;
	size_t count, alloc;
};

/* Notes the numbers of this process's children; remains_hold, in a process forked meanwhile. */
void remains_note_children(struct remains *remains);
/* Holds what was noted by its number only; forgets what has ended. */
void remains_hold(struct remains *remains);
/*
 * Notes the children that a process has now, and what descends from them in other
 * sessions, but neither this process itself nor those in except (NULL none);
 * forgets those that ended.
 */
void remains_look(struct remains *remains, pid_t parent, const struct remains *except);
void remains_release(struct remains *remains);
/*
 * Ends the processes of the job in a folder, with those that were seen, and those
 * in the group or session of step (0: unknown). The numbers of those that live on
 * are appended to alive ("12 14"); returns how many were ended.
 */
unsigned remains_end(struct remains *remains, const char *folder, pid_t step, struct strbuf *alive);

/*
 * Cleans up what jobs left in an open spool (its path has no links) that say READ,
 * RUNNING or WAITING or nothing, or still have a work folder, without the lock of
 * a living vigil: their processes are ended, STATE becomes KILLED, and work is
 * removed, as are sample data sets that have nothing whole in them yet
 * (NAME.vprf.PID-N). Jobs that were found settled are not looked at again
 * (settled.h).
 */
void remains_clean(int spool, const char *path);

#endif
