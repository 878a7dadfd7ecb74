/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings. */
#include "common/compat.h"
#include "common/strmap.h"
#include "common/hash.h"
#include "common/xalloc.h"

void strmap_init(struct strmap *map)
{
	memset(map, 0, sizeof(*map));
	strmap_put_n(map, "", 0);
}

void strmap_release(struct strmap *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->texts[i]);
	free(map->texts);
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

/* Returns the slot that holds the text, or the free slot where it belongs. */
static size_t find_slot(const struct strmap *map, const char *text, size_t length)
{
	size_t mask = map->slot_count - 1;
	size_t slot = hash_bytes(text, length) & mask;

	while (map->slots[slot]) {
		const char *held = map->texts[map->slots[slot] - 1];

		if (strncmp(held, text, length) == 0 && held[length] == '\0')
			break;
		slot = (slot + 1) & mask;
	}
	return slot;
}

/* Doubles the slots and reinserts every number. */
static void rehash(struct strmap *map)
{
	free(map->slots);
	map->slot_count = map->slot_count ? map->slot_count * 2 : 64;
	map->slots = xcalloc(map->slot_count, sizeof(*map->slots));
	for (size_t i = 0; i < map->count; i++)
		map->slots[find_slot(map, map->texts[i], strlen(map->texts[i]))] = (uint32_t)i + 1;
}

uint32_t strmap_put_n(struct strmap *map, const char *text, size_t length)
{
	size_t slot;

	length = strnlen(text, length);
	if (map->count * 2 >= map->slot_count)
		rehash(map);
	slot = find_slot(map, text, length);
	if (!map->slots[slot]) {
		GROW(map->texts, map->count + 1, map->alloc);
		map->texts[map->count++] = xstrndup(text, length);
		map->slots[slot] = (uint32_t)map->count;
	}
	return map->slots[slot] - 1;
}

uint32_t strmap_put(struct strmap *map, const char *text)
{
	return strmap_put_n(map, text, strlen(text));
}

uint32_t strmap_find(const struct strmap *map, const char *text)
{
	size_t slot;

	if (!map->slot_count)
		return UINT32_MAX;
	slot = find_slot(map, text, strlen(text));
	return map->slots[slot] ? map->slots[slot] - 1 : UINT32_MAX;
}

const char *strmap_text(const struct strmap *map, uint32_t number)
{
	return number < map->count ? map->texts[number] : "";
}
