/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that the mode of a task is found out whatever the machine's timers are like: on a
 * machine of its own, whose timers are late as each case says, and where the task may not
 * have a processor for a while.
 */
#include "common/compat.h"
#include "common/chance.h"
#include "common/clock.h"
#include "common/outside.h"
#include "sampler/mode-probe.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PROBES 1000
/* Probes after which it is known how late timers are. */
#define LEARNING 60
#define EVENT 5
#define CLOCK_EVENT 6

/* A machine with one task and one event; times in ns. */
static struct machine {
	uint64_t now, enabled_at, clocked_at, period;
	uint64_t late_from, late_to; /* of timers, drawn anew each time */
	bool in_kernel;
	uint64_t changes; /* from this long after the event was enabled it is in the other mode; 0: never */
	uint64_t away_at, away; /* from this long after the event was enabled it has no processor for so long */
	uint64_t chance;
} machine;

static uint64_t draw_lateness(void)
{
	return machine.late_from +
	       (uint64_t)(chance_part(chance_next(&machine.chance)) * (double)(machine.late_to - machine.late_from));
}

static uint64_t machine_clock(struct outside *self UNUSED, clockid_t id UNUSED)
{
	return machine.now;
}

static int machine_event(struct outside *self UNUSED, struct perf_event_attr *attr, pid_t pid UNUSED,
			 int processor UNUSED)
{
	if (attr->config == PERF_COUNT_SW_TASK_CLOCK) {
		machine.clocked_at = machine.now;
		machine.now += 5 * NSEC_PER_USEC;
		return CLOCK_EVENT;
	}
	machine.period = attr->sample_period;
	return EVENT;
}

static int machine_control(struct outside *self UNUSED, int fd UNUSED, unsigned long request, uint64_t *number)
{
	assert_int_equal(request, PERF_EVENT_IOC_REFRESH);
	assert_int_equal(*number, 1);
	machine.enabled_at = machine.now;
	machine.now += 20 * NSEC_PER_USEC;
	return 0;
}

static void machine_sleep(struct outside *self UNUSED, uint64_t ns)
{
	machine.now += ns + draw_lateness();
}

static bool is_in_kernel_at(uint64_t since)
{
	return machine.in_kernel != (machine.changes && since >= machine.changes);
}

/* Returns the ns for which the task executed since the event was enabled. */
static uint64_t executed(void)
{
	uint64_t passed = machine.now - machine.enabled_at, away = 0;

	if (passed > machine.away_at)
		away = passed - machine.away_at < machine.away ? passed - machine.away_at : machine.away;
	return passed - away;
}

/* The event goes on until it is due in user mode, or is read. */
static ssize_t machine_read(struct outside *self UNUSED, int fd, void *buffer, size_t size, off_t offset UNUSED)
{
	uint64_t values[2] = { 0, executed() };

	assert_int_equal(size, sizeof(values));
	if (fd == CLOCK_EVENT) {
		values[1] += machine.enabled_at - machine.clocked_at;
		memcpy(buffer, values, sizeof(values));
		return (ssize_t)size;
	}
	assert_int_equal(fd, EVENT);
	for (uint64_t due = machine.period; due <= values[1]; due += machine.period) {
		uint64_t at = due + draw_lateness();

		if (at < values[1] && !is_in_kernel_at(at)) {
			values[1] = at;
			break;
		}
	}
	memcpy(buffer, values, sizeof(values));
	return (ssize_t)size;
}

static int machine_close(struct outside *self UNUSED, int fd UNUSED)
{
	return 0;
}

/* Returns how many of the probes find a mode, once it is known how late timers are. */
static unsigned count(enum executed_mode mode)
{
	struct timer_lateness lateness;
	unsigned found = 0;

	timer_lateness_init(&lateness);
	for (unsigned i = 0; i < LEARNING + PROBES; i++) {
		struct probe_times times;
		struct mode_probe probe;

		/* A task that is looked at executes in either mode. */
		machine.in_kernel = i < LEARNING ? i % 2 : mode == MODE_KERNEL;
		assert_true(mode_probe_begin(&probe, 7));
		found += mode_probe_end(&probe, &lateness, &times) == mode && i >= LEARNING;
		machine.now += 10 * NSEC_PER_MSEC;
	}
	print_message("# late by %u to %u us: %u of %u\n", (unsigned)(machine.late_from / NSEC_PER_USEC),
		      (unsigned)(machine.late_to / NSEC_PER_USEC), found, PROBES);
	return found;
}

/* Makes a machine whose timers are late by these us the source. */
static void use_machine(struct outside *source, unsigned from, unsigned to)
{
	*source = outside_system;
	source->clock = machine_clock;
	source->event = machine_event;
	source->control = machine_control;
	source->sleep = machine_sleep;
	source->read = machine_read;
	source->close = machine_close;
	outside_current = source;
	machine = (struct machine){ .now = NSEC_PER_SEC, .chance = 88172645463325252, .late_from = from * NSEC_PER_USEC,
				    .late_to = to * NSEC_PER_USEC };
}

/* Timers that are late by these us; how many of all probes find the mode. */
static void check(unsigned from, unsigned to, unsigned least)
{
	struct outside source;

	use_machine(&source, from, to);
	assert_true(count(MODE_USER) >= least);
	assert_true(count(MODE_KERNEL) >= least);
	/* Executes in the program when the event is due again. */
	machine.changes = 180 * NSEC_PER_USEC;
	if (to < 50)
		assert_true(count(MODE_KERNEL) >= least);
	outside_current = &outside_system;
}

static void timers_that_are_in_time(void **state UNUSED)
{
	check(0, 10, PROBES);
}

static void timers_that_are_somewhat_late(void **state UNUSED)
{
	check(5, 60, PROBES);
}

static void timers_of_a_virtual_machine(void **state UNUSED)
{
	check(30, 85, PROBES);
	check(60, 130, PROBES);
}

static void timers_that_are_late_by_chance(void **state UNUSED)
{
	check(0, 120, PROBES * 9 / 10);
}

/* The session has the processor that the task needs when it begins to look. */
static void a_task_that_begins_late(void **state UNUSED)
{
	struct outside source;

	for (unsigned us = 20; us <= 160; us += 20) {
		use_machine(&source, 20, 60);
		machine.away = us * NSEC_PER_USEC;
		assert_true(count(MODE_USER) >= PROBES * 9 / 10);
		assert_true(count(MODE_KERNEL) == PROBES);
	}
	outside_current = &outside_system;
}

/* One that has no processor for long is not taken for one in the other mode. */
static void a_task_without_a_processor(void **state UNUSED)
{
	struct outside source;

	for (unsigned us = 0; us <= 200; us += 10) {
		use_machine(&source, 20, 60);
		machine.away_at = us * NSEC_PER_USEC;
		machine.away = NSEC_PER_SEC;
		machine.in_kernel = true;
		for (unsigned i = 0; i < PROBES; i++) {
			struct timer_lateness lateness;
			struct probe_times times;
			struct mode_probe probe;

			timer_lateness_init(&lateness);
			assert_true(mode_probe_begin(&probe, 7));
			assert_int_not_equal(mode_probe_end(&probe, &lateness, &times), MODE_USER);
			machine.now += 2 * NSEC_PER_SEC;
		}
	}
	outside_current = &outside_system;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_that_are_in_time),
		cmocka_unit_test(timers_that_are_somewhat_late),
		cmocka_unit_test(timers_of_a_virtual_machine),
		cmocka_unit_test(timers_that_are_late_by_chance),
		cmocka_unit_test(a_task_that_begins_late),
		cmocka_unit_test(a_task_without_a_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
