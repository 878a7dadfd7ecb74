/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the header of a recording, its events and its features. */
#include "common/compat.h"
#include "session/import/perf-data/perf-header.h"
#include "common/xalloc.h"
#include "program/objects/cursor.h"
#include "session/import/perf-data/perf-format.h"
#include "session/import/import-input.h"

/* Size in bytes of an attribute in the first version of the format; later ones are larger. */
#define ATTRIBUTE_SIZE_MIN 64
#define ATTRIBUTE_MAX 4096
#define FEATURE_MAX (UINT64_C(64) << 20)

void perf_header_init(struct perf_header *header)
{
	memset(header, 0, sizeof(*header));
	idmap_init(&header->ids);
	strmap_init(&header->paths);
}

void perf_header_release(struct perf_header *header)
{
	for (size_t i = 0; i < header->event_count; i++)
		free(header->events[i].name);
	free(header->events);
	free(header->build_ids);
	free(header->host);
	free(header->release);
	free(header->version);
	free(header->arch);
	free(header->cpu_model);
	free(header->command);
	idmap_release(&header->ids);
	strmap_release(&header->paths);
}

static struct cursor cursor_of(const unsigned char *bytes, size_t size)
{
	return (struct cursor){ .at = bytes, .end = bytes + size };
}

/* Returns the number of bytes left. */
static size_t left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* Returns a copy of a text, or NULL; the caller frees it. */
static char *text_of(const unsigned char *bytes, size_t size)
{
	return xstrndup((const char *)bytes, strnlen((const char *)bytes, size));
}

/* Decodes an attribute of size bytes; false if it is too short. */
static bool take_attribute(struct perf_event *event, const unsigned char *bytes, size_t size)
{
	struct cursor cursor = cursor_of(bytes, size);

	if (size < ATTRIBUTE_SIZE_MIN)
		return false;
	memset(event, 0, sizeof(*event));
	event->type = (uint32_t)cursor_unsigned(&cursor, 4);
	cursor_skip(&cursor, 4); /* its size */
	event->config = cursor_unsigned(&cursor, 8);
	event->period = cursor_unsigned(&cursor, 8);
	event->sample_type = cursor_unsigned(&cursor, 8);
	event->read_format = cursor_unsigned(&cursor, 8);
	event->flags = cursor_unsigned(&cursor, 8);
	cursor_skip(&cursor, 24); /* wakeups, breakpoint type, config1, config2 */
	event->branch_type = left(&cursor) >= 8 ? cursor_unsigned(&cursor, 8) : 0;
	event->user_registers = left(&cursor) >= 8 ? cursor_unsigned(&cursor, 8) : 0;
	return true;
}

/* Adds an event with its ids. */
static void add_event(struct perf_header *header, const struct perf_event *event, struct cursor *ids)
{
	GROW(header->events, header->event_count + 1, header->event_alloc);
	header->events[header->event_count++] = *event;
	while (left(ids) >= 8)
		idmap_put(&header->ids, cursor_unsigned(ids, 8), header->event_count - 1);
}

bool perf_header_attribute(struct perf_header *header, const unsigned char *bytes, size_t size)
{
	struct perf_event event;
	struct cursor ids;
	uint32_t own;

	if (size < ATTRIBUTE_SIZE_MIN)
		return false;
	memcpy(&own, bytes + 4, sizeof(own));
	if (own < ATTRIBUTE_SIZE_MIN || own > size || !take_attribute(&event, bytes, own))
		return false;
	ids = cursor_of(bytes + own, size - own);
	add_event(header, &event, &ids);
	return true;
}

bool perf_header_update(struct perf_header *header, const unsigned char *bytes, size_t size)
{
	struct cursor cursor = cursor_of(bytes, size);
	uint64_t what = cursor_unsigned(&cursor, 8), id = cursor_unsigned(&cursor, 8), event;

	if (cursor.failed)
		return false;
	/* 2: a name. Units and the like are not needed. */
	if (what != 2 || !idmap_get(&header->ids, id, &event))
		return true;
	free(header->events[event].name);
	header->events[event].name = text_of(cursor.at, left(&cursor));
	return true;
}

bool perf_header_build_id(struct perf_header *header, unsigned misc, const unsigned char *bytes,
			  size_t size)
{
	struct perf_build_id *made;
	const char *path = (const char *)bytes + 28;

	if (size < 29 || !memchr(path, 0, size - 28))
		return false;
	GROW(header->build_ids, header->build_id_count + 1, header->build_id_alloc);
	made = &header->build_ids[header->build_id_count++];
	memset(made, 0, sizeof(*made));
	made->path = strmap_put(&header->paths, path);
	made->size = misc & PERF_MISC_BUILD_ID_SIZE ? bytes[4 + PERF_BUILD_ID] : PERF_BUILD_ID;
	if (made->size > PERF_BUILD_ID)
		made->size = PERF_BUILD_ID;
	made->kernel = (misc & PERF_MISC_MODE) == PERF_MISC_KERNEL;
	memcpy(made->id, bytes + 4, made->size);
	return true;
}

/* Reads all build ids, each in its own record. */
static bool take_build_ids(struct perf_header *header, const unsigned char *bytes, size_t size)
{
	while (size >= 8) {
		uint16_t misc, length;

		memcpy(&misc, bytes + 4, sizeof(misc));
		memcpy(&length, bytes + 6, sizeof(length));
		if (length < 8 || length > size ||
		    !perf_header_build_id(header, misc, bytes + 8, length - 8U))
			return false;
		bytes += length;
		size -= length;
	}
	return size == 0;
}

/* Returns a text that follows its length; NULL if it is damaged. */
static char *counted_text(struct cursor *cursor)
{
	uint64_t size = cursor_unsigned(cursor, 4);
	char *text;

	if (cursor->failed || size > left(cursor)) {
		cursor->failed = true;
		return NULL;
	}
	text = text_of(cursor->at, (size_t)size);
	cursor_skip(cursor, size);
	return text;
}

static bool take_text(char **place, struct cursor *cursor)
{
	char *text = counted_text(cursor);

	if (!text)
		return false;
	free(*place);
	*place = text;
	return true;
}

/* Reads a command line: words, in apostrophes if they have blanks. */
static bool take_command(struct perf_header *header, struct cursor *cursor)
{
	uint64_t words = cursor_unsigned(cursor, 4);
	struct strbuf line = STRBUF_INIT;
	char *word;

	while (words-- > 0 && (word = counted_text(cursor)) != NULL) {
		bool quoted = !*word || strpbrk(word, " \t'\"*?;&|<>$") != NULL;

		strbuf_addf(&line, "%s%s%s%s", line.length ? " " : "", quoted ? "'" : "", word,
			    quoted ? "'" : "");
		free(word);
	}
	free(header->command);
	header->command = strbuf_detach(&line, NULL);
	return !cursor->failed;
}

/*
 * Reads names of events. Those without an attribute in the recording (a pipe
 * truncated before them) are added.
 */
static bool take_events(struct perf_header *header, struct cursor *cursor)
{
	uint64_t count = cursor_unsigned(cursor, 4), size = cursor_unsigned(cursor, 4);

	if (size < ATTRIBUTE_SIZE_MIN || size > ATTRIBUTE_MAX)
		return false;
	for (uint64_t i = 0; i < count && !cursor->failed; i++) {
		uint64_t ids, event = i;
		char *name;

		cursor_skip(cursor, size);
		ids = cursor_unsigned(cursor, 4);
		name = counted_text(cursor);
		for (uint64_t j = 0; j < ids && !cursor->failed; j++)
			idmap_get(&header->ids, cursor_unsigned(cursor, 8), &event);
		if (name && event < header->event_count && !cursor->failed) {
			free(header->events[event].name);
			header->events[event].name = name;
		} else {
			free(name);
		}
	}
	return !cursor->failed;
}

bool perf_header_feature(struct perf_header *header, uint64_t feature, const unsigned char *bytes,
			 size_t size)
{
	struct cursor cursor = cursor_of(bytes, size);

	switch (feature) {
	case PERF_FEATURE_BUILD_ID:
		return take_build_ids(header, bytes, size);
	case PERF_FEATURE_HOSTNAME:
		return take_text(&header->host, &cursor);
	case PERF_FEATURE_OS_RELEASE:
		return take_text(&header->release, &cursor);
	case PERF_FEATURE_VERSION:
		return take_text(&header->version, &cursor);
	case PERF_FEATURE_ARCH:
		return take_text(&header->arch, &cursor);
	case PERF_FEATURE_CPU_MODEL:
		return take_text(&header->cpu_model, &cursor);
	case PERF_FEATURE_CPUS:
		cursor_skip(&cursor, 4); /* processors that could exist */
		header->cpus = cursor_unsigned(&cursor, 4);
		return !cursor.failed;
	case PERF_FEATURE_COMMAND:
		return take_command(header, &cursor);
	case PERF_FEATURE_EVENTS:
		return take_events(header, &cursor);
	case PERF_FEATURE_CLOCK:
		cursor_skip(&cursor, 8); /* version and clock */
		header->wall = cursor_unsigned(&cursor, 8);
		header->when = cursor_unsigned(&cursor, 8);
		return !cursor.failed;
	default:
		return true;
	}
}

/* Reads the attributes of a file, each with the position of its ids. */
static int read_attributes(struct perf_header *header, struct import_input *input, uint64_t each,
			   uint64_t place, uint64_t size, struct error *err)
{
	if (each < ATTRIBUTE_SIZE_MIN + 16 || each > ATTRIBUTE_MAX || size % each)
		return error_set(err, "the events of the recording cannot be read");
	for (uint64_t at = place; at < place + size; at += each) {
		const unsigned char *bytes = import_input_at(input, at, (size_t)each);
		struct perf_event event;
		uint64_t ids[2];
		struct cursor cursor;

		if (!bytes || !take_attribute(&event, bytes, (size_t)each - 16))
			return error_set(err, "the recording ends in its list of events");
		memcpy(ids, bytes + each - 16, sizeof(ids));
		bytes = ids[1] <= FEATURE_MAX ? import_input_at(input, ids[0], (size_t)ids[1]) : NULL;
		cursor = cursor_of(bytes ? bytes : (const unsigned char *)"", bytes ? (size_t)ids[1] : 0);
		add_event(header, &event, &cursor);
	}
	return 0;
}

/* Reads the features of a file: a table of positions after the data, in the order of the bits. */
static void read_features(struct perf_header *header, struct import_input *input,
			  const unsigned char *bits)
{
	uint64_t table = header->data_end;

	for (unsigned feature = 0; feature < PERF_FEATURES; feature++) {
		const unsigned char *bytes;
		uint64_t place[2];

		if (!(bits[feature / 8] >> feature % 8 & 1))
			continue;
		bytes = import_input_at(input, table, sizeof(place));
		table += sizeof(place);
		if (!bytes) {
			header->truncated = true;
			return;
		}
		memcpy(place, bytes, sizeof(place));
		bytes = place[1] <= FEATURE_MAX ? import_input_at(input, place[0], (size_t)place[1]) : NULL;
		if (!bytes || !perf_header_feature(header, feature, bytes, (size_t)place[1]))
			header->truncated = true;
	}
}

/* Reports what a file is that begins with something else. */
static int wrong_magic(uint64_t magic, struct error *err)
{
	if (magic == PERF_SWAPPED)
		return error_set(err, "it was recorded on a machine with a different byte order; "
				      "\"perf script\" there makes a text that can be imported");
	if (memcmp(&magic, "PERFFILE", 8) == 0)
		return error_set(err, "it has the first format of perf.data, of kernels before "
				      "3.0; \"perf script\" makes a text that can be imported");
	return error_set(err, "it is not a perf recording");
}

int perf_header_read(struct perf_header *header, struct import_input *input, struct error *err)
{
	unsigned char bits[PERF_FEATURES / 8];
	const unsigned char *bytes = import_input_at(input, 0, PERF_PIPE_HEADER);
	uint64_t words[9]; /* magic, size, size of an attribute, attributes, data, event types */

	if (!bytes)
		return error_set(err, "it is too short for a perf recording");
	memcpy(words, bytes, PERF_PIPE_HEADER);
	if (words[0] != PERF_MAGIC)
		return wrong_magic(words[0], err);
	header->pipe = words[1] == PERF_PIPE_HEADER;
	header->data = PERF_PIPE_HEADER;
	header->data_end = input->size;
	if (header->pipe)
		return 0;
	bytes = import_input_at(input, 0, PERF_FILE_HEADER);
	if (!bytes)
		return error_set(err, "it ends in its header");
	memcpy(words, bytes, sizeof(words));
	memcpy(bits, bytes + sizeof(words), sizeof(bits));
	if (read_attributes(header, input, words[2], words[3], words[4], err) < 0)
		return -1;
	header->data = words[5];
	/* A recording that was killed never wrote its data size. */
	header->truncated = words[6] == 0 || words[5] > input->size || words[6] > input->size - words[5];
	if (header->data > input->size)
		header->data = input->size;
	header->data_end = header->truncated ? input->size : words[5] + words[6];
	if (!header->truncated)
		read_features(header, input, bits);
	return 0;
}

void perf_event_name(const struct perf_event *event, struct strbuf *sb)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	if (event->name && *event->name)
		strbuf_addstr(sb, event->name);
	else if (event->type == PERF_EVENT_SOFTWARE && event->config < ARRAY_SIZE(clocks))
		strbuf_addstr(sb, clocks[event->config]);
	else if (event->type == PERF_EVENT_HARDWARE && event->config == PERF_HARDWARE_CYCLES)
		strbuf_addstr(sb, "cycles");
	else
		strbuf_addf(sb, "event %" PRIu32 ":%" PRIx64, event->type, event->config);
}
