/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a player gives out: rings of the kernel, and areas that the step writes. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "sampler/recording/player-data.h"
#include "sampler/recording/tape-area.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

/* Areas and rings are not larger than this, whatever a damaged tape says. */
#define SIZE_MAX_HELD (UINT64_C(1) << 28)
/* Bytes of the shortest record of the kernel: its head, and who, when and by which event. */
#define RECORD_LEAST 32

struct held *held_give(struct held_list *list, int64_t number, size_t size, size_t data)
{
	struct held *held;

	errno = EINVAL;
	if (number < 0 || (uint64_t)number > list->count || size > SIZE_MAX_HELD)
		return NULL;
	if ((uint64_t)number == list->count) {
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] = (struct held){ 0 };
	}
	held = &list->items[number];
	RETURN_IF(held->memory, NULL);
	held->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (held->memory == MAP_FAILED) {
		held->memory = NULL;
		return NULL;
	}
	held->size = data;
	held->head = 0;
	return held;
}

size_t held_number(const struct held_list *list, const void *at, size_t before)
{
	size_t number = 0;

	for (; number < list->count; number++) {
		const unsigned char *memory = list->items[number].memory;

		if (memory && (const unsigned char *)at >= memory &&
		    (const unsigned char *)at < memory + before + list->items[number].size)
			break;
	}
	return number;
}

void held_release(struct held_list *list, size_t number, size_t before)
{
	struct held *held = number < list->count ? &list->items[number] : NULL;

	if (!held || !held->memory)
		return;
	munmap(held->memory, before + held->size);
	held->memory = NULL;
}

size_t held_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns how many of the bytes are whole records of the kernel, at least as long as they must be. */
static size_t whole_records(const unsigned char *bytes, size_t size)
{
	struct perf_event_header header;
	size_t at = 0;

	while (size - at >= sizeof(header)) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < RECORD_LEAST || header.size % 8 || header.size > size - at)
			break;
		at += header.size;
	}
	return at;
}

/* Writes what the kernel wrote into a ring. */
static void write_ring(struct held *ring, const struct tape_entry *entry)
{
	const struct perf_event_mmap_page *page = (const void *)ring->memory;
	uint64_t space = ring->size - (ring->head - page->data_tail);
	const unsigned char *bytes = entry->data;
	size_t size = whole_records(bytes, entry->size < space ? entry->size : space);
	unsigned char *data = ring->memory + held_page();

	while (size) {
		size_t offset = ring->head & (ring->size - 1), part = ring->size - offset;

		part = part < size ? part : size;
		memcpy(data + offset, bytes, part);
		bytes += part;
		ring->head += part;
		size -= part;
	}
}

void player_apply(struct player *player, const struct tape_entry *entry)
{
	struct held_list *list = entry->kind == TAPE_RING_HEAD ? &player->rings : &player->areas;
	struct held *held = entry->a < list->count ? &list->items[entry->a] : NULL;

	if (!held || !held->memory)
		return;
	if (entry->kind == TAPE_RING_HEAD)
		write_ring(held, entry);
	else
		tape_area_apply(held->memory, held->size, entry->data, entry->size);
}
