/* SPDX-License-Identifier: Apache-2.0 */
/* A table of distinct keys, each of several values. */
#include "common/compat.h"
#include "common/keymap.h"
#include "common/hash.h"
#include "common/xalloc.h"

void keymap_init(struct keymap *map, size_t width)
{
	memset(map, 0, sizeof(*map));
	map->width = width;
}

void keymap_release(struct keymap *map)
{
	free(map->keys);
	free(map->slots);
	keymap_init(map, map->width);
}

const uint64_t *keymap_key(const struct keymap *map, size_t number)
{
	assert(number < map->count);
	return map->keys + number * map->width;
}

static uint64_t hash_key(const struct keymap *map, const uint64_t *key)
{
	uint64_t hash = key[0];

	for (size_t i = 1; i < map->width; i++)
		hash = (hash ^ (hash >> 29)) * UINT64_C(0x9e3779b97f4a7c15) + key[i];
	return hash_u64(hash);
}

/* Returns the slot that holds key, or the free one where it belongs. */
static size_t find_slot(const struct keymap *map, const uint64_t *key)
{
	size_t mask = map->slot_count - 1;
	size_t slot = (size_t)hash_key(map, key) & mask;

	while (map->slots[slot] &&
	       memcmp(keymap_key(map, map->slots[slot] - 1), key, map->width * sizeof(*key)))
		slot = (slot + 1) & mask;
	return slot;
}

static void rehash(struct keymap *map)
{
	map->slot_count = map->slot_count ? map->slot_count * 2 : 64;
	free(map->slots);
	map->slots = xcalloc(map->slot_count, sizeof(*map->slots));
	for (size_t i = 0; i < map->count; i++)
		map->slots[find_slot(map, keymap_key(map, i))] = (uint32_t)(i + 1);
}

size_t keymap_find(const struct keymap *map, const uint64_t *key)
{
	size_t slot;

	if (!map->slot_count)
		return SIZE_MAX;
	slot = find_slot(map, key);
	return map->slots[slot] ? map->slots[slot] - 1 : SIZE_MAX;
}

size_t keymap_put(struct keymap *map, const uint64_t *key)
{
	size_t slot;

	if ((map->count + 1) * 2 > map->slot_count)
		rehash(map);
	slot = find_slot(map, key);
	if (map->slots[slot])
		return map->slots[slot] - 1;
	if ((map->count + 1) * map->width > map->alloc) {
		map->alloc = map->alloc * 2 + 64 * map->width;
		map->keys = xreallocarray(map->keys, map->alloc, sizeof(*map->keys));
	}
	memcpy(map->keys + map->count * map->width, key, map->width * sizeof(*key));
	map->slots[slot] = (uint32_t)++map->count;
	return map->count - 1;
}
