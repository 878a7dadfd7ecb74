/* SPDX-License-Identifier: Apache-2.0 */
/* Record sets: rows of 8-byte values in one growing array. */
#include "common/compat.h"
#include "engine/record.h"
#include "common/xalloc.h"

void recordset_init(struct recordset *set, const struct record_type *type)
{
	memset(set, 0, sizeof(*set));
	set->type = type;
}

void recordset_release(struct recordset *set)
{
	free(set->values);
	recordset_init(set, set->type);
}

void recordset_clear(struct recordset *set)
{
	set->count = 0;
}

void recordset_add(struct recordset *set, const void *record)
{
	size_t width = set->type->field_count;

	GROW(set->values, (set->count + 1) * width, set->alloc);
	memcpy(set->values + set->count * width, record, width * sizeof(*set->values));
	set->count++;
}

const void *recordset_get(const struct recordset *set, size_t index)
{
	assert(index < set->count);
	return set->values + index * set->type->field_count;
}
