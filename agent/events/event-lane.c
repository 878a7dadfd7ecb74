/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events into the data pool. */
#include "agent/events/event-lane.h"
#include "agent/events/event-chunks.h"

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
bool event_lane_begin(void)
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
