/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the consumer and the extractor: every kind of value is read back, and
 * damage affects only what it hits.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "metrics/monitor/application.h"
#include "metrics/monitor/monitor.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { SNAPSHOTS = 250, ROWS = 5 };

/* A record with a field of each type. */
struct record_all {
	uint64_t text, number;
	int64_t integer;
	double real;
	struct record_bytes bytes;
	uint32_t u32;
	int32_t i32;
	uint16_t u16;
	int16_t i16;
	uint8_t u8;
	int8_t i8;
};

#define ALL_FIELD(name, type) \
	{ \
#name, FIELD_##type, "unit", SENSE_LEVEL, true, offsetof(struct record_all, name), \
			"what " #name " says" \
	}
static const struct field all_fields[] = {
	ALL_FIELD(text, STRING), ALL_FIELD(number, UNSIGNED), ALL_FIELD(integer, SIGNED),
	ALL_FIELD(real, DOUBLE), ALL_FIELD(bytes, BYTES),     ALL_FIELD(u32, U32),
	ALL_FIELD(i32, I32),	 ALL_FIELD(u16, U16),	      ALL_FIELD(i16, I16),
	ALL_FIELD(u8, U8),	 ALL_FIELD(i8, I8),
};
static const struct record_type all_type = {
	.name = "all",
	.fields = all_fields,
	.field_count = ARRAY_SIZE(all_fields),
	.size = sizeof(struct record_all),
	.meaning = "a record with all there is",
};

/*
 * Returns the length of the block of bytes and of the text of a row: some are
 * longer than a frame, some than a message.
 */
static size_t length_of(uint64_t sequence, unsigned row)
{
	static const size_t lengths[ROWS] = { 0, 1, 5000, 70000, 300 };

	return sequence % 50 == 1 ? lengths[row] : row;
}

static unsigned char byte_of(uint64_t sequence, unsigned row, size_t at)
{
	return (unsigned char)(sequence * 31 + row * 7 + at);
}

static char *text_of(uint64_t sequence, unsigned row)
{
	size_t length = length_of(sequence, row);
	char *text = malloc(length + 1);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)('a' + (sequence + i) % 26);
	text[length] = '\0';
	return text;
}

/* Makes a row; one in three has no values. The caller adds the text and the bytes. */
static struct record_all row_of(uint64_t sequence, unsigned row)
{
	struct record_all record = {
		.number = UINT64_MAX - 1 - sequence,
		.integer = INT64_MIN + 1 + (int64_t)sequence,
		.real = 1.0 / (double)(sequence + row),
		.u32 = UINT32_MAX - 1,
		.i32 = INT32_MIN + 1,
		.u16 = (uint16_t)sequence,
		.i16 = -1,
		.u8 = 254,
		.i8 = -127,
	};

	for (size_t i = 0; (sequence + row) % 3 == 0 && i < ARRAY_SIZE(all_fields); i++)
		field_set_missing(&all_fields[i], (char *)&record + all_fields[i].offset);
	return record;
}

/* One in this many snapshots has a note. */
enum { NOTED_EVERY = 7 };

static enum module_status make(struct module *module, enum sync_point point UNUSED,
			       struct snapshot *snapshot, struct error *err UNUSED)
{
	struct recordset *set = snapshot_set(snapshot, module->types[0]->id);

	if (!snapshot->last && snapshot->sequence % NOTED_EVERY == 0)
		snapshot_note(snapshot, module->engine, SEVERITY_WARNING, 3500, "an interval is missing");
	for (unsigned i = 0; !snapshot->last && i < ROWS; i++) {
		struct record_all record = row_of(snapshot->sequence, i);
		size_t length = length_of(snapshot->sequence, i);
		unsigned char *bytes = malloc(length + 1);
		char *text = text_of(snapshot->sequence, i);

		for (size_t at = 0; at < length; at++)
			bytes[at] = byte_of(snapshot->sequence, i, at);
		if ((snapshot->sequence + i) % 3) {
			record.text = engine_string(module->engine, text);
			record.bytes = recordset_put_bytes(set, bytes, length);
		}
		recordset_add(set, &record);
		free(bytes);
		free(text);
	}
	return MODULE_OK;
}

static const struct record_type *const made_types[] = { &all_type, NULL };
static const struct module_class maker_class = {
	.name = "MAKER",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.produces = made_types,
	.call = make,
};

/* Which snapshots were read completely. */
static struct {
	bool whole[SNAPSHOTS + 1];
	uint64_t wall[SNAPSHOTS + 1], time[SNAPSHOTS + 1];
	uint64_t fields; /* number of fields of the records */
	uint64_t notes;	 /* number of notes */
} seen;
static struct {
	uint64_t wall[SNAPSHOTS + 1], time[SNAPSHOTS + 1];
} made;

static enum module_status keep_times(struct module *module UNUSED, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	if (!snapshot->last) {
		made.wall[snapshot->sequence] = snapshot->wall;
		made.time[snapshot->sequence] = snapshot->time;
	}
	return MODULE_OK;
}

static const struct module_class times_class = {
	.name = "TIMES",
	.capabilities = MODULE_MONITOR,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = keep_times,
};

/* Returns whether a record is as it was made. */
static bool is_as_made(const struct recordset *set, unsigned row, uint64_t sequence,
		       const struct strmap *strings)
{
	struct record_all record = row_of(sequence, row);
	bool missing = (sequence + row) % 3 == 0, same = true;
	size_t length = length_of(sequence, row);
	char *text = text_of(sequence, row);
	struct field_value value;

	for (size_t i = 0; i < set->type->field_count; i++) {
		const struct field *field = &set->type->fields[i];
		size_t as = 0;

		while (strcmp(all_fields[as].name, field->name) != 0)
			as++;
		assert_int_equal(field->type, all_fields[as].type);
		assert_int_equal(field->sense, all_fields[as].sense);
		assert_string_equal(field->unit, all_fields[as].unit);
		assert_string_equal(field->meaning, all_fields[as].meaning);
		if (recordset_value(set, row, i, &value) == missing) {
			same = false;
		} else if (missing) {
			continue;
		} else if (field->type == FIELD_STRING) {
			same &= strcmp(strmap_text(strings, (uint32_t)value.number), text) == 0;
		} else if (field->type == FIELD_BYTES) {
			same &= value.bytes.length == length;
			for (size_t at = 0; same && at < length; at++)
				same &= ((const unsigned char *)value.bytes.data)[at] ==
					byte_of(sequence, row, at);
		} else {
			const char *member = (const char *)recordset_get(set, row) + field->offset;

			same &= memcmp(member, (char *)&record + all_fields[as].offset,
				       field_size(field->type)) == 0;
		}
	}
	free(text);
	return same;
}

static enum module_status compare(struct module *module, enum sync_point point UNUSED,
				  struct snapshot *snapshot, struct error *err UNUSED)
{
	const struct record_type *type = registry_find(snapshot->types, "all");
	const struct recordset *set = type ? snapshot_records(snapshot, type->id) : NULL;
	const struct recordset *notes = snapshot_records(snapshot, RECORD_NOTE);
	bool whole = set && set->count == ROWS;

	for (size_t i = 0; i < notes->count; i++) {
		const struct record_note *note = recordset_get(notes, i);

		assert_int_equal(note->severity, SEVERITY_WARNING);
		assert_int_equal(note->number, 3500);
		assert_string_equal(strmap_text(engine_strings(module->engine), (uint32_t)note->text),
				    "an interval is missing");
		assert_int_equal(snapshot->sequence % NOTED_EVERY, 0);
		seen.notes++;
	}
	if (!set || !set->count)
		return MODULE_OK;
	assert_in_range(snapshot->sequence, 1, SNAPSHOTS);
	seen.fields = type->field_count;
	for (unsigned i = 0; whole && i < ROWS; i++)
		whole = is_as_made(set, i, snapshot->sequence, engine_strings(module->engine));
	seen.whole[snapshot->sequence] = whole;
	seen.wall[snapshot->sequence] = snapshot->wall;
	seen.time[snapshot->sequence] = snapshot->time;
	return MODULE_OK;
}

static const struct module_class comparer_class = {
	.name = "COMPARER",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = compare,
};

/* Writes a file; the caller frees it. */
static char *write_file(const struct selection *selection, size_t *length)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, length);
	struct monitor_output output = { .stream = stream, .selection = selection };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;

	assert_non_null(engine_add(engine, &maker_class, NULL, &err));
	assert_non_null(engine_add(engine, &times_class, NULL, &err));
	assert_non_null(engine_add(engine, &monitor_output_class, &output, &err));
	assert_int_equal(engine_start(engine, &err), 0);
	for (unsigned i = 0; i < SNAPSHOTS; i++)
		assert_int_equal(engine_snapshot(engine, &err), 0);
	assert_int_equal(engine_finish(engine, &err), 0);
	engine_free(engine);
	strbuf_release(&output.collided);
	fclose(stream);
	return text;
}

static void read_file(const char *text, size_t length, struct monitor_input *input)
{
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;

	memset(&seen, 0, sizeof(seen));
	*input = (struct monitor_input){ .path = test_input(0, text, length) };
	assert_non_null(engine_add(engine, &monitor_input_class, input, &err));
	assert_non_null(engine_add(engine, &comparer_class, NULL, &err));
	assert_int_equal(engine_extract(engine, &err), 0);
	engine_free(engine);
}

static void test_all_values(void **state UNUSED)
{
	struct monitor_input input;
	size_t length;
	char *text = write_file(NULL, &length);

	read_file(text, length, &input);
	for (unsigned i = 1; i <= SNAPSHOTS; i++) {
		assert_true(seen.whole[i]);
		assert_int_equal(seen.wall[i], made.wall[i]);
		assert_int_equal(seen.time[i], made.time[i]);
	}
	assert_int_equal(seen.fields, ARRAY_SIZE(all_fields));
	assert_int_equal(seen.notes, SNAPSHOTS / NOTED_EVERY);
	assert_true(input.application);
	assert_true(input.application_complete);
	assert_true(input.status.complete);
	assert_int_equal(input.status.damages, 0);
	free(text);
}

static void test_selected_items(void **state UNUSED)
{
	struct selection selection = { 0 };
	struct monitor_input input;
	size_t length;
	char *text;

	assert_true(selection_add(&selection, "ALL.bytes"));
	/* ALL is a group too; here it means the records. */
	text = write_file(&selection, &length);
	read_file(text, length, &input);
	for (unsigned i = 1; i <= SNAPSHOTS; i++)
		assert_true(seen.whole[i]);
	assert_in_range(seen.fields, 1, 2);
	/* Notes on a snapshot are not affected by the selection. */
	assert_int_equal(seen.notes, SNAPSHOTS / NOTED_EVERY);
	selection_release(&selection);
	free(text);
}

/* One frame lost anywhere: the records outside it are read, those in it are not. */
static void test_lost_frames(void **state UNUSED)
{
	struct monitor_input input;
	size_t length, lost_max = 0;
	char *text = write_file(NULL, &length);

	for (size_t page = 1; page * MONITOR_PAGE < length; page += page < 20 ? 1 : 37) {
		char *copy = memcpy(malloc(length), text, length);
		size_t lost = 0;

		memset(copy + page * MONITOR_PAGE, 0x5a, MONITOR_PAGE);
		read_file(copy, length, &input);
		for (unsigned i = 1; i <= SNAPSHOTS; i++)
			lost += !seen.whole[i];
		if (lost > lost_max)
			lost_max = lost;
		/* The file's last two pages mark its end. */
		if (page + 2 < length / MONITOR_PAGE)
			assert_true(input.status.damages > 0);
		/* Types are described again after a hundred snapshots. */
		assert_in_range(lost, 0, 100);
		free(copy);
	}
	assert_true(lost_max > 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_values),
		cmocka_unit_test(test_selected_items),
		cmocka_unit_test(test_lost_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
