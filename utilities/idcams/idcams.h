/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of IDCAMS: the catalogue, the locks of the job, the listing and the
 * condition codes. A command's condition code is the highest severity of the
 * messages it prints.
 *
 * From above to below: execute.c carries out what parse.c made of SYSIN;
 * table.c names the verbs and their keywords; each verb stands in a file of
 * its own (verbs.h); what verbs share is verb.h, set.h and listing.h.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_IDCAMS_H
#define VIGIL_UTILITIES_IDCAMS_IDCAMS_H

#include "datasets/catalog.h"
#include "datasets/lock.h"
#include "utilities/idcams/tree.h"
#include "utilities/utility.h"

struct idcams {
	struct utility *utility;
	struct catalog catalog; /* root NULL: the step has none */
	struct lock_list locks;
	const struct source *source; /* SYSIN */
	size_t echoed;		     /* lines of it in the listing */
	unsigned last, highest;	     /* LASTCC, MAXCC */
	bool ended;		     /* by a code of 16 */
};

/* Understand SYSIN and carry it out; highest is the return code. */
void idcams_execute(struct idcams *idcams, const struct source *source, unsigned left,
		    unsigned right);

#endif
