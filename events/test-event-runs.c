/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of runs of events: they stand for the same events, in the same order, with
 * the same times and sums, as the rows that are made without them.
 */
#include "common/compat.h"
#include "common/test-folder.h"
#include "engine/dataset.h"
#include "events/event-consolidate.h"
#include "events/settle.h"
#include "events/test-monitor.h"
#include "records/event-runs.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Slots of the agent that both decoders take, and the events that each makes. */
enum { SLOTS = 6000, SLOTS_AT_ONCE = 700 };

/* A monitor whose clock counts ns, two threads, and what becomes of their events. */
struct bench {
	struct test_monitor monitor;
	struct event_lane_reader lanes[2];
	struct recordset events; /* all, in the order of the file */
	struct event_sums sums;
	size_t run_count;
};

static void bench_open(struct bench *bench, bool compact)
{
	memset(bench, 0, sizeof(*bench));
	test_monitor_open(&bench->monitor);
	bench->monitor.pool.cycles = false;
	bench->monitor.pool.area->cost = 3 * 256;
	bench->monitor.decoder.compact = compact;
	for (size_t i = 0; i < ARRAY_SIZE(bench->lanes); i++)
		bench->lanes[i] = (struct event_lane_reader){ .number = i + 1,
							      .pid = 4000,
							      .tid = 4000 + (pid_t)i };
	recordset_init(&bench->events, &record_types[RECORD_EVENT]);
	event_sums_init(&bench->sums);
}

static void bench_close(struct bench *bench)
{
	test_monitor_close(&bench->monitor);
	recordset_release(&bench->events);
	event_sums_release(&bench->sums);
}

/* What a thread does: slots of functions, statements and, rarely, of events with data. */
struct script {
	struct event_slot slots[SLOTS];
	size_t count;
	uint64_t random, time, cpu;
	uint64_t stack[20];
	size_t depth;
	size_t calls; /* database calls that have begun and not ended */
};

static void add_slot(struct script *script, uint64_t word, uint64_t mark)
{
	script->slots[script->count++] = (struct event_slot){ word, mark };
}

/* Adds a plain event, now and then one that is not plain. */
static void add_event(struct script *script)
{
	const uint64_t kind = test_monitor_random(&script->random) % 100;
	uint64_t mark = EVENT_MARK_STATEMENT | EVENT_SITE(1 + kind % 7, 0, 0);

	script->time += test_monitor_random(&script->random) % 400 * (kind % 3);
	if (kind < 45 && script->depth < ARRAY_SIZE(script->stack)) {
		script->stack[script->depth] = 0x1000 * (1 + test_monitor_random(&script->random) % 5);
		mark = EVENT_MARK_ENTRY | script->stack[script->depth++] << 8;
	} else if (kind < 85 && script->depth) {
		/* At times a function that has called another ends: both do. */
		script->depth -= kind == 84 && script->depth > 1 ? 2 : 1;
		mark = EVENT_MARK_RETURN | script->stack[script->depth] << 8;
	}
	add_slot(script, script->time, mark);
}

/* Adds the events between two anchors; odd: ends with an event that a run cannot hold. */
static void add_stretch(struct script *script, size_t count, bool odd)
{
	uint64_t before = script->time;

	add_slot(script, script->cpu, EVENT_MARK_ANCHOR | UINT64_C(50) << 8);
	/* What a database call calls back may fill several stretches, and wait in them. */
	if (test_monitor_random(&script->random) % 40 == 0 && script->calls < 3) {
		add_slot(script, ++script->time, EVENT_MARK_DATABASE_MORE | EVENT_MORE(1, 0));
		script->calls++;
	} else if (test_monitor_random(&script->random) % 2 == 0 && script->calls) {
		add_slot(script, ++script->time, EVENT_MARK_DATABASE_DONE);
		script->calls--;
	}
	for (size_t i = 0; i < count; i++)
		add_event(script);
	if (odd)
		add_slot(script, ++script->time, EVENT_MARK_WAITED);
	if (odd && test_monitor_random(&script->random) % 2) {
		add_slot(script, ++script->time, EVENT_MARK_USER | EVENT_DATA(1, 3, 77));
		add_slot(script, 0x616263, 0);
	}
	script->cpu += (script->time - before) * (5 + test_monitor_random(&script->random) % 5) / 10;
	script->time += test_monitor_random(&script->random) % 3 ? 0 : 30000;
}

static void make_script(struct script *script, uint64_t seed)
{
	*script = (struct script){ .random = seed, .time = 1000000, .cpu = 500 };
	while (script->count + 200 < SLOTS)
		add_stretch(script, 1 + test_monitor_random(&script->random) % 150,
			    test_monitor_random(&script->random) % 20 == 0);
}

/* Takes the sums and the events of a snapshot. */
static void take(void *argument, struct snapshot *snapshot)
{
	struct bench *bench = argument;

	bench->run_count += snapshot_records(snapshot, RECORD_EVENT_RUN)->count;
	event_sums_take(&bench->sums, snapshot);
	event_runs_expand(snapshot);
	recordset_append(&bench->events, snapshot_records(snapshot, RECORD_EVENT));
}

static void take_snapshot(struct bench *bench)
{
	test_monitor_snapshot(&bench->monitor, take, bench);
}

/* Returns the time, ns, of the last event of any thread. */
static uint64_t time_of_last(const struct bench *bench)
{
	uint64_t time = 0;

	for (size_t i = 0; i < bench->monitor.decoder.task_count; i++)
		if (bench->monitor.decoder.tasks[i]->last > time)
			time = bench->monitor.decoder.tasks[i]->last;
	return time;
}

/* Lets a decoder take the slots of two threads in turn, with a pause of the session. */
static void take_scripts(struct bench *bench, const struct script *scripts)
{
	size_t at[2] = { 0, 0 }, turn = 0;

	while (at[0] < scripts[0].count || at[1] < scripts[1].count) {
		const struct script *script = &scripts[turn % 2];
		size_t end = at[turn % 2], limit = end + SLOTS_AT_ONCE;

		while (end < script->count && end < limit)
			end += event_slots_of(script->slots[end].mark);
		if (end > at[turn % 2])
			event_decoder_take(&bench->monitor.decoder, &bench->lanes[turn % 2],
					   script->slots + at[turn % 2], end - at[turn % 2]);
		at[turn % 2] = end;
		if (turn == 5)
			event_decoder_session(&bench->monitor.decoder, EVENT_MP, time_of_last(bench) + 7);
		if (turn++ % 3 == 2)
			take_snapshot(bench);
	}
	/* As events_end: the last snapshot has no runs. */
	take_snapshot(bench);
	bench->monitor.decoder.compact = false;
	event_decoder_settle(&bench->monitor.decoder);
	take_snapshot(bench);
}

/* Returns the next event of a task from a number on; NULL: none. */
static const struct record_event *next_of_task(const struct recordset *events, uint64_t task, size_t *at)
{
	while (*at < events->count) {
		const struct record_event *event = recordset_get(events, (*at)++);

		if (event->task == task)
			return event;
	}
	return NULL;
}

/* Checks that the events of a task are the same in both. */
static void compare_task(const struct bench *plain, const struct bench *runs, uint64_t task)
{
	size_t a = 0, b = 0;

	for (;;) {
		const struct record_event *expected = next_of_task(&plain->events, task, &a);
		const struct record_event *found = next_of_task(&runs->events, task, &b);

		assert_true(!expected == !found);
		if (!expected)
			return;
		assert_memory_equal(found, expected, sizeof(*expected));
	}
}

/* Checks that the sums of a site and transaction are the same in both. */
static void compare_sums(const struct event_sums *plain, const struct event_sums *runs)
{
	assert_int_equal(runs->count, plain->count);
	for (size_t i = 0; i < plain->count; i++) {
		size_t j = 0;

		while (j < runs->count && (runs->rows[j].site != plain->rows[i].site ||
					   runs->rows[j].transaction != plain->rows[i].transaction))
			j++;
		assert_true(j < runs->count);
		assert_memory_equal(&runs->rows[j], &plain->rows[i], sizeof(plain->rows[i]));
	}
}

static void test_same_events(void **state UNUSED)
{
	struct script *scripts = calloc(2, sizeof(*scripts));
	size_t all = 0, rows = 0;

	assert_non_null(scripts);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct bench plain, runs, bare;

		make_script(&scripts[0], seed);
		make_script(&scripts[1], seed + 1000);
		bench_open(&plain, false);
		bench_open(&runs, true);
		bench_open(&bare, true);
		bare.monitor.decoder.bare = true;
		take_scripts(&plain, scripts);
		take_scripts(&runs, scripts);
		take_scripts(&bare, scripts);
		assert_int_equal(plain.run_count, 0);
		assert_true(runs.run_count > 2);
		assert_int_equal(runs.events.count, plain.events.count);
		for (uint64_t task = 0; task <= 2; task++)
			compare_task(&plain, &runs, task ? task | EVENT_TASK_NUMBER : 0);
		compare_sums(&plain.sums, &runs.sums);
		compare_sums(&plain.sums, &bare.sums);
		all += runs.events.count;
		rows += bare.events.count;
		bench_close(&bare);
		bench_close(&plain);
		bench_close(&runs);
	}
	/* With sums alone only rows are events: there are many of both kinds. */
	assert_true(rows > all / 10 && rows < all * 9 / 10);
	free(scripts);
}

/* Makes runs of one thread. */
static void make_runs(struct bench *bench, struct script *script, uint64_t seed)
{
	make_script(script, seed);
	bench_open(bench, true);
	event_decoder_take(&bench->monitor.decoder, &bench->lanes[0], script->slots, script->count / 2);
	event_settle_finish_runs(&bench->monitor.decoder);
	assert_int_equal(bench->monitor.decoder.runs.count, 1);
}

struct reading {
	struct recordset events;
	size_t runs;
};

static int read_snapshot(void *argument, const struct snapshot *snapshot,
			 const struct strmap *strings UNUSED)
{
	struct reading *reading = argument;

	if (snapshot_records(snapshot, RECORD_EVENT)->count)
		recordset_append(&reading->events, snapshot_records(snapshot, RECORD_EVENT));
	reading->runs += snapshot_records(snapshot, RECORD_EVENT_RUN)->count;
	return 0;
}

/* A reader of a file gets the events, and no runs; one of few records gets neither. */
static void test_file(void **state)
{
	struct script *script = calloc(1, sizeof(*script));
	struct reading reading = { .runs = 0 };
	struct dataset_writer *writer;
	struct dataset_status status;
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct strmap strings;
	struct snapshot snapshot;
	struct recordset expected;
	struct bench bench;

	strbuf_addf(&path, "%s/x.vprf", (char *)*state);
	make_runs(&bench, script, 3);
	recordset_init(&expected, &record_types[RECORD_EVENT]);
	event_run_expand(&bench.monitor.decoder.runs, 0, &expected);
	snapshot_init(&snapshot, engine_types(bench.monitor.engine));
	snapshot.sequence = 1;
	recordset_append(snapshot_set(&snapshot, RECORD_EVENT_RUN), &bench.monitor.decoder.runs);
	writer = dataset_create(path.text, engine_strings(bench.monitor.engine), &err);
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	snapshot_release(&snapshot);

	recordset_init(&reading.events, &record_types[RECORD_EVENT]);
	strmap_init(&strings);
	assert_int_equal(dataset_read(path.text, &session_records, &strings, read_snapshot, &reading, &status, &err), 0);
	assert_int_equal(reading.runs, 0);
	assert_int_equal(reading.events.count, expected.count);
	assert_memory_equal(reading.events.rows, expected.rows, expected.count * sizeof(struct record_event));
	strmap_release(&strings);
	recordset_clear(&reading.events);
	strmap_init(&strings);
	assert_int_equal(dataset_read_few(path.text, &session_records, &strings, read_snapshot, &reading, &status, &err), 0);
	assert_int_equal(status.passed_events, 1);
	assert_int_equal(reading.events.count, 0);
	strmap_release(&strings);
	recordset_release(&reading.events);
	recordset_release(&expected);
	strbuf_release(&path);
	bench_close(&bench);
	free(script);
}

/* Bytes that are not those of a run: the reader ends, and reads nothing outside them. */
static void test_damage(void **state UNUSED)
{
	struct script *script = calloc(1, sizeof(*script));
	struct recordset events;
	uint64_t random = 5;
	struct bench bench;

	make_runs(&bench, script, 4);
	recordset_init(&events, &record_types[RECORD_EVENT]);
	for (size_t i = 0; i < 3000; i++) {
		struct recordset *runs = &bench.monitor.decoder.runs;
		struct record_event_run *run = recordset_at(runs, 0), before = *run;
		const size_t at = test_monitor_random(&random) % runs->bytes.length;
		const char kept = runs->bytes.text[at];

		runs->bytes.text[at] = (char)test_monitor_random(&random);
		if (i % 3 == 0)
			run->numbers.length = (uint32_t)(test_monitor_random(&random) % before.numbers.length);
		if (i % 5 == 0)
			run->steps.length = (uint32_t)(test_monitor_random(&random) % before.steps.length);
		if (i % 7 == 0)
			run->clocks.length = RECORD_BYTES_MISSING;
		recordset_clear(&events);
		event_run_expand(runs, 0, &events);
		assert_true(events.count <= 2 * (uint64_t)before.numbers.length);
		runs->bytes.text[at] = kept;
		*run = before;
	}
	recordset_release(&events);
	bench_close(&bench);
	free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_events),
		cmocka_unit_test_setup_teardown(test_file, test_folder_make, test_folder_drop),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
