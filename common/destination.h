/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands where a file is to be written. A file that appears whole is
 * written beside its place and renamed to it; a rename replaces whatever
 * stands there, be it a device, a pipe or a link. So every writer asks here
 * first, and renames only to what is DESTINATION_NEW or DESTINATION_FILE:
 *
 *	common/destination.h	asked by session/output.h (listings, exports)
 *				and engine/dataset.h (sample data sets)
 */
#ifndef VIGIL_COMMON_DESTINATION_H
#define VIGIL_COMMON_DESTINATION_H

#include "common/error.h"

#include <sys/types.h>

enum destination_kind {
	DESTINATION_NEW,	/* nothing: a file can be created */
	DESTINATION_FILE,	/* a regular file that may be written: it can be replaced */
	DESTINATION_FOLDER,
	DESTINATION_STREAM,	/* a device, a pipe, a socket: it is written to */
	DESTINATION_DESCRIPTOR, /* a file that is open already (/dev/stdout): it is written on */
};

struct destination {
	enum destination_kind kind;
	char *path;  /* with all links at its end followed; owned */
	mode_t mode; /* the permissions of a DESTINATION_FILE, 0 otherwise */
};

/* See what stands at path; -1 with the reason when it cannot be written at all. */
int destination_find(struct destination *destination, const char *path, struct error *err);
/*
 * Open a DESTINATION_STREAM or DESTINATION_DESCRIPTOR for writing at its end,
 * with close-on-exec. An own descriptor is duplicated, so that both share one
 * position. -1 with errno.
 */
int destination_open(const struct destination *destination);
void destination_release(struct destination *destination);
/* Whether both paths lead to one file that is there, by whatever name or link. */
bool destination_same(const char *path, const char *other);

#endif
