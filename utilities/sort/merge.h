/* SPDX-License-Identifier: Apache-2.0 */
/* Merges sorted inputs; among equal records those of the input with the lower index come first. */
#ifndef VIGIL_UTILITIES_SORT_MERGE_H
#define VIGIL_UTILITIES_SORT_MERGE_H

#include "common/error.h"
#include "utilities/sort/keys.h"

/* Takes a record, which is valid until the function returns; -1 ends the sort. */
typedef int (*sort_sink)(void *argument, const struct sort_record *record, struct error *err);
/*
 * Reads the next record of input index, which is valid until the next call for
 * this input. 1: read, 0: end, -1: error.
 */
typedef int (*merge_reader)(void *argument, size_t index, struct sort_record *record,
			    struct error *err);

/* Merges count inputs; the reader checks their order where that is needed. */
int sort_merge(const struct sort_keys *keys, size_t count, merge_reader read, void *inputs,
	       sort_sink take, void *output, struct error *err);

#endif
