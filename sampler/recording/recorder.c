/* SPDX-License-Identifier: Apache-2.0 */
/* The system as a source, and a tape of it. */
#include "common/compat.h"
#include "sampler/recording/recorder.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "sampler/recording/tape-area.h"
#include "sampler/recording/tape-memory.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

/* An area as the session has it, and as the step writes it. */
struct area {
	void *copy; /* NULL: not in use */
	const void *real;
	size_t size;
};

/* A ring, and how much of it is on the tape. */
struct ring_seen {
	void *page; /* NULL: not in use */
	size_t size;
	uint64_t head;
};

struct recorder {
	struct outside source;
	struct tape_writer *tape; /* NULL: nothing more is written */
	struct area *areas;
	size_t area_count, area_alloc;
	struct ring_seen *rings;
	size_t ring_count, ring_alloc;
	struct strbuf bytes; /* of an entry that is put together */

	/* Without memory. */
	bool no_memory;
	struct idmap opened; /* descriptor -> 1: it has the mappings of a process */
	bool chains;	     /* samples have the kernel's call chain */
	struct idmap left_by, leavings; /* events on tasks that leave the processor: descriptors, ids */
	struct tape_code code;
};

/* Reads of memory that are shorter are paths, locks and the like, which the data set has as well. */
#define STACK_LEAST 256

static struct recorder *recorder_of(struct outside *self)
{
	return (struct recorder *)self;
}

/* Writes an entry; errno is as before, and becomes that of the entry. */
static void put(struct outside *self, struct tape_entry entry)
{
	struct recorder *recorder = recorder_of(self);
	int error = errno;

	if (!recorder->tape)
		return;
	if (!entry.text)
		entry.text = "";
	if (entry.result < 0)
		entry.error = error;
	tape_write(recorder->tape, &entry);
	errno = error;
}

/* Returns how many bytes of a result there are. */
static size_t bytes_of(ssize_t result)
{
	return result > 0 ? (size_t)result : 0;
}

static uint64_t record_clock(struct outside *self, clockid_t id)
{
	uint64_t now = outside_system.clock(&outside_system, id);

	put(self, (struct tape_entry){ .kind = TAPE_CLOCK, .a = (uint64_t)id, .result = (int64_t)now });
	return now;
}

/* Returns whether a path ends like this. */
static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);

	return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* Notes whether a file has the mappings of a process. */
static void note_opened(struct recorder *recorder, int fd, const char *path)
{
	if (recorder->no_memory && fd >= 0)
		idmap_put(&recorder->opened, (uint64_t)fd, ends_in(path, "/maps"));
}

/*
 * Returns what is written of memory that was read from an address: itself, or a copy
 * without data, which is valid until the next one.
 */
static const void *memory_of(struct recorder *recorder, uint64_t address, const void *buffer, size_t size)
{
	if (!recorder->no_memory || size < STACK_LEAST)
		return buffer;
	strbuf_reset(&recorder->bytes);
	strbuf_add(&recorder->bytes, buffer, size);
	tape_memory_clear_stack(&recorder->code, address, (unsigned char *)recorder->bytes.text, size);
	return recorder->bytes.text;
}

/* Learns where code is from the mappings of a process. */
static void look_at_content(struct recorder *recorder, int fd, const void *buffer, size_t size)
{
	uint64_t maps;

	if (recorder->no_memory && idmap_get(&recorder->opened, (uint64_t)fd, &maps) && maps)
		tape_code_add_maps(&recorder->code, buffer, size);
}

static int record_open(struct outside *self, const char *path, int flags)
{
	int fd = outside_system.open(&outside_system, path, flags);

	note_opened(recorder_of(self), fd, path);
	put(self, (struct tape_entry){ .kind = TAPE_OPEN, .text = path, .a = (uint64_t)flags, .result = fd });
	return fd;
}

static int record_close(struct outside *self, int fd)
{
	int result = outside_system.close(&outside_system, fd);

	put(self, (struct tape_entry){ .kind = TAPE_CLOSE, .a = (uint64_t)fd, .result = result });
	return result;
}

static ssize_t record_read(struct outside *self, int fd, void *buffer, size_t size, off_t offset)
{
	ssize_t result = outside_system.read(&outside_system, fd, buffer, size, offset);

	put(self, (struct tape_entry){ .kind = TAPE_READ, .a = (uint64_t)fd, .b = (uint64_t)offset,
				       .result = result, .data = buffer, .size = bytes_of(result) });
	look_at_content(recorder_of(self), fd, buffer, bytes_of(result));
	return result;
}

static ssize_t record_link(struct outside *self, const char *path, char *target, size_t size)
{
	ssize_t result = outside_system.link(&outside_system, path, target, size);

	put(self, (struct tape_entry){ .kind = TAPE_LINK, .text = path, .result = result,
				       .data = target, .size = bytes_of(result) });
	return result;
}

static ssize_t record_entries(struct outside *self, int fd, void *buffer, size_t size)
{
	ssize_t result = outside_system.entries(&outside_system, fd, buffer, size);

	put(self, (struct tape_entry){ .kind = TAPE_ENTRIES, .a = (uint64_t)fd, .result = result,
				       .data = buffer, .size = bytes_of(result) });
	return result;
}

static int record_status(struct outside *self, int folder, const char *path, int flags, struct statx *status)
{
	int result = outside_system.status(&outside_system, folder, path, flags, status);

	put(self, (struct tape_entry){ .kind = TAPE_STATUS, .text = path, .a = (uint64_t)folder,
				       .b = (uint64_t)flags, .result = result, .data = status,
				       .size = result < 0 ? 0 : sizeof(*status) });
	return result;
}

static ssize_t record_memory(struct outside *self, pid_t tid, uint64_t address, void *buffer, size_t size)
{
	ssize_t result = outside_system.memory(&outside_system, tid, address, buffer, size);

	put(self, (struct tape_entry){ .kind = TAPE_MEMORY, .a = (uint64_t)tid, .b = address,
				       .result = result,
				       .data = memory_of(recorder_of(self), address, buffer, bytes_of(result)),
				       .size = bytes_of(result) });
	return result;
}

static ssize_t record_image(struct outside *self, pid_t tid, uint64_t address, void *buffer, size_t size)
{
	ssize_t result = outside_system.image(&outside_system, tid, address, buffer, size);

	put(self, (struct tape_entry){ .kind = TAPE_MEMORY, .a = (uint64_t)tid, .b = address,
				       .result = result, .data = buffer, .size = bytes_of(result) });
	return result;
}

static int record_peer(struct outside *self, pid_t pid, int fd, struct sockaddr_storage *address,
		       socklen_t *size)
{
	int result = outside_system.peer(&outside_system, pid, fd, address, size);

	put(self, (struct tape_entry){ .kind = TAPE_PEER, .a = (uint64_t)pid, .b = (uint64_t)fd,
				       .result = result, .data = address,
				       .size = result < 0				? 0
					       : *size < (socklen_t)sizeof(*address) ? *size
										: sizeof(*address) });
	return result;
}

static int record_poll(struct outside *self, struct pollfd *polls, size_t count, uint64_t timeout)
{
	struct recorder *recorder = recorder_of(self);
	int result = outside_system.poll(&outside_system, polls, count, timeout), error = errno;

	strbuf_reset(&recorder->bytes);
	for (size_t i = 0; result > 0 && i < count; i++)
		if (polls[i].revents)
			strbuf_add(&recorder->bytes, (const int[]){ polls[i].fd, polls[i].revents },
				   2 * sizeof(int));
	errno = error;
	put(self, (struct tape_entry){ .kind = TAPE_POLL, .a = count, .result = result,
				       .data = recorder->bytes.text, .size = recorder->bytes.length });
	return result;
}

static int record_timer(struct outside *self)
{
	int fd = outside_system.timer(&outside_system);

	put(self, (struct tape_entry){ .kind = TAPE_TIMER, .result = fd });
	return fd;
}

static int record_set_timer(struct outside *self, int fd, uint64_t first, uint64_t interval)
{
	int result = outside_system.set_timer(&outside_system, fd, first, interval);

	put(self, (struct tape_entry){ .kind = TAPE_SET_TIMER, .a = (uint64_t)fd, .result = result });
	return result;
}

static int record_process(struct outside *self, pid_t pid)
{
	int fd = outside_system.process(&outside_system, pid);

	put(self, (struct tape_entry){ .kind = TAPE_PROCESS, .a = (uint64_t)pid, .result = fd });
	return fd;
}

static pid_t record_own(struct outside *self)
{
	pid_t pid = outside_system.own(&outside_system);

	put(self, (struct tape_entry){ .kind = TAPE_OWN, .result = pid });
	return pid;
}

static long record_processors(struct outside *self)
{
	long count = outside_system.processors(&outside_system);

	put(self, (struct tape_entry){ .kind = TAPE_PROCESSORS, .result = count });
	return count;
}

static int record_descriptors(struct outside *self, struct rlimit *limit, bool raise)
{
	int result = outside_system.descriptors(&outside_system, limit, raise);

	put(self, (struct tape_entry){ .kind = TAPE_DESCRIPTORS, .a = raise, .result = result,
				       .data = limit, .size = result < 0 ? 0 : sizeof(*limit) });
	return result;
}

static int record_event(struct outside *self, struct perf_event_attr *attr, pid_t pid, int processor)
{
	int fd = outside_system.event(&outside_system, attr, pid, processor);
	struct recorder *recorder = recorder_of(self);

	recorder->chains |= fd >= 0 && (attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	if (fd >= 0 && attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES)
		idmap_put(&recorder->left_by, (uint64_t)fd, 1);
	put(self, (struct tape_entry){ .kind = TAPE_EVENT, .a = (uint64_t)pid, .b = tape_event_of(attr, processor),
				       .result = fd, .data = attr, .size = sizeof(*attr) });
	return fd;
}

static int record_control(struct outside *self, int fd, unsigned long request, uint64_t *number)
{
	int result = outside_system.control(&outside_system, fd, request, number);
	struct recorder *recorder = recorder_of(self);
	uint64_t found;

	if (result >= 0 && request == PERF_EVENT_IOC_ID &&
	    idmap_get(&recorder->left_by, (uint64_t)fd, &found)) {
		idmap_put(&recorder->leavings, *number, 1);
		idmap_remove(&recorder->left_by, (uint64_t)fd);
	}
	put(self, (struct tape_entry){ .kind = TAPE_CONTROL, .a = (uint64_t)fd, .b = request,
				       .result = result, .data = number,
				       .size = number ? sizeof(*number) : 0 });
	return result;
}

static void *record_ring(struct outside *self, int fd, size_t size)
{
	struct recorder *recorder = recorder_of(self);
	void *page = outside_system.ring(&outside_system, fd, size);
	int error = errno;

	if (page != MAP_FAILED) {
		GROW(recorder->rings, recorder->ring_count + 1, recorder->ring_alloc);
		recorder->rings[recorder->ring_count++] = (struct ring_seen){ page, size, 0 };
	}
	errno = error;
	put(self, (struct tape_entry){ .kind = TAPE_RING, .a = (uint64_t)fd, .b = size,
				       .result = page == MAP_FAILED ? -1
								    : (int64_t)recorder->ring_count - 1 });
	return page;
}

/* Returns the number of a ring that is in use; all of them are given out by record_ring. */
static size_t number_of_ring(const struct recorder *recorder, const void *page)
{
	size_t number = 0;

	while (recorder->rings[number].page != page)
		number++;
	return number;
}

static void record_drop_ring(struct outside *self, void *page, size_t size)
{
	struct recorder *recorder = recorder_of(self);
	size_t number = number_of_ring(recorder, page);

	outside_system.drop_ring(&outside_system, page, size);
	recorder->rings[number].page = NULL;
	put(self, (struct tape_entry){ .kind = TAPE_DROP_RING, .a = number });
}

/* Appends bytes of a ring. */
static void add_written(struct strbuf *bytes, const struct ring_seen *ring, uint64_t from, uint64_t to)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t offset = from & (ring->size - 1), first = ring->size - offset;

	if (first > to - from)
		first = to - from;
	strbuf_add(bytes, data + offset, first);
	strbuf_add(bytes, data, to - from - first);
}

static uint64_t record_ring_head(struct outside *self, void *page)
{
	struct recorder *recorder = recorder_of(self);
	size_t number = number_of_ring(recorder, page);
	struct ring_seen *ring = &recorder->rings[number];
	uint64_t head = outside_system.ring_head(&outside_system, page);

	strbuf_reset(&recorder->bytes);
	if (recorder->tape)
		add_written(&recorder->bytes, ring, ring->head, head);
	if (recorder->no_memory)
		tape_memory_clear_records(&recorder->code, recorder->chains, &recorder->leavings,
					  (unsigned char *)recorder->bytes.text, recorder->bytes.length);
	ring->head = head;
	put(self, (struct tape_entry){ .kind = TAPE_RING_HEAD, .a = number, .result = (int64_t)head,
				       .data = recorder->bytes.text, .size = recorder->bytes.length });
	return head;
}

static int record_trace(struct outside *self, int request, pid_t tid, uint64_t address, void *data)
{
	int result = outside_system.trace(&outside_system, request, tid, address, data);

	put(self, (struct tape_entry){ .kind = TAPE_TRACE, .a = (uint64_t)request, .b = (uint64_t)tid,
				       .result = result, .data = data,
				       .size = result < 0 ? 0 : tape_traced_size(request) });
	return result;
}

static int record_wait_task(struct outside *self, pid_t tid, siginfo_t *info, int options)
{
	int result = outside_system.wait_task(&outside_system, tid, info, options);

	put(self, (struct tape_entry){ .kind = TAPE_WAIT_TASK, .a = (uint64_t)tid,
				       .b = (uint64_t)options, .result = result, .data = info,
				       .size = result < 0 ? 0 : sizeof(*info) });
	return result;
}

static void record_sleep(struct outside *self, uint64_t ns)
{
	outside_system.sleep(&outside_system, ns);
	put(self, (struct tape_entry){ .kind = TAPE_SLEEP, .a = ns });
}

static const void *record_share(struct outside *self, const char *path, size_t *size)
{
	struct recorder *recorder = recorder_of(self);
	const void *real = outside_system.share(&outside_system, path, size);
	int error = errno;
	int64_t number = -1;

	if (real) {
		GROW(recorder->areas, recorder->area_count + 1, recorder->area_alloc);
		number = (int64_t)recorder->area_count++;
		recorder->areas[number] = (struct area){ xcalloc(1, *size), real, *size };
	}
	errno = error;
	put(self, (struct tape_entry){ .kind = TAPE_SHARE, .b = real ? *size : 0, .result = number });
	return real ? recorder->areas[number].copy : NULL;
}

/* Returns the area that a part belongs to; all of them are given out by record_share. */
static struct area *area_of(struct recorder *recorder, const void *part)
{
	struct area *area = recorder->areas;

	while (!area->copy || (const char *)part < (char *)area->copy ||
	       (const char *)part >= (char *)area->copy + area->size)
		area++;
	return area;
}

static void record_refresh(struct outside *self, const void *part, size_t size)
{
	struct recorder *recorder = recorder_of(self);
	struct area *area = area_of(recorder, part);
	size_t offset = (size_t)((const char *)part - (char *)area->copy);

	strbuf_reset(&recorder->bytes);
	tape_area_take((char *)area->copy + offset, (const char *)area->real + offset, offset, size,
		       &recorder->bytes);
	put(self, (struct tape_entry){ .kind = TAPE_REFRESH, .a = (uint64_t)(area - recorder->areas),
				       .data = recorder->bytes.text, .size = recorder->bytes.length });
}

static void record_unshare(struct outside *self, const void *part, size_t size)
{
	struct recorder *recorder = recorder_of(self);
	struct area *area = area_of(recorder, part);

	outside_system.unshare(&outside_system, area->real, size);
	free(area->copy);
	area->copy = NULL;
	put(self, (struct tape_entry){ .kind = TAPE_UNSHARE, .a = (uint64_t)(area - recorder->areas) });
}

static const void *record_recall(struct outside *self UNUSED, enum outside_note what UNUSED, uint64_t key UNUSED,
				 size_t *size UNUSED)
{
	return NULL;
}

static void record_note(struct outside *self, enum outside_note what, uint64_t key, const void *found,
			size_t size)
{
	put(self, (struct tape_entry){ .kind = TAPE_NOTE, .a = what, .b = key, .data = found, .size = size });
}

static const struct outside recording = {
	.clock = record_clock,
	.open = record_open,
	.close = record_close,
	.read = record_read,
	.link = record_link,
	.entries = record_entries,
	.status = record_status,
	.memory = record_memory,
	.image = record_image,
	.peer = record_peer,
	.poll = record_poll,
	.timer = record_timer,
	.set_timer = record_set_timer,
	.process = record_process,
	.own = record_own,
	.processors = record_processors,
	.descriptors = record_descriptors,
	.event = record_event,
	.control = record_control,
	.ring = record_ring,
	.drop_ring = record_drop_ring,
	.ring_head = record_ring_head,
	.trace = record_trace,
	.wait_task = record_wait_task,
	.sleep = record_sleep,
	.share = record_share,
	.refresh = record_refresh,
	.unshare = record_unshare,
	.recall = record_recall,
	.note = record_note,
};

struct recorder *recorder_new(struct tape_writer *tape, const struct recorder_options *options)
{
	struct recorder *recorder = xcalloc(1, sizeof(*recorder));

	recorder->source = recording;
	recorder->source.wants_objects = options->objects;
	recorder->no_memory = options->no_memory;
	idmap_init(&recorder->opened);
	idmap_init(&recorder->left_by);
	idmap_init(&recorder->leavings);
	recorder->tape = tape;
	strbuf_init(&recorder->bytes);
	return recorder;
}

void recorder_free(struct recorder *recorder)
{
	if (!recorder)
		return;
	free(recorder->areas);
	idmap_release(&recorder->opened);
	idmap_release(&recorder->left_by);
	idmap_release(&recorder->leavings);
	tape_code_release(&recorder->code);
	free(recorder->rings);
	strbuf_release(&recorder->bytes);
	free(recorder);
}

struct outside *recorder_source(struct recorder *recorder)
{
	return &recorder->source;
}

void recorder_stop(struct recorder *recorder)
{
	recorder->tape = NULL;
}
