/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts records in memory and, if there are too many, in runs on a work file. */
#include "common/compat.h"
#include "utilities/sort/sorter.h"
#include "common/xalloc.h"
#include "utilities/sort/order.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIN_MEMORY ((uint64_t)64 * 1024)
#define MIN_DEFAULT_MEMORY ((uint64_t)256 * 1024 * 1024)
#define MAX_DEFAULT_MEMORY ((uint64_t)2 * 1024 * 1024 * 1024)
#define MIN_RESERVED ((uint64_t)4 * 1024 * 1024)
#define OUTPUT_BUFFER ((size_t)1024 * 1024)
#define MIN_INPUT_BUFFER ((size_t)16 * 1024)
#define MAX_INPUT_BUFFER ((size_t)1024 * 1024)
#define NARROWEST_MERGE 16
#define WIDEST_MERGE 256
#define PREFETCH_DISTANCE 12 /* entries whose records are prefetched */

/* A sorted section of the work file. */
struct run {
	off_t start, length;
};

/* A run while it is read. */
struct run_input {
	int fd;
	off_t at, end;
	char *buffer;
	size_t size, start, filled; /* the bytes from start to filled of the buffer are not yet
				     * used */
};

struct sorter {
	const struct sort_keys *keys;
	uint64_t memory; /* bytes that records and entries together may use */
	unsigned threads;
	/* A single mapping: records, entries, scratch. */
	char *map;
	size_t map_size;
	char *records;
	size_t used;
	struct sort_entry *entries, *scratch;
	size_t count;
	/* The work file. */
	int fd;
	off_t end;
	char *buffer;
	size_t buffered;
	struct run *runs;
	size_t run_count, run_alloc;
};

/*
 * Returns a quarter of the free memory, within bounds; a container may have less
 * than the machine.
 */
static uint64_t default_memory(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t share = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 : 0;

	return share < MIN_DEFAULT_MEMORY ? MIN_DEFAULT_MEMORY : share > MAX_DEFAULT_MEMORY ? MAX_DEFAULT_MEMORY : share;
}

/* Reserves address space; memory is used only as it fills. A limit of the step may reduce it. */
static int reserve(struct sorter *sorter, struct error *err)
{
	size_t size = (size_t)(sorter->memory > MIN_RESERVED ? sorter->memory : MIN_RESERVED);

	for (;; size /= 2) {
		size = size / 4096 * 4096;
		sorter->map_size = size * 2;
		sorter->map = mmap(NULL, sorter->map_size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (sorter->map != MAP_FAILED)
			break;
		RETURN_IF(size <= MIN_RESERVED, error_errno(err, "not enough memory to sort"));
	}
	madvise(sorter->map, sorter->map_size, MADV_HUGEPAGE);
	if (sorter->memory > size)
		sorter->memory = size;
	sorter->records = sorter->map;
	sorter->entries = (struct sort_entry *)(void *)(sorter->map + size);
	sorter->scratch = (struct sort_entry *)(void *)(sorter->map + size + size / 2);
	return 0;
}

struct sorter *sorter_new(const struct sort_keys *keys, uint64_t memory, struct error *err)
{
	struct sorter *sorter = xcalloc(1, sizeof(*sorter));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	sorter->keys = keys;
	sorter->fd = -1;
	sorter->threads = processors > 1 ? (unsigned)processors : 1;
	sorter->memory = memory ? memory : default_memory();
	if (sorter->memory < MIN_MEMORY)
		sorter->memory = MIN_MEMORY;
	if (reserve(sorter, err) < 0) {
		sorter->map = NULL;
		sorter_free(sorter);
		return NULL;
	}
	return sorter;
}

void sorter_free(struct sorter *sorter)
{
	if (!sorter)
		return;
	if (sorter->map)
		munmap(sorter->map, sorter->map_size);
	if (sorter->fd >= 0)
		close(sorter->fd);
	free(sorter->buffer);
	free(sorter->runs);
	free(sorter);
}

/* Creates the work file in the step's folder, without a name, so that it vanishes when closed. */
static int open_work(struct sorter *sorter, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/sortwork.XXXXXX", folder && *folder ? folder : ".");
	sorter->fd = mkostemp(path.text, O_CLOEXEC);
	if (sorter->fd < 0)
		error_errno(err, "cannot create the work file %s", path.text);
	else
		unlink(path.text);
	strbuf_release(&path);
	sorter->buffer = xmalloc(OUTPUT_BUFFER);
	return sorter->fd < 0 ? -1 : 0;
}

static int flush_work(struct sorter *sorter, struct error *err)
{
	for (size_t done = 0; done < sorter->buffered;) {
		ssize_t wrote = pwrite(sorter->fd, sorter->buffer + done, sorter->buffered - done,
				       sorter->end);

		if (wrote < 0 && errno == EINTR)
			continue;
		RETURN_IF(wrote <= 0,
			  error_errno(err, "ICE046A SORT CAPACITY EXCEEDED: the work file "
					   "cannot be written"));
		done += (size_t)wrote;
		sorter->end += wrote;
	}
	sorter->buffered = 0;
	return 0;
}

static int write_work(struct sorter *sorter, const void *data, size_t length, struct error *err)
{
	while (length > 0) {
		size_t room = OUTPUT_BUFFER - sorter->buffered;
		size_t part = length < room ? length : room;

		memcpy(sorter->buffer + sorter->buffered, data, part);
		sorter->buffered += part;
		data = (const char *)data + part;
		length -= part;
		if (sorter->buffered == OUTPUT_BUFFER)
			RETURN_IF(flush_work(sorter, err) < 0, -1);
	}
	return 0;
}

/* Writes a record to the work file; a sort_sink. */
static int write_to_run(void *argument, const struct sort_record *record, struct error *err)
{
	struct sorter *sorter = argument;
	uint32_t length = (uint32_t)record->length;

	RETURN_IF(write_work(sorter, &length, sizeof(length), err) < 0, -1);
	return write_work(sorter, record->data, record->length, err);
}

/* Sorts the records in memory and passes them to take. */
static int emit_sorted(struct sorter *sorter, sort_sink take, void *output, struct error *err)
{
	const struct sort_entry *entries = sorter->entries;

	sort_order(sorter->entries, sorter->scratch, sorter->count, sorter->keys, sorter->threads);
	for (size_t i = 0; i < sorter->count; i++) {
		struct sort_record record = sort_entry_record(&entries[i]);

		if (i + PREFETCH_DISTANCE < sorter->count)
			__builtin_prefetch(entries[i + PREFETCH_DISTANCE].place);
		RETURN_IF(take(output, &record, err) < 0, -1);
	}
	sorter->count = sorter->used = 0;
	return 0;
}

static void add_run(struct sorter *sorter, size_t at, off_t start)
{
	GROW(sorter->runs, sorter->run_count + 1, sorter->run_alloc);
	memmove(sorter->runs + at + 1, sorter->runs + at,
		(sorter->run_count - at) * sizeof(*sorter->runs));
	sorter->runs[at] = (struct run){ start, sorter->end - start };
	sorter->run_count++;
}

/* Writes the records in memory, which is full, as a run. */
static int spill(struct sorter *sorter, struct error *err)
{
	off_t start = sorter->end;

	if (sorter->fd < 0)
		RETURN_IF(open_work(sorter, err) < 0, -1);
	RETURN_IF(emit_sorted(sorter, write_to_run, sorter, err) < 0, -1);
	RETURN_IF(flush_work(sorter, err) < 0, -1);
	add_run(sorter, sorter->run_count, start);
	return 0;
}

int sorter_add(struct sorter *sorter, const struct sort_record *record, struct error *err)
{
	size_t size = STORED_HEAD + record->length;
	size_t entries = (sorter->count + 1) * 2 * sizeof(*sorter->entries);
	struct sort_entry *entry;
	uint32_t length = (uint32_t)record->length;

	if (sorter->count > 0 && sorter->used + size + entries > sorter->memory)
		RETURN_IF(spill(sorter, err) < 0, -1);
	RETURN_IF(size > sorter->map_size / 2,
		  error_set(err, "a record of %zu bytes does not fit in the memory for sorting",
			    record->length));
	entry = &sorter->entries[sorter->count++];
	entry->place = sorter->records + sorter->used;
	entry->word = sort_keys_word(sorter->keys, record, 0);
	memcpy(sorter->records + sorter->used, &length, sizeof(length));
	memcpy(sorter->records + sorter->used + STORED_HEAD, record->data, record->length);
	sorter->used += size;
	return 0;
}

/*
 * Reads more of a run into the buffer, at least want bytes; -1 on an error or when
 * the file has fewer.
 */
static int fill(struct run_input *input, size_t want, struct error *err)
{
	size_t left = input->filled - input->start;

	memmove(input->buffer, input->buffer + input->start, left);
	input->start = 0;
	input->filled = left;
	if (want > input->size) {
		input->buffer = xreallocarray(input->buffer, want, 1);
		input->size = want;
	}
	while (input->filled < want || (input->filled < input->size && input->at < input->end)) {
		off_t rest = input->end - input->at;
		size_t room = input->size - input->filled;
		ssize_t got = pread(input->fd, input->buffer + input->filled,
				    rest < (off_t)room ? (size_t)rest : room, input->at);

		if (got < 0 && errno == EINTR)
			continue;
		RETURN_IF(got <= 0, error_errno(err, "cannot read the work file"));
		input->filled += (size_t)got;
		input->at += got;
	}
	return 0;
}

/* Reads a record of a run; a merge_reader. */
static int read_run(void *argument, size_t index, struct sort_record *record, struct error *err)
{
	struct run_input *input = (struct run_input *)argument + index;
	uint32_t length;

	if (input->start == input->filled && input->at == input->end)
		return 0;
	if (input->filled - input->start < sizeof(length))
		RETURN_IF(fill(input, sizeof(length), err) < 0, -1);
	memcpy(&length, input->buffer + input->start, sizeof(length));
	if (input->filled - input->start < sizeof(length) + length)
		RETURN_IF(fill(input, sizeof(length) + length, err) < 0, -1);
	*record = (struct sort_record){ input->buffer + input->start + sizeof(length), length };
	input->start += sizeof(length) + length;
	return 1;
}

/* Returns the bytes of memory for each of this many runs. */
static size_t buffer_size(const struct sorter *sorter, size_t count)
{
	size_t size = (size_t)(sorter->memory / count);

	return size < MIN_INPUT_BUFFER  ? MIN_INPUT_BUFFER
	       : size > MAX_INPUT_BUFFER ? MAX_INPUT_BUFFER
					  : size;
}

/* Merges the first count runs. */
static int merge_runs(struct sorter *sorter, size_t count, sort_sink take, void *output,
		      struct error *err)
{
	struct run_input *inputs = xcalloc(count, sizeof(*inputs));
	int result;

	for (size_t i = 0; i < count; i++) {
		inputs[i] =
			(struct run_input){ .fd = sorter->fd,
					    .at = sorter->runs[i].start,
					    .end = sorter->runs[i].start + sorter->runs[i].length,
					    .size = buffer_size(sorter, count) };
		inputs[i].buffer = xmalloc(inputs[i].size);
	}
	result = sort_merge(sorter->keys, count, read_run, inputs, take, output, err);
	for (size_t i = 0; i < count; i++)
		free(inputs[i].buffer);
	free(inputs);
	return result;
}

/* Returns how many runs are merged at once: as many as get a buffer of useful size. */
static size_t merge_width(const struct sorter *sorter)
{
	uint64_t width = sorter->memory / (4 * MIN_INPUT_BUFFER);

	return width < NARROWEST_MERGE ? NARROWEST_MERGE
	       : width > WIDEST_MERGE  ? WIDEST_MERGE
				       : (size_t)width;
}

/* Merges the oldest runs into one, which takes their place, so that equal records stay in order. */
static int merge_oldest_runs(struct sorter *sorter, struct error *err)
{
	size_t width = merge_width(sorter);

	while (sorter->run_count > width) {
		off_t start = sorter->end;

		RETURN_IF(merge_runs(sorter, width, write_to_run, sorter, err) < 0, -1);
		RETURN_IF(flush_work(sorter, err) < 0, -1);
		sorter->run_count -= width;
		memmove(sorter->runs, sorter->runs + width,
			sorter->run_count * sizeof(*sorter->runs));
		add_run(sorter, 0, start);
	}
	return 0;
}

int sorter_finish(struct sorter *sorter, sort_sink take, void *output, struct error *err)
{
	if (sorter->run_count == 0)
		return emit_sorted(sorter, take, output, err);
	if (sorter->count > 0)
		RETURN_IF(spill(sorter, err) < 0, -1);
	munmap(sorter->map, sorter->map_size);
	sorter->map = NULL;
	RETURN_IF(merge_oldest_runs(sorter, err) < 0, -1);
	return merge_runs(sorter, sorter->run_count, take, output, err);
}
