/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the ring of changes for events. */
#include "common/compat.h"
#include "events/changes.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A change that was begun and never written (its writer was killed) is given up after this. */
#define UNWRITTEN_PATIENCE (1 * NSEC_PER_SEC)

/* Map the area; NULL when it is none. */
static const struct transaction_area *map_area(const char *path, size_t *size)
{
	const struct transaction_area *area;
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	RETURN_IF(fd < 0, NULL);
	if (fstat(fd, &status) < 0 || status.st_size < (off_t)sizeof(*area)) {
		close(fd);
		return NULL;
	}
	*size = (size_t)status.st_size;
	area = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	RETURN_IF(area == MAP_FAILED, NULL);
	if (area->magic == TRANSACTION_AREA_MAGIC &&
	    *size >= sizeof(*area) + TRANSACTION_AREA_SLOTS * sizeof(area->changes[0]))
		return area;
	munmap((void *)(uintptr_t)area, *size);
	return NULL;
}

void event_changes_init(struct event_changes *changes, const char *path)
{
	*changes = (struct event_changes){ .next_id = EVENT_IDS_FIRST };
	strmap_init(&changes->names);
	idmap_init(&changes->by_tid);
	if (path)
		changes->area = map_area(path, &changes->size);
}

void event_changes_release(struct event_changes *changes)
{
	if (changes->area)
		munmap((void *)(uintptr_t)changes->area, changes->size);
	for (size_t i = 0; i < changes->thread_count; i++) {
		free(changes->threads[i]->items);
		free(changes->threads[i]);
	}
	free(changes->threads);
	free(changes->transactions);
	free(changes->pauses);
	strmap_release(&changes->names);
	idmap_release(&changes->by_tid);
}

static struct event_thread_changes *get_thread(struct event_changes *changes, pid_t tid)
{
	struct event_thread_changes *thread;
	uint64_t index;

	if (idmap_get(&changes->by_tid, (uint64_t)tid, &index))
		return changes->threads[index];
	thread = xcalloc(1, sizeof(*thread));
	GROW(changes->threads, changes->thread_count + 1, changes->thread_alloc);
	idmap_put(&changes->by_tid, (uint64_t)tid, changes->thread_count);
	changes->threads[changes->thread_count++] = thread;
	return thread;
}

/* The number of a name, with its place among the transactions. */
static uint32_t get_transaction(struct event_changes *changes, const char *name)
{
	uint32_t number = strmap_put(&changes->names, name);
	size_t before = changes->transaction_alloc;

	GROW(changes->transactions, (size_t)number + 1, changes->transaction_alloc);
	if (changes->transaction_alloc > before)
		memset(changes->transactions + before, 0,
		       (changes->transaction_alloc - before) * sizeof(*changes->transactions));
	return number;
}

/* Thread tid goes over to a transaction. */
static void change(struct event_changes *changes, pid_t tid, uint64_t time, const char *name)
{
	struct event_thread_changes *thread = get_thread(changes, tid);
	uint32_t number = get_transaction(changes, name);
	const struct event_change *last = thread->count ? &thread->items[thread->count - 1] : NULL;

	if (last && time > last->time) {
		changes->transactions[last->transaction].elapsed += time - last->time;
		changes->transactions[last->transaction].changed = true;
	}
	if (number) {
		changes->transactions[number].count++;
		changes->transactions[number].changed = true;
	}
	GROW(thread->items, thread->count + 1, thread->alloc);
	thread->items[thread->count++] = (struct event_change){ time, number };
}

/* Copy the change of a ticket; false when it is not there, or not any more. */
static bool read_change(const struct event_changes *changes, uint64_t ticket,
			struct transaction_change *copy)
{
	const struct transaction_change *at =
		&changes->area->changes[ticket & (TRANSACTION_AREA_SLOTS - 1)];

	RETURN_IF(__atomic_load_n(&at->sequence, __ATOMIC_ACQUIRE) != ticket + 1, false);
	memcpy(copy, at, sizeof(*copy));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	copy->name[TRANSACTION_AREA_NAME - 1] = '\0';
	return __atomic_load_n(&at->sequence, __ATOMIC_RELAXED) == ticket + 1;
}

/* The next change is begun and not written: whether who began it is given up, having been killed. */
static bool give_up(struct event_changes *changes)
{
	uint64_t now = clock_monotonic_ns();

	if (!changes->stuck)
		changes->stuck = now;
	if (now - changes->stuck < UNWRITTEN_PATIENCE)
		return false;
	changes->stuck = 0;
	return true;
}

void event_changes_advance(struct event_changes *changes)
{
	struct transaction_change copy;
	uint64_t end;

	if (!changes->area || changes->overwritten)
		return;
	end = __atomic_load_n(&changes->area->next, __ATOMIC_ACQUIRE);
	changes->overwritten = !transaction_area_whole(changes->next, end);
	if (changes->overwritten)
		return;
	/* What was overtaken is lost: a ring of 65536, read every few milliseconds. */
	if (end - changes->next > TRANSACTION_AREA_SLOTS)
		changes->next = end - TRANSACTION_AREA_SLOTS;
	for (; changes->next < end; changes->next++) {
		if (!read_change(changes, changes->next, &copy)) {
			if (give_up(changes))
				continue;
			return;
		}
		changes->stuck = 0;
		if (strcmp(copy.name, TRANSACTION_PAUSE) == 0) {
			GROW(changes->pauses, changes->pause_count + 1, changes->pause_alloc);
			changes->pauses[changes->pause_count++] = copy.time;
		} else if (strcmp(copy.name, TRANSACTION_START) == 0) {
			changes->started = copy.time;
		} else if (copy.name[0] != TRANSACTION_SWITCH) {
			change(changes, (pid_t)copy.tid, copy.time, copy.name);
		}
	}
}

uint32_t event_changes_at(struct event_changes *changes, pid_t tid, uint64_t time)
{
	struct event_thread_changes *thread;
	uint64_t index;

	if (!changes->thread_count || !idmap_get(&changes->by_tid, (uint64_t)tid, &index))
		return 0;
	thread = changes->threads[index];
	while (thread->taken < thread->count && thread->items[thread->taken].time <= time)
		thread->taken++;
	return thread->taken ? thread->items[thread->taken - 1].transaction : 0;
}

void event_changes_rows(struct event_changes *changes, struct engine *engine,
			struct snapshot *snapshot)
{
	const struct recordset *known = snapshot_records(snapshot, RECORD_TRANSACTION);

	for (size_t i = 0; i < known->count; i++) {
		const struct record_transaction *row = recordset_get(known, i);
		uint32_t number = strmap_find(
			&changes->names, strmap_text(engine_strings(engine), (uint32_t)row->name));

		if (number != UINT32_MAX && number && row->transaction < EVENT_IDS_FIRST)
			changes->transactions[number].id = row->transaction;
	}
	for (uint32_t i = 1; i < changes->names.count; i++) {
		struct event_transaction *one = &changes->transactions[i];
		struct record_transaction row = { .count = one->count, .elapsed = one->elapsed };

		if (!one->id)
			one->id = changes->next_id++;
		if (one->id < EVENT_IDS_FIRST || !one->changed)
			continue;
		one->changed = false;
		row.transaction = one->id;
		row.name = engine_string(engine, strmap_text(&changes->names, i));
		recordset_add(snapshot_set(snapshot, RECORD_TRANSACTION), &row);
	}
}

uint64_t event_changes_id(const struct event_changes *changes, uint64_t number)
{
	return number && number < changes->names.count ? changes->transactions[number].id : 0;
}
