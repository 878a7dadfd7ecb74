/* SPDX-License-Identifier: Apache-2.0 */
/* NAME records by frame and level of inlining; a later one replaces an earlier one. */
#ifndef VIGIL_PROFILE_NAME_TABLE_H
#define VIGIL_PROFILE_NAME_TABLE_H

#include "records/record-types.h"
#include "common/keymap.h"

struct name_table {
	struct keymap index; /* frame, depth */
	struct record_name *rows;
	size_t alloc;
};

void name_table_init(struct name_table *table);
void name_table_release(struct name_table *table);
void name_table_put(struct name_table *table, const struct record_name *name);
/* Returns the name of a frame at an inlining depth (0 the innermost), NULL if it has none there. */
const struct record_name *name_table_find(const struct name_table *table, uint64_t frame,
					  uint64_t depth);

#endif
