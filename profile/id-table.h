/* SPDX-License-Identifier: Apache-2.0 */
/* Records whose first value is an id; a later one replaces an earlier one with the same id. */
#ifndef VIGIL_PROFILE_ID_TABLE_H
#define VIGIL_PROFILE_ID_TABLE_H

#include "common/idmap.h"

/* Numbered from 0 in order of first appearance. All zero is an empty table. */
struct id_table {
	struct idmap index; /* id to number */
	uint64_t *values;
	size_t width, count, alloc; /* values per record; records; values allocated */
};

void id_table_release(struct id_table *table);
/*
 * Stores a record of width values, the first of which is its id; all records of a
 * table have the same width. Returns the copy, valid until the next call.
 */
uint64_t *id_table_put(struct id_table *table, const uint64_t *values, size_t width);
/* Returns the record of a number, or of an id (NULL if there is none). */
const void *id_table_at(const struct id_table *table, size_t number);
const void *id_table_get(const struct id_table *table, uint64_t id);
/* Returns the number of an id, SIZE_MAX if there is none. */
size_t id_table_number(const struct id_table *table, uint64_t id);

#endif
