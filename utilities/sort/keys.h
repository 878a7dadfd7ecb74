/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key of a record as bytes that compare as the records do: all fields one
 * after the other, numbers made comparable, descending fields inverted. The key is
 * never built as a whole: sorting takes eight bytes of it at a time, as one
 * number.
 */
#ifndef VIGIL_UTILITIES_SORT_KEYS_H
#define VIGIL_UTILITIES_SORT_KEYS_H

#include "utilities/sort/sort-request.h"

struct sort_keys {
	const struct sort_key *keys;
	size_t count;
	const unsigned char *altseq;
	size_t length; /* of the whole key */
	char fill;     /* for characters beyond a record's end */
};

void sort_keys_init(struct sort_keys *keys, const struct sort_request *request);
/* Returns the key's eight bytes from depth on; bytes beyond its end are 0. */
uint64_t sort_keys_word(const struct sort_keys *keys, const struct sort_record *record,
			size_t depth);
/* Compares two keys from depth on: negative, 0, positive. */
int sort_keys_compare(const struct sort_keys *keys, const struct sort_record *a,
		      const struct sort_record *b, size_t depth);
/* Returns whether a record ends before one of its fields does. */
bool sort_keys_truncated(const struct sort_keys *keys, const struct sort_record *record);

#endif
