/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the monitor's side of events: a pool into which the test itself
 * writes as the agent does, and the rows that come of it.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "events/decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* A pool with one lane, and what is decoded from it. */
struct bench {
	struct event_pool pool;
	struct event_sites sites;
	struct event_decoder decoder;
	struct event_changes changes;
	struct event_filter filter;
	struct engine *engine;
	uint64_t ticks; /* of the next event */
	size_t at;	/* slot */
};

static struct event_chunk *chunk_of(const struct bench *bench, uint64_t chunk)
{
	return (struct event_chunk *)(void *)((char *)bench->pool.area + bench->pool.area->chunks) +
	       chunk;
}

static struct event_slot *slots_of_chunk(const struct bench *bench, uint64_t chunk)
{
	return (struct event_slot *)(void *)((char *)bench->pool.area +
					     event_chunk_at(bench->pool.area, chunk));
}

/* As the agent claims a chunk. */
static void claim(struct bench *bench, uint64_t chunk, uint64_t lane, uint64_t sequence)
{
	*chunk_of(bench, chunk) = (struct event_chunk){
		.owner = lane, .sequence = sequence, .pid = 4000, .tid = 4000 + (uint32_t)lane
	};
	if (bench->pool.area->most <= chunk)
		bench->pool.area->most = chunk + 1;
	bench->at = 0;
}

static int bench_setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct error err = ERROR_INIT;

	assert_int_equal(event_pool_init(&bench->pool, 100, &err), 0);
	bench->engine = engine_new();
	event_changes_init(&bench->changes, NULL);
	event_filter_init(&bench->filter, NULL, &bench->sites);
	event_sites_init(&bench->sites, &bench->pool, bench->engine);
	event_decoder_init(&bench->decoder, &bench->pool, &bench->sites, &bench->changes,
			   &bench->filter, bench->engine);
	bench->ticks = bench->pool.ticks[1];
	claim(bench, 0, 1, 1);
	*state = bench;
	return 0;
}

static int bench_teardown(void **state)
{
	struct bench *bench = *state;

	event_decoder_release(&bench->decoder);
	event_sites_release(&bench->sites);
	event_changes_release(&bench->changes);
	event_filter_release(&bench->filter);
	engine_free(bench->engine);
	event_pool_release(&bench->pool);
	free(bench);
	return 0;
}

static void write_slot(struct bench *bench, uint64_t word, uint64_t mark)
{
	slots_of_chunk(bench, 0)[bench->at++] = (struct event_slot){ word, mark };
}

/* An event a microsecond after the last one. */
static void write_event(struct bench *bench, uint64_t mark)
{
	bench->ticks += (uint64_t)(1000.0 / (double)event_pool_duration(&bench->pool, 1000) * 1000);
	write_slot(bench, bench->ticks, mark);
}

static bool drain(struct bench *bench)
{
	return event_pool_drain(&bench->pool, false, event_decoder_take, &bench->decoder);
}

/* The types of all rows, as "PS PT", once nothing is pending. */
static void expect_types(struct bench *bench, const char *expected)
{
	static const char *const codes[] = {
		[EVENT_PS] = "PS", [EVENT_PT] = "PT", [EVENT_PR] = "PR", [EVENT_KT] = "KT",
		[EVENT_NS] = "NS", [EVENT_KE] = "KE", [EVENT_U] = "U"
	};
	struct strbuf found = STRBUF_INIT;

	event_decoder_settle(&bench->decoder);
	for (size_t i = 0; i < bench->decoder.rows.count; i++) {
		const struct record_event *row = recordset_get(&bench->decoder.rows, i);
		const struct record_event_site *site =
			recordset_get(&bench->sites.rows, row->site - 1);

		strbuf_addf(&found, "%s%s%" PRIu64, i ? " " : "", codes[site->type], row->level);
	}
	assert_string_equal(found.text, expected);
	strbuf_release(&found);
}

/* What was published is taken, up to the first slot that was not. */
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

/* A full chunk is given back, and the lane goes on in its next one. */
static void test_next_chunk(void **state)
{
	struct bench *bench = *state;
	size_t slots = bench->pool.chunk_size / sizeof(struct event_slot);

	for (size_t i = 0; i < slots; i++)
		write_event(bench, EVENT_MARK_STATEMENT | EVENT_SITE(i + 1, 0, 0));
	chunk_of(bench, 0)->end = bench->pool.chunk_size;
	bench->pool.area->full = 1;
	claim(bench, 5, 1, 2);
	slots_of_chunk(bench, 5)[0] =
		(struct event_slot){ bench->ticks, EVENT_MARK_ENTRY | 0x300 << 8 };
	assert_true(drain(bench));
	event_decoder_settle(&bench->decoder);
	assert_int_equal(bench->decoder.rows.count, 1 + slots + 1);
	assert_int_equal(bench->pool.area->full, 0);
	assert_int_equal(chunk_of(bench, 0)->owner, 0);
	assert_int_equal(chunk_of(bench, 5)->owner, 1);
	assert_int_equal(bench->pool.area->hint, 0);
}

/* What ends takes along what it called and what was left by a jump. */
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

/* Time off the processor lies in the gap before the event behind the anchor. */
static void test_idle(void **state)
{
	struct bench *bench = *state;
	const struct record_event *row[4];
	uint64_t gap =
		(uint64_t)(1000.0 / (double)event_pool_duration(&bench->pool, 1000) * 1000000);

	write_slot(bench, 5000000, EVENT_MARK_ANCHOR);
	write_event(bench, EVENT_MARK_ENTRY | 0x100 << 8);
	write_event(bench, EVENT_MARK_STATEMENT);
	bench->ticks += gap; /* 1 ms; 0.4 of it on the processor, and 1 us before it */
	write_slot(bench, 5000000 + 1000 + 401000, EVENT_MARK_ANCHOR | UINT64_C(0) << 8);
	write_event(bench, EVENT_MARK_STATEMENT);
	assert_true(drain(bench));
	event_decoder_settle(&bench->decoder);
	assert_int_equal(bench->decoder.rows.count, 4);
	for (size_t i = 0; i < 4; i++)
		row[i] = recordset_get(&bench->decoder.rows, i);
	assert_int_equal(row[1]->idle, row[2]->idle);
	assert_int_equal(row[1]->idle, (int64_t)row[1]->time - 5000000);
	assert_in_range(row[3]->idle - row[2]->idle, 599000, 601000);
}

/* A text with its number; a name that nobody gave is unknown and no harm. */
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
	row = recordset_get(&bench->decoder.rows, 1);
	assert_int_equal(row->code, -7);
	assert_string_equal(strmap_text(engine_strings(bench->engine), (uint32_t)row->data),
			    "twenty bytes of text");
	assert_false(event_pool_name(&bench->pool, 999, &name));
	strbuf_release(&name);
}

/* The layout for PDPSIZE, and what it may hold. */
static void test_sizes(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct event_pool pool;

	assert_int_equal(event_pool_init(&pool, 100, &err), 0);
	assert_int_equal(pool.pool_chunks, 25);
	assert_int_equal(pool.area->state, EVENT_STATE_PAUSED);
	event_pool_release(&pool);
	assert_int_equal(event_pool_init(&pool, 16384, &err), 0);
	assert_int_equal(pool.pool_chunks, 1024);
	assert_int_equal(pool.chunk_size, EVENT_CHUNK_SIZE);
	event_pool_release(&pool);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, bench_setup, bench_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_published), TEST(test_next_chunk), TEST(test_levels),
		TEST(test_idle),      TEST(test_user),	     cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
