/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the control statements of IEBCOPY into groups of copies. */
#ifndef VIGIL_UTILITIES_IEBCOPY_REQUEST_H
#define VIGIL_UTILITIES_IEBCOPY_REQUEST_H

#include "utilities/utility-statements.h"

/* A DD to copy from, or a member to select or exclude: NAME or (NAME,NEW,R). */
struct iebcopy_item {
	char *name, *new_name; /* new_name NULL: keeps its name */
	bool replace;
	bool found; /* some input had this selected member */
};

struct iebcopy_items {
	struct iebcopy_item *items;
	size_t count, alloc;
};

/* One copy: COPY OUTDD= with its INDD=, SELECT and EXCLUDE. */
struct iebcopy_group {
	unsigned line; /* of SYSIN; 0: made from PARM */
	bool aliases;  /* COPYGRP: a member's aliases are copied with it */
	bool list;
	char *output;
	struct iebcopy_items inputs, selected, excluded;
	struct iebcopy_group *next;
};

/* Reads SYSIN, or makes a group from PARM when SYSIN is empty. NULL after a message. */
struct iebcopy_group *iebcopy_request_read(struct utility *utility, const char *parm);
void iebcopy_request_free(struct iebcopy_group *list);

#endif
