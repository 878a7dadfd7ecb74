/* SPDX-License-Identifier: Apache-2.0 */
/* Address-space maps: sorted mappings, shared by processes until one changes. */
#include "common/compat.h"
#include "program/objects/space.h"

#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/objects/proc-maps.h"

struct space {
	size_t holders;
	struct mapping *mappings; /* by start; they never overlap */
	size_t count, alloc;
	size_t last; /* index where the last look-up ended */
	uint64_t changes;
};

struct space *space_new(void)
{
	struct space *space = xcalloc(1, sizeof(*space));

	space->holders = 1;
	return space;
}

struct space *space_share(struct space *space)
{
	space->holders++;
	return space;
}

void space_drop(struct space *space)
{
	if (!space || --space->holders > 0)
		return;
	free(space->mappings);
	free(space);
}

/* Replaces *space by an unshared copy unless it is unshared, with space for extra more mappings. */
static struct space *space_unshare(struct space **space, size_t extra)
{
	struct space *old = *space, *copy;

	if (old->holders > 1) {
		copy = space_new();
		GROW(copy->mappings, old->count + extra, copy->alloc);
		if (old->count)
			memcpy(copy->mappings, old->mappings, old->count * sizeof(*copy->mappings));
		copy->count = old->count;
		copy->changes = old->changes;
		old->holders--;
		*space = copy;
	}
	GROW((*space)->mappings, (*space)->count + extra, (*space)->alloc);
	return *space;
}

/* Returns the first mapping that ends after address. */
static size_t find_behind(const struct space *space, uint64_t address)
{
	return LOWER_BOUND(space->count, at, space->mappings[at].end <= address);
}

/* Replaces count mappings from index on by those given. */
static void splice(struct space *space, size_t index, size_t count, const struct mapping *with,
		   size_t with_count)
{
	memmove(space->mappings + index + with_count, space->mappings + index + count,
		(space->count - index - count) * sizeof(*space->mappings));
	memcpy(space->mappings + index, with, with_count * sizeof(*with));
	space->count = space->count - count + with_count;
}

void space_put(struct space **shared, const struct mapping *mapping)
{
	struct space *space = space_unshare(shared, 2);
	size_t first = find_behind(space, mapping->start), end = first, count = 0;
	struct mapping pieces[3];

	if (first < space->count && space->mappings[first].start < mapping->start) {
		pieces[count] = space->mappings[first];
		pieces[count++].end = mapping->start;
	}
	pieces[count++] = *mapping;
	while (end < space->count && space->mappings[end].start < mapping->end)
		end++;
	if (end > first && space->mappings[end - 1].end > mapping->end) {
		pieces[count] = space->mappings[end - 1];
		pieces[count++].start = mapping->end;
	}
	splice(space, first, end - first, pieces, count);
	space->changes++;
}

uint64_t space_changes(const struct space *space)
{
	return space->changes;
}

/* Returns whether the kernel's name of a mapping is that of a file. */
static bool names_file(const char *path)
{
	return path[0] == '/' && strncmp(path, "//anon", 6) != 0 &&
	       strncmp(path, "/dev/zero", 9) != 0 && strncmp(path, "/SYSV", 5) != 0;
}

void space_map(struct space **space, struct object_list *objects, pid_t pid, uint64_t start,
	       uint64_t length, uint64_t pgoff, const char *path, dev_t device, ino_t inode)
{
	struct mapping mapping = { .start = start, .end = start + length, .bias = 0 };
	int64_t bias;

	if (length == 0 || mapping.end < start)
		return;
	if (strcmp(path, "[vdso]") == 0) {
		mapping.object = object_for_kind(objects, OBJECT_VDSO, pid, start, length);
		mapping.bias = start;
	} else if (strcmp(path, "[vsyscall]") == 0) {
		mapping.object = object_for_kind(objects, OBJECT_KERNEL, pid, start, length);
	} else if (names_file(path)) {
		mapping.object = object_for_file(objects, path, device, inode, pid, start);
		/* Without ELF headers an address is shown as an offset in the file. */
		mapping.bias = start - pgoff;
		if (object_bias(mapping.object, pgoff, &bias))
			mapping.bias -= (uint64_t)bias;
	} else {
		mapping.object = object_for_memory(objects, path);
	}
	space_put(space, &mapping);
}

int space_read_proc(struct space **space, struct object_list *objects, pid_t pid, struct error *err)
{
	struct proc_region region;
	struct proc_maps maps;

	if (proc_maps_read(&maps, pid, err) < 0)
		return -1;
	space_clear(space);
	while (proc_maps_next(&maps, &region))
		if (region.executable)
			space_map(space, objects, pid, region.start, region.end - region.start,
				  region.offset, region.path, region.device, region.inode);
	proc_maps_release(&maps);
	return 0;
}

void space_clear(struct space **space)
{
	const uint64_t changes = (*space)->changes;

	if ((*space)->holders > 1) {
		(*space)->holders--;
		*space = space_new();
	}
	(*space)->changes = changes + 1;
	(*space)->count = 0;
	(*space)->last = 0;
}

const struct mapping *space_find(struct space *space, uint64_t address)
{
	size_t at = space->last;

	if (at < space->count && address >= space->mappings[at].start &&
	    address < space->mappings[at].end)
		return &space->mappings[at];
	at = find_behind(space, address);
	if (at == space->count || address < space->mappings[at].start)
		return NULL;
	space->last = at;
	return &space->mappings[at];
}
