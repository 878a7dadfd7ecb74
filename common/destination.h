/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out what a path of an output file refers to. A file that must appear
 * complete is written under a temporary name next to its final name and renamed to
 * it; but a rename replaces whatever has that name, even a device, a pipe or a
 * link. So every writer asks here first, and renames only to a DESTINATION_NEW or
 * DESTINATION_FILE:
 *
 * 	common/destination.h	used by session/output.h (listings, exports)
 * 				and engine/dataset.h (sample data sets)
 */
#ifndef VIGIL_COMMON_DESTINATION_H
#define VIGIL_COMMON_DESTINATION_H

#include "common/error.h"

#include <sys/types.h>

enum destination_kind {
	DESTINATION_NEW,	/* does not exist: a file can be created */
	DESTINATION_FILE,	/* a writable regular file: it can be replaced */
	DESTINATION_FOLDER,
	DESTINATION_STREAM,	/* a device, a pipe, a socket: must be written to directly */
	DESTINATION_DESCRIPTOR, /* a file that is already open (/dev/stdout): write through the
				 * descriptor */
};

struct destination {
	enum destination_kind kind;
	char *path;  /* with all links at its end resolved; owned */
	mode_t mode; /* permissions of a DESTINATION_FILE, else 0 */
};

/*
 * Finds out what path refers to; returns -1 with the reason in err if it cannot be
 * written at all.
 */
int destination_find(struct destination *destination, const char *path, struct error *err);
/*
 * Finds out whether a regular file can be made at path: a new one or, with replace,
 * in place of another. Returns -1 with the reason in err; the destination has to be
 * released in either case.
 */
int destination_of_file(struct destination *destination, const char *path, bool replace, struct error *err);
/*
 * Opens a DESTINATION_STREAM or DESTINATION_DESCRIPTOR for appending, with
 * close-on-exec. A descriptor of this process is duplicated, so that both share
 * one position. Returns -1 with errno set on failure.
 */
int destination_open(const struct destination *destination);
void destination_release(struct destination *destination);
/* Returns whether both paths lead to the same existing file, by whatever names or links. */
bool destination_same(const char *path, const char *other);

#endif
