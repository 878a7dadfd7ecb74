/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step's update of an indexed data set appears whole or not at all: the
 * step works on a copy, with the files of alternate keys, which takes the
 * data set's place when the step is over. The copy is dropped, and the data set
 * is as it was before the step, when
 *
 *	- a program left the copy open: it still has its mark (update-mark.h);
 *	- the program abended, or the step ended abnormally, before the program's CLOSE, which
 *	  agent/step/cobol-ending.c notes;
 *	- nothing in it changed, or its disposition deletes the data set.
 *
 * Copied is what a DD alone names with DISP=OLD or MOD; all other DDs of the step that lead to the
 * same file get the copy too. The copy shares blocks where the file system can do
 * that; else it is made up to a size (copy_limit of job_options). The data set is updated in place,
 * with the mark alone, where no copy can be made or could not take its place: hard links,
 * another owner, no room; and in steps of utilities that work on data sets by name.
 */
#ifndef VIGIL_SESSION_JOB_UPDATE_COPIES_H
#define VIGIL_SESSION_JOB_UPDATE_COPIES_H

#include "session/job/allocate.h"
#include "session/job/program-search.h"

struct update_copy;

/*
 * Makes the copies that a step needs: the paths of the DDs become theirs. Who is
 * told why there is none is the job log.
 */
struct update_copy *update_copies_make(struct runner *runner, const char *step_name,
				       struct allocation *list, const struct program *program);
/*
 * After the step, before the dispositions: the copies take their places or go, the DDs get their
 * paths back. abnormal: the abnormal dispositions count; notes: what the programs opened and closed
 * (learned.h).
 */
void update_copies_end(struct runner *runner, struct update_copy *copies, struct allocation *list,
		       bool abnormal, const char *notes);

#endif
