/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which jobs of a spool need not be looked at again for what they left: those
 * numbered up to one that SPOOL/.settled.UID holds, a file of the user's own. A job's state
 * never goes back from its end, and a number is given out once, so what was
 * settled stays so. Numbers are given out under the lock of SPOOL/.sequence,
 * under which the job's folder is made with its STATE, too: a number that is missing below
 * the last one given out has no job that could still appear.
 *
 * The file is only ever advanced. Where it is missing, not the user's, or beyond the last
 * number (they began anew), all jobs are looked at.
 */
#ifndef VIGIL_SESSION_JOB_SETTLED_H
#define VIGIL_SESSION_JOB_SETTLED_H

#include <stdbool.h>

struct settled {
	unsigned upto;	/* jobs up to this number are settled */
	unsigned last;	/* given out when the look began */
	unsigned below; /* no job below this one was found open */
};

/* Begins a look at the jobs of an open spool. */
void settled_begin(struct settled *settled, int spool);
/*
 * Returns whether a job's folder was made, with its STATE, before the look began:
 * none comes any more.
 */
bool settled_is_made(const struct settled *settled, const char *name);
/* Returns whether the job in a folder of this name ("JOB00012.PAY") need not be looked at. */
bool settled_has(const struct settled *settled, const char *name);
/* The job in a folder must be looked at again another time. */
void settled_keep_open(struct settled *settled, const char *name);
/* All jobs were looked at. */
void settled_end(const struct settled *settled, int spool);

#endif
