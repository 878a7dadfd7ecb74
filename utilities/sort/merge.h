/* SPDX-License-Identifier: Apache-2.0 */
/* Merges inputs that are sorted; among equal records those of the lower input come first. */
#ifndef VIGIL_UTILITIES_SORT_MERGE_H
#define VIGIL_UTILITIES_SORT_MERGE_H

#include "common/error.h"
#include "utilities/sort/keys.h"

/* Takes a record, which is readable until it returns; -1 ends the sort. */
typedef int (*sort_taker)(void *argument, const struct sort_record *record, struct error *err);
/* The next record of input number index, readable until the next call for it. 1, 0 at the end, -1.
 */
typedef int (*merge_reader)(void *argument, size_t index, struct sort_record *record,
			    struct error *err);

/* Merges count inputs; the reader checks their order where that is in doubt. */
int sort_merge(const struct sort_keys *keys, size_t count, merge_reader read, void *inputs,
	       sort_taker take, void *output, struct error *err);

#endif
