/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a step's update of an indexed data set atomic: the step works on a copy,
 * including the files of alternate keys, which replaces the data set when the step
 * is over. The copy is dropped, and the data set stays as it was before the step,
 * if
 *	- a program left the copy open: it still has its mark (update-mark.h);
 *	- the program abended, or the step ended abnormally, before the program's CLOSE, which
 *	  agent/step/cobol-ending.c records;
 *	- nothing in it changed, or its disposition deletes the data set.
 *
 * A data set is copied if a DD without concatenation names it with DISP=OLD or
 * MOD; all other DDs of the step that refer to the same file get the copy too. The
 * copy shares blocks if the file system can do that; else it is made up to a
 * maximum size (copy_limit of job_options). The data set is updated in place,
 * protected only by the mark, if no copy can be made or it could not replace the
 * original (hard links, another owner, no space), and in steps of utilities that
 * access data sets by name.
 */
#ifndef VIGIL_SESSION_JOB_UPDATE_COPIES_H
#define VIGIL_SESSION_JOB_UPDATE_COPIES_H

#include "session/job/allocate.h"
#include "session/job/program-search.h"

struct update_copy;

/*
 * Makes the copies that a step needs and sets the paths of the DDs to them. If a
 * copy cannot be made, the job log says why.
 */
struct update_copy *update_copies_make(struct runner *runner, const char *step_name,
				       struct allocation *list, const struct program *program);
/*
 * Called after the step, before the dispositions: the copies replace their
 * originals or are dropped, and the DDs get their paths back. abnormal: the
 * abnormal dispositions apply; notes: what the programs opened and closed
 * (learned.h).
 */
void update_copies_end(struct runner *runner, struct update_copy *copies, struct allocation *list,
		       bool abnormal, const char *notes);

#endif
