/* SPDX-License-Identifier: Apache-2.0 */
/* Tests parts of the import: the order of records, the duration of units, lines of perf script. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/test-input.h"
#include "records/record-types.h"
#include "session/import/imported-names.h"
#include "session/import/perf-data/perf-order.h"
#include "session/import/perf-text.h"
#include "session/import/sample-pace.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

struct passed {
	uint64_t times[32];
	size_t count;
};

static bool take(void *argument, const struct perf_ordered *record)
{
	struct passed *passed = argument;

	assert_int_equal(record->bytes[0], (unsigned char)record->place);
	passed->times[passed->count++] = record->time;
	return true;
}

static void add(struct perf_order *order, uint64_t time)
{
	const unsigned char byte = (unsigned char)time;

	assert_true(perf_order_add(order, time, time, &byte, 1));
}

/* A round passes on everything up to the latest time of the round before. */
static void test_rounds(void **state UNUSED)
{
	struct passed passed = { .count = 0 };
	struct perf_order order;

	perf_order_init(&order, 1000, take, &passed);
	add(&order, 5);
	add(&order, 9);
	add(&order, 2);
	perf_order_round(&order);
	assert_int_equal(passed.count, 0);
	add(&order, 7);
	add(&order, 12);
	perf_order_round(&order);
	assert_int_equal(passed.count, 4);
	perf_order_flush(&order);
	assert_int_equal(passed.count, 5);
	for (size_t i = 1; i < passed.count; i++)
		assert_true(passed.times[i - 1] < passed.times[i]);
	assert_int_equal(order.disordered, 0);
	perf_order_release(&order);
}

/*
 * If the limit of memory is reached the earliest are passed on, and one that comes
 * too late is counted.
 */
static void test_little_room(void **state UNUSED)
{
	struct passed passed = { .count = 0 };
	struct perf_order order;

	perf_order_init(&order, 3, take, &passed);
	for (uint64_t time = 10; time < 15; time++)
		add(&order, time);
	assert_int_equal(passed.count, 2);
	assert_int_equal(passed.times[1], 11);
	add(&order, 3);
	assert_int_equal(order.disordered, 1);
	perf_order_flush(&order);
	assert_int_equal(passed.count, 6);
	perf_order_release(&order);
}

/* Three GHz; most pairs contain waits of various lengths. */
static void test_pace(void **state UNUSED)
{
	struct sample_pace pace;
	uint64_t time = NSEC_PER_SEC, chance = 4711;

	sample_pace_init(&pace);
	for (int i = 0; i < 400; i++) {
		chance = chance * UINT64_C(6364136223846793005) + 1;
		time += 1000000 + (i % 4 ? chance >> 38 : 0);
		sample_pace_add(&pace, 7, time, 3000000);
	}
	assert_true(sample_pace_unit(&pace) > 0.99 / 3 && sample_pace_unit(&pace) < 1.01 / 3);
	sample_pace_release(&pace);
	sample_pace_init(&pace);
	for (int i = 0; i < 400; i++) {
		sample_pace_add(&pace, 7, time += 1000000, 3000000);
		sample_pace_break(&pace, 7);
	}
	assert_true(sample_pace_unit(&pace) <= 0);
	sample_pace_release(&pace);
}

static uint64_t damaged_line;

static void take_damage(void *argument UNUSED, uint64_t line, const char *text UNUSED)
{
	damaged_line = line;
}

static struct perf_text *open_text(const char *lines)
{
	int fd = open(test_input(0, lines, strlen(lines)), O_RDONLY | O_CLOEXEC);
	struct perf_text *text = perf_text_new(fd, take_damage, NULL);

	assert_non_null(text);
	close(fd);
	return text;
}

static void test_names_of_tasks(void **state UNUSED)
{
	struct perf_text *text = open_text("tmux: server 12 3  4711/4712 [003]  17.000250:      250000 cycles:u: \n"
					   "\t    55d0 f(int, char (*)(int))+0x12 (/opt/a (1)/b (deleted))\n"
					   "\n"
					   ":-1    -1 [000] 18.5: cpu-clock:  ffffffff81000000 [unknown] ([kernel.kallsyms])\n");
	struct text_record record;

	assert_true(perf_text_next(text, &record));
	assert_string_equal(record.comm, "tmux: server 12 3");
	assert_int_equal(record.pid, 4711);
	assert_int_equal(record.tid, 4712);
	assert_int_equal(record.processor, 3);
	assert_int_equal(record.time, 17 * NSEC_PER_SEC + 250000);
	assert_true(record.has_period);
	assert_int_equal(record.period, 250000);
	assert_string_equal(record.event, "cycles:u");
	assert_int_equal(record.frame_count, 1);
	assert_string_equal(record.frames[0].symbol, "f(int, char (*)(int))");
	assert_int_equal(record.frames[0].inside, 0x12);
	assert_string_equal(record.frames[0].object, "/opt/a (1)/b (deleted)");
	assert_true(perf_text_next(text, &record));
	assert_int_equal(record.tid, UINT32_MAX);
	assert_false(record.has_period);
	assert_int_equal(record.frame_count, 1);
	assert_string_equal(record.frames[0].symbol, "");
	assert_false(perf_text_next(text, &record));
	perf_text_free(text);
}

static void test_inlined(void **state UNUSED)
{
	struct perf_text *text = open_text("a 1 1.0: 5 cpu-clock: \n"
					   "\t 10 inner+0x4 (inlined)\n"
					   "  inner.h:3\n"
					   "\t 10 outer+0x4 (/bin/a)\n"
					   "  outer.c:12\n"
					   "  nonsense\n"
					   "\n"
					   "a 1 2.0: PERF_RECORD_SWITCH OUT preempt\n"
					   "a 1 3.0: PERF_RECORD_LOST lost 12\n");
	struct text_record record;

	damaged_line = 0;
	assert_true(perf_text_next(text, &record));
	assert_int_equal(record.frame_count, 2);
	assert_true(record.frames[0].inlined);
	assert_int_equal(record.frames[0].line, 3);
	assert_string_equal(record.frames[1].file, "outer.c");
	assert_int_equal(record.frames[1].line, 12);
	assert_int_equal(damaged_line, 6);
	assert_true(perf_text_next(text, &record));
	assert_int_equal(record.kind, TEXT_SWITCH);
	assert_true(record.out && record.preempted);
	assert_true(perf_text_next(text, &record));
	assert_int_equal(record.kind, TEXT_LOST);
	assert_int_equal(record.lost, 12);
	perf_text_free(text);
}

static void test_functions(void **state UNUSED)
{
	assert_true(imported_names_is_start("main"));
	assert_true(imported_names_is_start("__libc_start_main@@GLIBC_2.34"));
	assert_false(imported_names_is_start("mainly"));
	assert_false(imported_names_is_start(""));
	assert_int_equal(imported_names_reason_of("futex_wait_queue"), WAIT_LOCK);
	assert_int_equal(imported_names_reason_of("do_nanosleep"), WAIT_SLEEP);
	assert_int_equal(imported_names_reason_of("schedule"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),	       cmocka_unit_test(test_little_room),
		cmocka_unit_test(test_pace),	       cmocka_unit_test(test_names_of_tasks),
		cmocka_unit_test(test_inlined),	       cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
