/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the sets on which later snapshots of a file build. */
#include "common/compat.h"
#include "engine/dataset-bases.h"
#include "common/xalloc.h"

void dataset_bases_release(struct dataset_bases *bases)
{
	for (size_t i = 0; i < ARRAY_SIZE(bases->bases); i++) {
		struct dataset_base *base = &bases->bases[i];

		for (size_t type = 0; type < base->set_count; type++)
			free(base->sets[type].values);
		free(base->sets);
	}
	memset(bases, 0, sizeof(*bases));
}

bool dataset_bases_have(const struct dataset_bases *bases, uint64_t number)
{
	return bases->count && bases->bases[0].number == number &&
	       !bases->bases[0].partial;
}

bool dataset_bases_begin(struct dataset_bases *bases, uint64_t base)
{
	size_t count = base ? bases->count : 0;
	struct dataset_base *fresh;

	while (base && count && bases->bases[count - 1].number != base)
		count--;
	RETURN_IF(base && !count, false);
	bases->count = count;
	fresh = &bases->bases[count];
	for (size_t type = 0; type < fresh->set_count; type++)
		fresh->sets[type].rows = 0;
	return true;
}

struct dataset_numbers_set *dataset_bases_set(struct dataset_bases *bases, size_t type)
{
	struct dataset_base *fresh = &bases->bases[bases->count];

	if (type >= fresh->set_count) {
		GROW(fresh->sets, type + 1, fresh->set_alloc);
		memset(fresh->sets + fresh->set_count, 0,
		       (type + 1 - fresh->set_count) * sizeof(*fresh->sets));
		fresh->set_count = type + 1;
	}
	return &fresh->sets[type];
}

const struct dataset_numbers_set *dataset_bases_below(const struct dataset_bases *bases,
						      size_t type)
{
	const struct dataset_base *base = bases->count ? &bases->bases[bases->count - 1] : NULL;

	return base && type < base->set_count && base->sets[type].rows ? &base->sets[type] : NULL;
}

void dataset_bases_keep(struct dataset_bases *bases, uint64_t number, bool partial)
{
	bases->bases[bases->count].number = number;
	bases->bases[bases->count].partial = partial;
	if (number && bases->count < DATASET_MAX_DEPTH)
		bases->count++;
}
