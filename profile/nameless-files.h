/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes, and sockets whose peer is not known, have no name: a reader cannot tell two of them apart,
 * so that all of one kind are one file of the profile.
 */
#ifndef VIGIL_PROFILE_NAMELESS_FILES_H
#define VIGIL_PROFILE_NAMELESS_FILES_H

#include "profile/id-table.h"
#include "records/record-types.h"

struct profile;
struct record_file;

/* All zero is none. */
struct nameless_files {
	struct id_table records; /* the last record of each */
	struct nameless_kind {
		uint64_t first; /* the number of the file that stands for all */
		size_t count, bytes_known, calls_known;
		uint64_t opens, size_first, size_last; /* of all */
	} pipes, sockets;
};

void nameless_files_release(struct nameless_files *nameless);
/*
 * Whether nothing names the file. If so its record (with the profile's strings) is kept, and the
 * one that stands for all of its kind is put into the profile's files again.
 */
bool nameless_files_take(struct nameless_files *nameless, struct profile *profile,
			 const struct record_file *file);
/* The file that stands for one: the first of its kind for those without a name, or the file itself. */
uint64_t nameless_files_stand_in(const struct nameless_files *nameless, uint64_t file);

#endif
