/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of IDCAMS: the catalogue, the locks of the job, the listing and the
 * condition codes. A command's condition code is the highest severity of the
 * messages it prints.
 *
 * The layers from top to bottom: execute.c executes the commands that parse.c read
 * from SYSIN; table.c lists the verbs and their keywords; each verb has its own
 * file (verbs.h); verb.h, set.h and listing.h have what the verbs share.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_IDCAMS_H
#define VIGIL_UTILITIES_IDCAMS_IDCAMS_H

#include "datasets/catalog.h"
#include "datasets/lock.h"
#include "utilities/idcams/tree.h"
#include "utilities/utility.h"

struct idcams {
	struct utility *utility;
	struct catalog catalog; /* root NULL: the step has no data set root */
	struct lock_list locks;
	const struct source *source; /* SYSIN */
	size_t echoed;		     /* number of its lines already in the listing */
	unsigned last, highest;	     /* LASTCC, MAXCC */
	bool ended;		     /* by a condition code of 16 */
};

/* Parses SYSIN and executes it; highest is the return code. */
void idcams_execute(struct idcams *idcams, const struct source *source, unsigned left,
		    unsigned right);

#endif
