/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of frames: what is written is read, and damage affects only the records that it hits. */
#include "common/compat.h"
#include "common/test-input.h"
#include "metrics/monitor/domain-detail.h"
#include "metrics/monitor/monwrite-write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <zlib.h>
#include <cmocka.h>

#define RECORDS 200u
#define TOD UINT64_C(0xe1fb8d9a7f000000)

/* Offset of each record in the file, and its length. */
static struct {
	size_t at, length;
} places[RECORDS];
static struct strbuf file = STRBUF_INIT;
/* Records from here on are a page before their recorded offset. */
static size_t behind = SIZE_MAX;

/* Damage that was reported. */
struct damage_reports {
	uint64_t count, first;
	char text[256];
};

static void on_damage(void *argument, uint64_t offset, const char *text)
{
	struct damage_reports *damage_reports = argument;

	if (!damage_reports->count++) {
		damage_reports->first = offset;
		snprintf(damage_reports->text, sizeof(damage_reports->text), "%s", text);
	}
}

/* Makes two intervals of records of many lengths, numbered in their fields. */
static int set_up(void **state UNUSED)
{
	struct monwrite_writer writer;

	monwrite_writer_init(&writer);
	for (unsigned i = 0; i < RECORDS; i++) {
		size_t length = 28 + i * 37 % 700, start = writer.file.length + MONITOR_PAGE;
		unsigned char *record;

		writer.tod = TOD + i;
		record = monwrite_add(&writer, 4, 3, length);
		monitor_put(record + MRHDR_SIZE, 8, i);
		memset(record + MRHDR_SIZE + 8, 0xa0 + (int)(i % 16), length - MRHDR_SIZE - 8);
		places[i].at = start + writer.frames.length - length;
		places[i].length = length;
		if (i % 100 == 99) {
			monwrite_add(&writer, 1, RECORD_INTERVAL_END, MRHDR_SIZE);
			monwrite_flush(&writer, false, 0x0800);
		}
	}
	monwrite_end(&writer);
	strbuf_addbuf(&file, &writer.file);
	monwrite_writer_release(&writer);
	return 0;
}

static int tear_down(void **state UNUSED)
{
	strbuf_release(&file);
	return 0;
}

/* Reads bytes; marks in seen which of the records were read. */
static struct monwrite_status read_all(const char *bytes, size_t length, bool seen[RECORDS],
				       struct damage_reports *damage_reports)
{
	struct monwrite_reader *reader;
	struct monwrite_status status;
	struct monitor_record record;

	memset(seen, 0, RECORDS * sizeof(*seen));
	*damage_reports = (struct damage_reports){ 0 };
	reader = monwrite_open(test_input(0, bytes, length), on_damage, damage_reports, NULL);
	assert_non_null(reader);
	while (monwrite_next(reader, &record, NULL) == 1) {
		uint64_t number;

		if (record.domain != 4 || record.length < 28)
			continue;
		number = monitor_get64(record.data + MRHDR_SIZE);
		if (number < RECORDS &&
		    record.offset + (record.offset >= behind ? MONITOR_PAGE : 0) ==
			    places[number].at &&
		    record.length == places[number].length)
			seen[number] = true;
	}
	status = *monwrite_status(reader);
	monwrite_close(reader);
	return status;
}

static void test_whole(void **state UNUSED)
{
	struct monwrite_status status;
	bool seen[RECORDS];
	struct damage_reports damage_reports;

	assert_int_equal(file.length % MONITOR_PAGE, 0);
	status = read_all(file.text, file.length, seen, &damage_reports);
	for (unsigned i = 0; i < RECORDS; i++)
		assert_true(seen[i]);
	assert_int_equal(damage_reports.count, 0);
	assert_int_equal(status.controls, 2);
	assert_true(status.complete);
	assert_int_equal(status.skipped_bytes, 0);
	assert_int_equal(status.bytes, file.length);
	/* Every frame except the last of its interval ends with an end-of-frame record. */
	assert_int_equal(status.records, RECORDS + 2 + (status.frames - 2));
}

/* Damages a range; all records outside it must be read, and its offset reported. */
static void damage(size_t at, size_t length, int byte)
{
	char *copy = memcpy(malloc(file.length), file.text, file.length);
	bool seen[RECORDS];
	struct damage_reports damage_reports;

	memset(copy + at, byte, length);
	read_all(copy, file.length, seen, &damage_reports);
	for (unsigned i = 0; i < RECORDS; i++) {
		bool touched = places[i].at < at + length && at < places[i].at + places[i].length;

		if (!touched && !seen[i])
			fail_msg("bytes %zu to %zu as %02x: record %u at %zu is lost (%s)", at,
				 at + length, byte, i, places[i].at, damage_reports.text);
	}
	free(copy);
}

static void test_damaged_records(void **state UNUSED)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		damage(places[i].at, 2, 0);
		damage(places[i].at, 2, 0xff);
		damage(places[i].at + 1, 1, 0x7f);
		damage(places[i].at, 20, 0x33);
		damage(places[i].at, places[i].length, 0xff);
		damage(places[i].at + 10, 30, 0);
	}
}

static void test_told(void **state UNUSED)
{
	char *copy = memcpy(malloc(file.length), file.text, file.length);
	struct monwrite_status status;
	bool seen[RECORDS];
	struct damage_reports damage_reports;

	memset(copy + places[50].at, 0xff, 20);
	status = read_all(copy, file.length, seen, &damage_reports);
	assert_int_equal(damage_reports.count, 1);
	assert_int_equal(damage_reports.first, places[50].at);
	assert_string_equal(damage_reports.text, "a record is longer than its frame; 478 bytes are skipped");
	assert_int_equal(places[50].length, 478);
	assert_int_equal(status.skipped_bytes, 478);
	free(copy);
}

/* A lost control record: of its frames, those that end with an end record are read. */
static void test_lost_control(void **state UNUSED)
{
	char *copy = memcpy(malloc(file.length), file.text, file.length);
	size_t second = places[100].at - MONITOR_PAGE;
	bool seen[RECORDS];
	struct damage_reports damage_reports;

	memset(copy + second, 0xee, MONITOR_PAGE);
	read_all(copy, file.length, seen, &damage_reports);
	for (unsigned i = 0; i < RECORDS; i++)
		assert_true(seen[i]);
	assert_int_equal(damage_reports.count, 1);
	assert_int_equal(damage_reports.first, second);
	memset(copy, 0, MONITOR_PAGE);
	memset(copy + MWTBK_ENTRIES, 1, 12);
	read_all(copy, file.length, seen, &damage_reports);
	for (unsigned i = 0; i < RECORDS; i++)
		assert_true(seen[i]);
	assert_int_equal(damage_reports.first, 0);
	free(copy);
}

/* A missing frame: those after it are read, and so is the next control record. */
static void test_missing_frame(void **state UNUSED)
{
	char *copy = malloc(file.length);
	bool seen[RECORDS];
	struct damage_reports damage_reports;
	size_t gone = 3 * MONITOR_PAGE;

	memcpy(copy, file.text, gone);
	memcpy(copy + gone, file.text + gone + MONITOR_PAGE, file.length - gone - MONITOR_PAGE);
	behind = gone;
	read_all(copy, file.length - MONITOR_PAGE, seen, &damage_reports);
	behind = SIZE_MAX;
	for (unsigned i = 0; i < RECORDS; i++)
		if (places[i].at < gone || places[i].at >= gone + MONITOR_PAGE)
			assert_true(seen[i]);
	assert_int_equal(damage_reports.count, 1);
	assert_string_equal(damage_reports.text, "1 frames are missing before this control record");
	free(copy);
}

static void test_cut(void **state UNUSED)
{
	bool seen[RECORDS];
	struct damage_reports damage_reports;

	for (size_t length = MONITOR_PAGE; length < file.length; length += 379) {
		read_all(file.text, length, seen, &damage_reports);
		for (unsigned i = 0; i < RECORDS; i++)
			assert_int_equal(seen[i], places[i].at + places[i].length <= length);
		assert_true(damage_reports.count >= 1);
	}
	/* All frames are there, but not the end-of-data record. */
	read_all(file.text, file.length - MONITOR_PAGE, seen, &damage_reports);
	assert_string_equal(damage_reports.text, "the file has no end-of-data record");
}

static void test_compressed(void **state UNUSED)
{
	uLongf size = compressBound(file.length) + 64;
	unsigned char *packed = malloc(size);
	struct monwrite_status status;
	bool seen[RECORDS];
	struct damage_reports damage_reports;
	z_stream stream = { 0 };

	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_in = (Bytef *)file.text;
	stream.avail_in = (uInt)file.length;
	stream.next_out = packed;
	stream.avail_out = (uInt)size;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	size = stream.total_out;
	deflateEnd(&stream);
	status = read_all((char *)packed, size, seen, &damage_reports);
	for (unsigned i = 0; i < RECORDS; i++)
		assert_true(seen[i]);
	assert_int_equal(damage_reports.count, 0);
	assert_true(status.complete);
	assert_true(monwrite_is(test_input(0, packed, size)));
	read_all((char *)packed, size / 2, seen, &damage_reports);
	assert_true(seen[0]);
	assert_true(damage_reports.count > 0);
	free(packed);
}

/* Records longer and shorter than known, and of unknown domains. */
static void test_unknown(void **state UNUSED)
{
	struct monwrite_writer writer;
	struct monwrite_reader *reader;
	struct monitor_record record;

	monwrite_writer_init(&writer);
	writer.tod = TOD;
	monwrite_add(&writer, 200, 999, 20);
	monwrite_add(&writer, 0, 2, 4076);
	monwrite_flush(&writer, true, 0x8000);
	monwrite_end(&writer);
	reader = monwrite_open(test_input(0, writer.file.text, writer.file.length), NULL, NULL,
			       NULL);
	assert_int_equal(monwrite_next(reader, &record, NULL), 1);
	assert_int_equal(record.domain, 200);
	assert_int_equal(record.number, 999);
	assert_true(record.event);
	assert_int_equal(monwrite_next(reader, &record, NULL), 1);
	assert_int_equal(record.number, RECORD_END_OF_FRAME);
	assert_int_equal(monwrite_next(reader, &record, NULL), 1);
	assert_int_equal(record.length, 4076);
	assert_int_equal(monwrite_next(reader, &record, NULL), 0);
	assert_int_equal(monwrite_status(reader)->damages, 0);
	monwrite_close(reader);
	monwrite_writer_release(&writer);
}

/* Writes a list of users and reads it back. Returns the number of its records. */
static uint64_t list_of(size_t before, size_t count)
{
	unsigned char *users = calloc(count + 1, 8);
	struct domain_details details = { 0 };
	struct domain_detail detail = { 0 };
	struct monwrite_writer writer;
	struct monwrite_reader *reader;
	struct monitor_record record;
	bool found = false;
	uint64_t records;

	monwrite_writer_init(&writer);
	writer.tod = TOD;
	for (size_t i = 0; i < count; i++)
		monitor_put(users + i * 8, 8, i);
	if (before)
		monwrite_add(&writer, 4, 3, before);
	monwrite_add_detail(&writer, 0xe2, 4, MTRDDR_ONLY, users, 8, count);
	monwrite_add(&writer, 1, RECORD_INTERVAL_END, MRHDR_SIZE);
	monwrite_flush(&writer, false, 0x4000);
	monwrite_end(&writer);
	reader = monwrite_open(test_input(0, writer.file.text, writer.file.length), NULL, NULL,
			       NULL);
	while (monwrite_next(reader, &record, NULL) == 1)
		if (record.domain == 1 && record.number == RECORD_DOMAIN_DETAIL)
			found |= domain_details_take(&details, reader, &record, &detail);
	assert_true(found);
	assert_int_equal(monwrite_status(reader)->damages, 0);
	assert_int_equal(domain_detail_count(&detail), count);
	assert_int_equal(detail.counted, count);
	assert_false(detail.broken);
	assert_memory_equal(detail.items.text, users, count * 8);
	records = detail.records;
	domain_detail_release(&detail);
	domain_details_release(&details);
	monwrite_close(reader);
	monwrite_writer_release(&writer);
	free(users);
	return records;
}

static void test_lists(void **state UNUSED)
{
	/* 506 users fit into a frame with the header, the fields and the end of frame. */
	assert_int_equal(list_of(0, 0), 1);
	assert_int_equal(list_of(0, 1), 1);
	assert_int_equal(list_of(0, 506), 1);
	assert_int_equal(list_of(0, 507), 2);
	assert_int_equal(list_of(0, 1012), 2);
	assert_int_equal(list_of(0, 5000), 10);
	/* The list fills the rest of a frame, if an item fits at all. */
	assert_int_equal(list_of(4000, 300), 2);
	assert_int_equal(list_of(4045, 300), 1);
	for (size_t before = 3900; before < 4076; before++)
		list_of(before, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	      cmocka_unit_test(test_damaged_records),
		cmocka_unit_test(test_told),	      cmocka_unit_test(test_lost_control),
		cmocka_unit_test(test_missing_frame), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_compressed),    cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
