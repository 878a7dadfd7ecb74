/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of text outputs: live and stored data, records and items, times. */
#include "common/compat.h"
#include "common/similar.h"
#include "engine/dataset.h"
#include "metrics/outputs.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

enum { SNAPSHOTS = 4, FORMS = 4 };
static const char *const forms[FORMS] = { "LIST", "LISTALL", "CSV", "JSON" };

/* The values of a gauge. */
struct record_gauge {
	uint64_t name;
	uint64_t level;
	uint64_t counter;
	double share;
};

static const struct field gauge_fields[] = {
	{ "name", FIELD_STRING, "text", SENSE_NONE, false, offsetof(struct record_gauge, name),
	  "which gauge" },
	{ "level", FIELD_UNSIGNED, "bytes", SENSE_LEVEL, true, offsetof(struct record_gauge, level),
	  "how high it is" },
	{ "counter", FIELD_UNSIGNED, "count", SENSE_COUNTER, true,
	  offsetof(struct record_gauge, counter), "how much it counted" },
	{ "share", FIELD_DOUBLE, "percent", SENSE_LEVEL, true, offsetof(struct record_gauge, share),
	  "how full it is" },
};
#define GAUGE_TYPE(text) \
	{ \
		.name = (text), .fields = gauge_fields, .field_count = ARRAY_SIZE(gauge_fields), \
		.size = sizeof(struct record_gauge), .meaning = "a gauge" \
	}
static const struct record_type late = GAUGE_TYPE("late"), steady = GAUGE_TYPE("steady"),
				never = GAUGE_TYPE("never");

/* Makes records; those of the type that sorts first come from the third snapshot on. */
static enum module_status gauge_call(struct module *module, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	struct record_gauge gauge = { .level = 100 * snapshot->sequence,
				      .counter = 7 * snapshot->sequence,
				      .share = 1.0 / (double)snapshot->sequence };

	if (snapshot->last)
		return MODULE_OK;
	gauge.name = engine_string(module->engine, "a \"b\"\n\\\xff\xc3\xa4");
	if (snapshot->sequence == 2)
		gauge.level = UINT64_MAX; /* missing */
	recordset_add(snapshot_set(snapshot, module->types[1]->id), &gauge);
	if (snapshot->sequence > 2)
		recordset_add(snapshot_set(snapshot, module->types[0]->id), &gauge);
	return MODULE_OK;
}

static const struct record_type *const gauge_types[] = { &late, &steady, &never, NULL };
static const struct module_class gauge_class = { .name = "GAUGE",
						 .summary = "makes records",
						 .capabilities = MODULE_PRODUCER,
						 .sync_points = 1U << SYNC_SNAPSHOT,
						 .produces = gauge_types,
						 .call = gauge_call };

/* Collects the times of snapshots. */
struct times {
	uint64_t wall[SNAPSHOTS + 1], time[SNAPSHOTS + 1];
	size_t count;
};

static enum module_status keep_times(struct module *module, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	struct times *times = module->context;

	assert_in_range(times->count, 0, SNAPSHOTS);
	times->wall[times->count] = snapshot->wall;
	times->time[times->count++] = snapshot->time;
	return MODULE_OK;
}

static const struct module_class times_class = { .name = "TIMES",
						 .summary = "keeps times",
						 .capabilities = MODULE_MONITOR,
						 .sync_points = 1U << SYNC_SNAPSHOT_END,
						 .call = keep_times };

/* One operation with an output. */
struct run {
	struct engine *engine;
	struct text_form form;
	struct times times;
	struct error err;
	FILE *stream;
	char *text; /* the output; to be freed */
	size_t length;
};

static void begin(struct run *run, const char *form, const struct selection *selection)
{
	memset(run, 0, sizeof(*run));
	run->stream = open_memstream(&run->text, &run->length);
	run->engine = engine_new(&session_records);
	assert_non_null(
		text_form_add(run->engine, &run->form, form, run->stream, selection, &run->err));
	assert_non_null(engine_add(run->engine, &times_class, &run->times, &run->err));
}

static void finish(struct run *run)
{
	engine_free(run->engine);
	fclose(run->stream);
	error_release(&run->err);
}

/* Collects into a file, and into a text form. */
static void collect(struct run *run, const char *form, const char *path)
{
	struct dataset_consumer consumer = { .path = path };

	begin(run, form, NULL);
	assert_non_null(engine_add(run->engine, &gauge_class, NULL, &run->err));
	assert_non_null(engine_add(run->engine, &dataset_consumer_class, &consumer, &run->err));
	assert_int_equal(engine_start(run->engine, &run->err), 0);
	for (int i = 0; i < SNAPSHOTS; i++)
		assert_int_equal(engine_snapshot(run->engine, &run->err), 0);
	assert_int_equal(engine_finish(run->engine, &run->err), 0);
	finish(run);
}

/* Extracts a form of text from a file. */
static void extract(struct run *run, const char *form, const char *path, struct time_range *range,
		    const struct selection *selection)
{
	struct dataset_extractor extractor = { .path = path };

	begin(run, form, selection);
	assert_non_null(engine_add(run->engine, &dataset_extractor_class, &extractor, &run->err));
	if (range)
		assert_non_null(engine_add(run->engine, &time_range_class, range, &run->err));
	assert_int_equal(engine_extract(run->engine, &run->err), 0);
	finish(run);
}

static int make_path(void **state)
{
	static char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/vigil-extraction-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	*state = path;
	return 0;
}

static int remove_path(void **state)
{
	unlink(*state);
	return 0;
}

static void live_and_stored_data_are_the_same_text(void **state)
{
	for (size_t i = 0; i < FORMS; i++) {
		struct run live, stored;

		collect(&live, forms[i], *state);
		extract(&stored, forms[i], *state, NULL, NULL);
		assert_string_equal(live.text, stored.text);
		assert_true(live.length > 100);
		/* Equal to the nanosecond, except for the last snapshot of a collection. */
		assert_memory_equal(live.times.wall, stored.times.wall,
				    SNAPSHOTS * sizeof(*live.times.wall));
		assert_memory_equal(live.times.time, stored.times.time,
				    SNAPSHOTS * sizeof(*live.times.time));
		/* Records that first come later have no column. */
		assert_int_equal(live.form.timeline.late, stored.form.timeline.late);
		assert_int_equal(stored.form.timeline.late,
				 strcmp(forms[i], "CSV") == 0 ? SNAPSHOTS - 2 : 0);
		free(live.text);
		free(stored.text);
	}
}

static void json_is_escaped_and_missing_values_are_null(void **state)
{
	struct run live;
	const char *second;

	collect(&live, "JSON", *state);
	assert_non_null(strstr(live.text, "\"record\":\"steady\",\"items\":{\"name\":\"a "
					  "\\\"b\\\"\\u000a\\\\\\ufffd\xc3\xa4\",\"level\":100,"
					  "\"counter\":7,\"share\":1}}\n"));
	second = strstr(live.text, "{\"snapshot\":2,\"time\":\"2");
	assert_non_null(second);
	assert_non_null(strstr(second, "\"level\":null,\"counter\":14,\"share\":0.5}}\n"));
	free(live.text);
}

static void a_range_has_the_snapshots_of_its_time(void **state)
{
	struct selection selection = { 0 };
	struct time_range range = { .selection = &selection };
	struct run live, stored;

	assert_true(selection_add(&selection, "LATE.counter"));
	assert_true(selection_add(&selection, "Steady.LEVEL"));
	assert_true(selection_add(&selection, "never"));
	collect(&live, "LIST", *state);
	/* Both ends are inclusive. */
	range.from = live.times.wall[1];
	range.to = live.times.wall[2];
	extract(&stored, "LIST", *state, &range, &selection);
	assert_int_equal(range.passed, 2);
	assert_null(strstr(stored.text, "SNAPSHOT 1 "));
	assert_non_null(strstr(stored.text, "SNAPSHOT 2 "));
	assert_non_null(strstr(stored.text, "SNAPSHOT 3 "));
	assert_null(strstr(stored.text, "SNAPSHOT 4 "));
	assert_non_null(strstr(stored.text, "level                            - bytes"));
	assert_non_null(strstr(stored.text, "level                            300 bytes"));
	assert_non_null(strstr(stored.text, "counter                          21 count"));
	assert_null(strstr(stored.text, "14 count"));
	assert_null(strstr(stored.text, "share"));
	assert_true(selection.parts[0].found);
	assert_true(selection.parts[1].found);
	assert_false(selection.parts[2].found);
	selection_release(&selection);
	free(live.text);
	free(stored.text);
}

/* A file describes the types of all modules before its first snapshot. */
static void names_are_known_from_the_first_snapshot_on(void **state)
{
	struct selection selection = { 0 }, wrong = { 0 };
	struct dataset_extractor extractor = { .path = *state };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;
	struct run live;

	collect(&live, "LIST", *state);
	free(live.text);
	assert_true(selection_add(&selection, "never.share"));
	assert_true(selection_add(&selection, "late"));
	assert_true(selection_add(&selection, "DEFAULT")); /* whose members are optional */
	assert_true(selection_add(&wrong, "late.shares"));
	assert_false(selection_add(&wrong, ".share"));
	assert_false(selection_add(&wrong, "late."));
	assert_false(selection_add(&wrong, ""));
	assert_int_equal(wrong.count, 1);
	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &err));
	assert_int_equal(engine_start_extraction(engine, &err), 0);
	assert_false(selection_settle(&selection, engine_types(engine)));
	assert_int_equal(engine_snapshot(engine, &err), 0);
	assert_true(selection_settle(&selection, engine_types(engine)));
	assert_false(selection_settle(&wrong, engine_types(engine)));
	assert_int_equal(engine_finish(engine, &err), 0);
	engine_free(engine);
	selection_release(&selection);
	selection_release(&wrong);
}

static void similar_names_are_found(void **state UNUSED)
{
	static const struct {
		const char *wanted, *expected;
	} cases[] = {
		{ "read", "reads" },
		{ "READS", "reads" },
		{ "raeds", "reads" },
		{ "wites", "writes" },
		{ "avail", "available" },
		{ "xyzzy", NULL },
		{ "w", NULL },
		{ "", NULL },
	};
	static const char *const names[] = { "reads", "writes", "available", "used" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct similar similar = { .wanted = cases[i].wanted };

		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			similar_compare(&similar, names[n]);
		if (cases[i].expected)
			assert_string_equal(similar.name, cases[i].expected);
		else
			assert_null(similar.name);
	}
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, make_path, remove_path)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILE_TEST(live_and_stored_data_are_the_same_text),
		FILE_TEST(json_is_escaped_and_missing_values_are_null),
		FILE_TEST(a_range_has_the_snapshots_of_its_time),
		FILE_TEST(names_are_known_from_the_first_snapshot_on),
		cmocka_unit_test(similar_names_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
