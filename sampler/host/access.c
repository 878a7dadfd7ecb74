/* SPDX-License-Identifier: Apache-2.0 */
/* What a collector can ask during a call. */
#include "common/compat.h"
#include "sampler/host/access.h"

#include "sampler/host/guarded-read.h"
#include "sampler/host/process.h"
#include "sampler/host/symbol-files.h"

#include <fnmatch.h>

#define MESSAGES_MAX 8
#define TEXT_PIECE 256

/* The call in progress: the functions below get only the task as context. */
static struct {
	const struct call_request *request;
	struct observed_process *process;
	struct process_list processes;
	struct symbol_files files;
	char messages[MESSAGES_MAX][CALL_MESSAGE];
	size_t message_count, message_sent;
	struct call_count counts[CALL_COUNTS];
	uint32_t counted;
} present;

void access_start(void)
{
	process_list_init(&present.processes);
	symbol_files_init(&present.files);
}

void access_call(const struct call_request *request, uint64_t time)
{
	present.request = request;
	present.process = process_call(&present.processes, request->pid, request->generation,
				       request->mapped, time);
	symbol_files_call(&present.files);
	present.counted = 0;
}

uint64_t access_read_time(void)
{
	return present.processes.read_time;
}

uint32_t access_asked(void)
{
	const struct process_list *processes = &present.processes;

	return (processes->asked ? CALL_ASKED : 0U) | (processes->gone ? CALL_GONE : 0U);
}

void access_memory(const struct call_memory *memory, int descriptor)
{
	process_memory(&present.processes, memory->pid, memory->generation, descriptor);
}

void access_forget(pid_t pid)
{
	process_forget(&present.processes, pid);
}

const char *access_next_message(void)
{
	if (present.message_sent == present.message_count)
		return "";
	return present.messages[present.message_sent++];
}

/*
 * Copies as much of [address, address + size) as is contiguous in the captured
 * stack; returns 0 if address is not in it: then *outside bytes from it on are
 * not.
 */
static size_t read_stack(uint64_t address, void *buffer, size_t size, size_t *outside)
{
	const struct call_request *request = present.request;
	uint64_t start = request->stack_address, end = start + request->stack_size;

	*outside = address < start && start - address < size ? (size_t)(start - address) : size;
	RETURN_IF(address < start || address >= end, 0);
	if (size > end - address)
		size = (size_t)(end - address);
	memcpy(buffer, request->stack + (address - start), size);
	return size;
}

static size_t read_memory(const struct vigil_task *task UNUSED, uint64_t address, void *buffer,
			  size_t size)
{
	char *to = buffer;
	size_t done = 0;

	RETURN_IF(address + size < address, 0);
	while (done < size) {
		size_t outside, got = read_stack(address + done, to + done, size - done, &outside);

		if (!got) {
			got = process_read(&present.processes, present.process, address + done,
					   to + done, outside);
			if (got < outside)
				return done + got;
		}
		done += got;
	}
	return done;
}

static int read_text(const struct vigil_task *task, uint64_t address, char *buffer, size_t size)
{
	size_t length = 0;

	RETURN_IF(!size, -1);
	while (length < size - 1) {
		size_t want = TEXT_PIECE - (address + length) % TEXT_PIECE, got;
		const char *end;

		if (want > size - 1 - length)
			want = size - 1 - length;
		got = read_memory(task, address + length, buffer + length, want);
		end = memchr(buffer + length, '\0', got);
		if (end)
			return (int)(end - buffer);
		length += got;
		if (got < want) {
			buffer[0] = '\0';
			return -1;
		}
	}
	buffer[length] = '\0';
	return (int)length;
}

static void give_mapping(const struct region *region, struct vigil_mapping *mapping)
{
	*mapping = (struct vigil_mapping){
		.start = region->start,
		.end = region->end,
		.offset = region->offset,
		.protection = region->protection,
		.path = region->path,
	};
}

static int find_mapping(const struct vigil_task *task UNUSED, uint64_t address,
			struct vigil_mapping *mapping)
{
	const struct region *region = process_region(&present.processes, present.process, address);

	RETURN_IF(!region, -1);
	give_mapping(region, mapping);
	return 0;
}

/* Returns whether a region is of a file whose name matches pattern (NULL: of any file). */
static bool matches(const struct region *region, const char *pattern)
{
	const char *slash = strrchr(region->path, '/');

	RETURN_IF(region->inode == 0 || !slash, false);
	return !pattern || fnmatch(pattern, slash + 1, 0) == 0;
}

/*
 * Returns the first region for which wanted is true; reads the map again if there
 * is none. NULL: none.
 */
static const struct region *search(bool (*wanted)(const struct region *region, void *data),
				   void *data)
{
	const struct region_list *regions = process_regions(&present.processes, present.process);

	do {
		for (size_t i = 0; i < regions->count; i++)
			if (wanted(&regions->items[i], data))
				return &regions->items[i];
	} while (process_regions_again(&present.processes, present.process));
	return NULL;
}

static bool has_name(const struct region *region, void *data)
{
	return matches(region, data);
}

static int find_mapping_named(const struct vigil_task *task UNUSED, const char *pattern,
			      struct vigil_mapping *mapping)
{
	char copy[CALL_NAME];
	const struct region *region;

	RETURN_IF(guard_text(copy, sizeof(copy), pattern) < 0, -1);
	region = search(has_name, copy);
	RETURN_IF(!region, -1);
	give_mapping(region, mapping);
	return 0;
}

/*
 * Returns the region of the beginning of the file whose memory contains address;
 * NULL: none. Zero-initialized variables are in memory without a name after the
 * file's.
 */
static const struct region *first_region(const struct region *region)
{
	const struct region_list *regions = process_regions(&present.processes, present.process);
	const struct region *file = region;

	while (file->inode == 0 && file > regions->items)
		file--;
	for (const struct region *first = file; first >= regions->items; first--)
		if (first->inode == file->inode && first->device == file->device &&
		    first->offset == 0)
			return file->inode ? first : NULL;
	return NULL;
}

static int find_symbol(const struct vigil_task *task UNUSED, uint64_t address,
		       struct vigil_symbol *symbol)
{
	const struct region *region = process_region(&present.processes, present.process, address);
	const struct region *first = region ? first_region(region) : NULL;
	struct symbol_file *file =
		first ? symbol_files_get(&present.files, present.process->pid, first) : NULL;
	const struct symbol *found;
	uint64_t bias;

	RETURN_IF(!file, -1);
	bias = first->start - file->lowest;
	RETURN_IF(address - bias >= file->highest, -1);
	found = symbol_files_at(&present.files, file, address - bias);
	RETURN_IF(!found, -1);
	*symbol = (struct vigil_symbol){
		.name = found->name,
		.object = first->path,
		.start = found->start + bias,
		.size = found->sized ? found->size : 0,
	};
	return 0;
}

struct wanted_symbol {
	const char *pattern, *name;
	uint64_t address;
};

/* Returns whether region is the beginning of a file that has the symbol. */
static bool has_symbol(const struct region *region, void *data)
{
	struct wanted_symbol *wanted = data;
	struct symbol_file *file;
	uint64_t address;

	RETURN_IF(region->offset != 0 || !matches(region, wanted->pattern), false);
	file = symbol_files_get(&present.files, present.process->pid, region);
	RETURN_IF(!file || !symbol_file_named(file, wanted->name, &address), false);
	wanted->address = address + region->start - file->lowest;
	return true;
}

static uint64_t find_symbol_address(const struct vigil_task *task UNUSED, const char *pattern,
				    const char *name)
{
	struct wanted_symbol wanted = { pattern, name, 0 };

	search(has_symbol, &wanted);
	return wanted.address;
}

static const char *find_argument(const struct vigil_task *task UNUSED, size_t number)
{
	const struct strbuf *texts = process_arguments(&present.processes, present.process);
	size_t at = 0;

	for (; number && at < texts->length; number--)
		at += strlen(texts->text + at) + 1;
	return at < texts->length ? texts->text + at : NULL;
}

static const char *find_variable(const struct vigil_task *task UNUSED, const char *name)
{
	const struct strbuf *texts = process_environment(&present.processes, present.process);
	size_t length = strlen(name);

	for (size_t at = 0; at < texts->length; at += strlen(texts->text + at) + 1)
		if (strncmp(texts->text + at, name, length) == 0 && texts->text[at + length] == '=')
			return texts->text + at + length + 1;
	return NULL;
}

static void take_message(const struct vigil_task *task UNUSED, const char *text)
{
	char *copy = present.messages[present.message_count];

	RETURN_IF(present.message_count == MESSAGES_MAX, );
	RETURN_IF(guard_text(copy, CALL_MESSAGE, text) <= 0, );
	for (size_t i = 0; i < present.message_count; i++)
		RETURN_IF(strcmp(present.messages[i], copy) == 0, );
	present.message_count++;
}

static int take_count(const struct vigil_task *task UNUSED, const char *transaction, uint64_t count,
		      int exact)
{
	struct call_count *taken = &present.counts[present.counted];

	RETURN_IF(!(present.request->flags & VIGIL_ENDING) || present.counted == CALL_COUNTS, -1);
	RETURN_IF(guard_text(taken->name, sizeof(taken->name), transaction) <= 0, 0);
	taken->count = count;
	taken->exact = exact != 0;
	present.counted++;
	return 0;
}

uint32_t access_counts(struct call_count counts[static CALL_COUNTS])
{
	memcpy(counts, present.counts, present.counted * sizeof(*counts));
	return present.counted;
}

const struct vigil_access access_functions = {
	.version = VIGIL_COLLECTOR_VERSION,
	.read = read_memory,
	.text = read_text,
	.mapping = find_mapping,
	.mapping_named = find_mapping_named,
	.symbol = find_symbol,
	.symbol_address = find_symbol_address,
	.argument = find_argument,
	.variable = find_variable,
	.message = take_message,
	.count = take_count,
};
