/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path of an event: what must precede it in the lane (the sums that the
 * thread has tallied, functions that have begun and are not written, an anchor) is
 * written first. And the end of a lane, after which nothing is written.
 */
#include "agent/events/event-lane.h"
#include "agent/events/event-chunks.h"
#include "agent/events/event-noted.h"
#include "agent/events/event-tally.h"

#include <signal.h>
#include <stddef.h>

/* Writes a function that has begun in a pause. */
static void put_begun(struct event_lane *lane, uint64_t key, uint64_t now)
{
	struct event_slot *at = event_lane_room(lane, 1);

	if (!at)
		return;
	at->word = now;
	__atomic_store_n(&at->mark, EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | EVENT_VALUE(key), __ATOMIC_RELEASE);
}

/* Return the index of the first noted function that is not written, or of the next note. */
static uint64_t first_of_noted(const struct event_lane *lane)
{
	uint64_t at = !lane->noted ? 0 : lane->noted_count < EVENT_NOTED ? lane->noted_count : EVENT_NOTED;

	while (at && !(lane->noted[at - 1].function & EVENT_NOTED_WRITTEN))
		at--;
	return at;
}

static uint64_t first_of_calls(const struct event_lane *lane)
{
	uint64_t at = lane->calls ? lane->depth : 0;

	while (at && !(lane->calls[at - 1].key & EVENT_NOTED_WRITTEN))
		at--;
	return at;
}

/*
 * Writes the noted functions that have begun and are not written, the oldest first.
 * One whose note is incomplete, because a signal came, is written before a later
 * event.
 */
static void put_all_begun(struct event_lane *lane, uint64_t now)
{
	uint64_t noted = first_of_noted(lane), calls = first_of_calls(lane), place, *function;

	lane->quiet = 0;
	for (;;) {
		bool is_noted = lane->noted && noted < lane->noted_count && noted < EVENT_NOTED;
		bool is_call = lane->calls && calls < lane->depth;

		if (!is_noted && !is_call)
			return;
		if (is_noted && is_call)
			is_noted = lane->noted[noted].place > lane->calls[calls].place;
		place = is_noted ? lane->noted[noted].place : lane->calls[calls].place;
		function = is_noted ? &lane->noted[noted++].function : &lane->calls[calls++].key;
		if (!place)
			lane->quiet = 1;
		if (!place || !*function || *function & EVENT_NOTED_WRITING)
			continue;
		event_noted_set(function, EVENT_NOTED_WRITTEN);
		put_begun(lane, event_noted_function(*function), now);
	}
}

/* Writes count slots, of an event at now, with signals blocked; the first one's mark last. */
static void write_slow(const struct event_slot *slots, uint64_t count, uint64_t now)
{
	struct event_slot *at;
	uint64_t cpu = event_thread_cpu();
	sigset_t all, before;
	int saved = errno;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (event_has_monitor() && event_lane_begin() && event_lane->quiet) {
		event_tally_close(event_lane, &now, &cpu);
		put_all_begun(event_lane, now);
	}
	if (event_has_monitor() && event_lane_begin() && (at = event_lane_anchor(event_lane, &now, &cpu, count))) {
		at->word = now;
		memcpy(at + 1, slots + 1, (count - 1) * sizeof(*slots));
		__atomic_store_n(&at->mark, slots->mark, __ATOMIC_RELEASE);
		event_lane->own += event_lane_used(now, cpu);
		event_lane->may_tally |= event_tallies && now >= event_lane->tally_again;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
}

void event_lane_settle(struct event_lane *lane)
{
	uint64_t now, cpu;
	sigset_t all, before;

	if (!lane->tallying[false] && !lane->tallying[true])
		return;
	now = event_ticks();
	cpu = event_thread_cpu();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (lane->number && event_active()) {
		event_tally_close(lane, &now, &cpu);
		put_all_begun(lane, now);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void event_write_anchored(uint64_t mark, uint64_t now)
{
	struct event_slot slot = { now, mark };

	write_slow(&slot, 1, now);
}

void event_write_by_clock(uint64_t mark)
{
	event_write_at(mark, event_ticks());
}

void event_write_data(uint64_t mark, const void *data, size_t length)
{
	struct event_slot slots[1 + EVENT_TEXT_MAX / sizeof(struct event_slot)];
	uint64_t now = event_ticks(), more;

	if (length > EVENT_TEXT_MAX)
		length = EVENT_TEXT_MAX;
	more = (length + sizeof(*slots) - 1) / sizeof(*slots);
	slots[0] = (struct event_slot){ now, mark };
	if (more)
		slots[more] = (struct event_slot){ 0, 0 };
	memcpy(slots + 1, data, length);
	write_slow(slots, 1 + more, now);
}

void event_write_text(enum event_mark mark, int32_t number, const char *text)
{
	size_t length = text ? strnlen(text, EVENT_TEXT_MAX) : 0;
	uint64_t more = (length + sizeof(struct event_slot) - 1) / sizeof(struct event_slot);

	event_write_data((uint64_t)mark | EVENT_DATA(more, length, number), text ? text : "", length);
}

uint64_t event_lane_try(void (*trial)(void), struct event_slot *slots, size_t size, int times)
{
	struct event_lane *own = event_lane, lane = { .number = 1 };
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < times; i++) {
		uint64_t start = event_ticks(), passed;

		lane.cursor = (uint64_t)slots;
		lane.limit = lane.cursor + size;
		lane.last = lane.anchored = start;
		event_lane = &lane;
		trial();
		event_lane = own;
		passed = event_ticks() - start;
		best = passed < best ? passed : best;
	}
	return best;
}

/* Events per trial, and the number of trials. */
#define MEASURED 128
_Static_assert(2 * MEASURED * sizeof(struct event_slot) <= EVENT_CHUNK_SIZE_SMALL, "a trial fits a chunk");
#define MEASUREMENTS 4

static void write_nothing(void)
{
	for (int i = 0; i < MEASURED; i++)
		event_write(EVENT_MARK_VOID);
}

void event_lane_measure(void)
{
	static struct event_slot slots[2 * MEASURED];
	uint64_t best = event_lane_try(write_nothing, slots, sizeof(slots), MEASUREMENTS);

	__atomic_store_n(&event_area->cost, best * 256 / MEASURED, __ATOMIC_RELAXED);
}

/*
 * Clears a lane except for the memory of its notes. It stays taken meanwhile:
 * other threads look at that word.
 */
static void clear(struct event_lane *lane)
{
	const size_t taken = offsetof(struct event_lane, taken), behind = taken + sizeof(lane->taken);
	struct event_noted *noted = lane->noted;
	struct event_call *calls = lane->calls;

	memset(lane, 0, taken);
	memset((char *)lane + behind, 0, sizeof(*lane) - behind);
	lane->noted = noted;
	lane->calls = calls;
}

void event_lane_end(void)
{
	struct event_lane *lane = event_lane;
	sigset_t all, before;

	if (lane == &event_no_lane || !lane->number)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	event_count_up(lane);
	event_tally_leave(lane);
	event_chunk_leave(lane);
	/* A later event begins another lane. */
	event_lane = &event_no_lane;
	event_calls_end(lane);
	clear(lane);
	__atomic_store_n(&lane->taken, 0, __ATOMIC_RELEASE);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
