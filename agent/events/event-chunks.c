/* SPDX-License-Identifier: Apache-2.0 */
/* Takes chunks of the data pool, and waits for space. */
#include "agent/events/event-chunks.h"
#include "agent/agent-wait.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Number of a thread's first chunks after which it wakes up the monitor, if there are
 * filters of programs: until the monitor has read the first call of a function that
 * they block, each call of it is written. Otherwise the monitor would look only after
 * some ms.
 */
#define EARLY_CHUNKS 4
/* ns a thread sleeps before it checks whether the monitor is still alive. */
#define MONITOR_CHECK_NS 100000000

static const char *area_path;
static uint64_t area_device, area_file;

void event_chunk_set_monitor(const char *path, uint64_t device, uint64_t file)
{
	area_path = path;
	area_device = device;
	area_file = file;
}

/* The monitor is alive if the area is one of its open files. */
bool event_chunk_monitor_alive(void)
{
	struct stat status;

	return stat(area_path, &status) == 0 && status.st_dev == area_device &&
	       status.st_ino == area_file;
}

int event_chunk_open(uint32_t number, int flags)
{
	const char *slash = area_path ? strrchr(area_path, '/') : NULL;
	char path[PATH_MAX], digits[12];
	size_t length = 0, at = sizeof(digits);

	if (!slash || (size_t)(slash + 1 - area_path) + sizeof(digits) >= sizeof(path))
		return -1;
	digits[--at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	length = (size_t)(slash + 1 - area_path);
	memcpy(path, area_path, length);
	memcpy(path + length, digits + at, sizeof(digits) - at);
	return open(path, flags | O_CLOEXEC | O_NOCTTY);
}

void event_chunk_ring(void)
{
	int fd = event_area->bell ? event_chunk_open(event_area->bell, O_WRONLY | O_NONBLOCK) : -1;

	if (fd < 0)
		return;
	/* A full pipe wakes it up, too. */
	if (write(fd, "", 1) < 0)
		errno = 0;
	close(fd);
}

static struct event_chunk *chunk_at(uint64_t chunk)
{
	return (struct event_chunk *)((char *)event_area + event_area->chunks) + chunk;
}

/* Claims chunk for a lane; returns false if it has an owner. */
static bool claim(struct event_lane *lane, uint64_t chunk)
{
	struct event_area *area = event_area;
	struct event_chunk *at = chunk_at(chunk);
	uint64_t none = 0, address, most = __atomic_load_n(&area->most, __ATOMIC_RELAXED);
	struct event_chunk_set claimed;

	if (__atomic_load_n(&at->owner, __ATOMIC_RELAXED) ||
	    !__atomic_compare_exchange_n(&at->owner, &none, lane->number, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return false;
	lane->filled += event_chunk_size;
	at->pid = lane->pid;
	at->tid = lane->tid;
	__atomic_store_n(&at->sequence, ++lane->sequence, __ATOMIC_RELEASE);
	while (most <= chunk &&
	       !__atomic_compare_exchange_n(&area->most, &most, chunk + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	claimed = event_area_set(area, area->claimed_set);
	event_chunk_set_add(&claimed, chunk);
	address = (uint64_t)((char *)area + event_chunk_at(area, chunk));
	lane->chunk = chunk;
	__atomic_store_n(&lane->cursor, address, __ATOMIC_RELAXED);
	__atomic_store_n(&lane->limit, address + event_chunk_size, __ATOMIC_RELAXED);
	return true;
}

/*
 * Claims any free chunk, usually the lowest: its memory is the one most likely in
 * the processor's cache. Returns false if none is free.
 */
static bool claim_any(struct event_lane *lane)
{
	const struct event_chunk_set set = event_area_set(event_area, event_area->free_set);
	uint64_t chunk;

	while (event_chunk_set_take(&set, &chunk))
		if (claim(lane, chunk))
			return true;
	/* Those that killed threads have taken out of the set and not claimed. */
	for (chunk = 0; chunk < set.count; chunk++)
		if (claim(lane, chunk))
			return true;
	return false;
}

/*
 * Returns whether a lane may fill another chunk though others wait, which are woken
 * up in turn: they do not wait longer for it if all of them are woken up at once.
 */
static bool has_its_turn(const struct event_lane *lane)
{
	return lane->filled < EVENT_TURN || __atomic_load_n(&event_area->waiting, __ATOMIC_RELAXED) <= EVENT_WOKEN_MIN;
}

/*
 * Sleeps until it is the thread's turn, or the monitor is to be checked; returns
 * false if there is no reader any more.
 */
static bool wait_for_space(struct event_lane *lane, uint32_t seen)
{
	const struct timespec longest = { 0, MONITOR_CHECK_NS };

	/* The monitor subtracts whom it wakes up, and sets it right when nobody is left. */
	__atomic_fetch_add(&event_area->waiting, 1, __ATOMIC_SEQ_CST);
	agent_wait(&event_area->space, seen, &longest);
	lane->filled = 0;
	if (__atomic_load_n(&event_area->state, __ATOMIC_RELAXED) == EVENT_STATE_OFF)
		return false;
	if (event_chunk_monitor_alive())
		return true;
	__atomic_store_n(&event_area->state, EVENT_STATE_OFF, __ATOMIC_RELAXED);
	event_area_set_gate(event_area);
	return false;
}

/*
 * Leaves a chunk, filled up to end, to the reader, and counts it. A thread killed
 * in between has left a chunk that is not counted, and so takes no space from
 * others.
 */
static void leave(struct event_lane *lane, uint64_t end)
{
	struct event_area *area = event_area;
	int64_t full, most = __atomic_load_n(&area->full_max, __ATOMIC_RELAXED);

	__atomic_store_n(&chunk_at(lane->chunk)->end, end, __ATOMIC_RELEASE);
	full = __atomic_add_fetch(&area->full, 1, __ATOMIC_RELAXED);
	while (most < full && !__atomic_compare_exchange_n(&area->full_max, &most, full, false,
							   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Leaves the lane's full chunk to the reader. */
static void leave_full(struct event_lane *lane)
{
	lane->limit = 0;
	leave(lane, event_chunk_size);
	if (lane->sequence <= EARLY_CHUNKS && event_area->filter_count)
		event_chunk_ring();
}

/*
 * After a wait, in a new chunk that is still empty: writes since when it lasted,
 * so that it counts for no event. Call with signals blocked. began: ticks, and the
 * CPU time then; CPU time used since is the agent's.
 */
static void write_wait(struct event_lane *lane, uint64_t began, uint64_t cpu)
{
	struct event_slot *at = (struct event_slot *)lane->cursor;

	__atomic_store_n(&lane->cursor, lane->cursor + 2 * sizeof(*at), __ATOMIC_RELAXED);
	at[0].word = cpu;
	at[1].word = began;
	__atomic_store_n(&at[0].mark, EVENT_MARK_ANCHOR | EVENT_VALUE(lane->own), __ATOMIC_RELEASE);
	__atomic_store_n(&at[1].mark, EVENT_MARK_WAITED, __ATOMIC_RELEASE);
	lane->own = 0;
	lane->waited = cpu + 1;
}

/* Counts a wait that is over. If everything was read meanwhile, both sides wait in turn. */
static void count_wait(uint64_t ticks)
{
	struct event_area *area = event_area;

	__atomic_fetch_add(&area->wait_time, ticks, __ATOMIC_RELAXED);
	if (__atomic_load_n(&area->full, __ATOMIC_RELAXED) <= 0)
		__atomic_fetch_add(&area->empty_after_full, 1, __ATOMIC_RELAXED);
}

bool event_chunk_next(struct event_lane *lane)
{
	struct event_area *area = event_area;
	uint64_t began = 0, cpu = 0;
	bool found;

	if (lane->limit)
		leave_full(lane);
	for (;;) {
		uint32_t seen = __atomic_load_n(&area->space, __ATOMIC_ACQUIRE);

		found = has_its_turn(lane) &&
			__atomic_load_n(&area->full, __ATOMIC_RELAXED) <= (int64_t)area->pool_chunks &&
			claim_any(lane);
		if (found)
			break;
		if (!began) {
			began = event_ticks();
			cpu = event_thread_cpu();
			__atomic_fetch_add(&area->waits, 1, __ATOMIC_RELAXED);
		}
		if (!wait_for_space(lane, seen))
			break;
	}
	if (began)
		count_wait(event_ticks() - began);
	if (began && found)
		write_wait(lane, began, cpu);
	return found;
}

void event_chunk_leave(struct event_lane *lane)
{
	uint64_t start = (uint64_t)((char *)event_area + event_chunk_at(event_area, lane->chunk));
	uint64_t used = lane->cursor - start;

	if (!lane->limit)
		return;
	if (used >= event_chunk_size)
		used = event_chunk_size - sizeof(struct event_slot);
	/* Less than the chunk size: the lane ends. 1 if nothing was written. */
	leave(lane, used ? used : 1);
}
