/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes, and sockets whose peer is not known, have no name and look alike to a
 * reader, so all of one kind are merged into one file of the profile.
 */
#ifndef VIGIL_PROFILE_NAMELESS_FILES_H
#define VIGIL_PROFILE_NAMELESS_FILES_H

#include "profile/id-table.h"
#include "records/record-types.h"

struct profile;
struct record_file;

/* The files of one kind. All zero: none. */
struct nameless_files {
	struct id_table records; /* the last record of each */
	struct nameless_kind {
		uint64_t first; /* id of the file that represents all of them */
		size_t count, bytes_known, calls_known;
		uint64_t opens, size_first, size_last; /* of all */
	} pipes, sockets;
};

void nameless_files_release(struct nameless_files *nameless);
/*
 * Returns whether the file has no name. If so, keeps its record (with the
 * profile's strings) and updates the record in the profile's files that represents
 * all of its kind.
 */
bool nameless_files_take(struct nameless_files *nameless, struct profile *profile,
			 const struct record_file *file);
/*
 * Returns the file that represents a file: the first of its kind if it has no
 * name, else the file itself.
 */
uint64_t nameless_files_stand_in(const struct nameless_files *nameless, uint64_t file);

#endif
