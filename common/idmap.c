/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from a 64-bit key to a 64-bit value. */
#include "common/compat.h"
#include "common/idmap.h"
#include "common/hash.h"
#include "common/xalloc.h"

enum { SLOT_FREE, SLOT_USED, SLOT_DELETED };

void idmap_init(struct idmap *map)
{
	memset(map, 0, sizeof(*map));
}

void idmap_release(struct idmap *map)
{
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

/* Returns the slot that holds key, or NULL. */
static struct idmap_slot *find(const struct idmap *map, uint64_t key)
{
	size_t mask = map->slot_count - 1;

	if (!map->slot_count)
		return NULL;
	for (size_t at = hash_u64(key) & mask;; at = (at + 1) & mask) {
		struct idmap_slot *slot = &map->slots[at];

		if (slot->state == SLOT_FREE)
			return NULL;
		if (slot->state == SLOT_USED && slot->key == key)
			return slot;
	}
}

/* Inserts a key that is not present into a table with free slots. */
static void insert(struct idmap *map, uint64_t key, uint64_t value)
{
	size_t mask = map->slot_count - 1;
	size_t at = hash_u64(key) & mask;

	while (map->slots[at].state == SLOT_USED)
		at = (at + 1) & mask;
	if (map->slots[at].state == SLOT_FREE)
		map->used++;
	map->slots[at] = (struct idmap_slot){ key, value, SLOT_USED };
	map->count++;
}

/* Rebuilds the table, larger, or of the same size without deleted slots. */
static void rehash(struct idmap *map)
{
	struct idmap old = *map;

	map->slot_count = 16;
	while (map->slot_count < old.count * 4)
		map->slot_count *= 2;
	map->slots = xcalloc(map->slot_count, sizeof(*map->slots));
	map->used = 0;
	map->count = 0;
	for (size_t i = 0; i < old.slot_count; i++)
		if (old.slots[i].state == SLOT_USED)
			insert(map, old.slots[i].key, old.slots[i].value);
	free(old.slots);
}

void idmap_put(struct idmap *map, uint64_t key, uint64_t value)
{
	struct idmap_slot *slot = find(map, key);

	if (slot) {
		slot->value = value;
		return;
	}
	if ((map->used + 1) * 4 > map->slot_count * 3)
		rehash(map);
	insert(map, key, value);
}

bool idmap_get(const struct idmap *map, uint64_t key, uint64_t *value)
{
	const struct idmap_slot *slot = find(map, key);

	if (slot)
		*value = slot->value;
	return slot != NULL;
}

bool idmap_remove(struct idmap *map, uint64_t key)
{
	struct idmap_slot *slot = find(map, key);

	if (!slot)
		return false;
	slot->state = SLOT_DELETED;
	map->count--;
	return true;
}

bool idmap_next(const struct idmap *map, size_t *at, uint64_t *key, uint64_t *value)
{
	while (*at < map->slot_count) {
		const struct idmap_slot *slot = &map->slots[(*at)++];

		if (slot->state == SLOT_USED) {
			*key = slot->key;
			*value = slot->value;
			return true;
		}
	}
	return false;
}
