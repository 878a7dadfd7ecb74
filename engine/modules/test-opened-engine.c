/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of libvigil-engine: data, contexts and services, through its public headers. */
#include "common/compat.h"
#include "engine/modules/test-parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

static void a_module_is_called_where_it_wants(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "MONITOR", VIGIL_MONITOR, 15);
	engine = engine_of(1);
	run(engine, &(struct vigil_operation){ sizeof(struct vigil_operation), VIGIL_COLLECTION,
					       NULL, 1, 1, 0, 0 });
	vigil_engine_finish(engine);
	assert_string_equal(history.text,
			    "MONITOR:1 MONITOR:2 MONITOR:3 MONITOR:4 MONITOR:5 MONITOR:6 MONITOR:7 "
			    "MONITOR:12 MONITOR:13 ");
	assert_string_equal(messages.text, "");
}

static void live_and_stored_data_look_the_same(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	counter(1);
	engine = engine_of(2);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[0].seen, 3);
	assert_int_equal(parts[1].seen, 9);
	run_with_file(engine, VIGIL_EXTRACTION);
	assert_int_equal(parts[0].seen, 3);
	assert_int_equal(parts[1].seen, 18);
	vigil_engine_finish(engine);
	assert_string_equal(messages.text, "");
}

/* Reads the file of the tests with the counter alone, without its producer. */
static void data_is_read_without_its_producer(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	engine = engine_of(1);
	run_with_file(engine, VIGIL_COLLECTION);
	vigil_engine_finish(engine);
	counter(0);
	engine = engine_of(1);
	/* The record has the layout of the file; its fields are matched by name. */
	parts[0].act = NULL;
	assert_int_equal(
		vigil_engine_prepare(
			engine,
			&(struct vigil_operation){ sizeof(struct vigil_operation), VIGIL_EXTRACTION,
						   "test-opened-engine.vprf", 0, 0, 0, 0 }),
		0);
	for (unsigned i = 1; i <= 3; i++) {
		const struct vigil_snapshot *snapshot;
		const struct vigil_set *set;

		assert_int_equal(vigil_engine_read_snapshot(engine, &snapshot), 0);
		set = vigil_set_of(snapshot, "gauge");
		assert_int_equal(set->count, 3);
		assert_int_equal(set->type->field_count, 3);
		assert_int_equal(set->records[0]->flags, VIGIL_RECORD_FIRST);
		assert_wall(set->records[0]->time, snapshot->wall);
		assert_int_equal(*(const uint64_t *)((const char *)set->records[1] +
						     set->type->fields[0].offset),
				 2);
	}
	vigil_engine_finish(engine);
	unlink("test-opened-engine.vprf");
}

/* Converts a gauge to 8 bytes, and back. */
static int change_gauges(struct part *part, struct vigil_global *global, struct vigil_private *mine,
			 const struct vigil_set *set)
{
	static struct small_gauge small;
	static struct gauge gauge;

	if (global->what == VIGIL_TO_PRIVATE) {
		const struct gauge *from = global->data;

		assert_int_equal(global->data_size, sizeof(*from));
		small.number = (uint8_t)from->number;
		mine->data = &small;
		mine->data_size = sizeof(small);
		return VIGIL_OK;
	}
	if (global->what == VIGIL_TO_PUBLIC) {
		const struct small_gauge *from = mine->data;

		assert_true(from->prefix.flags & VIGIL_RECORD_PRIVATE);
		gauge = (struct gauge){ .number = from->number,
					.level = from->number == 2 ? INT32_MIN : 1,
					.label = global->services->text_put(global, "oil") };
		global->data = &gauge;
		global->data_size = sizeof(gauge);
		return VIGIL_OK;
	}
	return add_gauges(part, global, mine, set);
}

static void records_are_stored_in_private_form(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0)->private_type = &small_type;
	parts[0].options = VIGIL_PRIVATE_FORM;
	parts[0].act = change_gauges;
	counter(1);
	engine = engine_of(2);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[1].seen, 9);
	run_with_file(engine, VIGIL_EXTRACTION);
	assert_int_equal(parts[1].seen, 18);
	assert_string_equal(messages.text, "");
	parts[0].fail_at = VIGIL_TO_PRIVATE;
	parts[0].answer = VIGIL_ERROR;
	run_with_file(engine, VIGIL_COLLECTION);
	assert_message(
		"GAUGES 3 its records cannot be converted to their other form: the tape is torn");
	vigil_engine_finish(engine);
	unlink("test-opened-engine.vprf");
}

static void collecting_needs_no_file(void **state UNUSED)
{
	struct vigil_operation operation = brief;
	struct vigil_engine *engine;

	producer(0);
	counter(1);
	engine = engine_of(2);
	operation.file = "test-opened-engine.vprf";
	assert_int_equal(vigil_engine_choose(engine, "DATASET", 0), 0);
	run(engine, &operation);
	assert_int_equal(parts[1].seen, 9);
	assert_int_equal(access(operation.file, F_OK), -1);
	vigil_engine_finish(engine);
}

/* Changes fields that it must not. */
static int scribble(struct part *part UNUSED, struct vigil_global *global,
		    struct vigil_private *mine, const struct vigil_set *set UNUSED)
{
	if (global->what != VIGIL_SNAPSHOT_END)
		return VIGIL_OK;
	assert_int_not_equal(global->interval, 77);
	assert_int_equal(mine->capabilities & VIGIL_PRODUCER, 0);
	global->interval = 77;
	global->taken = 77;
	mine->capabilities = VIGIL_PRODUCER;
	return VIGIL_OK;
}

static void what_is_not_the_modules_own_is_put_back(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "SCRIBE", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = scribble;
	engine = engine_of(1);
	run(engine, &brief);
	vigil_engine_finish(engine);
	assert_string_equal(messages.text,
			    "SCRIBE 2 it wrote to fields of the private context that "
			    "are not its own; they were restored\n");
}

/* A timer: three snapshots, at once; it also sets the interval, which all modules see. */
static int tick(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_DUE) {
		mine->due = part->seen++ < 3 ? global->now : VIGIL_NEVER;
		global->interval = 5;
	}
	return VIGIL_OK;
}

static void a_client_may_bring_its_own_timer(void **state UNUSED)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_COLLECTION,
					     .interval = UINT64_C(3600000000000) };
	struct vigil_engine *engine;

	part(0, "TICK", VIGIL_TIMER, 0)->act = tick;
	part(1, "SEE", VIGIL_MONITOR, VIGIL_AT_SNAPSHOT_END)->act = see_interval;
	part(2, "TOCK", VIGIL_TIMER, 0);
	engine = engine_of(3);
	run(engine, &operation);
	assert_int_equal(parts[1].seen, 4);
	assert_message("TOCK 3 modules TICK and TOCK are both timers, but only one is allowed");
	vigil_engine_finish(engine);
}

static void a_timer_of_ours_times_an_extraction(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	counter(1);
	part(2, "TICK", VIGIL_TIMER, 0)->act = tick;
	engine = engine_of(3);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[2].seen, 4);
	parts[2].seen = 1;
	parts[1].seen = 0;
	run_with_file(engine, VIGIL_EXTRACTION);
	assert_int_equal(parts[2].seen, 4);
	assert_int_equal(parts[1].seen, 6);
	vigil_engine_finish(engine);
}

/* A consumer that is a producer's filter in extractions. */
static int by_operation(struct part *part, struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges;

	if (global->what == VIGIL_PREPARE && global->operation == VIGIL_EXTRACTION) {
		mine->capabilities = VIGIL_FILTER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
	}
	if (global->what == VIGIL_SNAPSHOT_END)
		part->seen++;
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	gauges = vigil_set_of(global->current, "gauge");
	if (!gauges)
		return VIGIL_OK; /* after the end of the data */
	assert_int_equal(global->services->discard(global, mine, gauges, 0), VIGIL_OK);
	assert_int_equal(global->services->discard(global, mine, gauges, 2), VIGIL_OK);
	assert_int_equal(global->services->discard(global, mine, gauges, 3), VIGIL_ERROR);
	assert_int_equal(gauges->count, 3);
	return VIGIL_OK;
}

static void capabilities_differ_by_operation(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	counter(1);
	part(2, "CHANGE", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = by_operation;
	engine = engine_of(3);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[1].seen, 9);
	assert_int_equal(parts[2].seen, 3);
	parts[1].seen = 0;
	/* The filter drops two of three, and tries to drop one that does not exist. */
	run_with_file(engine, VIGIL_EXTRACTION);
	assert_int_equal(parts[1].seen, 3);
	assert_int_equal(parts[2].seen, 3);
	assert_message("CHANGE 3 it discarded a record that is not in the snapshot");
	vigil_engine_finish(engine);
}

/* Adds records that are invalid in one way each. */
static int add_wrong(struct part *part UNUSED, struct vigil_global *global,
		     struct vigil_private *mine, const struct vigil_set *set UNUSED)
{
	struct gauge gauge = {
		.prefix = { .size = sizeof(gauge), .id = (uint16_t)mine->record_id, .time = 42 }
	};
	const struct vigil_set *own;

	if (global->what == VIGIL_START)
		assert_int_equal(global->services->add(global, mine, &gauge), VIGIL_ERROR);
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	gauge.prefix.size = 8;
	assert_int_equal(global->services->add(global, mine, &gauge), VIGIL_ERROR);
	gauge.prefix.size = sizeof(gauge);
	gauge.prefix.id = 4;
	assert_int_equal(global->services->add(global, mine, &gauge), VIGIL_ERROR);
	gauge.prefix.id = (uint16_t)mine->record_id;
	assert_int_equal(global->services->add(global, mine, &gauge), VIGIL_OK);
	assert_int_equal(global->services->set_time(global, mine, 1, 1), VIGIL_ERROR);
	assert_int_equal(global->services->discard(global, mine, set, 0), VIGIL_ERROR);
	own = set;
	assert_null(own);
	return VIGIL_OK;
}

static void records_that_are_wrong_are_refused(void **state UNUSED)
{
	const struct vigil_snapshot *snapshot;
	struct vigil_engine *engine;

	producer(0)->act = add_wrong;
	engine = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &snapshot), 0);
	assert_int_equal(vigil_set_of(snapshot, "gauge")->count, 1);
	assert_int_equal(vigil_set_of(snapshot, "gauge")->records[0]->time, 42);
	vigil_engine_finish(engine);
	assert_message("GAUGES 3 a record was added outside of a snapshot");
	assert_message("GAUGES 3 it added a record that is not of its type");
	assert_message("GAUGES 3 it added a record whose prefix has another size than its type");
}

static void snapshots_are_kept_copied_and_cloned(void **state UNUSED)
{
	struct vigil_engine_information info = { .size = sizeof(info) };
	const struct vigil_snapshot *first, *snapshot, *reserved;
	const struct vigil_services *services;
	struct vigil_snapshot *copy;
	struct vigil_engine *engine;
	const struct gauge *gauge;
	struct vigil_set *clone;
	const void *record;

	producer(0);
	engine = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &first), 0);
	assert_int_equal(vigil_engine_get_info(engine, &info), 0);
	services = info.global->services;
	assert_null(info.previous);
	reserved = services->reserve(info.global, first);
	assert_ptr_equal(reserved, first);
	copy = services->copy(info.global, first);
	clone = services->clone(info.global, vigil_set_of(first, "gauge"));
	record = clone->records[0];
	clone->records[0] = clone->records[2];
	assert_ptr_equal(vigil_set_of(first, "gauge")->records[0], record);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &snapshot), 0);
	vigil_engine_get_info(engine, &info);
	assert_int_equal(info.current->sequence, 4);
	assert_int_equal(info.previous->sequence, 3);
	assert_int_equal(info.snapshots, 4);
	assert_int_equal(reserved->sequence, 1);
	gauge = (const struct gauge *)vigil_set_of(reserved, "gauge")->records[0];
	assert_int_equal(gauge->number, 3);
	assert_int_equal(gauge->level, 1);
	assert_int_equal(((const struct gauge *)clone->records[0])->number, 1);
	services->clone_free(info.global, clone);
	services->release(info.global, reserved);
	services->release(info.global, reserved);
	assert_message(" 3 a snapshot was released more often than it was reserved");
	vigil_engine_end(engine);
	gauge = (const struct gauge *)vigil_set_of(copy, "gauge")->records[1];
	assert_int_equal(gauge->number, 2);
	services->copy_free(info.global, copy);
	vigil_engine_finish(engine);
}

/* Compares with the previous snapshot. */
static int compare(struct part *part, struct vigil_global *global,
		   struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	const struct vigil_set *now, *before;

	if (global->what != VIGIL_SNAPSHOT_END || !global->previous)
		return VIGIL_OK;
	now = vigil_set_of(global->current, "gauge");
	before = vigil_set_of(global->previous, "gauge");
	part->seen += (uint64_t)(((const struct gauge *)now->records[0])->level -
				 ((const struct gauge *)before->records[0])->level);
	return VIGIL_OK;
}

static void a_module_sees_the_snapshot_before(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	part(1, "DELTA", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = compare;
	engine = engine_of(2);
	run(engine, &brief);
	assert_int_equal(parts[1].seen, 2);
	vigil_engine_finish(engine);
}

/* Accepts external calls, only from COUNT, and doubles the input. */
static int serve(struct vigil_global *global UNUSED, struct vigil_private *mine UNUSED,
		 const struct vigil_set *set UNUSED, const struct vigil_description *caller,
		 const void *input, void *output)
{
	if (!caller || strcmp(caller->name, "COUNT") != 0)
		return VIGIL_REFUSED;
	*(int *)output = 2 * *(const int *)input;
	return VIGIL_OK;
}

static int offer_shared(struct part *part, struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_START)
		mine->shared = part;
	return VIGIL_OK;
}

static int call_others(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		       const struct vigil_set *set UNUSED)
{
	const struct vigil_services *services = global->services;
	struct vigil_description other = { .size = sizeof(other) };
	int input = 21, output = 0;
	bool is_count = strcmp(mine->name, "COUNT") == 0;

	if (global->what != VIGIL_SNAPSHOT_END)
		return VIGIL_OK;
	assert_int_equal(services->call(global, mine, "SERVER", &input, &output),
			 is_count ? VIGIL_OK : VIGIL_REFUSED);
	assert_int_equal(output, is_count ? 42 : 0);
	assert_int_equal(services->call(global, mine, "NOBODY", &input, &output), VIGIL_REFUSED);
	assert_int_equal(services->call(global, mine, "CLOSED", &input, &output), VIGIL_REFUSED);
	assert_ptr_equal(services->shared(global, "SERVER"), &parts[0]);
	assert_null(services->shared(global, "CLOSED"));
	assert_int_equal(services->describe(global, 0, &other), 0);
	assert_string_equal(other.name, "SERVER");
	assert_int_equal(services->describe(global, 4, &other), -1);
	part->seen++;
	return VIGIL_OK;
}

static void modules_call_and_share(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "SERVER", VIGIL_SUPPORTER, 0)->act = offer_shared;
	parts[0].options = VIGIL_ACCEPTS_CALLS;
	parts[0].module.external = serve;
	part(1, "CLOSED", VIGIL_SUPPORTER, 0)->module.external = serve;
	part(2, "COUNT", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = call_others;
	part(3, "OTHER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = call_others;
	engine = engine_of(4);
	run(engine, &brief);
	assert_int_equal(parts[2].seen, 3);
	assert_int_equal(parts[3].seen, 3);
	vigil_engine_finish(engine);
}

/* At the collection's end: reads the file, which is complete by then. */
static int read_whole(struct part *part, struct vigil_global *global,
		      struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_EXTRACTION,
					     .file = global->file };
	const struct vigil_snapshot *snapshot;
	struct vigil_engine *reader;

	if (global->what != VIGIL_COLLECTION_END)
		return VIGIL_OK;
	reader = vigil_engine_init(NULL);
	assert_int_equal(vigil_engine_prepare(reader, &operation), 0);
	while (vigil_engine_read_snapshot(reader, &snapshot) == 0)
		part->seen += vigil_set_of(snapshot, "gauge")->count;
	/* A truncated file would have a note. */
	assert_null(vigil_set_of(snapshot, "note"));
	vigil_engine_finish(reader);
	return VIGIL_OK;
}

static void the_file_is_closed_at_the_collections_end(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0);
	part(1, "AFTER", VIGIL_CONSUMER, VIGIL_AT_COLLECTION_END)->act = read_whole;
	engine = engine_of(2);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[1].seen, 9);
	vigil_engine_finish(engine);
	unlink("test-opened-engine.vprf");
}

static void nothing_is_taken_before_the_start_time(void **state UNUSED)
{
	struct vigil_operation operation = brief;
	const struct vigil_snapshot *snapshot;
	struct vigil_engine *engine;
	struct timespec now;

	producer(0);
	engine = engine_of(1);
	clock_gettime(CLOCK_REALTIME, &now);
	operation.start_time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + 60000000;
	assert_int_equal(vigil_engine_prepare(engine, &operation), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 1, &snapshot), 0);
	assert_true(snapshot->wall + 1000000 > operation.start_time);
	vigil_engine_finish(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_called_where_it_wants),
		cmocka_unit_test(live_and_stored_data_look_the_same),
		cmocka_unit_test(data_is_read_without_its_producer),
		cmocka_unit_test(records_are_stored_in_private_form),
		cmocka_unit_test(collecting_needs_no_file),
		cmocka_unit_test(what_is_not_the_modules_own_is_put_back),
		cmocka_unit_test(a_client_may_bring_its_own_timer),
		cmocka_unit_test(a_timer_of_ours_times_an_extraction),
		cmocka_unit_test(capabilities_differ_by_operation),
		cmocka_unit_test(records_that_are_wrong_are_refused),
		cmocka_unit_test(snapshots_are_kept_copied_and_cloned),
		cmocka_unit_test(a_module_sees_the_snapshot_before),
		cmocka_unit_test(modules_call_and_share),
		cmocka_unit_test(the_file_is_closed_at_the_collections_end),
		cmocka_unit_test(nothing_is_taken_before_the_start_time),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_release(&history);
	strbuf_release(&messages);
	return failed;
}
