/* SPDX-License-Identifier: Apache-2.0 */
/* The control statements of IEBCOPY, read into groups of copies. */
#ifndef VIGIL_UTILITIES_IEBCOPY_REQUEST_H
#define VIGIL_UTILITIES_IEBCOPY_REQUEST_H

#include "utilities/utility-statements.h"

/* A DD to copy from, or a member to select or exclude: NAME, (NAME,NEW,R). */
struct iebcopy_item {
	char *name, *new_name; /* new_name NULL: the same */
	bool replace;
	bool found; /* a selected member that some input had */
};

struct iebcopy_items {
	struct iebcopy_item *items;
	size_t count, alloc;
};

/* COPY OUTDD= with its INDD=, SELECT and EXCLUDE. */
struct iebcopy_group {
	unsigned line; /* of SYSIN, 0: made up */
	bool aliases;  /* COPYGRP: a member brings its aliases */
	bool list;
	char *output;
	struct iebcopy_items inputs, selected, excluded;
	struct iebcopy_group *next;
};

/* Reads SYSIN, or make a group of PARM when it has nothing. NULL after a message. */
struct iebcopy_group *iebcopy_request_read(struct utility *utility, const char *parm);
void iebcopy_request_free(struct iebcopy_group *list);

#endif
