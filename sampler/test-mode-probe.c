/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: live, limit:60 */
/*
 * Tests whether the mode of a task is found out, of programs that are known to be in one.
 *
 * Model: of a program that only calculates 1 probe in 300 finds the kernel (an interrupt, or
 * a timer that is late), on virtual machines 1 in 60; of one that only reads 64 KB at a time
 * 1 in 25 the program. With 60
 * probes at moments at which the program executed, more than half of them are wrong by
 * chance less than once in 10^20 sessions, and where each tenth is wrong still once in 10^13.
 * A task that waits does not execute at any moment: that is exact.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/mode-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define WANTED 60
/* Probes in all: on a full machine most find that the program does not execute. */
#define PROBES 4000

static void calculate(void)
{
	for (volatile unsigned long turn = 0;; turn = turn + 1)
		;
}

static void call_kernel(void)
{
	static char bytes[65536];
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	while (read(zero, bytes, sizeof(bytes)) > 0)
		;
}

static void wait_for_signal(void)
{
	for (;;)
		pause();
}

static pid_t start(void (*program)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		alarm(60);
		program();
		_exit(1);
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Counts modes until a task was seen in one so often as wanted, or probes are over. Returns false if there are no such events here. */
static bool count_modes(pid_t pid, unsigned probes, unsigned counts[MODE_KERNEL + 1])
{
	const struct timespec pause = { 0, 300000 };
	struct timer_lateness lateness;
	struct probe_times times;
	struct mode_probe probe;

	timer_lateness_init(&lateness);
	memset(counts, 0, (MODE_KERNEL + 1) * sizeof(*counts));
	for (unsigned i = 0; i < probes && counts[MODE_USER] + counts[MODE_KERNEL] < WANTED; i++) {
		if (!mode_probe_begin(&probe, pid)) {
			print_message("# skipped: %s\n", strerror(errno));
			return false;
		}
		counts[mode_probe_end(&probe, &lateness, &times)]++;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Most of the modes that are known of a program are this one. */
static void check(void (*program)(void), enum executed_mode mode)
{
	unsigned counts[MODE_KERNEL + 1], known;
	pid_t pid = start(program);
	bool can = count_modes(pid, PROBES, counts);

	end(pid);
	if (!can)
		skip();
	known = counts[MODE_USER] + counts[MODE_KERNEL];
	print_message("# user %u, kernel %u, unknown %u, did not execute %u\n", counts[MODE_USER], counts[MODE_KERNEL],
		      counts[MODE_UNKNOWN], counts[MODE_NONE]);
	assert_true(known >= WANTED);
	assert_true(2 * counts[mode] > known);
}

static void a_program_that_calculates(void **state UNUSED)
{
	check(calculate, MODE_USER);
}

static void a_program_that_calls_the_kernel(void **state UNUSED)
{
	check(call_kernel, MODE_KERNEL);
}

/* One that waits for a system call to return is not taken for one that executes it. */
static void a_program_that_waits(void **state UNUSED)
{
	const struct timespec begin = { 0, 50000000 };
	unsigned counts[MODE_KERNEL + 1];
	pid_t pid = start(wait_for_signal);
	bool can;

	nanosleep(&begin, NULL);
	can = count_modes(pid, 20, counts);
	end(pid);
	if (!can)
		skip();
	assert_int_equal(counts[MODE_NONE], 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_that_calculates),
		cmocka_unit_test(a_program_that_calls_the_kernel),
		cmocka_unit_test(a_program_that_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
