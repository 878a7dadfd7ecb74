/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the sums that threads make by themselves: they are those of the same
 * events written one by one, whatever comes between, and of a thread that is killed
 * at any place.
 */
#include "common/compat.h"
#include "events/event-consolidate.h"
#include "events/settle.h"
#include "events/test-monitor.h"
#include "records/event-sums.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SLOTS = 40000, STRETCHES = 60, DEPTH = 20, FUNCTIONS = 5 };

/* The address of a function. */
#define FUNCTION(number) (UINT64_C(0x1000) * (number))

/* A monitor whose clock counts ns, a thread, and the sums of its events. */
struct bench {
	struct test_monitor monitor;
	struct event_lane_reader lane;
	struct event_sums sums;
};

static void bench_open(struct bench *bench)
{
	memset(bench, 0, sizeof(*bench));
	test_monitor_open(&bench->monitor);
	bench->monitor.pool.cycles = false;
	bench->monitor.pool.area->cost = 3 * 256;
	bench->monitor.decoder.compact = true;
	bench->monitor.decoder.bare = true;
	bench->lane = (struct event_lane_reader){ .number = 7, .pid = 4000, .tid = 4000 };
	event_sums_init(&bench->sums);
}

static void bench_close(struct bench *bench)
{
	event_sums_release(&bench->sums);
	test_monitor_close(&bench->monitor);
}

static void take(void *argument, struct snapshot *snapshot)
{
	struct bench *bench = argument;

	assert_int_equal(bench->monitor.decoder.late.count, 0);
	event_sums_take(&bench->sums, snapshot);
}

static void take_snapshot(struct bench *bench)
{
	test_monitor_snapshot(&bench->monitor, take, bench);
}

/* A thread that writes the same events one by one, and as sums. */
struct script {
	struct event_slot plain[SLOTS], tallied[SLOTS];
	size_t plain_count, tallied_count;
	uint64_t random, time;
	uint64_t cpu, since, rate; /* CPU time at a time, and tenths of a ns for each ns since then */
	uint64_t own;		   /* of the next anchor */
	uint64_t stack[DEPTH];
	size_t depth, base; /* base: functions that were active when it began to tally */
	/* The sums, as the agent makes them. */
	struct event_tally tally;
	bool tallies;
};

static void add_plain(struct script *script, uint64_t word, uint64_t mark)
{
	assert_true(script->plain_count < SLOTS);
	script->plain[script->plain_count++] = (struct event_slot){ word, mark };
}

static void add_tallied(struct script *script, uint64_t word, uint64_t mark)
{
	assert_true(script->tallied_count < SLOTS);
	script->tallied[script->tallied_count++] = (struct event_slot){ word, mark };
}

/* Adds an anchor at the present time. */
static void add_anchor(struct script *script)
{
	uint64_t cpu = script->cpu + (script->time - script->since) * script->rate / 10;

	add_tallied(script, cpu, EVENT_MARK_ANCHOR | EVENT_VALUE(script->own));
	script->own = 0;
}

/* Begins a block of steps. */
static size_t begin_block(struct script *script)
{
	size_t at = script->tallied_count;

	add_tallied(script, script->time, 0);
	add_tallied(script, script->tally.start, script->tally.last);
	return at;
}

static void end_block(struct script *script, size_t at, bool last)
{
	uint64_t more = script->tallied_count - at - 1;

	script->tallied[at].mark = EVENT_MARK_TALLY | EVENT_DATA(more, last, ++script->tally.block);
}

static void add_step(struct script *script, const struct event_tally_step *step)
{
	add_tallied(script, step->mark, step->resumes);
	add_tallied(script, step->hits, step->elapsed);
}

/* Writes the sums before an event at the present time: blocks of at most three steps, the open one last. */
static void write_sums(struct script *script)
{
	struct event_tally *tally = &script->tally;
	size_t at = 0, count = 0;

	for (size_t i = 1; i <= tally->used; i++) {
		if (i == tally->open || !tally->steps[i].hits)
			continue;
		if (!count)
			at = begin_block(script);
		add_step(script, &tally->steps[i]);
		if (++count == 3)
			end_block(script, at, false), count = 0;
	}
	if (count)
		end_block(script, at, false);
	add_anchor(script);
	at = begin_block(script);
	if (tally->open)
		add_step(script, &tally->steps[tally->open]);
	end_block(script, at, true);
	memset(tally->steps, 0, sizeof(tally->steps));
	tally->used = tally->open = 0;
}

/* Tallies an event at the present time. */
static void tally_event(struct script *script, uint64_t mark, uint64_t resumes)
{
	struct event_tally *tally = &script->tally;
	uint64_t step = 1;

	while (step <= tally->used && (tally->steps[step].mark != mark || tally->steps[step].resumes != resumes))
		step++;
	if (step > tally->used) {
		tally->used = step;
		tally->steps[step] = (struct event_tally_step){ .mark = mark, .resumes = resumes };
	}
	if (tally->open)
		tally->steps[tally->open].elapsed += script->time - tally->last;
	tally->steps[step].hits++;
	tally->open = step;
	tally->last = script->time;
}

/* Writes the sums, and what has begun, before another slot. */
static void stop_tallying(struct script *script)
{
	if (!script->tallies)
		return;
	write_sums(script);
	for (size_t i = script->base; i < script->depth; i++)
		add_tallied(script, script->time, EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | script->stack[i] << 8);
	script->tallies = false;
}

static void begin_tallying(struct script *script)
{
	script->tally.start = script->tally.last = script->time;
	script->base = script->depth;
	write_sums(script);
	script->tallies = true;
}

/* A function begins. */
static void begin_function(struct script *script)
{
	uint64_t function = FUNCTION(1 + test_monitor_random(&script->random) % FUNCTIONS), mark = EVENT_MARK_ENTRY | function << 8;

	if (!script->tallies)
		begin_tallying(script);
	script->stack[script->depth++] = function;
	add_plain(script, script->time, mark);
	tally_event(script, mark, 0);
}

/* A function ends: one that was active when the thread began to tally is written. */
static void end_function(struct script *script)
{
	uint64_t mark = EVENT_MARK_RETURN | script->stack[script->depth - 1] << 8;

	add_plain(script, script->time, mark);
	if (!script->tallies || script->depth == script->base) {
		stop_tallying(script);
		add_anchor(script);
		add_tallied(script, script->time, mark);
		script->depth--;
		return;
	}
	script->depth--;
	tally_event(script, mark, script->depth > script->base ? script->stack[script->depth - 1] : 0);
}

/* An event that is no function. */
static void add_other(struct script *script)
{
	stop_tallying(script);
	add_plain(script, script->time, EVENT_MARK_USER | EVENT_DATA(1, 3, 77));
	add_plain(script, 0x616263, 0);
	add_anchor(script);
	add_tallied(script, script->time, EVENT_MARK_USER | EVENT_DATA(1, 3, 77));
	add_tallied(script, 0x616263, 0);
}

/* Adds the events between two anchors; others: at times one that is no function. */
static void add_stretch(struct script *script, bool others)
{
	uint64_t count = 1 + test_monitor_random(&script->random) % 150;

	script->since = script->time;
	script->rate = 5 + test_monitor_random(&script->random) % 5;
	script->own = 50;
	add_plain(script, script->cpu, EVENT_MARK_ANCHOR | EVENT_VALUE(script->own));
	if (script->tallies) {
		write_sums(script);
		script->tally.start = script->tally.last = script->time;
	}
	if (others && test_monitor_random(&script->random) % 4 == 0)
		add_other(script);
	for (uint64_t i = 0; i < count; i++) {
		if (script->depth && (script->depth == DEPTH || test_monitor_random(&script->random) % 2))
			end_function(script);
		else
			begin_function(script);
		script->time += 20 + test_monitor_random(&script->random) % 400;
	}
	script->cpu += (script->time - script->since) * script->rate / 10;
	script->time += test_monitor_random(&script->random) % 3 ? 0 : 30000;
	script->since = script->time;
}

/* Lets a bench take slots in parts, with snapshots in between. */
static void take_slots(struct bench *bench, const struct event_slot *slots, size_t count, bool end)
{
	for (size_t at = 0, part = 0; at < count; part++) {
		size_t from = at;

		while (at < count && at < from + 300)
			at += event_slots_of(slots[at].mark);
		event_decoder_take(&bench->monitor.decoder, &bench->lane, slots + from, at - from);
		if (part % 3 == 2)
			take_snapshot(bench);
	}
	if (!end)
		return;
	event_decoder_settle(&bench->monitor.decoder);
	take_snapshot(bench);
}

/*
 * Checks that the sums of two benches are the same: hits exactly; elapsed time too,
 * unless more than that is to be allowed; CPU time but for its rounding.
 */
static void compare(const struct bench *plain, const struct bench *tallied, uint64_t allowed)
{
	uint64_t cpu[2] = { 0 };
	size_t shown = 0;

	for (size_t i = 0; i < plain->sums.count; i++) {
		const struct record_event_sum *expected = &plain->sums.rows[i], *found = NULL;

		for (size_t j = 0; j < tallied->sums.count; j++)
			if (tallied->sums.rows[j].site == expected->site &&
			    tallied->sums.rows[j].transaction == expected->transaction)
				found = &tallied->sums.rows[j];
		assert_non_null(found);
		shown++;
		assert_int_equal(found->hits, expected->hits);
		assert_in_range(found->elapsed, expected->elapsed > allowed ? expected->elapsed - allowed : 0,
				expected->elapsed + allowed);
		cpu[0] += expected->cpu;
		cpu[1] += found->cpu;
		assert_in_range(found->cpu + 16 * expected->hits + 500, expected->cpu, expected->cpu + 32 * expected->hits + 1000);
	}
	assert_int_equal(shown, tallied->sums.count);
	assert_in_range(cpu[1] + 1000, cpu[0], cpu[0] + 2000);
}

/* Begins a script with all functions, one by one: sites have the same numbers in all benches. */
static void make_script(struct script *script, uint64_t seed)
{
	memset(script, 0, sizeof(*script));
	*script = (struct script){ .random = seed, .time = 1000000, .cpu = 500 };
	add_plain(script, script->cpu, EVENT_MARK_ANCHOR);
	for (uint64_t i = 1; i <= FUNCTIONS; i++) {
		uint64_t outer = FUNCTION(i) << 8, inner = FUNCTION(i % FUNCTIONS + 1) << 8;

		add_plain(script, script->time++, EVENT_MARK_ENTRY | outer);
		add_plain(script, script->time++, EVENT_MARK_ENTRY | inner);
		add_plain(script, script->time++, EVENT_MARK_RETURN | inner);
		add_plain(script, script->time++, EVENT_MARK_RETURN | outer);
	}
	memcpy(script->tallied, script->plain, script->plain_count * sizeof(*script->plain));
	script->tallied_count = script->plain_count;
	script->since = script->time += 100;
}

/* Whatever comes between, and wherever snapshots divide them. */
static void test_same_sums(void **state UNUSED)
{
	struct script *script = malloc(sizeof(*script));

	assert_non_null(script);
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct bench plain, tallied;

		make_script(script, seed);
		for (int i = 0; i < STRETCHES; i++)
			add_stretch(script, seed % 2);
		add_plain(script, script->cpu, EVENT_MARK_ANCHOR);
		add_other(script);
		bench_open(&plain);
		bench_open(&tallied);
		take_slots(&plain, script->plain, script->plain_count, true);
		take_slots(&tallied, script->tallied, script->tallied_count, true);
		compare(&plain, &tallied, 0);
		bench_close(&plain);
		bench_close(&tallied);
	}
	free(script);
}

/* The session pauses: the function that was active then lasts until the pause, whenever its thread goes on. */
static void test_pause(void **state UNUSED)
{
	struct script *script = malloc(sizeof(*script));

	assert_non_null(script);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		size_t plain_half, tallied_half;
		struct bench plain, tallied;
		uint64_t pause;

		make_script(script, seed);
		for (int i = 0; i < STRETCHES / 2; i++)
			add_stretch(script, false);
		plain_half = script->plain_count;
		tallied_half = script->tallied_count;
		pause = script->time + 1000;
		script->time = script->since = script->time + 70000;
		for (int i = 0; i < STRETCHES / 2; i++)
			add_stretch(script, false);
		add_plain(script, script->cpu, EVENT_MARK_ANCHOR);
		add_other(script);
		bench_open(&plain);
		bench_open(&tallied);
		take_slots(&plain, script->plain, plain_half, false);
		event_decoder_session(&plain.monitor.decoder, EVENT_MP, pause);
		take_slots(&plain, script->plain + plain_half, script->plain_count - plain_half, true);
		take_slots(&tallied, script->tallied, tallied_half, false);
		event_decoder_session(&tallied.monitor.decoder, EVENT_MP, pause);
		take_slots(&tallied, script->tallied + tallied_half, script->tallied_count - tallied_half, true);
		compare(&plain, &tallied, 0);
		bench_close(&plain);
		bench_close(&tallied);
	}
	free(script);
}

/* Returns the begins and ends that a bench has counted. */
static uint64_t count_hits(struct bench *bench, enum event_type type)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < bench->sums.count; i++)
		if (event_site_list_type(&bench->sums.sites, bench->sums.rows[i].site) == type)
			hits += bench->sums.rows[i].hits;
	return hits;
}

/* The table of a thread that has begun ten functions, one of them 3 times, and ended nine. */
static struct event_tally *make_table(struct bench *bench)
{
	struct event_tallies *tallies = (void *)((char *)bench->monitor.pool.area + bench->monitor.pool.tallies_at);
	struct event_tally *tally = &tallies->tables[3];

	tallies->owners[3] = bench->lane.number;
	*tally = (struct event_tally){ .start = 2000000, .last = 2009000, .open = 10, .used = 19, .block = 4 };
	for (uint64_t i = 1; i <= 19; i++) {
		tally->steps[i] = (struct event_tally_step){ .mark = EVENT_MARK_ENTRY | FUNCTION(i) << 8, .hits = 1, .elapsed = 100 };
		if (i > 10)
			tally->steps[i].mark = EVENT_MARK_RETURN | FUNCTION(i - 10) << 8;
		tally->list[i - 1] = (uint16_t)i;
	}
	tally->steps[10].hits = 3;
	tally->listed = 19;
	return tally;
}

/* Kills the thread of a table: what is there is counted once, and another thread can have it. */
static void expect_left(struct bench *bench, const struct event_tally *tally, uint64_t begins, uint64_t ends)
{
	const struct event_tallies *tallies = (void *)((char *)bench->monitor.pool.area + bench->monitor.pool.tallies_at);
	struct event_task *task = bench->monitor.decoder.tasks[0];

	task->gone = 2020000;
	event_decoder_gone(&bench->monitor.decoder, task, 900, true);
	event_decoder_settle(&bench->monitor.decoder);
	take_snapshot(bench);
	assert_int_equal(count_hits(bench, EVENT_PS), begins);
	assert_int_equal(count_hits(bench, EVENT_PT), ends);
	assert_int_equal(count_hits(bench, EVENT_KE), 1);
	assert_int_equal(tallies->owners[3], 0);
	assert_int_equal(tally->used, 0);
	assert_int_equal(tally->steps[19].hits, 0);
}

static void open_killed(struct bench *bench)
{
	const struct event_slot first[] = { { 400, EVENT_MARK_ANCHOR },
					    { 2000000, EVENT_MARK_TALLY | EVENT_DATA(1, 1, 1) },
					    { 2000000, 2000000 } };

	bench_open(bench);
	take_slots(bench, first, ARRAY_SIZE(first), false);
}

static void test_killed(void **state UNUSED)
{
	struct bench bench;

	open_killed(&bench);
	expect_left(&bench, make_table(&bench), 12, 9);
	bench_close(&bench);
}

/* It was about to write the steps from the list's 11th on: nobody has seen them. */
static void test_killed_before_a_block(void **state UNUSED)
{
	struct event_tally *tally;
	struct bench bench;

	open_killed(&bench);
	tally = make_table(&bench);
	tally->from = 10;
	tally->to = 19;
	expect_left(&bench, tally, 12, 9);
	bench_close(&bench);
}

/* It had written them, and has cleared four of the nine. */
static void test_killed_behind_a_block(void **state UNUSED)
{
	struct event_slot block[2 + 2 * 9] = { { 2010000, EVENT_MARK_TALLY | EVENT_DATA(1 + 2 * 9, 0, 4) },
					       { 2000000, 2009000 } };
	struct event_tally *tally;
	struct bench bench;

	open_killed(&bench);
	tally = make_table(&bench);
	for (size_t i = 0; i < 9; i++) {
		struct event_tally_step *step = &tally->steps[11 + i];

		block[2 + 2 * i] = (struct event_slot){ step->mark, step->resumes };
		block[3 + 2 * i] = (struct event_slot){ step->hits, step->elapsed };
		if (i < 4)
			step->hits = step->elapsed = 0;
	}
	tally->from = 10;
	tally->to = 19;
	take_slots(&bench, block, ARRAY_SIZE(block), false);
	expect_left(&bench, tally, 12, 9);
	bench_close(&bench);
}

/* What a program may have written over its table does no harm. */
static void test_overwritten(void **state UNUSED)
{
	uint64_t random = 3;
	struct bench bench;

	for (int i = 0; i < 20; i++) {
		struct event_tally *tally;

		open_killed(&bench);
		tally = make_table(&bench);
		for (uint64_t *word = &tally->start; word < (uint64_t *)(void *)tally->list; word++)
			*word = test_monitor_random(&random) << (random % 32);
		for (size_t j = 0; j < EVENT_TALLY_STEPS; j++) {
			tally->list[j] = (uint16_t)test_monitor_random(&random);
			tally->steps[j].mark = test_monitor_random(&random) % 40 | test_monitor_random(&random) << 8;
			tally->steps[j].resumes = test_monitor_random(&random);
			tally->steps[j].hits = test_monitor_random(&random);
			tally->steps[j].elapsed = test_monitor_random(&random);
		}
		bench.monitor.decoder.tasks[0]->gone = 2020000;
		event_decoder_gone(&bench.monitor.decoder, bench.monitor.decoder.tasks[0], 900, true);
		take_snapshot(&bench);
		bench_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_sums),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_killed_before_a_block),
		cmocka_unit_test(test_killed_behind_a_block),
		cmocka_unit_test(test_overwritten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
