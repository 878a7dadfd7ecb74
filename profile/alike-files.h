/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that look alike to a reader are one file of the profile: those of the same
 * path, DD name, data set name and device, of which each was created after the one
 * before was removed, as a database does with its journal; all pipes; and all
 * sockets whose peer is not known, as they have no name.
 */
#ifndef VIGIL_PROFILE_ALIKE_FILES_H
#define VIGIL_PROFILE_ALIKE_FILES_H

#include "common/strmap.h"
#include "profile/id-table.h"
#include "records/record-types.h"

struct profile;

struct alike_files {
	struct id_table records; /* the last record of each file */
	struct strmap looks;	 /* what a reader sees of a file, as a text */
	struct idmap groups;	 /* file -> number of its looks */
	struct alike_group {
		uint64_t first;	 /* id of the file that represents all of them */
		uint64_t newest; /* the one with the highest id */
		size_t count, bytes_known, calls_known;
		uint64_t opens, size_first, size_last; /* sums */
	} *sums;				       /* by number of the looks; owned */
	size_t alloc;
};

void alike_files_init(struct alike_files *alike);
void alike_files_release(struct alike_files *alike);
/*
 * Takes a record (with the profile's strings), and updates the record in the
 * profile's files that represents all files that look like it.
 */
void alike_files_take(struct alike_files *alike, struct profile *profile, const struct record_file *file);
/* Returns the file that represents a file: the first of those that look like it. */
uint64_t alike_files_stand_in(const struct alike_files *alike, uint64_t file);

#endif
