/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting in memory. Each record has an entry with eight bytes of its key as a
 * number and the record's address. Entries are merge-sorted by these numbers
 * alone; those that are equal get the next eight bytes and are sorted again. So
 * most of the work touches entries only, and equal records keep their order.
 */
#ifndef VIGIL_UTILITIES_SORT_ORDER_H
#define VIGIL_UTILITIES_SORT_ORDER_H

#include "utilities/sort/keys.h"

struct sort_entry {
	uint64_t word;
	const char *place; /* the record, after four bytes of length in native byte order */
};

#define STORED_HEAD sizeof(uint32_t)

static inline struct sort_record sort_entry_record(const struct sort_entry *entry)
{
	uint32_t length;

	memcpy(&length, entry->place, sizeof(length));
	return (struct sort_record){ entry->place + STORED_HEAD, length };
}

/* Sorts entries whose words are those of depth 0. scratch: space for as many entries. */
void sort_order(struct sort_entry *entries, struct sort_entry *scratch, size_t count,
		const struct sort_keys *keys, unsigned threads);

#endif
