/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a session with other options is told of a tape. */
#include "common/compat.h"
#include "sampler/recording/tape-view.h"
#include "sampler/recording/tape-visits.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* A sample as the kernel writes it, with a call chain of one address, no registers and no stack. */
struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, address, event, period;
	uint64_t chain_length, chain[1];
	uint64_t abi, stack_size;
};

#define CHAIN_SIZE 16

static struct sample sample_of(uint64_t event, uint64_t time, uint64_t period, bool kernel)
{
	return (struct sample){
		.header = { .type = PERF_RECORD_SAMPLE,
			    .misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
			    .size = sizeof(struct sample) },
		.pid = 7,
		.tid = 8,
		.time = time,
		.event = event,
		.period = period,
		.chain_length = 1,
		.chain = { 0xf00 },
	};
}

/* The session opens an event with an id, fd and id the same number. */
static bool open_event(struct tape_view *view, uint64_t config, bool user, int64_t fd)
{
	struct perf_event_attr attr = { .config = config, .sample_period = 1000, .exclude_kernel = user };
	uint64_t id = (uint64_t)fd;
	struct tape_entry opened = { .kind = TAPE_EVENT, .result = fd, .data = &attr, .size = sizeof(attr) };
	struct tape_entry named = { .kind = TAPE_CONTROL, .a = (uint64_t)fd, .b = PERF_EVENT_IOC_ID, .data = &id,
				    .size = sizeof(id) };

	attr.sample_type = config == PERF_COUNT_SW_CONTEXT_SWITCHES ? 0 : PERF_SAMPLE_CALLCHAIN;
	if (!tape_view_change(view, &opened))
		return false;
	if (fd >= 0)
		assert_true(tape_view_change(view, &named));
	return true;
}

/* Returns what the session gets of samples. */
static struct tape_entry shown(struct tape_view *view, const struct sample *samples, size_t count)
{
	struct tape_entry entry = { .kind = TAPE_RING_HEAD, .data = samples, .size = count * sizeof(*samples) };

	assert_true(tape_view_change(view, &entry));
	return entry;
}

static struct perf_event_header header_at(const struct tape_entry *entry, size_t at)
{
	struct perf_event_header header;

	memcpy(&header, (const char *)entry->data + at, sizeof(header));
	return header;
}

static void an_ordinary_user_is_not_told_of_the_kernel(void **state UNUSED)
{
	struct tape_view *view = tape_view_new(true);
	struct sample samples[4];
	struct tape_entry entry;

	/* What he may not ask for, the tape was refused. */
	assert_false(open_event(view, PERF_COUNT_SW_CPU_CLOCK, false, -1));
	assert_true(open_event(view, PERF_COUNT_SW_CPU_CLOCK, true, -1));
	assert_true(open_event(view, PERF_COUNT_SW_CPU_CLOCK, false, 3));
	assert_true(open_event(view, PERF_COUNT_SW_CONTEXT_SWITCHES, false, 4));
	samples[0] = sample_of(3, 10, 1000, true);
	samples[1] = sample_of(3, 20, 1000, false);
	samples[2] = sample_of(4, 30, 1, true);	  /* leaves the processor: has no chain */
	samples[3] = sample_of(99, 40, 1000, true); /* of an event that a child inherited */
	entry = shown(view, samples, 4);
	assert_int_equal(entry.size, 2 * sizeof(struct sample) - CHAIN_SIZE);
	assert_int_equal(header_at(&entry, 0).size, sizeof(struct sample) - CHAIN_SIZE);
	assert_int_equal(header_at(&entry, sizeof(struct sample) - CHAIN_SIZE).size, sizeof(struct sample));
	tape_view_forget(view);
	tape_view_free(view);
}

static void samples_have_the_period_of_their_event(void **state UNUSED)
{
	struct tape_view *view = tape_view_new(false);
	uint64_t period = 777, periods[4];
	struct tape_entry changed = { .kind = TAPE_CONTROL, .a = 3, .b = PERF_EVENT_IOC_PERIOD, .data = &period,
				      .size = sizeof(period) };
	struct tape_entry cpu = { .kind = TAPE_CLOCK, .a = CLOCK_THREAD_CPUTIME_ID, .result = 5 };
	struct tape_entry now = { .kind = TAPE_CLOCK, .a = CLOCK_MONOTONIC, .result = 25 };
	struct sample samples[4];
	struct tape_entry entry;

	open_event(view, PERF_COUNT_SW_CPU_CLOCK, false, 3);
	assert_true(tape_view_change(view, &changed));
	assert_true(tape_view_change(view, &cpu));
	assert_true(tape_view_change(view, &now));
	samples[0] = sample_of(3, 24, 1, false);
	samples[1] = sample_of(3, 25, 1, true);
	samples[2] = sample_of(99, 26, 555, false);
	samples[3] = sample_of(3, 27, 1, false);
	samples[3].header.type = PERF_RECORD_SWITCH;
	entry = shown(view, samples, 4);
	assert_int_equal(entry.size, sizeof(samples));
	for (size_t i = 0; i < 4; i++)
		memcpy(&periods[i], (const char *)entry.data + i * sizeof(struct sample) + offsetof(struct sample, period),
		       sizeof(periods[i]));
	assert_int_equal(periods[0], 1000);
	assert_int_equal(periods[1], 777);
	assert_int_equal(periods[2], 555);
	assert_int_equal(periods[3], 1);
	tape_view_free(view);
}

/* Whatever a ring has, nothing beyond it is read. */
static void damaged_records_are_cut(void **state UNUSED)
{
	struct tape_view *view = tape_view_new(true);
	struct sample samples[2];
	struct tape_entry entry;

	open_event(view, PERF_COUNT_SW_CPU_CLOCK, false, 3);
	samples[0] = samples[1] = sample_of(3, 10, 1000, false);
	samples[0].chain_length = UINT64_MAX / 8;
	samples[1].header.size = sizeof(struct sample) + 8;
	entry = shown(view, samples, 2);
	assert_int_equal(entry.size, offsetof(struct sample, chain_length));
	samples[0].header.size = 4;
	assert_int_equal(shown(view, samples, 1).size, 0);
	tape_view_free(view);
}

/* The entries of a call: a file that is visited twice, one that is not there, one that stays open. */
static const struct tape_entry call[] = {
	{ .kind = TAPE_OPEN, .text = "/a", .result = 5 },
	{ .kind = TAPE_READ, .a = 5, .b = UINT64_MAX, .result = 3, .data = "one", .size = 3 },
	{ .kind = TAPE_OPEN, .text = "/b", .result = 6 },
	{ .kind = TAPE_READ, .a = 5, .b = UINT64_MAX },
	{ .kind = TAPE_READ, .a = 6, .b = UINT64_MAX, .result = 4, .data = "open", .size = 4 },
	{ .kind = TAPE_CLOSE, .a = 5 },
	{ .kind = TAPE_OPEN, .text = "/c", .result = -1, .error = ENOENT },
	{ .kind = TAPE_OPEN, .text = "/a", .result = 5 },
	{ .kind = TAPE_READ, .a = 5, .b = 8, .result = 5, .data = "eight", .size = 5 },
	{ .kind = TAPE_READ, .a = 5, .b = UINT64_MAX, .result = 3, .data = "two", .size = 3 },
	{ .kind = TAPE_CLOSE, .a = 5 },
};

static void use(void *argument, size_t number)
{
	((bool *)argument)[number] = true;
}

static void assert_read(struct tape_visits *visits, int fd, int64_t offset, const char *expected)
{
	char text[16] = "";

	assert_int_equal(tape_visits_read(visits, fd, TAPE_READ, offset, text, sizeof(text) - 1), strlen(expected));
	assert_string_equal(text, expected);
}

static void files_are_visited_in_any_order(void **state UNUSED)
{
	bool used[ARRAY_SIZE(call)] = { false };
	struct tape_visits visits;
	int first, second, again;

	tape_visits_init(&visits);
	tape_visits_next(&visits);
	tape_visits_take(&visits, call, sizeof(*call), ARRAY_SIZE(call), use, used);
	for (size_t i = 0; i < ARRAY_SIZE(call); i++)
		assert_int_equal(used[i], i != 2 && i != 4);
	assert_int_equal(tape_visits_open(&visits, "/b"), -2);
	assert_int_equal(tape_visits_open(&visits, "/c"), -1);
	assert_int_equal(errno, ENOENT);
	first = tape_visits_open(&visits, "/a");
	second = tape_visits_open(&visits, "/a");
	assert_true(first >= TAPE_VISIT_FIRST && second > first);
	assert_read(&visits, second, -1, "two");
	assert_read(&visits, second, 8, "eight");
	assert_read(&visits, first, -1, "one");
	assert_read(&visits, first, -1, "");
	assert_int_equal(tape_visits_close(&visits, first), 0);
	assert_int_equal(tape_visits_close(&visits, first), -1);
	assert_int_equal(errno, EBADF);
	/* More often than the session did, and in a call in which it did not. */
	again = tape_visits_open(&visits, "/a");
	assert_int_equal(again, first);
	assert_read(&visits, again, -1, "two");
	tape_visits_next(&visits);
	assert_read(&visits, tape_visits_open(&visits, "/a"), -1, "two");
	tape_visits_release(&visits);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_user_is_not_told_of_the_kernel),
		cmocka_unit_test(samples_have_the_period_of_their_event),
		cmocka_unit_test(damaged_records_are_cut),
		cmocka_unit_test(files_are_visited_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
