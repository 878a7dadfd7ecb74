/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What later snapshots of a file build on: the numbers of record sets as
 * they were in earlier ones; part of the reader. Each builds on the one
 * before, the first on none. A snapshot that is read builds on the last, and
 * may become one itself.
 */
#ifndef VIGIL_ENGINE_DATASET_BASES_H
#define VIGIL_ENGINE_DATASET_BASES_H

#include "engine/dataset-format.h"

struct dataset_bases {
	/* The one behind the last is of the snapshot that is being read. */
	struct dataset_base {
		uint64_t number;
		bool partial; /* sets of some types could not be read */
		struct dataset_numbers_set *sets; /* by the file's type id; owned */
		size_t set_count, set_alloc;
	} bases[DATASET_MAX_DEPTH + 1];
	size_t count;
};

void dataset_bases_release(struct dataset_bases *bases);
/* Returns whether there is one of a number that builds on none, and has all its sets. */
bool dataset_bases_have(const struct dataset_bases *bases, uint64_t number);
/* Begins a snapshot that builds on one of a number, 0 on none; false when that is not there. */
bool dataset_bases_begin(struct dataset_bases *bases, uint64_t base);
/* The set of a type in the snapshot that is being read. */
struct dataset_numbers_set *dataset_bases_set(struct dataset_bases *bases, size_t type);
/* The set of a type on which it builds, NULL: there is none. */
const struct dataset_numbers_set *dataset_bases_below(const struct dataset_bases *bases,
						      size_t type);
/* Keeps the snapshot that was read, or a part of it, under its number; 0: nothing builds on it. */
void dataset_bases_keep(struct dataset_bases *bases, uint64_t number, bool partial);

#endif
