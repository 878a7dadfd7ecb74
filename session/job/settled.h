/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remembers which jobs of a spool need not be checked again for remains: those up
 * to a number that is stored in SPOOL/.settled.UID, a file per user. A job never
 * leaves its final state, and a number is used once, so a settled job stays
 * settled. Numbers are assigned under the lock of SPOOL/.sequence, and the job's
 * folder is created with its STATE under the same lock: a missing number below the
 * last assigned one has no job that could still appear.
 *
 * The file only ever advances. If it is missing, not the user's, or beyond the
 * last number (numbering has restarted), all jobs are checked.
 */
#ifndef VIGIL_SESSION_JOB_SETTLED_H
#define VIGIL_SESSION_JOB_SETTLED_H

#include <stdbool.h>

struct settled {
	unsigned upto;	/* jobs up to this number are settled */
	unsigned last;	/* last number assigned when the check began */
	unsigned below; /* no open job was found below this number */
};

/* Begins a check of the jobs in an open spool. */
void settled_begin(struct settled *settled, int spool);
/*
 * Returns whether a job's folder was created, with its STATE, before the check
 * began: then a missing STATE will not appear any more.
 */
bool settled_is_made(const struct settled *settled, const char *name);
/* Returns whether the job in a folder of this name ("JOB00012.PAY") can be skipped. */
bool settled_has(const struct settled *settled, const char *name);
/* Records that the job in a folder must be checked again another time. */
void settled_keep_open(struct settled *settled, const char *name);
/* Ends the check after all jobs were seen. */
void settled_end(const struct settled *settled, int spool);

#endif
