/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of texts by address in the observed process. */
#include "common/compat.h"
#include "collectors/remember.h"

#include "common/hash.h"

void remember_begin(struct remember *remember)
{
	while (remember->retired_count)
		free(remember->retired[--remember->retired_count]);
}

void remember_release(struct remember *remember)
{
	remember_begin(remember);
	for (size_t i = 0; i < REMEMBER_SLOTS; i++) {
		free(remember->slots[i].first);
		free(remember->slots[i].second);
	}
	*remember = (struct remember){ 0 };
}

const struct remembered *remember_find(const struct remember *remember, uint64_t address,
				       const void *seen, size_t size)
{
	const struct remembered *slot = &remember->slots[hash_u64(address) % REMEMBER_SLOTS];

	return slot->address == address && !memcmp(slot->seen, seen, size) ? slot : NULL;
}

const struct remembered *remember_add(struct remember *remember, uint64_t address, const void *seen,
				      size_t size, const char *first, const char *second)
{
	struct remembered *slot = &remember->slots[hash_u64(address) % REMEMBER_SLOTS];
	char *copies[2] = { strdup(first), strdup(second) };

	if (!copies[0] || !copies[1] || remember->retired_count + 2 > REMEMBER_RETIRED) {
		free(copies[0]);
		free(copies[1]);
		return NULL;
	}
	remember->retired[remember->retired_count++] = slot->first;
	remember->retired[remember->retired_count++] = slot->second;
	slot->address = address;
	memcpy(slot->seen, seen, size);
	slot->first = copies[0];
	slot->second = copies[1];
	return slot;
}
