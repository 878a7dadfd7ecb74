/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the monitor's side of events: the test writes into a pool as the agent
 * does, and checks the rows that result.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "events/settle.h"
#include "events/task-rows.h"
#include "events/test-monitor.h"
#include "records/record-types.h"
#include "step/test-area.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* The monitor with one lane. */
struct bench {
	struct test_monitor monitor;
	uint64_t ticks; /* of the next event */
	size_t at;	/* slot in the chunk */
};

static struct event_chunk *chunk_of(const struct bench *bench, uint64_t chunk)
{
	return test_monitor_chunk(&bench->monitor, chunk);
}

static struct event_slot *slots_of_chunk(const struct bench *bench, uint64_t chunk)
{
	return test_monitor_slots(&bench->monitor, chunk);
}

/* Claims a chunk as the agent does. */
static void claim(struct bench *bench, uint64_t chunk, uint64_t lane, uint64_t sequence)
{
	test_monitor_claim(&bench->monitor, chunk, lane, sequence);
	bench->at = 0;
}

static int bench_setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	test_monitor_open(&bench->monitor);
	bench->ticks = bench->monitor.pool.ticks[1];
	claim(bench, 0, 1, 1);
	*state = bench;
	return 0;
}

static int bench_teardown(void **state)
{
	struct bench *bench = *state;

	test_monitor_close(&bench->monitor);
	free(bench);
	return 0;
}

/* Makes ticks ns: each comparison of two clocks finds another rate, a busy machine a very different one. */
static void ticks_are_ns(struct bench *bench)
{
	bench->monitor.pool.cycles = false;
	bench->ticks = bench->monitor.pool.ns[1];
}

static void write_slot(struct bench *bench, uint64_t word, uint64_t mark)
{
	slots_of_chunk(bench, 0)[bench->at++] = (struct event_slot){ word, mark };
}

/* Writes an event a microsecond after the last one. */
static void write_event(struct bench *bench, uint64_t mark)
{
	bench->ticks += (uint64_t)(1000.0 / (double)event_pool_duration(&bench->monitor.pool, 1000) * 1000);
	write_slot(bench, bench->ticks, mark);
}

static bool drain(struct bench *bench)
{
	return event_pool_drain(&bench->monitor.pool, false, event_decoder_take, &bench->monitor.decoder);
}

/* Checks the types of all rows, as "PS PT", once nothing is pending. */
static void expect_types(struct bench *bench, const char *expected)
{
	static const char *const codes[] = {
		[EVENT_PS] = "PS", [EVENT_PT] = "PT", [EVENT_PR] = "PR",
		[EVENT_KT] = "KT", [EVENT_NS] = "NS", [EVENT_KE] = "KE",
		[EVENT_U] = "U",   [EVENT_MP] = "MP", [EVENT_KX] = "KX",
		[EVENT_MB] = "MB"
	};
	struct strbuf found = STRBUF_INIT;

	event_decoder_settle(&bench->monitor.decoder);
	for (size_t i = 0; i < bench->monitor.decoder.rows.count; i++) {
		const struct record_event *row = recordset_get(&bench->monitor.decoder.rows, i);
		const struct record_event_site *site =
			recordset_get(&bench->monitor.sites.rows, row->site - 1);

		strbuf_addf(&found, "%s%s%" PRIu64, i ? " " : "", codes[site->type], row->level);
	}
	assert_string_equal(found.text, expected);
	strbuf_release(&found);
}

/* Published slots are taken, up to the first that is not published. */
static void test_published(void **state)
{
	struct bench *bench = *state;

	assert_false(drain(bench));
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	bench->at++; /* reserved, not published */
	write_event(bench, EVENT_MARK_ENTRY | 0x300 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1");
	assert_int_equal(slots_of_chunk(bench, 0)[0].mark, 0);
	slots_of_chunk(bench, 0)[1] =
		(struct event_slot){ bench->ticks, EVENT_MARK_ENTRY | 0x200 << 8 };
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 PS2 PS3");
}

/* Slots that a killed thread had reserved are counted, others are not. */
static void test_holes(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	bench->at += 2;
	write_event(bench, EVENT_MARK_ENTRY | 0x300 << 8);
	event_pool_drain(&bench->monitor.pool, true, event_decoder_take, &bench->monitor.decoder);
	expect_types(bench, "KT0 PS1 PS2");
	assert_int_equal(bench->monitor.pool.holes, 2);
}

/* A full chunk is released, and the lane continues in its next one. */
static void test_next_chunk(void **state)
{
	struct bench *bench = *state;
	size_t slots = bench->monitor.pool.chunk_size / sizeof(struct event_slot);
	struct event_chunk_set free =
		event_area_set(bench->monitor.pool.area, bench->monitor.pool.area->free_set);
	uint64_t chunk;

	while (event_chunk_set_take(&free, &chunk))
		;
	for (size_t i = 0; i < slots; i++)
		write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(i + 1, 0, 0));
	chunk_of(bench, 0)->end = bench->monitor.pool.chunk_size;
	bench->monitor.pool.area->full = 1;
	claim(bench, 5, 1, 2);
	slots_of_chunk(bench, 5)[0] =
		(struct event_slot){ bench->ticks, EVENT_MARK_ENTRY | 0x300 << 8 };
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_int_equal(bench->monitor.decoder.rows.count, 1 + slots + 1);
	assert_int_equal(bench->monitor.pool.area->full, 0);
	assert_int_equal(chunk_of(bench, 0)->owner, 0);
	assert_int_equal(chunk_of(bench, 5)->owner, 1);
	assert_true(event_chunk_set_has(&free, 0));
}

/* A function that ends also ends those it called and those left by a jump. */
static void test_levels(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x300 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x100 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x700 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 PS2 PS3 PT3 PT2 PT1");
}

/*
 * Functions that began in a pause are written before the next event: levels are
 * right, and they have no rows. Those that end in a pause have none either.
 */
static void test_levels_of_pauses(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_TASK | EVENT_MARK_PAUSED);
	write_event(bench, EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | 0x100 << 8);
	write_event(bench, EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | 0x200 << 8);
	write_event(bench, EVENT_MARK_STATEMENT);
	write_event(bench, EVENT_MARK_ENTRY | 0x300 << 8);
	write_event(bench, EVENT_MARK_RETURN | EVENT_MARK_PAUSED | 0x300 << 8);
	write_event(bench, EVENT_MARK_RETURN | EVENT_MARK_PAUSED | 0x200 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x300 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x300 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x100 << 8);
	assert_true(drain(bench));
	expect_types(bench, "NS2 PS3 PS2 PT2 PR1 PT1");
	assert_int_equal(bench->monitor.decoder.offered, 6);
}

/*
 * The end of a thread or process ends what is active in it: the innermost first,
 * and without resumes of the callers.
 */
static void test_levels_of_ends(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_PROGRAM);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_EXIT);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 PS2 PS3 PT3 PT2 PT1 KE0");
}

/* Time off the processor is in the gap before the event after the anchor. */
static void test_idle(void **state)
{
	struct bench *bench = *state;
	const struct record_event *row[4];

	ticks_are_ns(bench);
	write_slot(bench, 5000000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_STATEMENT);
	bench->ticks += 1000000; /* 1 ms; 0.4 of it on the processor, and 1 us before it */
	write_slot(bench, 5000000 + 1000 + 401000, EVENT_MARK_ANCHOR | UINT64_C(0) << 8);
	write_event(bench, EVENT_MARK_STATEMENT);
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_int_equal(bench->monitor.decoder.rows.count, 4);
	for (size_t i = 0; i < 4; i++)
		row[i] = recordset_get(&bench->monitor.decoder.rows, i);
	assert_int_equal(row[1]->idle, row[2]->idle);
	assert_int_equal(row[1]->idle, (int64_t)row[1]->time - 5000000);
	assert_int_equal(row[3]->idle - row[2]->idle, 600000);
}

/*
 * Events closer than the clock's resolution: the task's CPU time never decreases,
 * and from the first to the last of them it grows by what the task used less what
 * the agent used.
 */
static void test_cpu_never_falls(void **state)
{
	struct bench *bench = *state;
	const struct record_event *first, *last, *row;
	uint64_t own = 2000, start, used; /* own: ticks */

	bench->monitor.pool.area->cost = 20 * 256; /* ticks per event: more than between two of them */
	write_slot(bench, 5000000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	start = bench->ticks;
	for (size_t i = 0; i < 50; i++) {
		bench->ticks += 7 + i % 5;
		write_slot(bench, bench->ticks, EVENT_MARK_ENTRY | 0x200 << 8);
		bench->ticks += 3;
		write_slot(bench, bench->ticks, EVENT_MARK_RETURN | 0x200 << 8);
	}
	bench->ticks += 10000;
	used = event_pool_duration(&bench->monitor.pool, bench->ticks - start);
	write_slot(bench, 5000000 + used, EVENT_MARK_ANCHOR | own << 8);
	write_slot(bench, bench->ticks, EVENT_MARK_RETURN | 0x100 << 8);
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_int_equal(bench->monitor.decoder.rows.count, 1 + 1 + 50 * 3 + 1);
	first = last = recordset_get(&bench->monitor.decoder.rows, 1);
	for (size_t i = 2; i < bench->monitor.decoder.rows.count; i++, last = row) {
		row = recordset_get(&bench->monitor.decoder.rows, i);
		assert_true(record_event_cpu(row) >= record_event_cpu(last));
	}
	assert_true(bench->monitor.decoder.own > 0);
	assert_int_equal(record_event_cpu(last) - record_event_cpu(first), used - bench->monitor.decoder.own);
}

/*
 * A task without events for a while gets its rows, and its CPU time is the same as
 * if they had waited.
 */
static void test_quiet(void **state)
{
	struct bench *bench = *state;
	const struct record_event *row[3];
	uint64_t used = 401000;

	ticks_are_ns(bench);
	write_slot(bench, 5000000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	assert_true(drain(bench));
	event_settle_quiet(&bench->monitor.decoder, bench->monitor.decoder.tasks[0]->last + 5 * NSEC_PER_MSEC);
	assert_int_equal(bench->monitor.decoder.rows.count, 0);
	event_settle_quiet(&bench->monitor.decoder, bench->monitor.decoder.tasks[0]->last + 20 * NSEC_PER_MSEC);
	assert_int_equal(bench->monitor.decoder.rows.count, 3);
	bench->ticks += 20000000;
	write_slot(bench, 5000000 + 1000 + used, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_RETURN | 0x200 << 8);
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_int_equal(bench->monitor.decoder.rows.count, 5);
	for (size_t i = 0; i < 3; i++)
		row[i] = recordset_get(&bench->monitor.decoder.rows, i + 1);
	assert_int_equal(record_event_cpu(row[0]), 5000000);
	assert_in_range(record_event_cpu(row[1]), 5000000, 5001100);
	assert_int_equal(record_event_cpu(row[2]), 5000000 + 1000 + used - bench->monitor.decoder.own);
}

/*
 * A wait for space counts for no event: there is an MB where it began, but none in
 * a pause of the session.
 */
static void test_waited(void **state)
{
	struct bench *bench = *state;
	const struct record_event *row;

	write_slot(bench, 5000000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_slot(bench, 5001000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_WAITED);
	write_slot(bench, 5002000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_WAITED);
	write_event(bench, EVENT_MARK_WAITED);
	write_event(bench, EVENT_MARK_RETURN | 0x200 << 8);
	write_event(bench, EVENT_MARK_PROGRAM | EVENT_MARK_PAUSED);
	write_event(bench, EVENT_MARK_WAITED);
	write_event(bench, EVENT_MARK_PROGRAM_END | EVENT_MARK_PAUSED);
	write_event(bench, EVENT_MARK_RETURN | 0x100 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 MB1 PS2 MB2 PT2 PR1 PT1");
	row = recordset_get(&bench->monitor.decoder.rows, 2);
	assert_int_equal(row->code, EVENT_BLOCK_ROOM);
	assert_int_equal(bench->monitor.decoder.offered, bench->monitor.decoder.rows.count);
}

/* A text with its number; an unassigned number of a name is harmless. */
static void test_user(void **state)
{
	struct bench *bench = *state;
	const char text[32] = "twenty bytes of text";
	const struct record_event *row;
	struct strbuf name = STRBUF_INIT;

	write_event(bench, EVENT_MARK_USER | 2 << 8 | 20 << 16 | (uint64_t)(uint32_t)-7 << 32);
	memcpy(&slots_of_chunk(bench, 0)[bench->at], text, sizeof(text));
	bench->at += 2;
	write_event(bench, EVENT_MARK_PROGRAM | 999 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 U0 PS1");
	row = recordset_get(&bench->monitor.decoder.rows, 1);
	assert_int_equal(row->code, -7);
	assert_string_equal(strmap_text(engine_strings(bench->monitor.engine), (uint32_t)row->data),
			    "twenty bytes of text");
	assert_false(event_pool_name(&bench->monitor.pool, 999, &name));
	strbuf_release(&name);
}

/* The layout for PDPSIZE, and its capacity. */
static void test_sizes(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct event_pool pool;

	assert_int_equal(event_pool_init(&pool, 100, false, &err), 0);
	assert_int_equal(pool.pool_chunks, 25);
	assert_int_equal(pool.area->state, EVENT_STATE_PAUSED);
	event_pool_release(&pool);
	assert_int_equal(event_pool_init(&pool, 16384, false, &err), 0);
	assert_int_equal(pool.pool_chunks, 1024);
	assert_int_equal(pool.chunk_size, EVENT_CHUNK_SIZE);
	event_pool_release(&pool);
}

/* What a function has to ask first, for each state of a session. */
static void test_gate(void **state UNUSED)
{
	static const struct {
		uint32_t state;
		bool functions, blocking, cycles;
		enum event_gate gate;
	} cases[] = {
		{ EVENT_STATE_OFF, true, false, true, EVENT_GATE_ASK },
		{ EVENT_STATE_ACTIVE, true, false, true, EVENT_GATE_OPEN },
		{ EVENT_STATE_ACTIVE, true, false, false, EVENT_GATE_ASK },
		{ EVENT_STATE_ACTIVE, true, true, true, EVENT_GATE_FILTER },
		{ EVENT_STATE_ACTIVE, false, false, true, EVENT_GATE_ASK },
		{ EVENT_STATE_PAUSED, true, false, true, EVENT_GATE_PAUSED },
		{ EVENT_STATE_PAUSED, true, false, false, EVENT_GATE_PAUSED },
		{ EVENT_STATE_PAUSED, true, true, true, EVENT_GATE_ASK },
		{ EVENT_STATE_PAUSED, false, false, true, EVENT_GATE_ASK },
	};
	struct error err = ERROR_INIT;
	struct event_pool pool;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_area area = { .state = cases[i].state,
					   .functions = cases[i].functions,
					   .blocking = cases[i].blocking,
					   .cycles = cases[i].cycles };

		event_area_set_gate(&area);
		assert_int_equal(area.gate, cases[i].gate);
	}
	/* The first function that filters block closes the short way for all. */
	assert_int_equal(event_pool_init(&pool, 100, false, &err), 0);
	*pool.area = (struct event_area){ .state = EVENT_STATE_ACTIVE, .functions = 1, .cycles = 1 };
	event_area_set_gate(pool.area);
	assert_int_equal(pool.area->gate, EVENT_GATE_OPEN);
	event_pool_block(&pool, 7, 0x401000);
	assert_int_equal(pool.area->gate, EVENT_GATE_FILTER);
	event_pool_release(&pool);
}

/*
 * Functions of Python end by name, from the newest on; the end of one that never
 * began changes nothing.
 */
static void test_python(void **state)
{
	struct bench *bench = *state;
	uint64_t line = EVENT_MARK_PYTHON_LINE | EVENT_SITE(7, 2, 0);

	write_event(bench, EVENT_MARK_PYTHON | 1 << 8);
	write_event(bench, EVENT_MARK_PYTHON | 2 << 8);
	write_event(bench, line);
	write_event(bench, EVENT_MARK_PYTHON | 2 << 8);
	write_event(bench, EVENT_MARK_PYTHON_END | 2 << 8);
	write_event(bench, EVENT_MARK_PYTHON_END | 3 << 8);
	write_event(bench, EVENT_MARK_PYTHON_END | EVENT_MARK_PAUSED | 2 << 8);
	write_event(bench, EVENT_MARK_PYTHON_END | 1 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 PS2 NS2 PS3 PT3 PR2 PT1");
	assert_true(bench->monitor.decoder.python);
	assert_false(bench->monitor.decoder.cobol);
}

/* Each context has its own frames, in whatever order they switch. */
static void test_contexts(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_CONTEXT | 1 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_CONTEXT | 2 << 8);
	write_event(bench, EVENT_MARK_CONTEXT); /* back in the thread's own */
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_CONTEXT | 3 << 8);
	write_event(bench, EVENT_MARK_CONTEXT | 1 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x200 << 8);
	write_event(bench, EVENT_MARK_CONTEXT);
	write_event(bench, EVENT_MARK_RETURN | 0x200 << 8);
	write_event(bench, EVENT_MARK_RETURN | 0x100 << 8);
	assert_true(drain(bench));
	expect_types(bench, "KT0 PS1 PS1 PR1 PS2 PR1 PT1 PR2 PT2 PR1 PT1");
	assert_int_equal(bench->monitor.decoder.contexts.count, 0);
}

/*
 * Claims a chunk as the agent does, for process 5000, a child of 4000, which was
 * its fork number 3.
 */
static void write_child(struct bench *bench)
{
	struct event_slot *slots = slots_of_chunk(bench, 1);

	claim(bench, 1, 2, 1);
	chunk_of(bench, 1)->pid = chunk_of(bench, 1)->tid = 5000;
	slots[0] = (struct event_slot){ bench->ticks, EVENT_MARK_PROCESS | 1 << 24 |
							      UINT64_C(3) << 25 |
							      UINT64_C(4000) << 32 };
	slots[1] = (struct event_slot){ bench->ticks, EVENT_MARK_ENTRY | 0x900 << 8 };
	slots[2] = (struct event_slot){ bench->ticks, EVENT_MARK_RETURN | 0x900 << 8 };
	slots[3] = (struct event_slot){ bench->ticks, EVENT_MARK_RETURN | 0x200 << 8 };
}

/* A child inherits its parent's frames, and ends them, though they have not begun there. */
static void test_fork(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_event(bench, EVENT_MARK_FORKING | 2 << 8);
	write_event(bench, EVENT_MARK_FORKING | 3 << 8);
	write_child(bench);
	assert_true(drain(bench));
	expect_types(bench, "PS1 PS2 PR2 PS3 PT3 PR2 PT2 PR1");
}

/* Reads a child before its parent has reported the fork. */
static void drain_early_child(struct bench *bench)
{
	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_child(bench);
	assert_true(drain(bench));
}

/* The same when the child is read before its parent: it waits. */
static void test_early_child(void **state)
{
	struct bench *bench = *state;

	drain_early_child(bench);
	expect_types(bench, "PS1 PS1 PT1");
}

/* It continues as soon as the parent was read. */
static void test_late_parent(void **state)
{
	struct bench *bench = *state;

	drain_early_child(bench);
	assert_int_equal(bench->monitor.decoder.tasks[1]->held_count, 3);
	bench->at = 2;
	write_event(bench, EVENT_MARK_FORKING | 3 << 8);
	assert_true(drain(bench));
	assert_int_equal(bench->monitor.decoder.tasks[1]->held_count, 0);
	expect_types(bench, "PS1 PR1 PS2 PT2 PR1 PT1");
}

/*
 * So do its threads, the image that it executes and its children, including one
 * forked in a pause: their mappings are in the slots that wait.
 */
static void test_waiting_family(void **state)
{
	struct bench *bench = *state;
	uint64_t child = bench->ticks;

	drain_early_child(bench);
	claim(bench, 2, 3, 1);
	*chunk_of(bench, 2) =
		(struct event_chunk){ .owner = 3, .sequence = 1, .pid = 5000, .tid = 5001 };
	slots_of_chunk(bench, 2)[0] = (struct event_slot){ child, EVENT_MARK_ENTRY | 0x900 << 8 };
	claim(bench, 3, 4, 1);
	*chunk_of(bench, 3) =
		(struct event_chunk){ .owner = 4, .sequence = 1, .pid = 6000, .tid = 6000 };
	slots_of_chunk(bench, 3)[0] =
		(struct event_slot){ child, EVENT_MARK_PROCESS | EVENT_MARK_PAUSED | 1 << 24 |
						    UINT64_C(5000) << 32 };
	assert_true(drain(bench));
	assert_int_equal(bench->monitor.decoder.task_count, 4);
	assert_int_equal(bench->monitor.decoder.tasks[2]->held_count, 1);
	assert_int_equal(bench->monitor.decoder.tasks[3]->held_count, 1);
	assert_null(bench->monitor.decoder.tasks[3]->process);
	bench->at = 2;
	write_event(bench, EVENT_MARK_FORKING | 3 << 8);
	assert_true(drain(bench));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(bench->monitor.decoder.tasks[i]->held_count, 0);
	assert_ptr_equal(bench->monitor.decoder.tasks[2]->process, bench->monitor.decoder.tasks[1]->process);
	assert_int_equal(bench->monitor.decoder.tasks[3]->process->parent, 5000);
}

/* A child killed meanwhile ends after what it had done. */
static void test_killed_child(void **state)
{
	struct bench *bench = *state;
	struct event_task *child;
	struct event_lane_reader lane = { 0 };

	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	write_child(bench);
	assert_true(drain(bench));
	child = bench->monitor.decoder.tasks[1];
	assert_int_equal(child->held_count, 3);
	lane.user = child;
	lane.gone = child->last + 1000;
	event_decoder_take(&bench->monitor.decoder, &lane, NULL, 0);
	event_decoder_gone(&bench->monitor.decoder, child, 0, true);
	assert_int_equal(child->held_count, 0);
	assert_int_equal(child->end, lane.gone);
	expect_types(bench, "PS1 PT1 KE0 PS1");
}

/* A task ended by an exec has no end event: of two threads only that of the new image has one. */
static void test_left_image(void **state)
{
	struct bench *bench = *state;
	struct event_lane_reader lane = { .gone = clock_monotonic_ns() };
	struct event_task *thread;

	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_ENTRY | 0x200 << 8);
	claim(bench, 1, 2, 1);
	chunk_of(bench, 1)->tid = 4000;
	slots_of_chunk(bench, 1)[0] =
		(struct event_slot){ bench->ticks, EVENT_MARK_PROCESS | 1 << 8 };
	assert_true(drain(bench));
	assert_int_equal(bench->monitor.decoder.task_count, 2);
	for (size_t i = 0; i < 2; i++) {
		thread = bench->monitor.decoder.tasks[i];
		lane.user = thread;
		event_decoder_take(&bench->monitor.decoder, &lane, NULL, 0);
		event_decoder_gone(&bench->monitor.decoder, thread, 0, true);
		assert_true(thread->end);
		assert_int_equal(!thread->process->end, i == 0);
	}
	expect_types(bench, "PS1 KX0 KE0");
}

/* A child whose parent had no frames does not wait. */
static void test_plain_fork(void **state)
{
	struct bench *bench = *state;

	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_FORKING | 3 << 8);
	write_child(bench);
	assert_true(drain(bench));
	assert_int_equal(bench->monitor.decoder.tasks[1]->held_count, 0);
	expect_types(bench, "PS1 PT1");
}

/* Frames are kept by process and number, only the newest; those below others began before them. */
static void test_frames(void **state UNUSED)
{
	struct event_contexts contexts = { 0 };
	struct event_frame one = { 1, 10 }, two[] = { { 2, 20 }, { 3, 30 } };
	struct event_frames frames = { 0 }, others = { two, 2, 2 }, first = { &one, 1, 1 };

	event_contexts_keep(&contexts, 7, 3, frames);
	assert_true(event_contexts_take(&contexts, 7, 3, &frames));
	event_contexts_keep(&contexts, 7, 1, event_frames_copy(&first));
	event_contexts_keep(&contexts, 7, 1, event_frames_copy(&others));
	event_contexts_keep(&contexts, 8, 1, event_frames_copy(&first));
	assert_int_equal(contexts.count, 2);
	assert_false(event_contexts_take(&contexts, 7, 2, &frames));
	assert_true(event_contexts_take(&contexts, 7, 1, &frames));
	assert_int_equal(frames.count, 2);
	assert_int_equal(frames.all[1].key, 30);
	free(frames.all);
	event_contexts_release(&contexts);
}

/* Which folders belong to Python. */
static void test_python_folders(void **state UNUSED)
{
	assert_true(event_filter_python_folder("/usr/lib/python3.11"));
	assert_true(event_filter_python_folder("/usr/lib/python3.11/json"));
	assert_true(event_filter_python_folder("/usr/lib/python3/dist-packages/yaml"));
	assert_true(event_filter_python_folder("/srv/venv/lib64/python3.13/site-packages"));
	assert_false(event_filter_python_folder("/usr/lib/python"));
	assert_false(event_filter_python_folder("/usr/lib/python-tools/1"));
	assert_false(event_filter_python_folder("/srv/library/python3.11"));
	assert_false(event_filter_python_folder("/srv/python3.11/scripts"));
	assert_false(event_filter_python_folder("/usr/lib/python3x/scripts"));
	assert_false(event_filter_python_folder("/lib"));
	assert_false(event_filter_python_folder(""));
}

/* Returns the transaction of the event at the only statement with this line; "?": there is none. */
static const char *transaction_at(const struct bench *bench, uint64_t line)
{
	for (size_t i = 0; i < bench->monitor.decoder.rows.count; i++) {
		const struct record_event *row = recordset_get(&bench->monitor.decoder.rows, i);
		const struct record_event_site *site =
			recordset_get(&bench->monitor.sites.rows, row->site - 1);

		if (site->line == line)
			return transactions_name(bench->monitor.transactions, row->transaction);
	}
	return "?";
}

/* Writes an event of the second lane, of a thread with the number of the first. */
static void write_second(struct bench *bench, size_t at, uint64_t mark)
{
	struct event_chunk *chunk = chunk_of(bench, 1);

	write_event(bench, EVENT_MARK_VOID);
	if (!chunk->owner)
		test_monitor_claim(&bench->monitor, 1, 2, 1);
	chunk->pid = chunk_of(bench, 0)->pid;
	chunk->tid = chunk_of(bench, 0)->tid;
	slots_of_chunk(bench, 1)[at] = (struct event_slot){ bench->ticks, mark };
}

/* Returns the time of the last event written. */
static uint64_t time_now(struct bench *bench)
{
	return event_pool_time(&bench->monitor.pool, bench->ticks);
}

/*
 * A thread names a transaction and ends, or is killed; another with its number
 * begins without one, and names another.
 */
static void reuse_number(struct bench *bench, bool killed)
{
	struct record_transaction row = { 0 };
	uint64_t first, second;
	struct recordset rows;
	struct test_area area;

	ticks_are_ns(bench);
	test_area_make(&area, 16);
	transactions_free(bench->monitor.transactions);
	bench->monitor.transactions = transactions_new(&area.changes);
	transaction_history_init(&bench->monitor.history, &area.changes, bench->monitor.transactions);
	bench->monitor.decoder.led = bench->monitor.transactions;
	write_event(bench, EVENT_MARK_TASK);
	write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(1, 0, 0));
	first = time_now(bench);
	test_area_change(&area, 4001, first + 1, "OLD");
	write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(2, 0, 0));
	if (!killed)
		write_event(bench, EVENT_MARK_TASK_END);
	assert_true(drain(bench));
	write_second(bench, 0, EVENT_MARK_TASK);
	second = time_now(bench);
	write_second(bench, 1, EVENT_MARK_STATEMENT | EVENT_SITE(3, 0, 0));
	test_area_change(&area, 4001, time_now(bench) + 1, "NEW");
	write_second(bench, 2, EVENT_MARK_STATEMENT | EVENT_SITE(4, 0, 0));
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_string_equal(transaction_at(bench, 1), "");
	assert_string_equal(transaction_at(bench, 2), "OLD");
	assert_string_equal(transaction_at(bench, 3), "");
	assert_string_equal(transaction_at(bench, 4), "NEW");
	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	transactions_advance(bench->monitor.transactions, time_now(bench), NULL);
	transactions_rows(bench->monitor.transactions, bench->monitor.engine, time_now(bench), &rows);
	assert_int_equal(rows.count, 2);
	row = *(const struct record_transaction *)recordset_get(&rows, 0);
	assert_int_equal(row.count, 1);
	/* It ends where its end is reported, at the latest where the next thread begins. */
	if (killed)
		assert_int_equal(row.elapsed, second - 1 - (first + 1));
	else
		assert_int_equal(row.elapsed, bench->monitor.decoder.tasks[0]->end - (first + 1));
	recordset_release(&rows);
	test_area_drop(&area);
	bench->monitor.history.changes = NULL;
}

static void test_number_again(void **state)
{
	reuse_number(*state, false);
}

static void test_number_of_killed_again(void **state)
{
	reuse_number(*state, true);
}

/*
 * Makes the rows of a snapshot, and checks the numbers of task and process rows,
 * and the id of the last task.
 */
static void expect_rows(struct bench *bench, struct step_tasks *tasks, size_t task_rows,
			size_t process_rows, uint64_t id)
{
	const struct recordset *rows;
	struct snapshot snapshot;

	snapshot_init(&snapshot, engine_types(bench->monitor.engine));
	snapshot.time = time_now(bench);
	task_rows_make(tasks, &bench->monitor.decoder, &snapshot);
	assert_int_equal(snapshot_records(&snapshot, RECORD_PROCESS)->count, process_rows);
	rows = snapshot_records(&snapshot, RECORD_TASK);
	assert_int_equal(rows->count, task_rows);
	if (task_rows)
		assert_int_equal(
			((const struct record_task *)recordset_get(rows, task_rows - 1))->task, id);
	snapshot_release(&snapshot);
}

/* A thread that execs is one task of the step, with one row; one that is observed has none here. */
static void test_task_rows(void **state)
{
	struct bench *bench = *state;
	struct step_process *process;
	struct step_tasks tasks;

	ticks_are_ns(bench);
	step_tasks_init(&tasks);
	step_tasks_keep(&tasks);
	write_event(bench, EVENT_MARK_PROCESS);
	assert_true(drain(bench));
	write_second(bench, 0, EVENT_MARK_PROCESS);
	assert_true(drain(bench));
	expect_rows(bench, &tasks, 1, 1, 1);
	assert_int_equal(bench->monitor.decoder.task_count, 2);
	assert_int_equal(bench->monitor.decoder.tasks[0]->id, 1);
	assert_int_equal(bench->monitor.decoder.tasks[1]->id, 1);
	expect_rows(bench, &tasks, 0, 0, 0);
	write_second(bench, 1, EVENT_MARK_STATEMENT | EVENT_SITE(1, 0, 0));
	assert_true(drain(bench));
	expect_rows(bench, &tasks, 1, 0, 1);
	/* The kernel's records arrive. */
	process = step_tasks_observe_process(&tasks, 4000, NULL, bench->monitor.decoder.tasks[0]->start);
	assert_int_equal(step_tasks_observe_task(&tasks, process, 4001,
						 bench->monitor.decoder.tasks[0]->start)
				 ->id,
			 1);
	write_second(bench, 2, EVENT_MARK_STATEMENT | EVENT_SITE(1, 0, 0));
	assert_true(drain(bench));
	expect_rows(bench, &tasks, 0, 0, 0);
	step_tasks_release(&tasks);
}

/*
 * A thread's number that is reused between two snapshots belongs to two tasks;
 * their process has a row though it has reported nothing itself.
 */
static void test_task_rows_of_a_number_again(void **state)
{
	struct bench *bench = *state;
	struct step_tasks tasks;

	ticks_are_ns(bench);
	step_tasks_init(&tasks);
	step_tasks_keep(&tasks);
	write_event(bench, EVENT_MARK_TASK);
	write_event(bench, EVENT_MARK_TASK_END);
	assert_true(drain(bench));
	bench->ticks += 5 * NSEC_PER_MSEC;
	write_second(bench, 0, EVENT_MARK_TASK);
	assert_true(drain(bench));
	expect_rows(bench, &tasks, 2, 1, 2);
	step_tasks_release(&tasks);
}

/*
 * A process of two threads execs; returns the transaction of the new image, given
 * those of the two threads.
 */
static const char *transaction_behind_exec(struct bench *bench, const char *first, const char *other)
{
	const char *found;
	struct test_area area;

	ticks_are_ns(bench);
	test_area_make(&area, 16);
	transactions_free(bench->monitor.transactions);
	bench->monitor.transactions = transactions_new(&area.changes);
	transaction_history_init(&bench->monitor.history, &area.changes, bench->monitor.transactions);
	bench->monitor.decoder.led = bench->monitor.transactions;
	write_event(bench, EVENT_MARK_PROCESS);
	write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(1, 0, 0));
	test_area_change(&area, 4000, time_now(bench) + 1, first);
	test_area_change(&area, 4001, time_now(bench) + 2, other);
	write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(2, 0, 0));
	assert_true(drain(bench));
	write_second(bench, 0, EVENT_MARK_PROCESS);
	chunk_of(bench, 1)->tid = 4000;
	bench->ticks += 100;
	slots_of_chunk(bench, 1)[1] =
		(struct event_slot){ bench->ticks, EVENT_MARK_STATEMENT | EVENT_SITE(3, 0, 0) };
	assert_true(drain(bench));
	event_decoder_settle(&bench->monitor.decoder);
	assert_string_equal(transaction_at(bench, 2), other);
	found = transaction_at(bench, 3);
	transactions_advance(bench->monitor.transactions, time_now(bench), NULL);
	assert_string_equal(found, transactions_name(bench->monitor.transactions,
						     transactions_of(bench->monitor.transactions, 4000)));
	test_area_drop(&area);
	bench->monitor.history.changes = NULL;
	return found;
}

static void test_exec_of_one_transaction(void **state)
{
	assert_string_equal(transaction_behind_exec(*state, "WORK", "WORK"), "WORK");
}

static void test_exec_of_several_transactions(void **state)
{
	assert_string_equal(transaction_behind_exec(*state, "MAIN", "WORK"), "");
}

/* Writes functions that call each other, with statements, to a lane; some are left by a jump. */
static void write_program(struct bench *bench, size_t slots)
{
	uint64_t random = 88172645463325252, depth = 0, active[64];

	for (size_t i = 0; i < slots; i++) {
		uint64_t dice;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		dice = random >> 32;
		if (dice % 4 == 0 && depth < 60) {
			active[depth] = 0x1000 + dice / 4 % 7 * 16;
			write_event(bench, EVENT_MARK_ENTRY | active[depth++] << 8);
		} else if (dice % 4 == 1 && depth) {
			/* Now and then a frame or two are skipped. */
			depth -= depth > 3 && dice % 32 == 1 ? 3 : 1;
			write_event(bench, EVENT_MARK_RETURN | active[depth] << 8);
		} else {
			write_event(bench,
				    (dice % 4 == 2 ? EVENT_MARK_STATEMENT : EVENT_MARK_PARAGRAPH) |
					    EVENT_SITE(dice / 4 % 5 + 1, 0, 0));
		}
	}
}

/* Returns all rows as text: type, program, line, level. */
static char *rows_of(struct bench *bench)
{
	struct strbuf found = STRBUF_INIT;

	event_decoder_settle(&bench->monitor.decoder);
	for (size_t i = 0; i < bench->monitor.decoder.rows.count; i++) {
		const struct record_event *row = recordset_get(&bench->monitor.decoder.rows, i);
		const struct record_event_site *site =
			recordset_get(&bench->monitor.sites.rows, row->site - 1);

		strbuf_addf(&found, "%" PRIu64 " %s %" PRIu64 " %" PRIu64 "\n", site->type,
			    strmap_text(engine_strings(bench->monitor.engine), (uint32_t)site->program),
			    site->line, row->level);
	}
	return strbuf_detach(&found, NULL);
}

/* The fast path gives the same rows as the decoder without it. */
static void test_known(void **state)
{
	/* If events are filtered by number no decision is final: each one is judged. */
	static const struct event_request numbered = { .run_time = true, .count_to = UINT64_MAX };
	struct bench *quick = *state, *slow;
	char *rows[2];

	bench_setup((void **)&slow);
	slow->monitor.filter.request = &numbered;
	for (int i = 0; i < 2; i++) {
		struct bench *bench = i ? slow : quick;

		/* Create the task's process. */
		write_event(bench, EVENT_MARK_PROCESS);
		write_program(bench, 200);
		assert_true(drain(bench));
		rows[i] = rows_of(bench);
	}
	assert_string_equal(rows[0], rows[1]);
	assert_true(strlen(rows[0]) > 1000);
	assert_int_equal(quick->monitor.decoder.offered, slow->monitor.decoder.offered);
	free(rows[0]);
	free(rows[1]);
	bench_teardown((void **)&slow);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, bench_setup, bench_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_published),
		TEST(test_next_chunk),
		TEST(test_holes),
		TEST(test_levels),
		TEST(test_levels_of_pauses),
		TEST(test_levels_of_ends),
		TEST(test_idle),
		TEST(test_cpu_never_falls),
		TEST(test_quiet),
		TEST(test_waited),
		TEST(test_user),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_gate),
		TEST(test_contexts),
		TEST(test_fork),
		TEST(test_early_child),
		TEST(test_late_parent),
		TEST(test_waiting_family),
		TEST(test_killed_child),
		TEST(test_plain_fork),
		TEST(test_left_image),
		cmocka_unit_test(test_frames),
		TEST(test_python),
		cmocka_unit_test(test_python_folders),
		TEST(test_task_rows),
		TEST(test_task_rows_of_a_number_again),
		TEST(test_exec_of_one_transaction),
		TEST(test_exec_of_several_transactions),
		TEST(test_number_again),
		TEST(test_number_of_killed_again),
		TEST(test_known),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
