/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that the mode of a task is found out whatever the machine's timers are like: on a
 * machine of its own, whose timers are late as each case says.
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

/* A machine with one task and one event; times in ns. */
static struct machine {
	uint64_t now, enabled_at, period;
	uint64_t late_from, late_to; /* of timers, drawn anew each time */
	bool in_kernel;
	uint64_t changes; /* from this long after the event was enabled it is in the other mode; 0: never */
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

/* The event goes on until it is due in user mode, or is read. */
static ssize_t machine_read(struct outside *self UNUSED, int fd, void *buffer, size_t size, off_t offset UNUSED)
{
	uint64_t values[2] = { 0, machine.now - machine.enabled_at };

	assert_int_equal(fd, EVENT);
	assert_int_equal(size, sizeof(values));
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
		struct mode_probe probe;

		/* A task that is looked at executes in either mode. */
		machine.in_kernel = i < LEARNING ? i % 2 : mode == MODE_KERNEL;
		assert_true(mode_probe_begin(&probe, 7));
		found += mode_probe_end(&probe, &lateness) == mode && i >= LEARNING;
		machine.now += 10 * NSEC_PER_MSEC;
	}
	print_message("# late by %u to %u us: %u of %u\n", (unsigned)(machine.late_from / NSEC_PER_USEC),
		      (unsigned)(machine.late_to / NSEC_PER_USEC), found, PROBES);
	return found;
}

/* Timers that are late by these us; how many of all probes find the mode. */
static void check(unsigned from, unsigned to, unsigned least)
{
	struct outside source = outside_system;

	source.clock = machine_clock;
	source.event = machine_event;
	source.control = machine_control;
	source.sleep = machine_sleep;
	source.read = machine_read;
	source.close = machine_close;
	outside_current = &source;
	machine = (struct machine){ .now = NSEC_PER_SEC, .chance = 88172645463325252, .late_from = from * NSEC_PER_USEC,
				    .late_to = to * NSEC_PER_USEC };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_that_are_in_time),
		cmocka_unit_test(timers_that_are_somewhat_late),
		cmocka_unit_test(timers_of_a_virtual_machine),
		cmocka_unit_test(timers_that_are_late_by_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
