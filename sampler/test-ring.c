/* SPDX-License-Identifier: Apache-2.0 */
/* Tests reading ring buffers and merging them by time, on constructed rings. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "sampler/perf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define RING_SIZE 4096

/* A switch record as the kernel writes it. */
struct switch_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t stream;
};

/* Makes a ring in private memory. */
static void make_ring(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->page = xcalloc(1, sizeof(*ring->page));
	ring->data = xcalloc(1, RING_SIZE);
	ring->size = RING_SIZE;
	ring->bounce = xmalloc(65536);
}

static void free_ring(struct ring *ring)
{
	free(ring->page);
	free((void *)(uintptr_t)ring->data);
	free(ring->bounce);
}

/*
 * Writes as the kernel does: wraps around, updates the head last. Returns false if
 * there is no space.
 */
static bool put(struct ring *ring, const void *record, size_t size)
{
	unsigned char *data = (void *)(uintptr_t)ring->data;
	uint64_t head = ring->page->data_head;

	if (head + size - ring->page->data_tail > RING_SIZE)
		return false;
	for (size_t i = 0; i < size; i++)
		data[(head + i) % RING_SIZE] = ((const unsigned char *)record)[i];
	ring->page->data_head = head + size;
	return true;
}

static bool put_switch(struct ring *ring, uint64_t time, uint32_t tid)
{
	const struct switch_record record = {
		.header = { .type = PERF_RECORD_SWITCH, .size = sizeof(record) },
		.pid = 1,
		.tid = tid,
		.time = time,
	};

	return put(ring, &record, sizeof(record));
}

static void records_wrap_around(void **state UNUSED)
{
	struct ring ring;
	uint64_t written = 0, read = 0;

	make_ring(&ring);
	for (int round = 0; round < 100; round++) {
		const struct perf_event_header *header;
		/* A record of another size shifts the others, so that some wrap. */
		const struct {
			struct perf_event_header header;
			unsigned char filler[48];
		} other = { { .type = 9999, .size = sizeof(other) }, { 0 } };

		assert_true(put(&ring, &other, sizeof(other)));
		while (put_switch(&ring, written, 7))
			written++;
		ring_fetch(&ring);
		while ((header = ring_peek(&ring))) {
			if (header->type == PERF_RECORD_SWITCH) {
				const struct switch_record *record = (const void *)header;

				assert_int_equal(record->time, read++);
				assert_int_equal(record->tid, 7);
			}
			ring_next(&ring);
		}
		ring_return(&ring);
		assert_int_equal(read, written);
		assert_int_equal(ring.page->data_tail, ring.page->data_head);
	}
	assert_true(written > 10000);
	free_ring(&ring);
}

/* The merged records. */
struct merged {
	uint64_t count, last;
	uint64_t tids[3];
};

static void see(void *argument, const struct observation *seen)
{
	struct merged *merged = argument;

	assert_int_equal(seen->kind, OBSERVED_IN);
	assert_true(seen->time >= merged->last);
	merged->last = seen->time;
	merged->count++;
	merged->tids[seen->tid]++;
}

static void rings_are_merged_by_time(void **state UNUSED)
{
	struct perf_cpu cpus[3];
	struct perf perf = { .cpus = cpus, .cpu_count = 3 };
	struct merged merged = { 0 };
	unsigned fill;

	for (int i = 0; i < 3; i++)
		make_ring(&cpus[i].ring);
	/* Ring i has the times that are i modulo 3; the last one is nearly empty. */
	for (uint32_t time = 1; time <= 300; time++)
		if (time % 3 != 2 || time > 290)
			assert_true(put_switch(&cpus[time % 3].ring, time, time % 3));
	fill = perf_drain(&perf, 150, see, &merged);
	assert_int_equal(fill, 100 * 32 * 100 / RING_SIZE);
	assert_int_equal(merged.count, 100);
	assert_int_equal(merged.last, 150);
	perf_drain(&perf, UINT64_MAX, see, &merged);
	assert_int_equal(merged.last, 300);
	assert_int_equal(merged.tids[0], 100);
	assert_int_equal(merged.tids[1], 100);
	assert_int_equal(merged.tids[2], 3);
	assert_int_equal(perf_drain(&perf, UINT64_MAX, see, &merged), 0);
	assert_int_equal(merged.count, 203);
	for (int i = 0; i < 3; i++)
		free_ring(&cpus[i].ring);
}

/*
 * A view that is behind its ring continues where the records were read, not at the
 * last one it saw.
 */
static void a_view_follows_its_ring(void **state UNUSED)
{
	const struct perf_event_header *header;
	struct ring ring, view;

	make_ring(&ring);
	for (uint32_t time = 1; time <= 4; time++)
		assert_true(put_switch(&ring, time, 7));
	ring_fetch(&ring);
	ring_view(&view, &ring);
	ring_follow(&view, &ring);
	header = ring_peek(&view);
	assert_int_equal(((const struct switch_record *)(const void *)header)->time, 1);
	for (unsigned i = 0; i < 2; i++) {
		assert_non_null(ring_peek(&ring));
		ring_next(&ring);
	}
	ring_follow(&view, &ring);
	header = ring_peek(&view);
	assert_int_equal(((const struct switch_record *)(const void *)header)->time, 3);
	/* A view that is ahead of its ring stays where it is. */
	ring_next(&view);
	ring_follow(&view, &ring);
	header = ring_peek(&view);
	assert_int_equal(((const struct switch_record *)(const void *)header)->time, 4);
	ring_next(&view);
	assert_null(ring_peek(&view));
	free(view.bounce);
	free_ring(&ring);
}

/* Keeps what was made of one record. */
static void keep_seen(void *argument, const struct observation *seen)
{
	*(struct observation *)argument = *seen;
}

/* Records as the kernel writes them; all numbers are different. */
static const struct {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[16];
	uint32_t last_pid, last_tid;
	uint64_t time, stream;
} map_record = { .header = { .type = PERF_RECORD_MMAP2, .size = sizeof(map_record) },
		 .pid = 11,
		 .tid = 12,
		 .start = 0x401000,
		 .length = 0x2000,
		 .offset = 0x3000,
		 .major = 8,
		 .minor = 3,
		 .inode = 4711,
		 .path = "/opt/pay/calc",
		 .last_pid = 91,
		 .last_tid = 92,
		 .time = 10 };
static const struct {
	struct perf_event_header header;
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t fork_time;
	uint32_t last_pid, last_tid;
	uint64_t time, stream;
} fork_record = { .header = { .type = PERF_RECORD_FORK, .size = sizeof(fork_record) },
		  .pid = 21,
		  .parent_pid = 22,
		  .tid = 23,
		  .parent_tid = 24,
		  .last_pid = 91,
		  .last_tid = 92,
		  .time = 20 };
static const struct {
	struct perf_event_header header;
	uint64_t id, lost;
	uint32_t last_pid, last_tid;
	uint64_t time, stream;
} lost_record = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(lost_record) },
		  .id = 31,
		  .lost = 32,
		  .time = 30 };

/* Each number of a record becomes the right member. */
static void records_are_taken_apart(void **state UNUSED)
{
	struct perf_cpu cpu;
	struct perf perf = { .cpus = &cpu, .cpu_count = 1 };
	struct observation seen = { 0 };

	make_ring(&cpu.ring);
	assert_true(put(&cpu.ring, &map_record, sizeof(map_record)));
	assert_true(put(&cpu.ring, &fork_record, sizeof(fork_record)));
	assert_true(put(&cpu.ring, &lost_record, sizeof(lost_record)));
	perf_drain(&perf, 10, keep_seen, &seen);
	assert_int_equal(seen.kind, OBSERVED_MAP);
	assert_int_equal(seen.time, 10);
	assert_int_equal(seen.pid, 11);
	assert_int_equal(seen.tid, 12);
	assert_int_equal(seen.map.start, 0x401000);
	assert_int_equal(seen.map.length, 0x2000);
	assert_int_equal(seen.map.offset, 0x3000);
	assert_int_equal(seen.map.major, 8);
	assert_int_equal(seen.map.minor, 3);
	assert_int_equal(seen.map.inode, 4711);
	assert_string_equal(seen.map.path, "/opt/pay/calc");
	perf_drain(&perf, 20, keep_seen, &seen);
	assert_int_equal(seen.kind, OBSERVED_FORK);
	assert_int_equal(seen.pid, 21);
	assert_int_equal(seen.tid, 23);
	assert_int_equal(seen.fork.parent_pid, 22);
	assert_int_equal(seen.fork.parent_tid, 24);
	perf_drain(&perf, 30, keep_seen, &seen);
	assert_int_equal(seen.kind, OBSERVED_LOST);
	assert_int_equal(seen.lost, 32);
	free_ring(&cpu.ring);
}

/* A sample without registers and stack. */
struct sample_record {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, address, stream, period, abi, stack;
};

/* An event whose period was changed made earlier samples with the one before. */
static void a_sample_stands_for_the_period_of_its_time(void **state UNUSED)
{
	struct sample_record record = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) },
		     .pid = 1,
		     .tid = 2,
		     .address = 4711,
		     .period = 900 };
	struct perf_root root = { .fd = -1, .before = 800, .period = 850, .since = 50 };
	const struct {
		uint64_t time, stream, period;
	} cases[] = { { 49, 7, 800 }, { 50, 7, 850 }, { 51, 8, 900 } };
	struct perf_cpu cpu;
	struct perf perf = { .cpus = &cpu, .cpu_count = 1, .events = &root, .event_count = 1 };
	struct observation seen = { 0 };

	make_ring(&cpu.ring);
	idmap_init(&perf.roots);
	idmap_put(&perf.roots, 7, 1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		record.time = cases[i].time;
		record.stream = cases[i].stream;
		assert_true(put(&cpu.ring, &record, sizeof(record)));
		perf_drain(&perf, 100, keep_seen, &seen);
		assert_int_equal(seen.kind, OBSERVED_SAMPLE);
		assert_int_equal(seen.sample.address, 4711);
		assert_int_equal(seen.sample.period, cases[i].period);
		assert_int_equal(seen.processor, 1);
	}
	idmap_release(&perf.roots);
	free_ring(&cpu.ring);
}

/* Records of page faults have the same form: the event tells what they are, or the address if its id is another session's. */
static void page_faults_are_told_by_their_event(void **state UNUSED)
{
	struct sample_record record = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) }, .tid = 2, .period = 1 };
	const struct {
		uint64_t stream, address;
		enum observation_kind kind;
	} cases[] = { { 5, 4711, OBSERVED_FAULT }, { 6, 4711, OBSERVED_PAGE },	  { 7, 4711, OBSERVED_PAGE },
		      { 8, 0, OBSERVED_LEAVING },  { 9, 4711, OBSERVED_FAULT }, { 10, 0, OBSERVED_LEAVING } };
	struct perf_cpu cpu;
	struct perf perf = { .cpus = &cpu, .cpu_count = 1, .page_ids = { 6, [PERF_PAGE_IDS - 1] = 7 } };
	struct observation seen = { 0 };

	make_ring(&cpu.ring);
	idmap_init(&perf.fault_ids);
	idmap_init(&perf.leaving_ids);
	idmap_put(&perf.fault_ids, 5, 1);
	idmap_put(&perf.leaving_ids, 8, 1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		record.time = i;
		record.stream = cases[i].stream;
		record.address = cases[i].address;
		assert_true(put(&cpu.ring, &record, sizeof(record)));
		perf_drain(&perf, 100, keep_seen, &seen);
		assert_int_equal(seen.kind, cases[i].kind);
		assert_int_equal(seen.sample.address, cases[i].address);
	}
	idmap_release(&perf.fault_ids);
	idmap_release(&perf.leaving_ids);
	free_ring(&cpu.ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_wrap_around),
		cmocka_unit_test(rings_are_merged_by_time),
		cmocka_unit_test(a_view_follows_its_ring),
		cmocka_unit_test(records_are_taken_apart),
		cmocka_unit_test(a_sample_stands_for_the_period_of_its_time),
		cmocka_unit_test(page_faults_are_told_by_their_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
