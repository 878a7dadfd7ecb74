/* SPDX-License-Identifier: Apache-2.0 */
/* Visits to files on a tape. */
#include "common/compat.h"
#include "sampler/recording/tape-visits.h"
#include "common/hash.h"
#include "common/xalloc.h"

#include <fcntl.h>

/* Visits of one call that are searched for a path, and entries that a visit may take. */
#define SEARCHED 4096
#define ENTRIES_MAX 10000

void tape_visits_init(struct tape_visits *visits)
{
	memset(visits, 0, sizeof(*visits));
	idmap_init(&visits->last);
}

void tape_visits_release(struct tape_visits *visits)
{
	free(visits->parts);
	free(visits->items);
	free(visits->visitors);
	idmap_release(&visits->last);
}

void tape_visits_next(struct tape_visits *visits)
{
	for (; visits->present < visits->count; visits->present++)
		idmap_put(&visits->last, visits->items[visits->present].path, visits->present + 1);
}

static uint64_t path_of(const char *path)
{
	return hash_bytes(path, strlen(path));
}

static const struct tape_entry *entry_at(const void *entries, size_t entry_size, size_t number)
{
	return (const void *)((const char *)entries + number * entry_size);
}

/* Adds what was read. */
static void add_part(struct tape_visits *visits, const struct tape_entry *entry)
{
	GROW(visits->parts, visits->part_count + 1, visits->part_alloc);
	visits->parts[visits->part_count++] = (struct tape_part){
		.kind = entry->kind,
		.offset = entry->kind == TAPE_READ ? (int64_t)entry->b : -1,
		.data = entry->data,
		.size = entry->size,
		.error = entry->result < 0 ? entry->error : 0,
	};
}

static void add_visit(struct tape_visits *visits, const struct tape_entry *entry, size_t first)
{
	GROW(visits->items, visits->count + 1, visits->alloc);
	visits->items[visits->count++] = (struct tape_visit){
		.path = path_of(entry->text),
		.error = entry->result < 0 ? entry->error : 0,
		.first = first,
		.count = visits->part_count - first,
	};
}

/* Returns whether an entry is about a descriptor, and no more than reads or closes it. */
static bool is_of(const struct tape_entry *entry, int64_t fd)
{
	return (entry->kind == TAPE_READ || entry->kind == TAPE_ENTRIES || entry->kind == TAPE_CLOSE) &&
	       (int64_t)entry->a == fd;
}

/*
 * Takes the visit that begins with the entry at number, if the descriptor is closed
 * before it is given out again.
 */
static void take(struct tape_visits *visits, const void *entries, size_t entry_size, size_t count, size_t number,
		 void (*use)(void *argument, size_t number), void *argument)
{
	const struct tape_entry *opened = entry_at(entries, entry_size, number), *entry;
	size_t first = visits->part_count, end = number + 1;

	if (count > number + ENTRIES_MAX)
		count = number + ENTRIES_MAX;

	for (; opened->result >= 0 && end < count; end++) {
		entry = entry_at(entries, entry_size, end);
		if (is_of(entry, opened->result) && entry->kind == TAPE_CLOSE)
			break;
		if (entry->kind == TAPE_OPEN && entry->result == opened->result)
			return;
	}
	if (opened->result >= 0 && end == count)
		return; /* it stays open */
	use(argument, number);
	for (size_t i = number + 1; opened->result >= 0 && i <= end; i++) {
		entry = entry_at(entries, entry_size, i);
		if (!is_of(entry, opened->result))
			continue;
		if (entry->kind != TAPE_CLOSE)
			add_part(visits, entry);
		use(argument, i);
	}
	add_visit(visits, opened, first);
}

void tape_visits_take(struct tape_visits *visits, const void *entries, size_t entry_size, size_t count,
		      void (*use)(void *argument, size_t number), void *argument)
{
	for (size_t i = 0; i < count; i++) {
		const struct tape_entry *entry = entry_at(entries, entry_size, i);

		/* One that is opened for its path is used by the number of its descriptor. */
		if (entry->kind == TAPE_OPEN && !(entry->a & O_PATH))
			take(visits, entries, entry_size, count, i, use, argument);
	}
}

/* Returns the number + 1 of the visit to a path; 0: there is none. */
static size_t find(struct tape_visits *visits, uint64_t path)
{
	size_t again = 0;
	uint64_t number;

	for (size_t i = visits->present; i < visits->count && i < visits->present + SEARCHED; i++) {
		if (visits->items[i].path != path)
			continue;
		if (!visits->items[i].used)
			return i + 1;
		again = i + 1;
	}
	if (again)
		return again;
	return idmap_get(&visits->last, path, &number) ? (size_t)number : 0;
}

int tape_visits_open(struct tape_visits *visits, const char *path)
{
	size_t found = find(visits, path_of(path)), slot = 0;
	struct tape_visit *visit;

	RETURN_IF(!found, -2);
	visit = &visits->items[found - 1];
	visit->used = true;
	if (visit->error) {
		errno = visit->error;
		return -1;
	}
	while (slot < visits->visitor_count && visits->visitors[slot].open)
		slot++;
	if (slot == visits->visitor_count) {
		GROW(visits->visitors, visits->visitor_count + 1, visits->visitor_alloc);
		visits->visitor_count++;
	}
	visits->visitors[slot] = (struct tape_visitor){ .visit = found - 1, .open = true };
	return TAPE_VISIT_FIRST + (int)slot;
}

/* Returns the visitor of a descriptor; NULL with errno set: there is none. */
static struct tape_visitor *visitor_of(struct tape_visits *visits, int fd)
{
	size_t slot = (size_t)(fd - TAPE_VISIT_FIRST);

	if (slot < visits->visitor_count && visits->visitors[slot].open)
		return &visits->visitors[slot];
	errno = EBADF;
	return NULL;
}

/* Returns the next part of a kind, or the one at an offset; NULL: the file is at its end. */
static const struct tape_part *next_part(const struct tape_visits *visits, struct tape_visitor *visitor,
					 enum tape_kind kind, int64_t offset)
{
	const struct tape_visit *visit = &visits->items[visitor->visit];

	for (size_t i = offset < 0 ? visitor->next : 0; i < visit->count; i++) {
		const struct tape_part *part = &visits->parts[visit->first + i];

		if (part->kind != kind || part->offset != offset)
			continue;
		if (offset < 0)
			visitor->next = i + 1;
		return part;
	}
	return NULL;
}

ssize_t tape_visits_read(struct tape_visits *visits, int fd, enum tape_kind kind, int64_t offset, void *buffer,
			 size_t size)
{
	struct tape_visitor *visitor = visitor_of(visits, fd);
	const struct tape_part *part;

	RETURN_IF(!visitor, -1);
	part = next_part(visits, visitor, kind, offset);
	RETURN_IF(!part, 0);
	if (part->error) {
		errno = part->error;
		return -1;
	}
	size = part->size < size ? part->size : size;
	memcpy(buffer, part->data, size);
	return (ssize_t)size;
}

int tape_visits_close(struct tape_visits *visits, int fd)
{
	struct tape_visitor *visitor = visitor_of(visits, fd);

	RETURN_IF(!visitor, -1);
	visitor->open = false;
	return 0;
}
