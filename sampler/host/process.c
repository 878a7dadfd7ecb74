/* SPDX-License-Identifier: Apache-2.0 */
/* The observed processes as the host of a collector knows them. */
#include "common/compat.h"
#include "sampler/host/process.h"

#include "common/clock.h"
#include "common/procfs.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/objects/proc-maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Maximum number of processes, each with a descriptor, and of those with their maps and texts. */
#define PROCESSES_MAX 1024
#define LOADED_MAX 64
#define MEMORY_MAX (16U << 20)
/* Minimum interval between two readings of the same, and its maximum while nothing changes. */
#define PAUSE_MIN (10 * NSEC_PER_MSEC)
#define PAUSE_MAX (640 * NSEC_PER_MSEC)
/* Maximum size of a map, of arguments, of an environment: larger ones are not kept. */
#define TEXT_MAX (2 << 20)

void process_list_init(struct process_list *list)
{
	memset(list, 0, sizeof(*list));
	idmap_init(&list->by_pid);
}

static void regions_release(struct region_list *regions)
{
	strbuf_release(&regions->text);
	free(regions->items);
	memset(regions, 0, sizeof(*regions));
	strbuf_init(&regions->text);
}

/* Drops what was read and can be read again. */
static void unload(struct process_list *list, struct observed_process *process)
{
	if (process->loaded)
		list->loaded--;
	process->loaded = false;
	regions_release(&process->regions);
	regions_release(&process->previous);
	process->regions_call = process->regions_time = process->arguments_time = 0;
	process->regions_pause = PAUSE_MIN;
	process->environment_read = false;
	strbuf_release(&process->arguments);
	strbuf_release(&process->environment);
}

static void close_memory(struct observed_process *process)
{
	if (process->memory >= 0)
		close(process->memory);
	process->memory = -1;
	process->memory_tried = false;
}

/* Removes the process at index; the last one moves there. */
static void drop(struct process_list *list, size_t index)
{
	struct observed_process *process = list->items[index], *last = list->items[list->count - 1];

	unload(list, process);
	close_memory(process);
	idmap_remove(&list->by_pid, (uint64_t)process->pid);
	list->count--;
	if (last != process) {
		list->items[index] = last;
		idmap_put(&list->by_pid, (uint64_t)last->pid, index);
	}
	free(process);
}

/*
 * Returns the index of the least recently used process, of all or of those with
 * something to unload (loaded).
 */
static size_t least_recently_used(const struct process_list *list, bool loaded)
{
	size_t least = list->count;

	for (size_t i = 0; i < list->count; i++)
		if ((!loaded || list->items[i]->loaded) &&
		    (least == list->count || list->items[i]->used < list->items[least]->used))
			least = i;
	return least;
}

/* Returns the bytes of what was read for the processes. */
static size_t memory_used(const struct process_list *list)
{
	size_t used = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct observed_process *process = list->items[i];

		used += process->regions.text.alloc + process->previous.text.alloc +
			process->arguments.alloc + process->environment.alloc +
			(process->regions.alloc + process->previous.alloc) * sizeof(struct region);
	}
	return used;
}

/* Makes space before something is read for process, which is the most recently used one. */
static void load(struct process_list *list, struct observed_process *process)
{
	if (process->loaded)
		return;
	while (list->loaded >= LOADED_MAX || (list->loaded && memory_used(list) > MEMORY_MAX))
		unload(list, list->items[least_recently_used(list, true)]);
	process->loaded = true;
	list->loaded++;
}

static struct observed_process *add(struct process_list *list, pid_t pid)
{
	struct observed_process *process = xcalloc(1, sizeof(*process));

	if (list->count >= PROCESSES_MAX)
		drop(list, least_recently_used(list, false));
	process->pid = pid;
	process->memory = -1;
	process->used = list->call;
	unload(list, process);
	GROW(list->items, list->count + 1, list->alloc);
	idmap_put(&list->by_pid, (uint64_t)pid, list->count);
	list->items[list->count++] = process;
	return process;
}

/* Returns the process in this generation, with its data dropped if it was another. */
static struct observed_process *find(struct process_list *list, pid_t pid, uint64_t generation)
{
	struct observed_process *process;
	uint64_t index;

	process = idmap_get(&list->by_pid, (uint64_t)pid, &index) ? list->items[index]
								  : add(list, pid);
	if (process->generation != generation) {
		unload(list, process);
		close_memory(process);
		process->generation = generation;
	}
	return process;
}

struct observed_process *process_call(struct process_list *list, pid_t pid, uint64_t generation,
				      uint64_t mapped, uint64_t time)
{
	struct observed_process *process;

	list->call++;
	list->time = time;
	list->read_time = 0;
	list->asked = list->gone = false;
	process = find(list, pid, generation);
	process->used = list->call;
	/* There may now be code made at run time where a file was mapped. */
	if (process->mapped != mapped)
		process->regions_call = 0;
	process->mapped = mapped;
	return process;
}

void process_memory(struct process_list *list, pid_t pid, uint64_t generation, int descriptor)
{
	struct observed_process *process = find(list, pid, generation);

	close_memory(process);
	process->memory = descriptor;
}

void process_forget(struct process_list *list, pid_t pid)
{
	uint64_t index;

	if (idmap_get(&list->by_pid, (uint64_t)pid, &index))
		drop(list, index);
}

/* Opens a file of the process below /proc. */
static int open_own(const struct observed_process *process, const char *name)
{
	char path[PROCFS_PATH_SIZE];

	return open(procfs_process(path, process->pid, name), O_RDONLY | O_CLOEXEC);
}

size_t process_read(struct process_list *list, struct observed_process *process, uint64_t address,
		    void *buffer, size_t size)
{
	ssize_t got;

	list->asked = true;
	if (process->memory < 0 && !process->memory_tried) {
		process->memory_tried = true;
		process->memory = open_own(process, "mem");
	}
	RETURN_IF(process->memory < 0 || address > INT64_MAX, 0);
	got = pread(process->memory, buffer, size, (off_t)address);
	/* Addresses where nothing is are an error. */
	list->gone |= got == 0 && size > 0;
	RETURN_IF(got <= 0, 0);
	list->read_time = clock_monotonic_ns();
	return (size_t)got;
}

static void add_region(struct region_list *regions, const struct proc_region *line)
{
	struct region region = {
		.start = line->start,
		.end = line->end,
		.offset = line->offset,
		.device = line->device,
		.inode = line->inode,
		.protection = (line->readable ? PROT_READ : 0U) |
			      (line->writable ? PROT_WRITE : 0U) |
			      (line->executable ? PROT_EXEC : 0U),
		.path = line->path,
	};

	/* The path is part of this text, which the list owns. */
	region.deleted =
		procfs_strip_deleted(regions->text.text + (line->path - regions->text.text));
	GROW(regions->items, regions->count + 1, regions->alloc);
	regions->items[regions->count++] = region;
}

/* Reads the map again; the previous one stays valid until the next reading. */
static void read_regions(struct process_list *list, struct observed_process *process)
{
	struct proc_region line;
	struct proc_maps maps;

	list->asked = true;
	load(list, process);
	regions_release(&process->previous);
	process->regions_call = list->call;
	process->regions_time = clock_monotonic_ns();
	RETURN_IF(proc_maps_read(&maps, process->pid, NULL) < 0, );
	/* A process that has ended has no map: keep the one it had. */
	if (!maps.text.length || maps.text.length > TEXT_MAX) {
		proc_maps_release(&maps);
		return;
	}
	process->previous = process->regions;
	process->regions = (struct region_list){ .text = maps.text };
	while (proc_maps_next(&maps, &line))
		add_region(&process->regions, &line);
}

const struct region_list *process_regions(struct process_list *list,
					  struct observed_process *process)
{
	if (!process->regions_call)
		read_regions(list, process);
	return &process->regions;
}

bool process_regions_again(struct process_list *list, struct observed_process *process)
{
	if (process->regions_call == list->call ||
	    list->time < process->regions_time + process->regions_pause)
		return false;
	process->regions_pause =
		process->regions_pause * 2 > PAUSE_MAX ? PAUSE_MAX : process->regions_pause * 2;
	read_regions(list, process);
	return true;
}

/* Returns the region of the list that contains address; NULL: none. */
static const struct region *find_region(const struct region_list *list, uint64_t address)
{
	size_t at = LOWER_BOUND(list->count, i, list->items[i].end <= address);

	return at < list->count && list->items[at].start <= address ? &list->items[at] : NULL;
}

const struct region *process_region(struct process_list *list, struct observed_process *process,
				    uint64_t address)
{
	const struct region *region;

	/* What was mapped a while ago may have been replaced. */
	if (process->regions_call && process->regions_call != list->call &&
	    list->time >= process->regions_time + PAUSE_MAX)
		read_regions(list, process);
	region = find_region(process_regions(list, process), address);
	if (!region && process_regions_again(list, process)) {
		region = find_region(&process->regions, address);
		if (region)
			process->regions_pause = PAUSE_MIN;
	}
	return region;
}

/* Reads texts of the process; returns false, with text unchanged, if there are none. */
static bool read_texts(struct observed_process *process, const char *name, struct strbuf *text)
{
	struct strbuf fresh = STRBUF_INIT;
	int fd = open_own(process, name);
	bool there = fd >= 0 && strbuf_read_fd(&fresh, fd) == 0 && fresh.length > 0 &&
		     fresh.length <= TEXT_MAX;

	if (fd >= 0)
		close(fd);
	if (there) {
		strbuf_release(text);
		*text = fresh;
	} else {
		strbuf_release(&fresh);
	}
	return there;
}

const struct strbuf *process_arguments(struct process_list *list, struct observed_process *process)
{
	/* Programs overwrite them to show what they do. */
	if (list->time >= process->arguments_time + PAUSE_MIN || !process->arguments_time) {
		list->asked = true;
		load(list, process);
		process->arguments_time = list->time;
		read_texts(process, "cmdline", &process->arguments);
	}
	return &process->arguments;
}

const struct strbuf *process_environment(struct process_list *list,
					 struct observed_process *process)
{
	if (!process->environment_read) {
		list->asked = true;
		load(list, process);
		process->environment_read = true;
		read_texts(process, "environ", &process->environment);
	}
	return &process->environment;
}
