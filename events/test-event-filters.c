/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of sampling and consolidation of events, on generated streams. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "events/event-consolidate.h"
#include "events/event-sampling.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define US NSEC_PER_USEC
#define START (1000 * NSEC_PER_SEC)

/* Types of the streams' sites, by site. */
static const enum event_type site_types[] = {
	0,	  EVENT_SI, EVENT_ST, EVENT_MP, EVENT_KE, EVENT_PS, EVENT_NS,
	EVENT_DB, EVENT_DA, EVENT_NS, EVENT_PS, EVENT_NS, EVENT_PT,
};
enum { SITE_SI = 1, SITE_ST, SITE_MP, SITE_KE, SITE_PS, SITE_NS, SITE_DB, SITE_DA, SITE_NS2 };

/* Events in order of time, and the registry of the snapshots they are divided into. */
struct stream {
	struct registry types;
	struct snapshot snapshot;
	struct record_event *events;
	size_t count, alloc;
};

static int set_up(void **state)
{
	struct stream *stream = xcalloc(1, sizeof(*stream));

	registry_init(&stream->types, &session_records);
	snapshot_init(&stream->snapshot, &stream->types);
	*state = stream;
	return 0;
}

static int tear_down(void **state)
{
	struct stream *stream = *state;

	snapshot_release(&stream->snapshot);
	registry_release(&stream->types);
	free(stream->events);
	free(stream);
	return 0;
}

/* Adds an event; times in ns since the start. */
static void add(struct stream *stream, uint64_t task, uint64_t site, uint64_t elapsed, uint64_t cpu)
{
	GROW(stream->events, stream->count + 1, stream->alloc);
	stream->events[stream->count++] =
		(struct record_event){ .time = START + elapsed,
				       .idle = (int64_t)(START + elapsed - cpu),
				       .task = task,
				       .site = site,
				       .code = INT64_MIN };
}

/* Fills the snapshot with count events from first on; the very first one adds the sites. */
static void fill(struct stream *stream, size_t first, size_t count)
{
	struct snapshot *snapshot = &stream->snapshot;

	snapshot_clear(snapshot);
	for (uint64_t site = 1; !first && site < ARRAY_SIZE(site_types); site++)
		recordset_add(snapshot_set(snapshot, RECORD_EVENT_SITE),
			      &(struct record_event_site){ .site = site, .type = site_types[site] });
	for (size_t i = first; i < first + count; i++)
		recordset_add(snapshot_set(snapshot, RECORD_EVENT), &stream->events[i]);
	snapshot->last = first + count == stream->count;
}

static uint64_t cpu_of(const struct record_event *event)
{
	return event->time - (uint64_t)event->idle;
}

/* Samples a stream, with step events per snapshot; the events that pass replace it. */
static uint64_t sample(struct stream *stream, uint64_t interval, size_t step)
{
	struct record_event *kept = xcalloc(stream->count + 1, sizeof(*kept));
	struct event_sampling sampling;
	uint64_t dropped;
	size_t count = 0;

	event_sampling_init(&sampling, interval);
	for (size_t first = 0; first < stream->count; first += step) {
		const struct recordset *set;
		size_t left = stream->count - first;

		fill(stream, first, left < step ? left : step);
		event_sampling_apply(&sampling, &stream->snapshot);
		set = snapshot_records(&stream->snapshot, RECORD_EVENT);
		for (size_t i = 0; i < set->count; i++)
			kept[count++] = *(const struct record_event *)recordset_get(set, i);
	}
	dropped = sampling.dropped;
	event_sampling_release(&sampling);
	free(stream->events);
	stream->events = kept;
	stream->alloc = stream->count + 1;
	stream->count = count;
	return dropped;
}

/* Checks that the stream has these events: site and CPU time in ns. */
static void assert_holds(const struct stream *stream, const uint64_t (*expected)[2], size_t count)
{
	assert_int_equal(stream->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(stream->events[i].site, expected[i][0]);
		assert_int_equal(cpu_of(&stream->events[i]), expected[i][1]);
	}
}

/* The example of the reference: A to F and ST at an interval of 100. */
static void test_example(void **state)
{
	static const uint64_t expected[][2] = {
		{ 7, 100 * US }, { 8, 200 * US }, { 10, 500 * US }, { SITE_ST, 512 * US }
	};
	struct stream *stream = *state;
	const uint64_t times[] = { 10, 40, 95, 120, 430, 460 };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		add(stream, 1, SITE_PS + i, times[i] * US, times[i] * US);
	add(stream, 0, SITE_ST, 512 * US, 512 * US);
	assert_int_equal(sample(stream, 100 * US, 3), 3);
	assert_holds(stream, expected, ARRAY_SIZE(expected));
	/* The elapsed times are unchanged. */
	assert_int_equal(stream->events[0].time, START + 95 * US);
	assert_int_equal(stream->events[3].time, START + 512 * US);
}

/* An event at a sampling time, also at 0, is the one active then. */
static void test_edges(void **state)
{
	static const uint64_t expected[][2] = {
		{ 5, 0 }, { 7, 100 * US }, { SITE_KE, 150 * US }
	};
	struct stream *stream = *state;

	add(stream, 1, 5, 0, 0);
	add(stream, 1, 6, 99 * US, 99 * US);
	add(stream, 1, 7, 100 * US, 100 * US);
	add(stream, 1, 8, 101 * US, 101 * US);
	/*
	 * The task ends before the sampling time of the held event: its end stands for the
	 * interval.
	 */
	add(stream, 1, SITE_KE, 180 * US, 150 * US);
	assert_int_equal(sample(stream, 100 * US, 2), 2);
	assert_holds(stream, expected, ARRAY_SIZE(expected));
}

/*
 * Each task has its own clock; a pause and the end of the session release held
 * events whose time has been reached.
 */
static void test_tasks_and_pause(void **state)
{
	static const uint64_t expected[][2] = {
		{ SITE_MP, 0 }, { 7, 100 * US }, { 8, 100 * US }, { SITE_ST, 0 },
	};
	struct stream *stream = *state;

	add(stream, 1, 5, 10 * US, 10 * US);
	add(stream, 2, 9, 20 * US, 55 * US);
	add(stream, 1, 6, 30 * US, 20 * US);
	/* Task 1 had 20 us at its event and at most 20 us more until the pause, task 2 85 us. */
	add(stream, 0, SITE_MP, 50 * US, 0);
	add(stream, 1, 7, 180 * US, 45 * US);
	add(stream, 2, 8, 190 * US, 60 * US);
	add(stream, 0, SITE_ST, 300 * US, 0);
	assert_int_equal(sample(stream, 100 * US, stream->count), 3);
	assert_int_equal(stream->count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < stream->count; i++)
		assert_int_equal(stream->events[i].site, expected[i][0]);
	assert_int_equal(cpu_of(&stream->events[1]), 100 * US);
	assert_int_equal(cpu_of(&stream->events[2]), 100 * US);
}

/* Returns the next number of a deterministic generator. */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/*
 * The program of the seed: XPROF and three subprograms, 240,086 events. How long
 * an event lasts depends on its program; calls of a subprogram take 60 to 400
 * events.
 */
static void add_xprof(struct stream *stream)
{
	static const uint64_t lengths[] = { 1600, 1350, 3700, 1830 }; /* ns, mean */
	uint64_t random = 88172645463325252u, now = 0, left = 0, program = 0;

	for (size_t i = 0; i < 240085; i++) {
		if (!left--) {
			program = program ? 0 : 1 + next_random(&random) % 3;
			left = 60 + next_random(&random) % 340;
		}
		add(stream, 1, SITE_NS2 - 3 + program, now, now);
		now += lengths[program] / 2 + next_random(&random) % lengths[program];
	}
	add(stream, 0, SITE_ST, now, now);
}

/* Sums by site the CPU time until the next event. */
static uint64_t sum_by_site(const struct stream *stream, uint64_t sums[ARRAY_SIZE(site_types)])
{
	uint64_t total = 0;

	memset(sums, 0, ARRAY_SIZE(site_types) * sizeof(*sums));
	for (size_t i = 0; i + 1 < stream->count; i++)
		sums[stream->events[i].site] +=
			cpu_of(&stream->events[i + 1]) - cpu_of(&stream->events[i]);
	for (size_t i = 0; i < ARRAY_SIZE(site_types); i++)
		total += sums[i];
	return total;
}

/* 240,086 events become about 4,664, and the shares of CPU time stay within their margin. */
static void test_seed(void **state)
{
	uint64_t exact[ARRAY_SIZE(site_types)], sampled[ARRAY_SIZE(site_types)];
	uint64_t total, sampled_total, dropped;
	struct stream *stream = *state;

	add_xprof(stream);
	assert_int_equal(stream->count, 240086);
	total = sum_by_site(stream, exact);
	dropped = sample(stream, 100 * US, 10007);
	assert_int_equal(stream->count + dropped, 240086);
	/* One per interval, and ST. */
	assert_in_range(stream->count, total / (100 * US), total / (100 * US) + 3);
	assert_in_range(stream->count, 4600, 4730);
	sampled_total = sum_by_site(stream, sampled);
	assert_in_range(total - sampled_total, 0, 100 * US);
	for (size_t i = 0; i < ARRAY_SIZE(site_types); i++) {
		double share = (double)exact[i] / (double)total;
		double estimate = (double)sampled[i] / (double)sampled_total;
		double margin = 1.96 * sqrt(share * (1 - share) / (double)stream->count);

		assert_true(fabs(share - estimate) <= margin);
	}
	assert_true(exact[SITE_NS2 - 1] > total / 10);
}

/* Adds many events of three tasks, with pauses, database calls and two transactions. */
static void add_mixture(struct stream *stream)
{
	uint64_t random = 362436069, time = 0, cpu[4] = { 0 };

	add(stream, 0, SITE_SI, 0, 0);
	for (size_t i = 0; i < 5000; i++) {
		uint64_t task = 1 + next_random(&random) % 3, step = next_random(&random) % 900;
		static const uint64_t sites[] = { SITE_PS, SITE_NS,  SITE_NS2, SITE_DB,
						  SITE_DA, SITE_NS2, SITE_NS };
		uint64_t site = sites[next_random(&random) % ARRAY_SIZE(sites)];

		time += step;
		cpu[task] += step * (next_random(&random) % 3) / 2;
		if (i % 701 == 700) {
			add(stream, 0, SITE_MP, time, 0);
			time += 100000;
			continue;
		}
		if (i == 4000)
			site = SITE_KE;
		add(stream, i == 4000 ? 4 : task, site, time, cpu[task]);
		stream->events[stream->count - 1].transaction = i / 97 % 2;
	}
	add(stream, 0, SITE_ST, time + 5000, 0);
}

/* Expected sums, computed the slow way: for each event the next of its task. */
struct expected_sum {
	uint64_t hits, cpu, elapsed, database;
};

/* Returns the time of the session's first pause from one time to before another. */
static uint64_t pause_between(const struct stream *stream, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < stream->count; i++)
		if (stream->events[i].site == SITE_MP && stream->events[i].time >= from &&
		    stream->events[i].time < to)
			return stream->events[i].time;
	return to;
}

/*
 * Returns the self time of a database call: while no call inside it is open. It is
 * unknown for calls with four others open inside, and for those that had any
 * inside and did not end.
 */
static uint64_t database_time(const struct stream *stream, const struct record_event *call,
			      uint64_t session_end)
{
	uint64_t own = 0, from = call->time;
	unsigned inside = 0;
	bool nests = false;

	for (const struct record_event *at = call + 1; at < stream->events + stream->count; at++) {
		if (at->task != call->task || (at->site != SITE_DA && at->site != SITE_DB))
			continue;
		if (!inside)
			own += pause_between(stream, from, at->time) - from;
		if (at->site == SITE_DA && !inside)
			return own;
		inside += at->site == SITE_DB ? 1 : -1u;
		from = at->time;
		nests = true;
		if (inside == 4)
			return 0;
	}
	return nests ? 0 : pause_between(stream, from, session_end) - from;
}

static void expect(const struct stream *stream, struct expected_sum (*sums)[2])
{
	uint64_t session_end = stream->events[stream->count - 1].time;

	for (size_t i = 0; i < stream->count; i++) {
		const struct record_event *event = &stream->events[i], *next = event + 1;
		struct expected_sum *sum = &sums[event->site][event->transaction];
		uint64_t end, limit, cpu;

		sum->hits++;
		if (!event->task || event->site == SITE_KE)
			continue;
		while (next < stream->events + stream->count && next->task != event->task)
			next++;
		limit = next < stream->events + stream->count ? next->time : session_end;
		end = pause_between(stream, event->time, limit);
		sum->elapsed += end - event->time;
		/* Without a TASK row the CPU time until the session's end is unknown. */
		cpu = limit == next->time && next < stream->events + stream->count
			      ? cpu_of(next) - cpu_of(event)
			      : 0;
		if (end < limit && cpu > end - event->time)
			cpu = end - event->time;
		sum->cpu += cpu;
		if (event->site == SITE_DB)
			sum->database += database_time(stream, event, session_end);
	}
}

/* Consolidates a stream in snapshots of random length; sums gets the last row of each sum. */
static void consolidate(struct stream *stream, bool drop, uint64_t random,
			struct record_event_sum (*sums)[2])
{
	struct event_consolidate consolidate = { .drop = drop };
	size_t first = 0;

	event_consolidate_init(&consolidate);
	while (first < stream->count) {
		size_t count = 1 + next_random(&random) % 400, left = stream->count - first;
		const struct recordset *set;

		count = count < left ? count : left;
		fill(stream, first, count);
		event_consolidate_apply(&consolidate, &stream->snapshot);
		set = snapshot_records(&stream->snapshot, RECORD_EVENT_SUM);
		for (size_t i = 0; i < set->count; i++) {
			const struct record_event_sum *sum = recordset_get(set, i);

			sums[sum->site][sum->transaction] = *sum;
		}
		assert_int_equal(snapshot_records(&stream->snapshot, RECORD_EVENT)->count,
				 drop ? 0 : count);
		first += count;
	}
	assert_int_equal(consolidate.events, stream->count);
	event_consolidate_release(&consolidate);
}

/* However a stream is divided into snapshots, its sums are the same, to the nanosecond. */
static void test_any_snapshots(void **state)
{
	struct expected_sum expected[ARRAY_SIZE(site_types)][2] = { 0 };
	struct stream *stream = *state;
	uint64_t hits = 0, database = 0;

	add_mixture(stream);
	expect(stream, expected);
	for (uint64_t run = 1; run <= 12; run++) {
		struct record_event_sum sums[ARRAY_SIZE(site_types)][2] = { 0 };

		consolidate(stream, run % 2, run * 7919, sums);
		for (size_t i = 0; i < 2 * ARRAY_SIZE(site_types); i++) {
			assert_int_equal(sums[i / 2][i % 2].hits, expected[i / 2][i % 2].hits);
			assert_int_equal(sums[i / 2][i % 2].cpu, expected[i / 2][i % 2].cpu);
			assert_int_equal(sums[i / 2][i % 2].elapsed,
					 expected[i / 2][i % 2].elapsed);
			assert_int_equal(sums[i / 2][i % 2].database,
					 expected[i / 2][i % 2].database);
			hits += sums[i / 2][i % 2].hits;
			database += sums[i / 2][i % 2].database;
		}
	}
	assert_int_equal(hits, 12 * stream->count);
	assert_true(database > 0);
}

/* The seed's example: a statement that a loop executes 1000 times is one record. */
static void test_loop(void **state)
{
	struct record_event_sum sums[ARRAY_SIZE(site_types)][2] = { 0 };
	struct stream *stream = *state;

	for (uint64_t i = 0; i < 1000; i++) {
		add(stream, 1, SITE_NS, i * 10 * US, i * 7 * US);
		add(stream, 1, SITE_NS2, i * 10 * US + 4 * US, i * 7 * US + 4 * US);
	}
	add(stream, 1, SITE_KE, 10000 * US, 7000 * US);
	consolidate(stream, true, 5, sums);
	assert_int_equal(sums[SITE_NS][0].hits, 1000);
	assert_int_equal(sums[SITE_NS][0].cpu, 4000 * US);
	assert_int_equal(sums[SITE_NS][0].elapsed, 4000 * US);
	assert_int_equal(sums[SITE_NS2][0].hits, 1000);
	assert_int_equal(sums[SITE_NS2][0].cpu, 3000 * US);
	assert_int_equal(sums[SITE_NS2][0].elapsed, 6000 * US);
	assert_int_equal(sums[SITE_KE][0].elapsed, 0);
}

/* The CPU time of a task that ends with the session is in its TASK row. */
static void test_end_of_session(void **state)
{
	struct stream *stream = *state;
	struct event_sums sums;

	add(stream, 1, SITE_PS, 10 * US, 10 * US);
	add(stream, 2, SITE_PS, 10 * US, 10 * US);
	add(stream, 0, SITE_ST, 100 * US, 0);
	fill(stream, 0, 3);
	recordset_add(snapshot_set(&stream->snapshot, RECORD_TASK),
		      &(struct record_task){ .task = 1, .cpu = 40 * US });
	recordset_add(snapshot_set(&stream->snapshot, RECORD_TASK),
		      &(struct record_task){ .task = 2, .cpu = 900 * US });
	event_sums_init(&sums);
	event_sums_take(&sums, &stream->snapshot);
	assert_int_equal(sums.count, 2);
	assert_int_equal(sums.rows[0].hits, 2);
	assert_int_equal(sums.rows[0].elapsed, 180 * US);
	assert_int_equal(sums.rows[0].cpu, 30 * US + 90 * US);
	event_sums_release(&sums);
}

/*
 * A database call inside a database call: each has its self time, together the
 * duration of the outer one.
 */
static void test_nested_calls(void **state)
{
	struct stream *stream = *state;
	struct event_sums sums;

	add(stream, 1, SITE_DB, 10 * US, 0);
	add(stream, 1, SITE_PS, 20 * US, 0);
	add(stream, 1, SITE_DB, 30 * US, 0);
	stream->events[2].transaction = 1;
	add(stream, 1, SITE_DA, 70 * US, 0);
	add(stream, 1, SITE_DA, 100 * US, 0);
	/* Left by a jump inside a call: when it ended is unknown. */
	add(stream, 1, SITE_DB, 200 * US, 0);
	add(stream, 1, SITE_DB, 210 * US, 0);
	add(stream, 1, SITE_DA, 215 * US, 0);
	add(stream, 1, SITE_KE, 900 * US, 0);
	fill(stream, 0, stream->count);
	event_sums_init(&sums);
	event_sums_take(&sums, &stream->snapshot);
	for (size_t i = 0; i < sums.count; i++)
		if (sums.rows[i].site == SITE_DB)
			assert_int_equal(sums.rows[i].database,
					 sums.rows[i].transaction ? 40 * US : 55 * US);
	event_sums_release(&sums);
}

/* A decrease of CPU time in a faulty row is ignored, and nothing else is affected. */
static void test_back(void **state)
{
	static const uint64_t expected[][2] = { { 5, 0 }, { 8, 300 * US }, { SITE_KE, 370 * US } };
	struct stream *stream = *state;
	struct event_sums sums;
	uint64_t total = 0;

	add(stream, 1, 5, 10 * US, 0);
	stream->events[0].idle = (int64_t)(START + 90 * US);
	add(stream, 1, 6, 150 * US, 130 * US);
	add(stream, 1, 7, 160 * US, 95 * US);
	add(stream, 1, 8, 180 * US, 140 * US);
	add(stream, 1, 9, 260 * US, 210 * US);
	add(stream, 1, 10, 330 * US, 205 * US);
	add(stream, 1, SITE_KE, 400 * US, 250 * US);
	fill(stream, 0, stream->count);
	event_sums_init(&sums);
	event_sums_take(&sums, &stream->snapshot);
	for (size_t i = 0; i < sums.count; i++)
		total += sums.rows[i].cpu;
	assert_int_equal(total, 370 * US);
	event_sums_release(&sums);
	sample(stream, 100 * US, 2);
	assert_int_equal(stream->count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(stream->events[i].site, expected[i][0]);
		assert_int_equal(cpu_of(&stream->events[i]), expected[i][1]);
	}
}

/* Sums in a data set are taken unchanged, and its events are not counted again. */
static void test_given(void **state)
{
	struct record_event_sum row = { SITE_NS, 0, 77, 1, 2, 3 };
	struct stream *stream = *state;
	struct event_sums sums;

	add(stream, 1, SITE_NS, 10 * US, 10 * US);
	add(stream, 1, SITE_NS, 20 * US, 20 * US);
	fill(stream, 0, 2);
	recordset_add(snapshot_set(&stream->snapshot, RECORD_EVENT_SUM), &row);
	event_sums_init(&sums);
	event_sums_take(&sums, &stream->snapshot);
	row.hits = 78;
	snapshot_clear(&stream->snapshot);
	recordset_add(snapshot_set(&stream->snapshot, RECORD_EVENT_SUM), &row);
	event_sums_take(&sums, &stream->snapshot);
	assert_true(sums.given);
	assert_int_equal(sums.count, 1);
	assert_memory_equal(&sums.rows[0], &row, sizeof(row));
	event_sums_release(&sums);
}

/* Ids that only a damaged file has. */
static void test_odd_ids(void **state)
{
	struct stream *stream = *state;
	struct event_sums sums;

	add(stream, 1, UINT64_MAX, 10, 10);
	add(stream, UINT64_MAX, UINT64_C(1) << 40, 20, 30);
	add(stream, 1, UINT64_MAX, 5, 2);
	add(stream, 0, 0, 0, 0);
	fill(stream, 1, 3);
	recordset_add(snapshot_set(&stream->snapshot, RECORD_EVENT), &stream->events[0]);
	event_sums_init(&sums);
	event_sums_take(&sums, &stream->snapshot);
	assert_int_equal(sums.count, 3);
	assert_int_equal(sums.rows[1].hits, 2);
	event_sums_release(&sums);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_example),	   TEST(test_edges),	     TEST(test_tasks_and_pause),
		TEST(test_seed),	   TEST(test_any_snapshots), TEST(test_loop),
		TEST(test_end_of_session), TEST(test_given),	     TEST(test_odd_ids),
		TEST(test_back),	   TEST(test_nested_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
