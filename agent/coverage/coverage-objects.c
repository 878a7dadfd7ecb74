/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that a process has mapped, and the breakpoints in them. */
#include "agent/coverage/coverage-agent.h"

#include <link.h>
#include <sys/syscall.h>

/* Maximum number of mapped objects with places in a process. */
#define OBJECTS 1024
/* Maximum bytes per write. */
#define SPAN 256

static struct coverage_object objects[OBJECTS];
static uint64_t object_count;
static uint64_t version; /* odd while objects are being changed */
static uint64_t planted; /* coverage_starts at the last planting of all objects */

/* Limit of the loader's waits for threads that use objects; one may have left by longjmp. */
#define WAITS 10000

void coverage_loading(bool begins)
{
	__atomic_store_n(&coverage_process->loading, begins, __ATOMIC_SEQ_CST);
	for (int i = 0;
	     begins && i < WAITS && __atomic_load_n(&coverage_process->visitors, __ATOMIC_SEQ_CST); i++)
		coverage_call(SYS_sched_yield, 0, 0, 0, 0);
}

/*
 * Begins to use objects, which keeps the loader from unmapping them; returns false
 * if the loader is at work.
 */
static bool visit(void)
{
	__atomic_fetch_add(&coverage_process->visitors, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&coverage_process->loading, __ATOMIC_SEQ_CST))
		return true;
	__atomic_fetch_sub(&coverage_process->visitors, 1, __ATOMIC_SEQ_CST);
	return false;
}

static void leave(void)
{
	__atomic_fetch_sub(&coverage_process->visitors, 1, __ATOMIC_SEQ_CST);
}

/* Returns the bytes at an address. */
static uint32_t bytes_at(uint64_t address)
{
	uint32_t bytes = 0;

	memcpy(&bytes, (const void *)address, COVERAGE_BREAK_SIZE);
	return bytes;
}

bool coverage_is_planted(uint64_t address)
{
	return bytes_at(address) == COVERAGE_BREAK;
}

/* Bytes to be written in one go. */
struct span {
	uint64_t start, size;
	char bytes[SPAN];
};

static void write_span(struct span *span)
{
	if (span->size && !coverage_write(span->start, span->bytes, span->size))
		__atomic_fetch_add(&coverage_area->failed, 1, __ATOMIC_RELAXED);
	span->size = 0;
}

/* Adds a change of the bytes at an address; addresses must ascend. */
static void change(struct span *span, uint64_t address, uint32_t bytes)
{
	uint64_t end = address + COVERAGE_BREAK_SIZE;

	if (span->size && end - span->start > SPAN)
		write_span(span);
	if (!span->size)
		span->start = address;
	/*
	 * Bytes in between are written unchanged: a breakpoint among them that is removed
	 * meanwhile comes back, which is harmless.
	 */
	memcpy(span->bytes + span->size, (const char *)span->start + span->size,
	       address - span->start - span->size);
	memcpy(span->bytes + (address - span->start), &bytes, COVERAGE_BREAK_SIZE);
	span->size = end - span->start;
}

/* Plants at an object's places that are not marked. */
static void plant(const struct coverage_object *object)
{
	struct span span = { .size = 0 };

	for (uint64_t i = 0; i < object->count; i++) {
		uint64_t address = object->base + object->addresses[i];
		uint32_t now;

		if (__atomic_load_n(&object->marks[i], __ATOMIC_RELAXED) ||
		    object->bytes[i] == COVERAGE_BREAK)
			continue;
		now = bytes_at(address);
		if (now == object->bytes[i])
			change(&span, address, COVERAGE_BREAK);
		else if (now != COVERAGE_BREAK)
			__atomic_fetch_add(&coverage_area->changed, 1, __ATOMIC_RELAXED);
	}
	write_span(&span);
}

void coverage_plant_all(void)
{
	uint64_t starts = coverage_starts();

	if (__atomic_load_n(&planted, __ATOMIC_RELAXED) == starts || !coverage_active() || !visit())
		return;
	__atomic_store_n(&planted, starts, __ATOMIC_RELAXED);
	for (uint64_t i = 0; i < __atomic_load_n(&object_count, __ATOMIC_ACQUIRE); i++)
		if (objects[i].live)
			plant(&objects[i]);
	leave();
}

/* Removes the breakpoints of an object's marked places. */
static void sweep(struct coverage_object *object)
{
	uint64_t tally = __atomic_load_n(object->tally, __ATOMIC_RELAXED);
	struct span span = { .size = 0 };

	if (tally == object->swept)
		return;
	object->swept = tally;
	for (uint64_t i = 0; i < object->count; i++) {
		uint64_t address = object->base + object->addresses[i];

		if (__atomic_load_n(&object->marks[i], __ATOMIC_RELAXED) &&
		    object->bytes[i] != COVERAGE_BREAK && coverage_is_planted(address))
			change(&span, address, object->bytes[i]);
	}
	write_span(&span);
}

void coverage_sweep(void)
{
	if (!visit())
		return;
	for (uint64_t i = 0; i < __atomic_load_n(&object_count, __ATOMIC_ACQUIRE); i++)
		if (objects[i].live)
			sweep(&objects[i]);
	leave();
}

/* Returns the number of an object's place at an address; its count: none. */
static uint64_t place_at(const struct coverage_object *object, uint64_t address)
{
	uint64_t low = 0, high = object->count;

	address -= object->base;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (object->addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < object->count && object->addresses[low] == address ? low : object->count;
}

const struct coverage_object *coverage_find(uint64_t address, uint64_t *place)
{
	uint64_t before;

	do {
		uint64_t count = __atomic_load_n(&object_count, __ATOMIC_ACQUIRE);

		before = __atomic_load_n(&version, __ATOMIC_ACQUIRE);
		for (uint64_t i = 0; i < count; i++) {
			const struct coverage_object *object = &objects[i];

			if (!object->live || address < object->low || address >= object->high)
				continue;
			*place = place_at(object, address);
			if (*place < object->count)
				return object;
		}
		/* Another thread may have changed the table meanwhile. */
	} while (before % 2 || before != __atomic_load_n(&version, __ATOMIC_ACQUIRE));
	return NULL;
}

bool vigil_coverage_watches(const struct link_map *map)
{
	for (uint64_t i = 0; i < __atomic_load_n(&object_count, __ATOMIC_ACQUIRE); i++) {
		if (!objects[i].live || objects[i].base != map->l_addr)
			continue;
		if (!__atomic_exchange_n(&objects[i].quiet, true, __ATOMIC_RELAXED))
			coverage_rebind(map);
		return true;
	}
	return false;
}

void coverage_free(const struct coverage_object *object, uint64_t place)
{
	uint64_t address = object->base + object->addresses[place];

	if (object->bytes[place] == COVERAGE_BREAK || !coverage_is_planted(address))
		return;
	if (!coverage_write(address, &object->bytes[place], COVERAGE_BREAK_SIZE))
		abort(); /* the program could never get past the breakpoint */
}

void coverage_objects_begin(void)
{
	for (uint64_t i = 0; i < object_count; i++)
		objects[i].seen = false;
}

void coverage_objects_end(void)
{
	__atomic_fetch_add(&version, 1, __ATOMIC_SEQ_CST);
	for (uint64_t i = 0; i < object_count; i++)
		objects[i].live &= objects[i].seen;
	__atomic_fetch_add(&version, 1, __ATOMIC_SEQ_CST);
}

/* Returns the object at base with the same entry, mapped now or earlier; NULL: none. */
static struct coverage_object *known_object(uint64_t base, const struct coverage_object *found)
{
	for (uint64_t i = 0; i < object_count; i++)
		if (objects[i].base == base && objects[i].entry == found->entry)
			return &objects[i];
	return NULL;
}

/* Returns whether an object at base has been mapped since the last scan, and marks it as seen. */
static bool is_there(uint64_t base)
{
	for (uint64_t i = 0; i < object_count; i++)
		if (objects[i].live && objects[i].base == base) {
			objects[i].seen = true;
			return true;
		}
	return false;
}

void coverage_object_add(const char *path, uint64_t base)
{
	struct coverage_object found = { .base = base }, *object;

	if (is_there(base) || !coverage_ask(path, base, &found))
		return;
	object = known_object(base, &found);
	if (!object && object_count == OBJECTS)
		__atomic_fetch_add(&coverage_area->lost, 1, __ATOMIC_RELAXED);
	if (!object && object_count == OBJECTS)
		return;
	found.low = base + found.addresses[0];
	found.high = base + found.addresses[found.count - 1] + 1;
	found.live = found.seen = true;
	__atomic_fetch_add(&version, 1, __ATOMIC_SEQ_CST);
	if (object)
		*object = found;
	else
		objects[object_count] = found;
	if (!object)
		__atomic_store_n(&object_count, object_count + 1, __ATOMIC_RELEASE);
	__atomic_fetch_add(&version, 1, __ATOMIC_SEQ_CST);
	planted = planted ? planted : coverage_starts();
	if (coverage_active())
		plant(&found);
}
