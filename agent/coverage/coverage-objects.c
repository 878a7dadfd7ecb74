/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that a process has mapped, and the breakpoints in them. */
#include "agent/coverage/coverage-agent.h"

#include <link.h>
#include <sys/syscall.h>

/* Objects with places that a process has mapped, at most. */
#define OBJECTS 1024
/* Bytes that are written at once. */
#define SPAN 256

static struct coverage_object objects[OBJECTS];
static uint64_t object_count;
static uint64_t version; /* odd while objects are changed */
static uint64_t planted; /* coverage_starts when all was planted last */

/* How often the loader waits for threads that go through objects; one may have left by longjmp. */
#define WAITS 10000

void coverage_loading(bool begins)
{
	__atomic_store_n(&coverage_process->loading, begins, __ATOMIC_SEQ_CST);
	for (int i = 0;
	     begins && i < WAITS && __atomic_load_n(&coverage_process->visitors, __ATOMIC_SEQ_CST); i++)
		coverage_call(SYS_sched_yield, 0, 0, 0, 0);
}

/* Begin to go through objects that the loader must not unmap meanwhile; false: it is at work. */
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

/* What stands at an address. */
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

/* Bytes to be written together. */
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

/* Change what stands at an address, which is above those before it. */
static void change(struct span *span, uint64_t address, uint32_t bytes)
{
	uint64_t end = address + COVERAGE_BREAK_SIZE;

	if (span->size && end - span->start > SPAN)
		write_span(span);
	if (!span->size)
		span->start = address;
	/* What lies between is written as it is: other breakpoints of it may go meanwhile, and come
	   back by this, which does no harm. */
	memcpy(span->bytes + span->size, (const char *)span->start + span->size,
	       address - span->start - span->size);
	memcpy(span->bytes + (address - span->start), &bytes, COVERAGE_BREAK_SIZE);
	span->size = end - span->start;
}

/* Plant into what is not marked of an object. */
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

/* Take away breakpoints of an object's marked places. */
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

/* The place of an object at an address; its count: none. */
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
		abort(); /* it would never get past the breakpoint */
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

/* Whether an object, gone or not, lies at base and is that of an entry. */
static struct coverage_object *known_object(uint64_t base, const struct coverage_object *found)
{
	for (uint64_t i = 0; i < object_count; i++)
		if (objects[i].base == base && objects[i].entry == found->entry)
			return &objects[i];
	return NULL;
}

/* Whether an object lies at base that is there since the last look. */
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
