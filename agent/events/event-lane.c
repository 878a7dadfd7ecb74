/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events into the data pool. */
#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"
#include "agent/events/event-chunks.h"
#include "agent/events/event-tally.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of a page of lanes, the unit of allocation. */
#define LANES_SIZE 65536

/* Lanes of this process. A forked child finds the page cleared, and makes its own lanes. */
struct lane_page {
	uint64_t made; /* 1; 0 in a child */
	struct lane_page *next;
	struct event_lane lanes[];
};

#define LANES_IN_PAGE ((LANES_SIZE - sizeof(struct lane_page)) / sizeof(struct event_lane))

static struct lane_page *lane_pages;
static pthread_key_t thread_key;
static bool has_key;

void event_lane_key(pthread_key_t key)
{
	thread_key = key;
	has_key = true;
}

/* Takes a free lane of a page; returns NULL if none is free. */
static struct event_lane *take_lane(struct lane_page *page)
{
	for (size_t i = 0; i < LANES_IN_PAGE; i++)
		if (!__atomic_load_n(&page->lanes[i].taken, __ATOMIC_RELAXED) &&
		    !__atomic_exchange_n(&page->lanes[i].taken, 1, __ATOMIC_ACQUIRE))
			return &page->lanes[i];
	return NULL;
}

/* Takes a free lane, allocating a page if needed; returns NULL on failure. */
static struct event_lane *new_lane(void)
{
	struct lane_page *first = __atomic_load_n(&lane_pages, __ATOMIC_ACQUIRE), *page;
	struct event_lane *lane;

	if (first && !first->made)
		first = NULL;
	for (page = first; page; page = page->next)
		if ((lane = take_lane(page)))
			return lane;
	page = mmap(NULL, LANES_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, LANES_SIZE, MADV_WIPEONFORK)) {
		munmap(page, LANES_SIZE);
		return NULL;
	}
	*page = (struct lane_page){ .made = 1, .next = first };
	lane = take_lane(page);
	/*
	 * If two threads get here at once only one page is kept for reuse; the lane in the
	 * other is valid, too.
	 */
	__atomic_store_n(&lane_pages, page, __ATOMIC_RELEASE);
	return lane;
}

/*
 * Gives the thread a lane, unless it has one; call with signals blocked. Returns
 * false if it gets none.
 */
static bool begin_lane(void)
{
	struct event_lane *lane = event_lane;

	if (lane != &event_no_lane && lane->number)
		return true;
	/* A cleared lane belongs to this thread: the process has forked. */
	if (lane == &event_no_lane)
		lane = new_lane();
	if (!lane)
		return false;
	lane->pid = (uint32_t)getpid();
	lane->tid = (uint32_t)syscall(SYS_gettid);
	lane->number = __atomic_add_fetch(&event_area->lanes, 1, __ATOMIC_RELAXED);
	lane->limit = 0;
	event_lane = lane;
	if (has_key)
		pthread_setspecific(thread_key, (void *)1);
	return true;
}

/* Fills what a reservation that does not fit has taken at the end of its chunk, or of the next. */
static void give_up(struct event_lane *lane, uint64_t limit, uint64_t place, uint64_t bytes)
{
	uint64_t now = lane->limit, end;

	if (limit - place <= event_chunk_size)
		end = limit;
	else if (now - place <= event_chunk_size)
		end = now - place < bytes ? now : place + bytes;
	else
		return;
	for (; place < end; place += sizeof(struct event_slot))
		__atomic_store_n(&((struct event_slot *)place)->mark, EVENT_MARK_VOID,
				 __ATOMIC_RELEASE);
}

/*
 * Reserves bytes, in another chunk if this one is full; returns 0 if there will be
 * no space any more.
 */
static uint64_t reserve(struct event_lane *lane, uint64_t bytes)
{
	for (;;) {
		uint64_t limit = __atomic_load_n(&lane->limit, __ATOMIC_RELAXED);
		uint64_t place = event_reserve(lane, bytes);

		if (event_fits(limit, place, bytes))
			return place;
		give_up(lane, limit, place, bytes);
		if (!event_chunk_next(lane))
			return 0;
	}
}

struct event_slot *event_lane_room(struct event_lane *lane, uint64_t slots)
{
	return (struct event_slot *)reserve(lane, slots * sizeof(struct event_slot));
}

/*
 * Writes the anchor before an event at now, with the thread's CPU time; the slots
 * after it are the event's. If the event had to wait for space it gets the time at
 * which it got it: the wait counts for no event (event-chunks.c).
 */
struct event_slot *event_lane_anchor(struct event_lane *lane, uint64_t *now, uint64_t *cpu, uint64_t slots)
{
	struct event_slot *at =
		(struct event_slot *)reserve(lane, (slots + 1) * sizeof(struct event_slot));
	uint64_t own = lane->own;

	if (!at)
		return NULL;
	if (lane->waited) {
		*now = event_ticks();
		*cpu = event_thread_cpu();
		own = (*cpu + 1 - lane->waited) * event_gap / EVENT_GAP_NS;
		lane->waited = 0;
	}
	at->word = *cpu;
	lane->own = 0;
	lane->last = *now;
	lane->anchored = lane->quiet ? 0 : *now;
	__atomic_store_n(&at->mark, EVENT_MARK_ANCHOR | EVENT_VALUE(own), __ATOMIC_RELEASE);
	return at + 1;
}

/*
 * Returns the ticks of CPU time used here since now, when the thread had used cpu.
 * The CPU time is read only if so much time has passed that part of it must have
 * been a wait.
 */
uint64_t event_lane_used(uint64_t now, uint64_t cpu)
{
	uint64_t passed = event_ticks() - now;

	if (passed <= event_gap)
		return passed;
	return (event_thread_cpu() - cpu) * event_gap / EVENT_GAP_NS;
}

/* Writes a function that has begun in a pause. */
static void put_begun(struct event_lane *lane, uint64_t key, uint64_t now)
{
	struct event_slot *at = (struct event_slot *)reserve(lane, sizeof(*at));

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
void event_lane_put_begun(struct event_lane *lane, uint64_t now)
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
	if (event_has_monitor() && begin_lane() && event_lane->quiet) {
		event_tally_close(event_lane, &now, &cpu);
		event_lane_put_begun(event_lane, now);
	}
	if (event_has_monitor() && begin_lane() && (at = event_lane_anchor(event_lane, &now, &cpu, count))) {
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
		event_lane_put_begun(lane, now);
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

/* Events per measurement, and the number of measurements of which the best is used. */
#define MEASURED 128
_Static_assert(2 * MEASURED * sizeof(struct event_slot) <= EVENT_CHUNK_SIZE_SMALL, "a trial fits a chunk");
#define MEASUREMENTS 4

void event_lane_measure(void)
{
	/* Space for an anchor before each: the trial must never ask for a chunk of the pool. */
	static struct event_slot slots[2 * MEASURED];
	struct event_lane *own = event_lane, trial = { .number = 1 };
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < MEASUREMENTS; round++) {
		uint64_t start = event_ticks(), passed;

		trial.cursor = (uint64_t)slots;
		trial.limit = trial.cursor + sizeof(slots);
		trial.last = trial.anchored = start;
		event_lane = &trial;
		for (int i = 0; i < MEASURED; i++)
			event_write(EVENT_MARK_VOID);
		event_lane = own;
		passed = event_ticks() - start;
		best = passed < best ? passed : best;
	}
	__atomic_store_n(&event_area->cost, best * 256 / MEASURED, __ATOMIC_RELAXED);
}

/* Adds statements of a program to the area's count. */
static void add_count(uint64_t program, uint64_t count)
{
	struct event_area *area = event_area;
	uint64_t *counts = (uint64_t *)((char *)area + area->counts);

	if (!count)
		return;
	__atomic_fetch_add(&area->counted, count, __ATOMIC_RELAXED);
	if (program < EVENT_NAMES)
		__atomic_fetch_add(&counts[program], count, __ATOMIC_RELAXED);
}

void event_count_up(struct event_lane *lane)
{
	add_count(lane->counting, __atomic_exchange_n(&lane->counted, 0, __ATOMIC_RELAXED));
}

void event_count_other(struct event_lane *lane, uint32_t program)
{
	/* event_no_lane is shared by all threads that have none. */
	if (!lane->number) {
		add_count(program, 1);
		return;
	}
	event_count_up(lane);
	lane->counting = program;
	lane->counted = 1;
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
