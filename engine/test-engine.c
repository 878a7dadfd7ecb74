/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of records and of the engine's calls of its modules. */
#include "common/compat.h"
#include "engine/engine.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* What the modules of a test recorded, and how they are to behave. */
struct script {
	struct strbuf log;
	enum sync_point fail_at;
	enum module_status status; /* returned at fail_at */
	enum module_status init_status;
	unsigned snapshots; /* after this many an extractor ends */
	unsigned extracted;
	size_t notes;	    /* number seen by the consumer */
	char note[200];
	size_t rows;
};

static enum module_status log_init(struct module *module, struct error *err)
{
	struct script *script = module->context;

	strbuf_addf(&script->log, "+%s ", module->class->name);
	if (script->init_status == MODULE_OK || strcmp(module->class->name, "BAD") != 0)
		return MODULE_OK;
	error_set(err, "the tape is torn");
	return script->init_status;
}

static enum module_status log_call(struct module *module, enum sync_point point,
				   struct snapshot *snapshot, struct error *err)
{
	static const char letters[] = "BSEC";
	struct script *script = module->context;

	assert_true((snapshot == NULL) == (point == SYNC_PRE_BASELINE || point == SYNC_COLLECTION_END));
	if (snapshot && snapshot->last)
		strbuf_addch(&script->log, '!');
	strbuf_addf(&script->log, "%s%c ", module->class->name, letters[point]);
	if (strcmp(module->class->name, "BAD") == 0 && point == script->fail_at &&
	    script->status != MODULE_OK) {
		error_set(err, "the tape is torn");
		return script->status;
	}
	return MODULE_OK;
}

static void log_end(struct module *module)
{
	struct script *script = module->context;

	strbuf_addf(&script->log, "-%s ", module->class->name);
}

/* Counts the snapshot's notes and rows. */
static enum module_status consume(struct module *module, enum sync_point point,
				  struct snapshot *snapshot, struct error *err)
{
	struct script *script = module->context;
	const struct recordset *notes = snapshot_records(snapshot, RECORD_NOTE);

	for (size_t i = 0; i < notes->count; i++) {
		const struct record_note *note = recordset_get(notes, i);

		assert_int_equal(note->number, 4001);
		assert_int_equal(note->severity, SEVERITY_WARNING);
		snprintf(script->note, sizeof(script->note), "%s",
			 strmap_text(engine_strings(module->engine), (uint32_t)note->text));
		script->notes++;
	}
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		if (id != RECORD_CLOCK)
			script->rows += snapshot_records(snapshot, id)->count;
	return log_call(module, point, snapshot, err);
}

#define SNAPSHOT_POINTS (1U << SYNC_SNAPSHOT | 1U << SYNC_SNAPSHOT_END)
#define LATER_POINTS (SNAPSHOT_POINTS | 1U << SYNC_COLLECTION_END)
#define EVERY_POINT (1U << SYNC_PRE_BASELINE | LATER_POINTS)
#define LOGGING(title, can, points) \
	.name = title, .summary = "writes down its calls", .capabilities = can, \
	.sync_points = points, .init = log_init, .call = log_call, .end = log_end

static const struct module_class monitor_class = { LOGGING("MON", MODULE_MONITOR, EVERY_POINT) };
static const struct module_class filter_class = { LOGGING("FIL", MODULE_FILTER, LATER_POINTS) };
static const struct module_class supporter_class = { LOGGING("SUP", MODULE_SUPPORTER,
							     1U << SYNC_COLLECTION_END) };
static const struct module_class bad_class = { LOGGING("BAD", MODULE_PRODUCER, LATER_POINTS) };
static const char *const after_third[] = { "?NEVER.ADDED", "THIRD", NULL };
static const char *const after_second[] = { "SECOND", NULL };
static const struct module_class first_class = {
	LOGGING("FIRST", MODULE_PRODUCER, 1U << SYNC_SNAPSHOT), .after = after_third
};
static const struct module_class second_class = { LOGGING("SECOND", MODULE_PRODUCER,
							  1U << SYNC_SNAPSHOT) };
static const struct module_class third_class = {
	LOGGING("THIRD", MODULE_PRODUCER, 1U << SYNC_SNAPSHOT), .after = after_second
};
static const struct module_class consumer_class = { .name = "CON",
						    .summary = "counts rows",
						    .capabilities = MODULE_CONSUMER,
						    .sync_points = 1U << SYNC_SNAPSHOT_END,
						    .call = consume };

/* An engine with a script for its modules. */
struct bench {
	struct engine *engine;
	struct script script;
	struct error err;
};

static int make_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	bench->engine = engine_new(&session_records);
	strbuf_init(&bench->script.log);
	error_init(&bench->err);
	*state = bench;
	return 0;
}

static int drop_bench(void **state)
{
	struct bench *bench = *state;

	engine_free(bench->engine);
	strbuf_release(&bench->script.log);
	error_release(&bench->err);
	free(bench);
	return 0;
}

static struct module *add(struct bench *bench, const struct module_class *class)
{
	struct module *module = engine_add(bench->engine, class, &bench->script, &bench->err);

	assert_non_null(module);
	return module;
}

static void every_type_is_described(void **state UNUSED)
{
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++) {
		const struct record_type *type = &record_types[id];

		assert_int_equal(type->id, id);
		assert_true(type->field_count > 0);
		for (size_t i = 0; i < type->field_count; i++) {
			assert_true(type->fields[i].name[0] != '\0');
			assert_true(type->fields[i].unit[0] != '\0');
			assert_true((type->fields[i].type == FIELD_STRING) ==
				    (strcmp(type->fields[i].unit, "text") == 0));
			for (size_t j = 0; j < i; j++)
				assert_string_not_equal(type->fields[i].name, type->fields[j].name);
		}
	}
}

static void recordset_keeps_rows(void **state UNUSED)
{
	struct recordset set;

	recordset_init(&set, &record_types[RECORD_STACK]);
	for (unsigned round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 1009; i++)
			recordset_add(&set, &(struct record_stack){ i, i / 2, i * 3, 0 });
		assert_int_equal(set.count, 1009);
		for (uint64_t i = 0; i < 1009; i++) {
			const struct record_stack *stack = recordset_get(&set, i);

			assert_int_equal(stack->stack, i);
			assert_int_equal(stack->parent, i / 2);
			assert_int_equal(stack->frame, i * 3);
		}
		recordset_clear(&set);
		assert_int_equal(set.count, 0);
	}
	recordset_release(&set);
}

static void groups_are_called_in_order(void **state)
{
	struct bench *bench = *state;

	add(bench, &monitor_class);
	add(bench, &filter_class);
	add(bench, &bad_class);
	add(bench, &supporter_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_int_equal(engine_finish(bench->engine, &bench->err), 0);
	assert_string_equal(bench->script.log.text,
			    "+SUP +BAD +FIL +MON MONB BADS FILS MONS BADE FILE MONE "
			    "!BADS !FILS !MONS !BADE !FILE !MONE "
			    "SUPC BADC FILC MONC -MON -FIL -BAD -SUP ");
}

static void after_orders_inside_a_group(void **state)
{
	struct bench *bench = *state;
	const struct module *const *modules;

	add(bench, &first_class);
	add(bench, &bad_class);
	add(bench, &third_class);
	add(bench, &second_class);
	assert_int_equal(engine_prepare(bench->engine, OPERATION_COLLECTION, &bench->err), 0);
	assert_int_equal(engine_modules(bench->engine, &modules), 5);
	assert_string_equal(modules[0]->class->name, "TIMER");
	assert_string_equal(modules[1]->class->name, "BAD");
	assert_string_equal(modules[2]->class->name, "SECOND");
	assert_string_equal(modules[3]->class->name, "THIRD");
	assert_string_equal(modules[4]->class->name, "FIRST");
}

static void wrong_modules_are_refused(void **state)
{
	static const struct module_class long_name = { LOGGING("A.NAME.OF.MORE.THAN.31.CHARACTERS",
							       MODULE_PRODUCER, 0) };
	static const struct module_class early = { LOGGING("EARLY", MODULE_CONSUMER, EVERY_POINT) };
	static const struct module_class helper = { LOGGING("HELPER", MODULE_SUPPORTER,
							    1U << SYNC_SNAPSHOT) };
	struct bench *bench = *state;

	add(bench, &second_class);
	assert_null(engine_add(bench->engine, &second_class, NULL, &bench->err));
	assert_string_equal(error_text(&bench->err), "module SECOND already exists");
	assert_null(engine_add(bench->engine, &long_name, NULL, &bench->err));
	assert_null(engine_add(bench->engine, &early, NULL, &bench->err));
	assert_string_equal(error_text(&bench->err),
			    "module EARLY is neither a timer nor a monitor: only these are "
			    "called before the first snapshot");
	assert_null(engine_add(bench->engine, &helper, NULL, &bench->err));
	assert_string_equal(error_text(&bench->err),
			    "module HELPER is a supporter: supporters are not called at snapshots");
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_null(engine_add(bench->engine, &third_class, NULL, &bench->err));
	assert_string_equal(error_text(&bench->err),
			    "module THIRD comes too late: the engine has started");
}

/* Asserts that an engine with classes cannot be prepared, and the message. */
static void assert_not_prepared(const struct module_class *const *classes, const char *text)
{
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;

	for (; *classes; classes++)
		assert_non_null(engine_add(engine, *classes, NULL, &err));
	assert_int_equal(engine_prepare(engine, OPERATION_COLLECTION, &err), -1);
	assert_string_equal(error_text(&err), text);
	error_release(&err);
	engine_free(engine);
}

static void dependencies_that_cannot_be_are_refused(void **state UNUSED)
{
	static const char *const after_self[] = { "CIRCLE", NULL };
	static const struct module_class circle = { LOGGING("CIRCLE", MODULE_PRODUCER, 0),
						    .after = after_self };
	static const char *const after_late[] = { "MON", NULL };
	static const struct module_class hasty = { LOGGING("HASTY", MODULE_PRODUCER, 0),
						   .after = after_late };
	static const char *const nobody[] = { "NOBODY", NULL };
	static const struct module_class lonely = { LOGGING("LONELY", MODULE_CONSUMER, 0),
						    .after = nobody };

	assert_not_prepared((const struct module_class *const[]){ &circle, NULL },
			    "module CIRCLE depends on itself, directly or through others");
	assert_not_prepared((const struct module_class *const[]){ &hasty, &monitor_class, NULL },
			    "module HASTY depends on module MON, which is of a type that is called "
			    "later");
	assert_not_prepared((const struct module_class *const[]){ &lonely, NULL },
			    "module LONELY depends on module NOBODY, which does not exist");
}

static void a_dependency_may_lead_to_another_group(void **state)
{
	static const char *const after_both[] = { "SECOND", "FIL", NULL };
	static const struct module_class late = { LOGGING("LATE", MODULE_MONITOR, 0),
						  .after = after_both };
	struct bench *bench = *state;
	const struct module *const *modules;

	add(bench, &late);
	add(bench, &monitor_class);
	add(bench, &filter_class);
	add(bench, &second_class);
	assert_int_equal(engine_prepare(bench->engine, OPERATION_COLLECTION, &bench->err), 0);
	assert_int_equal(engine_modules(bench->engine, &modules), 5);
	assert_string_equal(modules[1]->class->name, "SECOND");
	assert_string_equal(modules[2]->class->name, "FIL");
	assert_string_equal(modules[3]->class->name, "LATE");
}

static void a_failing_module_is_noted_and_the_rest_goes_on(void **state)
{
	struct bench *bench = *state;
	struct module *bad;

	bench->script.fail_at = SYNC_SNAPSHOT;
	bench->script.status = MODULE_ERROR;
	bad = add(bench, &bad_class);
	add(bench, &consumer_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_int_equal(engine_finish(bench->engine, &bench->err), 0);
	assert_true(bad->disabled);
	assert_string_equal(bad->reason, "the tape is torn");
	assert_int_equal(bench->script.notes, 1);
	assert_string_equal(bench->script.note, "module BAD was switched off: the tape is torn");
	assert_string_equal(bench->script.log.text, "+BAD BADS CONE CONE CONE !CONE -BAD ");
}

static void a_failing_init_is_not_ended(void **state)
{
	struct bench *bench = *state;

	bench->script.init_status = MODULE_ERROR;
	add(bench, &bad_class);
	add(bench, &consumer_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_int_equal(engine_finish(bench->engine, &bench->err), 0);
	assert_int_equal(bench->script.notes, 1);
	assert_string_equal(bench->script.log.text, "+BAD CONE !CONE ");
}

static void a_module_may_decline(void **state)
{
	struct bench *bench = *state;
	struct module *bad;

	bench->script.fail_at = SYNC_SNAPSHOT;
	bench->script.status = MODULE_DISABLE;
	bad = add(bench, &bad_class);
	add(bench, &consumer_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_int_equal(engine_finish(bench->engine, &bench->err), 0);
	assert_true(bad->disabled);
	assert_int_equal(bench->script.notes, 0);
	assert_string_equal(bench->script.log.text, "+BAD BADS CONE !CONE -BAD ");
}

static void a_fatal_failure_ends_the_operation(void **state)
{
	struct bench *bench = *state;

	bench->script.fail_at = SYNC_SNAPSHOT;
	bench->script.status = MODULE_FATAL;
	add(bench, &bad_class);
	add(bench, &consumer_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), -1);
	assert_string_equal(error_text(&bench->err), "the tape is torn");
	assert_int_equal(engine_finish(bench->engine, NULL), 0);
	assert_string_equal(bench->script.log.text, "+BAD BADS !CONE -BAD ");
}

static void a_fatal_init_ends_what_was_up(void **state)
{
	struct bench *bench = *state;

	bench->script.init_status = MODULE_FATAL;
	add(bench, &bad_class);
	add(bench, &supporter_class);
	add(bench, &monitor_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), -1);
	assert_int_equal(engine_finish(bench->engine, &bench->err), 0);
	assert_string_equal(bench->script.log.text, "+SUP +BAD -SUP ");
}

/* Adds one attribute, then fails fatally. */
static enum module_status produce_and_fail(struct module *module, enum sync_point point UNUSED,
					   struct snapshot *snapshot, struct error *err)
{
	snapshot_attribute(snapshot, module->engine, ATTR_HOST, "%s%u", "host", 7U);
	error_set(err, "no more");
	return MODULE_FATAL;
}

static void rows_before_a_fatal_failure_are_kept(void **state)
{
	static const struct module_class class = { .name = "LOSER",
						   .summary = "fails",
						   .capabilities = MODULE_PRODUCER,
						   .sync_points = 1U << SYNC_SNAPSHOT,
						   .call = produce_and_fail };
	struct bench *bench = *state;

	add(bench, &class);
	add(bench, &consumer_class);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), -1);
	assert_int_equal(bench->script.rows, 0);
	assert_int_equal(engine_finish(bench->engine, NULL), 0);
	assert_int_equal(bench->script.rows, 1);
	assert_int_equal(strmap_find(engine_strings(bench->engine), "host7"), 2);
}

/* Adds one attribute a snapshot until the script's number is reached. */
static enum module_status extract(struct module *module, enum sync_point point UNUSED,
				  struct snapshot *snapshot, struct error *err UNUSED)
{
	struct script *script = module->context;

	if (script->extracted++ == script->snapshots)
		return MODULE_END_OF_DATA;
	snapshot_attribute(snapshot, module->engine, "key", "%u", 1U);
	return MODULE_OK;
}

static void an_extraction_ends_with_its_data(void **state)
{
	static const struct module_class class = { .name = "EXT",
						   .summary = "extracts",
						   .capabilities = MODULE_EXTRACTOR,
						   .sync_points = 1U << SYNC_SNAPSHOT,
						   .call = extract };
	struct bench *bench = *state;

	bench->script.snapshots = 3;
	add(bench, &class);
	add(bench, &consumer_class);
	assert_int_equal(engine_extract(bench->engine, &bench->err), 0);
	assert_int_equal(bench->script.rows, 3);
	assert_string_equal(bench->script.log.text, "CONE CONE CONE !CONE ");
}

/* Watched pipes, and the events received from them. */
struct listeners {
	struct engine *engine;
	int pipes[2][2];
	unsigned heard[2];
};

static void hear(void *argument, int fd, short revents UNUSED)
{
	struct listeners *listeners = argument;
	unsigned which = fd == listeners->pipes[1][0];

	listeners->heard[which]++;
	/* The one called first removes the watch of the other. */
	engine_unwatch(listeners->engine, listeners->pipes[!which][0]);
}

static void ready_descriptors_are_served(void **state)
{
	struct bench *bench = *state;
	struct listeners listeners = { .engine = bench->engine };

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pipe(listeners.pipes[i]), 0);
		engine_watch(bench->engine, listeners.pipes[i][0], POLLIN, hear, &listeners);
	}
	assert_int_equal(engine_wait(bench->engine, 0, &bench->err), 0);
	assert_int_equal(listeners.heard[0] + listeners.heard[1], 0);
	assert_int_equal(write(listeners.pipes[0][1], "x", 1), 1);
	assert_int_equal(write(listeners.pipes[1][1], "x", 1), 1);
	assert_int_equal(engine_wait(bench->engine, 1000, &bench->err), 0);
	assert_int_equal(listeners.heard[0] + listeners.heard[1], 1);
	assert_int_equal(engine_wait(bench->engine, 1000, &bench->err), 0);
	assert_int_equal(listeners.heard[0] + listeners.heard[1], 2);
	engine_unwatch(bench->engine, listeners.pipes[0][0]);
	engine_unwatch(bench->engine, listeners.pipes[1][0]);
	engine_unwatch(bench->engine, listeners.pipes[1][0]);
	assert_int_equal(engine_wait(bench->engine, 1, &bench->err), 0);
	assert_int_equal(listeners.heard[0] + listeners.heard[1], 2);
	for (unsigned i = 0; i < 4; i++)
		close(listeners.pipes[i / 2][i % 2]);
}

static void count_calls(void *argument, int fd UNUSED, short revents)
{
	assert_true(revents & POLLNVAL);
	++*(unsigned *)argument;
}

static void a_closed_descriptor_is_told_once(void **state)
{
	struct bench *bench = *state;
	int fd = open("/dev/null", O_RDONLY);
	unsigned calls = 0;

	engine_watch(bench->engine, fd, POLLIN, count_calls, &calls);
	close(fd);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(engine_wait(bench->engine, 0, &bench->err), 0);
	assert_int_equal(calls, 1);
}

static void count_hearing(void *argument, int fd UNUSED, short revents UNUSED)
{
	++*(unsigned *)argument;
}

/*
 * The last watch moves to the position of the one in the middle; it still works,
 * and can be removed.
 */
static void the_others_are_watched_when_one_is_removed(void **state)
{
	struct bench *bench = *state;
	unsigned heard[3] = { 0 };
	int pipes[3][2];

	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(pipe(pipes[i]), 0);
		assert_int_equal(write(pipes[i][1], "x", 1), 1);
		engine_watch(bench->engine, pipes[i][0], POLLIN, count_hearing, &heard[i]);
	}
	engine_unwatch(bench->engine, pipes[1][0]);
	assert_int_equal(engine_wait(bench->engine, 1000, &bench->err), 0);
	assert_int_equal(heard[0], 1);
	assert_int_equal(heard[1], 0);
	assert_int_equal(heard[2], 1);
	engine_unwatch(bench->engine, pipes[2][0]);
	assert_int_equal(engine_wait(bench->engine, 1000, &bench->err), 0);
	assert_int_equal(heard[0], 2);
	assert_int_equal(heard[2], 1);
	engine_unwatch(bench->engine, pipes[0][0]);
	for (unsigned i = 0; i < 6; i++)
		close(pipes[i / 2][i % 2]);
}

/*
 * The one called first replaces the watch of the other pipe, as a new file with
 * the same descriptor would.
 */
static void watch_anew(void *argument, int fd, short revents UNUSED)
{
	struct listeners *listeners = argument;
	unsigned which = fd == listeners->pipes[1][0];

	listeners->heard[which]++;
	engine_watch(listeners->engine, listeners->pipes[!which][0], POLLIN, watch_anew, listeners);
}

static void what_was_ready_is_not_told_to_a_later_watch(void **state)
{
	struct bench *bench = *state;
	struct listeners listeners = { .engine = bench->engine };

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pipe(listeners.pipes[i]), 0);
		assert_int_equal(write(listeners.pipes[i][1], "x", 1), 1);
		engine_watch(bench->engine, listeners.pipes[i][0], POLLIN, watch_anew, &listeners);
	}
	assert_int_equal(engine_wait(bench->engine, 1000, &bench->err), 0);
	assert_int_equal(listeners.heard[0] + listeners.heard[1], 1);
	for (unsigned i = 0; i < 2; i++)
		engine_unwatch(bench->engine, listeners.pipes[i][0]);
	for (unsigned i = 0; i < 4; i++)
		close(listeners.pipes[i / 2][i % 2]);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, drop_bench)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_is_described),
		cmocka_unit_test(recordset_keeps_rows),
		BENCH_TEST(groups_are_called_in_order),
		BENCH_TEST(after_orders_inside_a_group),
		BENCH_TEST(wrong_modules_are_refused),
		cmocka_unit_test(dependencies_that_cannot_be_are_refused),
		BENCH_TEST(a_dependency_may_lead_to_another_group),
		BENCH_TEST(a_failing_module_is_noted_and_the_rest_goes_on),
		BENCH_TEST(a_failing_init_is_not_ended),
		BENCH_TEST(a_module_may_decline),
		BENCH_TEST(a_fatal_failure_ends_the_operation),
		BENCH_TEST(a_fatal_init_ends_what_was_up),
		BENCH_TEST(rows_before_a_fatal_failure_are_kept),
		BENCH_TEST(an_extraction_ends_with_its_data),
		BENCH_TEST(ready_descriptors_are_served),
		BENCH_TEST(a_closed_descriptor_is_told_once),
		BENCH_TEST(the_others_are_watched_when_one_is_removed),
		BENCH_TEST(what_was_ready_is_not_told_to_a_later_watch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
