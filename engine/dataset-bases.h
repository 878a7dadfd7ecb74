/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The base snapshots of a file: the numbers of record sets of earlier snapshots,
 * on which later ones build; part of the reader. Each base builds on the one
 * before it, the first on none. A snapshot that is read builds on the last base,
 * and may become a base itself.
 */
#ifndef VIGIL_ENGINE_DATASET_BASES_H
#define VIGIL_ENGINE_DATASET_BASES_H

#include "engine/dataset-format.h"

struct dataset_bases {
	/* The one after the last is for the snapshot being read. */
	struct dataset_base {
		uint64_t number;
		bool partial; /* sets of some types could not be read */
		struct dataset_numbers_set *sets; /* by the file's type id; owned */
		size_t set_count, set_alloc;
	} bases[DATASET_MAX_DEPTH + 1];
	size_t count;
};

void dataset_bases_release(struct dataset_bases *bases);
/* Returns whether there is a base of this number that builds on none, and has all its sets. */
bool dataset_bases_have(const struct dataset_bases *bases, uint64_t number);
/*
 * Begins a snapshot that builds on the base of this number, 0: on none. Returns
 * false when that base is not available.
 */
bool dataset_bases_begin(struct dataset_bases *bases, uint64_t base);
/* Returns the set of a type in the snapshot being read. */
struct dataset_numbers_set *dataset_bases_set(struct dataset_bases *bases, size_t type);
/* Returns the set of a type in the base of that snapshot, NULL: none. */
const struct dataset_numbers_set *dataset_bases_below(const struct dataset_bases *bases,
						      size_t type);
/*
 * Keeps the snapshot that was read, or the part of it that could be, as base of
 * this number; 0: nothing builds on it.
 */
void dataset_bases_keep(struct dataset_bases *bases, uint64_t number, bool partial);

#endif
