/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a resource library: what each of its files is, so that LIST
 * opens no data set. It is the file .vigil-index of the folder: a line for each
 * file, behind them a checksum.
 *
 * A line holds as long as the file has the size, the time of its last change
 * and the inode that are in the line; otherwise the file is looked at again. An
 * index is never needed: one that is missing, damaged, or from somebody who
 * could not have written the data sets is none, and one that cannot be written (a
 * full disk, a library that is read only) is not. It is replaced whole, so of
 * two jobs that write it at once the last one's remains, and what the other knew
 * is found out again by the next LIST.
 */
#ifndef VIGIL_SESSION_LIBRARY_LIBRARY_INDEX_H
#define VIGIL_SESSION_LIBRARY_LIBRARY_INDEX_H

#include "common/strmap.h"
#include "session/library/resource.h"

#include <sys/stat.h>

#define LIBRARY_INDEX_NAME ".vigil-index"

/* What is known of one file. */
struct library_entry {
	uint64_t size, inode;
	uint64_t changed;      /* mtime, ns */
	bool is_resource;      /* it is a sample data set; otherwise the facts are empty */
	bool seen;	       /* it was found or put since the index was read */
	struct resource facts; /* without path; texts are owned */
};

struct library_index {
	struct strmap files; /* names; an entry has the number of its name */
	struct library_entry *entries;
	size_t count, alloc;
	bool changed; /* something was put */
};

/* Reads the index of a folder; an empty one where there is none that counts. */
void library_index_read(struct library_index *index, const char *folder);
void library_index_release(struct library_index *index);
/* What is known of a file as it is now; NULL: nothing. Valid until the next put. */
const struct library_entry *library_index_find(struct library_index *index, const char *file,
					       const struct stat *now);
/* Know a file as it was when it was looked at; resource NULL: it is no sample data set. */
void library_index_put(struct library_index *index, const char *file, const struct stat *looked_at,
		       const struct resource *resource);
/* Forgets what was neither found nor put: those files are not there any more. */
void library_index_drop_unseen(struct library_index *index);
/* Writes it to its folder if it has changed, and if that can be. */
void library_index_write(const struct library_index *index, const char *folder);

#endif
