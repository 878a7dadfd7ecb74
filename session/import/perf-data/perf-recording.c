/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the records of a recording. */
#include "common/compat.h"
#include "session/import/perf-data/perf-recording.h"
#include "common/xalloc.h"
#include "session/import/import-input.h"
#include "session/import/perf-data/perf-order.h"
#include "session/import/perf-data/perf-unpack.h"

#define RECORD_HEADER 8
#define RECORD_MAX 65536
/* Maximum bytes of records that wait for their turn. */
#define PENDING_MAX ((size_t)64 << 20)
/* Number of damage messages that are reported; then only their total is. */
#define DAMAGE_REPORTS_MAX 5

struct perf_data {
	struct import_input input;
	struct perf_header header;
	bool walked; /* set after the first walk: the header is complete */
	bool lacks_zstd;
};

/* A walk in progress. */
struct walk {
	struct perf_data *data;
	perf_take_record *take;
	perf_take_damage *damage;
	void *argument;
	struct perf_order *order; /* NULL: file order */
	bool more;		  /* the receiver wants more */
	uint64_t place;		  /* offset of the current record */
	uint64_t skip;		  /* bytes after it that are no records */
	uint64_t damaged;
	struct perf_unpack *unpack;
	unsigned char *rest; /* start of a record that continues in the next piece */
	size_t rest_size;
	bool broken; /* compressed data cannot be read further */
	uint64_t copy[RECORD_MAX / sizeof(uint64_t)];
};

bool perf_data_is(const unsigned char *bytes, size_t size)
{
	return size >= 8 && (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0 ||
			     memcmp(bytes, "PERFFILE", 8) == 0);
}

struct perf_data *perf_data_open(struct import_input *input, struct error *err)
{
	struct perf_data *data = xcalloc(1, sizeof(*data));

	data->input = *input;
	*input = (struct import_input){ .fd = -1 };
	perf_header_init(&data->header);
	if (perf_header_read(&data->header, &data->input, err) < 0) {
		perf_data_close(data);
		return NULL;
	}
	return data;
}

void perf_data_close(struct perf_data *data)
{
	if (!data)
		return;
	import_input_close(&data->input);
	perf_header_release(&data->header);
	free(data);
}

const struct perf_header *perf_data_header(const struct perf_data *data)
{
	return &data->header;
}

uint64_t perf_data_written(const struct perf_data *data)
{
	return data->input.written;
}

bool perf_data_lacks_zstd(const struct perf_data *data)
{
	return data->lacks_zstd;
}

/* Reports damage at the current record. */
static void report_damage(struct walk *walk, const char *text)
{
	if (walk->damage && walk->damaged++ < DAMAGE_REPORTS_MAX)
		walk->damage(walk->argument, walk->place, text);
}

/* Decodes a record and passes it on. */
static bool pass(struct walk *walk, uint64_t place, const unsigned char *bytes, size_t size)
{
	struct perf_record record;

	walk->place = place;
	if (!perf_record_read(&record, &walk->data->header, bytes, size)) {
		report_damage(walk, "a record cannot be decoded and is skipped");
		return true;
	}
	record.place = place;
	walk->more = walk->take(walk->argument, &record);
	return walk->more;
}

/* perf_take_ordered */
static bool pass_ordered(void *argument, const struct perf_ordered *record)
{
	return pass(argument, record->place, record->bytes, record->size);
}

/* Processes header records, which occur among the others. */
static void take_header_record(struct walk *walk, unsigned type, unsigned misc,
			       const unsigned char *bytes, size_t size)
{
	struct perf_header *header = &walk->data->header;
	uint64_t feature = 0;
	bool whole = true;

	if (walk->data->walked)
		return;
	if (type == PERF_TOOL_ATTR && header->pipe)
		whole = perf_header_attribute(header, bytes, size);
	else if (type == PERF_TOOL_EVENT_UPDATE)
		whole = perf_header_update(header, bytes, size);
	else if (type == PERF_TOOL_BUILD_ID)
		whole = perf_header_build_id(header, misc, bytes, size);
	else if (type == PERF_TOOL_FEATURE && size >= sizeof(feature)) {
		memcpy(&feature, bytes, sizeof(feature));
		whole = perf_header_feature(header, feature, bytes + sizeof(feature),
					    size - sizeof(feature));
	}
	if (!whole)
		report_damage(walk, "a header record is damaged");
}

static bool take_record(struct walk *walk, const unsigned char *bytes, size_t size);

/* perf_take_unpacked: processes complete records, keeps the start of an incomplete one. */
static bool take_unpacked(void *argument, const unsigned char *bytes, size_t size)
{
	struct walk *walk = argument;
	size_t at = 0;

	if (!walk->rest)
		walk->rest = xmalloc(2 * RECORD_MAX);
	memcpy(walk->rest + walk->rest_size, bytes, size);
	walk->rest_size += size;
	while (walk->more && !walk->broken && walk->rest_size - at >= RECORD_HEADER) {
		uint16_t length;

		memcpy(&length, walk->rest + at + 6, sizeof(length));
		if (length < RECORD_HEADER) {
			report_damage(walk, "the compressed data has no records; the compressed "
				   "data after it cannot be read");
			walk->broken = true;
			break;
		}
		if (length > walk->rest_size - at)
			break;
		memcpy(walk->copy, walk->rest + at, length);
		at += length;
		take_record(walk, (const unsigned char *)walk->copy, length);
	}
	memmove(walk->rest, walk->rest + at, walk->rest_size - at);
	walk->rest_size -= at;
	return walk->more && !walk->broken;
}

/* Decompresses a piece. */
static void take_packed(struct walk *walk, unsigned type, const unsigned char *bytes, size_t size)
{
	uint64_t own = size;
	unsigned char *piece;

	if (walk->broken)
		return;
	if (!walk->unpack)
		walk->unpack = perf_unpack_new();
	if (!walk->unpack) {
		walk->data->lacks_zstd = walk->broken = true;
		return;
	}
	if (type == PERF_TOOL_COMPRESSED2) {
		if (size < sizeof(own))
			return;
		memcpy(&own, bytes, sizeof(own));
		bytes += sizeof(own);
		size -= sizeof(own);
		own = own < size ? own : size;
	}
	/* Copied, because the decompressed records overwrite the buffer of this one. */
	piece = xmemdup(bytes, (size_t)own);
	if (!perf_unpack_piece(walk->unpack, piece, (size_t)own, take_unpacked, walk)) {
		report_damage(walk, "the compressed data is damaged; the compressed data after it cannot be read");
		walk->broken = true;
	}
	free(piece);
}

/* Returns the number of bytes after a record that are no records. */
static uint64_t behind(unsigned type, const unsigned char *bytes, size_t size)
{
	uint32_t tracing;
	uint64_t aux;

	if (type == PERF_TOOL_TRACING_DATA && size >= sizeof(tracing)) {
		memcpy(&tracing, bytes, sizeof(tracing));
		return ((uint64_t)tracing + 7) & ~UINT64_C(7);
	}
	if (type == PERF_TOOL_AUXTRACE && size >= sizeof(aux)) {
		memcpy(&aux, bytes, sizeof(aux));
		return aux;
	}
	return 0;
}

/* Processes a record of the kernel, in time order if requested. */
static bool take_kernel_record(struct walk *walk, const unsigned char *bytes, size_t size)
{
	uint64_t time;

	if (walk->order && perf_record_time(&walk->data->header, bytes, size, &time))
		return perf_order_add(walk->order, time, walk->place, bytes, size);
	return pass(walk, walk->place, bytes, size);
}

/* Processes one record, aligned to 8; false: no more are wanted. */
static bool take_record(struct walk *walk, const unsigned char *bytes, size_t size)
{
	uint16_t misc;
	uint32_t type;

	memcpy(&type, bytes, sizeof(type));
	memcpy(&misc, bytes + 4, sizeof(misc));
	if (type < PERF_TOOL_ATTR)
		return take_kernel_record(walk, bytes, size);
	bytes += RECORD_HEADER;
	size -= RECORD_HEADER;
	if (type == PERF_TOOL_FINISHED_ROUND)
		return !walk->order || perf_order_round(walk->order);
	if (type == PERF_TOOL_COMPRESSED || type == PERF_TOOL_COMPRESSED2)
		take_packed(walk, type, bytes, size);
	else if (type == PERF_TOOL_AUXTRACE_INFO)
		return pass(walk, walk->place, bytes - RECORD_HEADER, size + RECORD_HEADER);
	else
		take_header_record(walk, type, misc, bytes, size);
	walk->skip = behind(type, bytes, size);
	return walk->more;
}

/* Reads the record at an offset; returns its size, 0 if there is no valid one. */
static size_t fetch(struct walk *walk, uint64_t place, uint64_t end)
{
	const unsigned char *bytes = import_input_at(&walk->data->input, place, RECORD_HEADER);
	uint32_t type = 0;
	uint16_t size = 0;

	walk->place = place;
	if (bytes) {
		memcpy(&type, bytes, sizeof(type));
		memcpy(&size, bytes + 6, sizeof(size));
	}
	if (bytes && (size < RECORD_HEADER || type == 0 || type >= PERF_TOOL_END)) {
		report_damage(walk, "there is no record; the data after it cannot be read");
		return 0;
	}
	bytes = bytes && size <= end - place ? import_input_at(&walk->data->input, place, size) : NULL;
	if (!bytes) {
		report_damage(walk, "the recording ends in the middle of a record");
		return 0;
	}
	memcpy(walk->copy, bytes, size);
	return size;
}

static void walk_all(struct walk *walk)
{
	const struct perf_header *header = &walk->data->header;
	uint64_t place = header->data;
	size_t size;

	walk->place = header->data_end;
	if (header->truncated)
		report_damage(walk, "the recording is incomplete: it was cut off, or perf was killed");
	while (walk->more && place < header->data_end) {
		size = fetch(walk, place, header->data_end);
		if (!size)
			break;
		walk->skip = 0;
		take_record(walk, (const unsigned char *)walk->copy, size);
		place += size;
		if (walk->skip > header->data_end - place) {
			report_damage(walk, "the recording ends in the data of a record");
			break;
		}
		place += walk->skip;
	}
	if (walk->order && walk->more)
		perf_order_flush(walk->order);
	walk->data->walked = true;
}

/* Reports the total of damage. */
static void end_walk(struct walk *walk)
{
	struct strbuf sb = STRBUF_INIT;

	if (walk->damage && walk->damaged > DAMAGE_REPORTS_MAX) {
		strbuf_addf(&sb, "that was the last of %" PRIu64 " such places", walk->damaged);
		walk->damage(walk->argument, walk->place, sb.text);
	}
	strbuf_release(&sb);
	perf_unpack_free(walk->unpack);
	free(walk->rest);
	free(walk);
}

static struct walk *begin_walk(struct perf_data *data, perf_take_record *take,
			       perf_take_damage *damage, void *argument)
{
	struct walk *walk = xcalloc(1, sizeof(*walk));

	walk->data = data;
	walk->take = take;
	walk->damage = damage;
	walk->argument = argument;
	walk->more = true;
	return walk;
}

void perf_data_walk(struct perf_data *data, perf_take_record *take, perf_take_damage *damage,
		    void *argument)
{
	struct walk *walk = begin_walk(data, take, damage, argument);

	walk_all(walk);
	end_walk(walk);
}

uint64_t perf_data_walk_ordered(struct perf_data *data, perf_take_record *take,
				perf_take_damage *damage, void *argument)
{
	struct walk *walk = begin_walk(data, take, damage, argument);
	struct perf_order order;

	perf_order_init(&order, PENDING_MAX, pass_ordered, walk);
	walk->order = &order;
	walk_all(walk);
	perf_order_release(&order);
	end_walk(walk);
	return order.disordered;
}
