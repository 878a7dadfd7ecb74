/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes records: samples by their sample_type, others with the tail of sample_id_all. */
#include "common/compat.h"
#include "session/import/perf-data/perf-record.h"
#include "program/objects/cursor.h"

#define RECORD_HEADER 8

static size_t left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* Returns count numbers of 8 bytes; NULL if they do not fit or are misaligned. */
static const uint64_t *take_numbers(struct cursor *cursor, uint64_t count)
{
	const void *at = cursor->at;

	if (cursor->failed || count > left(cursor) / 8 || (uintptr_t)at % sizeof(uint64_t)) {
		cursor->failed = true;
		return NULL;
	}
	cursor_skip(cursor, count * 8);
	return at;
}

/* Returns size bytes; NULL if they do not fit. */
static const unsigned char *take_bytes(struct cursor *cursor, uint64_t size)
{
	const unsigned char *at = cursor->at;

	if (cursor->failed || size > left(cursor)) {
		cursor->failed = true;
		return NULL;
	}
	cursor_skip(cursor, size);
	return at;
}

/* Returns a text that ends before its record does; the rest is padding. */
static const char *take_text(struct cursor *cursor)
{
	const char *text = (const char *)cursor->at;

	if (cursor->failed || !memchr(text, 0, left(cursor))) {
		cursor->failed = true;
		return "";
	}
	cursor->at = cursor->end;
	return text;
}

/* Returns the size of the tail that sample_id_all adds to other records, in bytes. */
static size_t tail_size(uint64_t sample_type)
{
	static const uint64_t fields[] = { PERF_HAS_TID,       PERF_HAS_TIME, PERF_HAS_ID,
					   PERF_HAS_STREAM_ID, PERF_HAS_CPU,  PERF_HAS_IDENTIFIER };
	size_t size = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		size += sample_type & fields[i] ? 8 : 0;
	return size;
}

/* Returns the event with an id. */
static size_t event_of(const struct perf_header *header, uint64_t id)
{
	uint64_t event;

	return idmap_get(&header->ids, id, &event) && event < header->event_count ? (size_t)event
										  : PERF_NO_EVENT;
}

/* Returns the offset of the id in a sample, counted from its first field; SIZE_MAX: none. */
static size_t id_position(uint64_t sample_type)
{
	static const uint64_t before[] = { PERF_HAS_IP, PERF_HAS_TID, PERF_HAS_TIME, PERF_HAS_ADDR };
	size_t position = 0;

	if (sample_type & PERF_HAS_IDENTIFIER)
		return 0;
	if (!(sample_type & PERF_HAS_ID))
		return SIZE_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		position += sample_type & before[i] ? 8 : 0;
	return position;
}

/* Returns the event of a sample. All events of a recording have their id at the same offset. */
static size_t sample_event(const struct perf_header *header, const unsigned char *bytes, size_t size)
{
	size_t position;
	uint64_t id;

	if (!header->event_count)
		return PERF_NO_EVENT;
	position = id_position(header->events[0].sample_type);
	if (position == SIZE_MAX || position + sizeof(id) > size)
		return header->event_count == 1 ? 0 : PERF_NO_EVENT;
	memcpy(&id, bytes + position, sizeof(id));
	/* A sample without id belongs to the first event. */
	return id || header->event_count > 1 ? event_of(header, id) : 0;
}

/* Returns the event of another record, from the end of its tail. */
static size_t tail_event(const struct perf_header *header, const unsigned char *bytes, size_t size)
{
	const struct perf_event *first = header->events;
	uint64_t id;
	size_t event;

	if (!header->event_count)
		return PERF_NO_EVENT;
	if (!(first->sample_type & PERF_HAS_IDENTIFIER) || size < sizeof(id))
		return 0;
	memcpy(&id, bytes + size - sizeof(id), sizeof(id));
	event = event_of(header, id);
	/* perf's records of existing tasks and mappings have no id. */
	return event == PERF_NO_EVENT ? 0 : event;
}

/* Decodes the tail at the end of a record; afterwards cursor ends before it. */
static void take_tail(struct perf_record *record, const struct perf_header *header,
		      struct cursor *cursor)
{
	const struct perf_event *event;
	struct cursor tail = *cursor;
	size_t size;

	record->event = tail_event(header, cursor->at, left(cursor));
	if (record->event == PERF_NO_EVENT)
		return;
	event = &header->events[record->event];
	size = tail_size(event->sample_type);
	if (!(event->flags & PERF_FLAG_SAMPLE_ID_ALL) || size > left(cursor))
		return;
	tail.at = tail.end - size;
	cursor->end = tail.at;
	if (event->sample_type & PERF_HAS_TID) {
		record->pid = (uint32_t)cursor_unsigned(&tail, 4);
		record->tid = (uint32_t)cursor_unsigned(&tail, 4);
		record->has_task = true;
	}
	if (event->sample_type & PERF_HAS_TIME) {
		record->time = cursor_unsigned(&tail, 8);
		record->has_time = true;
	}
	cursor_skip(&tail, (event->sample_type & PERF_HAS_ID ? 8U : 0) +
				   (event->sample_type & PERF_HAS_STREAM_ID ? 8U : 0));
	if (event->sample_type & PERF_HAS_CPU)
		record->cpu = (uint32_t)cursor_unsigned(&tail, 8);
}

/* Skips the values of counters. */
static void skip_read(struct cursor *cursor, uint64_t format)
{
	uint64_t times = (format & PERF_READ_TIME_ENABLED ? 8U : 0) +
			 (format & PERF_READ_TIME_RUNNING ? 8U : 0);
	uint64_t each = 8 + (format & PERF_READ_ID ? 8U : 0) + (format & PERF_READ_LOST ? 8U : 0);

	if (format & PERF_READ_GROUP) {
		uint64_t count = cursor_unsigned(cursor, 8);

		cursor_skip(cursor, times);
		take_bytes(cursor, count > left(cursor) ? UINT64_MAX : count * each);
	} else {
		cursor_skip(cursor, each + times);
	}
}

/* Skips taken branches. */
static void skip_branches(struct cursor *cursor, uint64_t branch_type)
{
	uint64_t count = cursor_unsigned(cursor, 8);
	uint64_t each = 24 + (branch_type & PERF_BRANCH_COUNTERS ? 8U : 0);

	if (branch_type & PERF_BRANCH_HW_INDEX)
		cursor_skip(cursor, 8);
	take_bytes(cursor, count > left(cursor) ? UINT64_MAX : count * each);
}

/* Decodes the fields of fixed size, in order. */
static void take_fixed(struct perf_record *record, uint64_t type, struct cursor *cursor)
{
	if (type & PERF_HAS_IDENTIFIER)
		cursor_skip(cursor, 8);
	if (type & PERF_HAS_IP)
		record->sample.address = cursor_unsigned(cursor, 8);
	if (type & PERF_HAS_TID) {
		record->pid = (uint32_t)cursor_unsigned(cursor, 4);
		record->tid = (uint32_t)cursor_unsigned(cursor, 4);
		record->has_task = true;
	}
	if (type & PERF_HAS_TIME) {
		record->time = cursor_unsigned(cursor, 8);
		record->has_time = true;
	}
	cursor_skip(cursor, (type & PERF_HAS_ADDR ? 8U : 0) + (type & PERF_HAS_ID ? 8U : 0) +
				    (type & PERF_HAS_STREAM_ID ? 8U : 0));
	if (type & PERF_HAS_CPU)
		record->cpu = (uint32_t)cursor_unsigned(cursor, 8);
	if (type & PERF_HAS_PERIOD) {
		record->sample.period = cursor_unsigned(cursor, 8);
		record->sample.has_period = true;
	}
}

/* Decodes user registers, and the copied bytes of the stack. */
static void take_user_state(struct perf_sample *sample, const struct perf_event *event,
			    struct cursor *cursor)
{
	uint64_t size;

	if (event->sample_type & PERF_HAS_REGS_USER) {
		sample->abi = cursor_unsigned(cursor, 8);
		sample->mask = event->user_registers;
		if (sample->abi)
			sample->registers = take_numbers(
				cursor, (uint64_t)__builtin_popcountll(sample->mask));
	}
	if (event->sample_type & PERF_HAS_STACK_USER) {
		size = cursor_unsigned(cursor, 8);
		if (!size)
			return;
		sample->stack = take_bytes(cursor, size);
		sample->stack_size = (size_t)cursor_unsigned(cursor, 8);
		if (sample->stack_size > size)
			sample->stack_size = (size_t)size;
	}
}

static bool read_sample(struct perf_record *record, const struct perf_header *header,
			struct cursor *cursor)
{
	struct perf_sample *sample = &record->sample;
	const struct perf_event *event;
	uint64_t count;

	record->event = sample_event(header, cursor->at, left(cursor));
	if (record->event == PERF_NO_EVENT)
		return false;
	event = &header->events[record->event];
	take_fixed(record, event->sample_type, cursor);
	if (event->sample_type & PERF_HAS_READ)
		skip_read(cursor, event->read_format);
	if (event->sample_type & PERF_HAS_CALLCHAIN) {
		count = cursor_unsigned(cursor, 8);
		sample->chain = take_numbers(cursor, count);
		sample->chain_length = (size_t)count;
	}
	if (event->sample_type & PERF_HAS_RAW) {
		sample->raw_size = (size_t)cursor_unsigned(cursor, 4);
		sample->raw = take_bytes(cursor, sample->raw_size);
	}
	if (event->sample_type & PERF_HAS_BRANCH_STACK)
		skip_branches(cursor, event->branch_type);
	take_user_state(sample, event, cursor);
	return !cursor->failed;
}

static void read_map(struct perf_record *record, struct cursor *cursor)
{
	struct perf_map *map = &record->map;
	uint32_t protection = 4;

	map->pid = (uint32_t)cursor_unsigned(cursor, 4);
	cursor_skip(cursor, 4);
	map->start = cursor_unsigned(cursor, 8);
	map->length = cursor_unsigned(cursor, 8);
	map->offset = cursor_unsigned(cursor, 8);
	if (record->type == PERF_KERNEL_MMAP2 && record->misc & PERF_MISC_BUILD_ID) {
		const unsigned char *id = take_bytes(cursor, 24);

		map->build_id_size = id && id[0] <= PERF_BUILD_ID ? id[0] : 0;
		if (map->build_id_size)
			memcpy(map->build_id, id + 4, map->build_id_size);
	} else if (record->type == PERF_KERNEL_MMAP2) {
		map->major = (uint32_t)cursor_unsigned(cursor, 4);
		map->minor = (uint32_t)cursor_unsigned(cursor, 4);
		map->inode = cursor_unsigned(cursor, 8);
		map->generation = cursor_unsigned(cursor, 8);
	}
	if (record->type == PERF_KERNEL_MMAP2) {
		protection = (uint32_t)cursor_unsigned(cursor, 4);
		cursor_skip(cursor, 4); /* flags */
	}
	map->executable = protection & 4 && !(record->misc & PERF_MISC_DATA);
	map->path = take_text(cursor);
}

/* Decodes all other known types. */
static void read_other(struct perf_record *record, struct cursor *cursor)
{
	switch (record->type) {
	case PERF_KERNEL_MMAP:
	case PERF_KERNEL_MMAP2:
		read_map(record, cursor);
		break;
	case PERF_KERNEL_COMM:
		record->comm.pid = (uint32_t)cursor_unsigned(cursor, 4);
		record->comm.tid = (uint32_t)cursor_unsigned(cursor, 4);
		record->comm.name = take_text(cursor);
		break;
	case PERF_KERNEL_FORK:
	case PERF_KERNEL_EXIT:
		record->fork.pid = (uint32_t)cursor_unsigned(cursor, 4);
		record->fork.parent_pid = (uint32_t)cursor_unsigned(cursor, 4);
		record->fork.tid = (uint32_t)cursor_unsigned(cursor, 4);
		record->fork.parent_tid = (uint32_t)cursor_unsigned(cursor, 4);
		record->fork.time = cursor_unsigned(cursor, 8);
		break;
	case PERF_KERNEL_LOST:
		cursor_skip(cursor, 8); /* id */
		record->lost = cursor_unsigned(cursor, 8);
		break;
	case PERF_KERNEL_LOST_SAMPLES:
		record->lost = cursor_unsigned(cursor, 8);
		break;
	case PERF_KERNEL_SWITCH_CPU_WIDE:
		record->change.pid = (uint32_t)cursor_unsigned(cursor, 4);
		record->change.tid = (uint32_t)cursor_unsigned(cursor, 4);
		break;
	default:
		break;
	}
}

bool perf_record_read(struct perf_record *record, const struct perf_header *header,
		      const unsigned char *bytes, size_t size)
{
	struct cursor cursor = { .at = bytes + RECORD_HEADER, .end = bytes + size };
	uint16_t misc;
	uint32_t type;

	memcpy(&type, bytes, sizeof(type));
	memcpy(&misc, bytes + 4, sizeof(misc));
	*record = (struct perf_record){ .type = type, .misc = misc, .event = PERF_NO_EVENT,
					.cpu = PERF_NO_CPU };
	if (type == PERF_KERNEL_SAMPLE)
		return read_sample(record, header, &cursor);
	if (type < PERF_TOOL_ATTR)
		take_tail(record, header, &cursor);
	read_other(record, &cursor);
	return !cursor.failed;
}

bool perf_record_time(const struct perf_header *header, const unsigned char *bytes, size_t size,
		      uint64_t *time)
{
	struct perf_record record;
	struct cursor cursor = { .at = bytes + RECORD_HEADER, .end = bytes + size };

	memset(&record, 0, sizeof(record));
	memcpy(&record.type, bytes, sizeof(uint32_t));
	if (record.type == PERF_KERNEL_SAMPLE) {
		record.event = sample_event(header, cursor.at, left(&cursor));
		if (record.event == PERF_NO_EVENT)
			return false;
		take_fixed(&record, header->events[record.event].sample_type, &cursor);
	} else if (record.type < PERF_TOOL_ATTR) {
		take_tail(&record, header, &cursor);
	}
	*time = record.time;
	return record.has_time && !cursor.failed;
}
