/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spool folder of one job, SPOOL/JOBnnnnn.NAME/ with
 *	STATE      one line: the state of the job (vigil-spool(5))
 *	INPUT.jcl  the cards as they were read
 *	JESMSGLG JESJCL JESYSMSG   written through log.h and job.c
 *	STEP.DDNAME, STEP.PROCSTEP.DDNAME   SYSOUT data sets
 *	work/      temporary data sets and the steps' folders, while the job runs
 *
 * Numbers are unique in a spool: SPOOL/.sequence contains the last one assigned,
 * and is locked while the next is taken.
 */
#ifndef VIGIL_SESSION_JOB_SPOOL_H
#define VIGIL_SESSION_JOB_SPOOL_H

#include "datasets/folders.h"

struct spool {
	unsigned number; /* job number */
	char *path;	 /* absolute path of the job's folder */
	char *work;	 /* absolute path of its work folder */
	int folder;	 /* descriptor of the job's folder, -1 while not open */
	int state;	 /* descriptor of STATE, locked while this process lives */
};

/*
 * Cleans up what dead jobs left in the spool (remains.h), and creates the folder
 * of a new job. On an error everything created so far is kept.
 */
int spool_open(struct spool *spool, const char *parent, const char *job_name, struct error *err);
/* Removes the work folder and closes the spool; the rest of the job's folder stays. */
void spool_close(struct spool *spool);
/* Writes the job's state to STATE; state is one word, step may be "". */
int spool_set_state(struct spool *spool, const char *state, const char *step, long process);
/* Writes a whole file of the job's folder. */
int spool_write(struct spool *spool, const char *name, const struct strbuf *text,
		struct error *err);
/*
 * Creates an empty file for a SYSOUT data set, "STEP.DD" or, if that name is
 * taken, "STEP.DD.2" and so on. Returns its absolute path, which the caller frees.
 */
char *spool_make_file(struct spool *spool, const char *name, struct error *err);

#endif
