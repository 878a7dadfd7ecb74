/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns numbers to texts. */
#include "agent/events/event-names.h"

/* Maximum number of probes for a text: with more the table is practically full. */
#define PROBES 1024
/* Size of the cache of constants, and the index of one: names of verbs are close together. */
#define REMEMBERED_BITS 10
#define REMEMBERED (1 << REMEMBERED_BITS)
#define REMEMBERED_PLACE(address) ((address)*UINT64_C(0x9e3779b97f4a7c15) >> (64 - REMEMBERED_BITS))

/* address << 16 | number; an address has at most 48 bits. */
static uint64_t remembered[REMEMBERED];

/* Stores a text in the area; returns its offset, 0: no space. */
static uint64_t put_text(const char *text, size_t length)
{
	struct event_area *area = event_area;
	uint64_t size = (sizeof(uint32_t) + length + 7) & ~UINT64_C(7);
	uint64_t at = __atomic_fetch_add(&area->text_used, size, __ATOMIC_RELAXED);
	uint32_t stored = (uint32_t)length;
	char *to = (char *)area + area->texts;

	if (at + size > EVENT_NAME_TEXTS)
		return 0;
	memcpy(to + at, &stored, sizeof(stored));
	memcpy(to + at + sizeof(stored), text, length);
	return at;
}

/* Returns whether the text at an offset is this one. */
static bool is_text(uint64_t at, const char *text, size_t length)
{
	const char *from = (const char *)event_area + event_area->texts + at;
	uint32_t stored;

	memcpy(&stored, from, sizeof(stored));
	return stored == length && memcmp(from + sizeof(stored), text, length) == 0;
}

uint32_t event_name(const char *text, size_t length)
{
	struct event_area *area = event_area;
	uint64_t *names = (uint64_t *)((char *)area + area->names);
	uint64_t hash, entry = 0;

	if (!length)
		return 0;
	hash = event_name_hash(text, length);
	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t number = (hash + i) % EVENT_NAMES, there;

		if (!number)
			continue;
		there = __atomic_load_n(&names[number], __ATOMIC_ACQUIRE);
		if (!there) {
			uint64_t at = entry ? entry & UINT32_MAX : put_text(text, length);

			if (!at)
				break;
			entry = (hash & ~(uint64_t)UINT32_MAX) | at;
			if (__atomic_compare_exchange_n(&names[number], &there, entry, false,
							__ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
				return (uint32_t)number;
		}
		if (there >> 32 == hash >> 32 && is_text(there & UINT32_MAX, text, length))
			return (uint32_t)number;
	}
	__atomic_fetch_add(&area->names_lost, 1, __ATOMIC_RELAXED);
	return 0;
}

uint32_t event_name_of_constant(const char *text)
{
	uint64_t address = (uint64_t)text;
	uint64_t *place = &remembered[REMEMBERED_PLACE(address)], there;
	uint32_t number;

	if (!text)
		return 0;
	there = __atomic_load_n(place, __ATOMIC_RELAXED);
	if (there >> 16 == address)
		return there & 0xffff;
	number = event_name(text, strnlen(text, EVENT_TEXT_MAX));
	__atomic_store_n(place, address << 16 | number, __ATOMIC_RELAXED);
	return number;
}
