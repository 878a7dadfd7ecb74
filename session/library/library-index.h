/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a resource library: records what each of its files is, so that LIST
 * opens no data set. It is the file .vigil-index of the folder: a line for each
 * file, then a checksum.
 *
 * A line is valid while the file has the size, modification time and inode that
 * are in the line; otherwise the file is read again. An index is never required:
 * it is ignored if it is missing, damaged, or from a user who could not have
 * written the data sets, and it is not an error if it cannot be written (a full
 * disk, a read-only library). It is replaced as a whole: if two jobs write it at
 * once the last one's remains, and the next LIST finds out again what the other
 * knew.
 */
#ifndef VIGIL_SESSION_LIBRARY_LIBRARY_INDEX_H
#define VIGIL_SESSION_LIBRARY_LIBRARY_INDEX_H

#include "common/strmap.h"
#include "session/library/resource.h"

#include <sys/stat.h>

#define LIBRARY_INDEX_NAME ".vigil-index"

/* The entry of one file. */
struct library_entry {
	uint64_t size, inode;
	uint64_t changed;      /* mtime, ns since 1970 */
	bool is_resource;      /* it is a sample data set; otherwise facts are empty */
	bool seen;	       /* it was found or put since the index was read */
	struct resource facts; /* without path; texts are owned */
};

struct library_index {
	struct strmap files; /* names of files; an entry's index is the number of its name */
	struct library_entry *entries;
	size_t count, alloc;
	bool changed; /* an entry was put or dropped */
};

/* Reads the index of a folder; it is empty if there is no valid one. */
void library_index_read(struct library_index *index, const char *folder);
void library_index_release(struct library_index *index);
/* Returns the entry of a file in its present state; NULL: none. Valid until the next put. */
const struct library_entry *library_index_find(struct library_index *index, const char *file,
					       const struct stat *now);
/* Records a file with the state in which it was read; resource NULL: not a sample data set. */
void library_index_put(struct library_index *index, const char *file, const struct stat *looked_at,
		       const struct resource *resource);
/* Drops entries that were neither found nor put: their files do not exist any more. */
void library_index_drop_unseen(struct library_index *index);
/* Writes the index to its folder if it has changed; errors are ignored. */
void library_index_write(const struct library_index *index, const char *folder);

#endif
