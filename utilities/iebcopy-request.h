/* SPDX-License-Identifier: Apache-2.0 */
/* The control statements of IEBCOPY, read into groups of copies. */
#ifndef VIGIL_UTILITIES_IEBCOPY_REQUEST_H
#define VIGIL_UTILITIES_IEBCOPY_REQUEST_H

#include "utilities/statements.h"

/* A DD to copy from, or a member to select or exclude: NAME, (NAME,NEW,R). */
struct copy_item {
	char *name, *new_name; /* new_name NULL: the same */
	bool replace;
	bool found; /* a selected member that some input had */
};

struct copy_items {
	struct copy_item *items;
	size_t count, alloc;
};

/* COPY OUTDD= with its INDD=, SELECT and EXCLUDE. */
struct copy_group {
	unsigned line; /* of SYSIN, 0: made up */
	bool aliases;  /* COPYGRP: a member brings its aliases */
	bool list;
	char *output;
	struct copy_items inputs, selected, excluded;
	struct copy_group *next;
};

/* Read SYSIN, or make a group of PARM when it has nothing. NULL after a message. */
struct copy_group *copy_request_read(struct utility *utility, const char *parm);
void copy_request_free(struct copy_group *list);

#endif
