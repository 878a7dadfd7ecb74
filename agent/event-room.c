/* SPDX-License-Identifier: Apache-2.0 */
/* Takes chunks of the data pool, and waits for room. */
#include "agent/event-room.h"

#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How long a thread sleeps before it looks whether there is still a monitor. */
#define LOOK_AFTER 100000000

static const char *area_path;
static uint64_t area_device, area_file;

void event_room_watch(const char *path, uint64_t device, uint64_t file)
{
	area_path = path;
	area_device = device;
	area_file = file;
}

/* Whether there is a monitor: the area is one of its open files. */
static bool is_watched(void)
{
	struct stat status;

	return stat(area_path, &status) == 0 && status.st_dev == area_device &&
	       status.st_ino == area_file;
}

static struct event_chunk *chunk_at(uint64_t chunk)
{
	return (struct event_chunk *)((char *)event_area + event_area->chunks) + chunk;
}

/* Claim chunk for a lane; false when it is somebody's. */
static bool claim(struct event_lane *lane, uint64_t chunk)
{
	struct event_chunk *at = chunk_at(chunk);
	uint64_t none = 0, address;

	if (__atomic_load_n(&at->owner, __ATOMIC_RELAXED) ||
	    !__atomic_compare_exchange_n(&at->owner, &none, lane->number, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return false;
	at->pid = lane->pid;
	at->tid = lane->tid;
	__atomic_store_n(&at->sequence, ++lane->sequence, __ATOMIC_RELEASE);
	address = (uint64_t)((char *)event_area + event_chunk_at(event_area, chunk));
	lane->chunk = chunk;
	__atomic_store_n(&lane->cursor, address, __ATOMIC_RELAXED);
	__atomic_store_n(&lane->limit, address + event_chunk_size, __ATOMIC_RELAXED);
	return true;
}

/* Claim any free chunk, the lowest as a rule; false when none is free. */
static bool claim_any(struct event_lane *lane)
{
	struct event_area *area = event_area;
	uint64_t from = __atomic_load_n(&area->hint, __ATOMIC_RELAXED), most;

	for (uint64_t i = 0; i < area->chunk_count; i++) {
		uint64_t chunk = (from + i) % area->chunk_count;

		if (!claim(lane, chunk))
			continue;
		__atomic_store_n(&area->hint, chunk + 1, __ATOMIC_RELAXED);
		most = __atomic_load_n(&area->most, __ATOMIC_RELAXED);
		while (most <= chunk &&
		       !__atomic_compare_exchange_n(&area->most, &most, chunk + 1, false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
		return true;
	}
	return false;
}

/* Sleep until something was read, or it is time to look; false: nobody reads any more. */
static bool wait_for_room(uint32_t seen)
{
	const struct timespec longest = { 0, LOOK_AFTER };

	__atomic_fetch_add(&event_area->waiting, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &event_area->room, FUTEX_WAIT, seen, &longest, NULL, 0);
	__atomic_fetch_sub(&event_area->waiting, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&event_area->state, __ATOMIC_RELAXED) == EVENT_STATE_OFF)
		return false;
	if (is_watched())
		return true;
	__atomic_store_n(&event_area->state, EVENT_STATE_OFF, __ATOMIC_RELAXED);
	return false;
}

/* The lane's chunk is full: leave it to the reader. */
static void leave_full(struct event_lane *lane)
{
	lane->limit = 0;
	__atomic_fetch_add(&event_area->full, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&chunk_at(lane->chunk)->end, event_chunk_size, __ATOMIC_RELEASE);
}

bool event_room_next(struct event_lane *lane)
{
	struct event_area *area = event_area;
	uint64_t began = 0;
	bool found;

	if (lane->limit)
		leave_full(lane);
	for (;;) {
		uint32_t seen = __atomic_load_n(&area->room, __ATOMIC_ACQUIRE);

		found = __atomic_load_n(&area->full, __ATOMIC_RELAXED) <= area->pool_chunks &&
			claim_any(lane);
		if (found)
			break;
		if (!began) {
			began = event_ticks();
			__atomic_fetch_add(&area->waits, 1, __ATOMIC_RELAXED);
		}
		if (!wait_for_room(seen))
			break;
	}
	if (began)
		__atomic_fetch_add(&area->wait_time, event_ticks() - began, __ATOMIC_RELAXED);
	return found;
}

void event_room_leave(struct event_lane *lane)
{
	uint64_t start = (uint64_t)((char *)event_area + event_chunk_at(event_area, lane->chunk));
	uint64_t used = lane->cursor - start;

	if (!lane->limit)
		return;
	if (used >= event_chunk_size)
		used = event_chunk_size - sizeof(struct event_slot);
	__atomic_fetch_add(&event_area->full, 1, __ATOMIC_RELAXED);
	/* Less than the chunk: the lane is over. 1 where nothing was written. */
	__atomic_store_n(&chunk_at(lane->chunk)->end, used ? used : 1, __ATOMIC_RELEASE);
}
