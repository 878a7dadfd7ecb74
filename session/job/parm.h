/* SPDX-License-Identifier: Apache-2.0 */
/* The PARM that a step's program gets: from the EXEC, or from the data set that PARMDD names. */
#ifndef VIGIL_SESSION_JOB_PARM_H
#define VIGIL_SESSION_JOB_PARM_H

#include "session/job/allocate.h"

#define PARM_MAXIMUM 32760

/*
 * Returns the text of a step's PARM, "" if it has none; the caller frees it. The
 * records of PARMDD are joined, each without trailing blanks and without a
 * sequence number in columns 73 to 80. NULL with the reason if they cannot be
 * read, or are longer than PARM_MAXIMUM.
 */
char *parm_text(const struct plan_step *step, const struct allocation *allocations,
		struct error *err);

#endif
