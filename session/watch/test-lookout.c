/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how programs are found: new ones, ones that execute another, and the cost limit. */
#include "common/compat.h"
#include "session/watch/lookout.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/test-folder.h"
#include "session/watch/meant.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static bool finds(struct lookout *lookout, bool all, pid_t wanted)
{
	const pid_t *processes;
	size_t count = lookout_take(lookout, all, &processes), found = 0;

	for (size_t i = 0; i < count; i++)
		found += processes[i] == wanted;
	assert_true(found <= 1);
	return found == 1;
}

/* Creates a process that waits until it is killed. */
static pid_t make_process(void)
{
	const pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	return child;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void a_new_process_is_found(void **state UNUSED)
{
	struct lookout *lookout = lookout_new(false);
	const pid_t *processes;
	pid_t child;

	assert_int_equal(lookout_descriptor(lookout), -1);
	assert_true(lookout_take(lookout, true, &processes) > 0);
	child = make_process();
	assert_true(finds(lookout, false, child));
	assert_true(finds(lookout, false, child)); /* it is young: it may become another program */
	end_process(child);
	assert_false(finds(lookout, true, child));
	lookout_free(lookout);
}

static void all_are_all(void **state UNUSED)
{
	struct lookout *lookout = lookout_new(false);

	assert_true(finds(lookout, true, getpid()));
	assert_true(finds(lookout, true, getpid()));
	lookout_free(lookout);
}

/* Whether the connector works depends on the machine; both ways must find the same. */
static void the_kernel_tells_of_programs(void **state UNUSED)
{
	struct lookout *lookout = lookout_new(true);
	const pid_t *processes;
	pid_t child;
	bool found = false;

	if (!lookout_has_events(lookout)) {
		lookout_free(lookout);
		skip();
	}
	lookout_take(lookout, false, &processes);
	child = fork();
	if (child == 0) {
		execl("/bin/sleep", "sleep", "60", (char *)NULL);
		_exit(1);
	}
	for (int i = 0; i < 2000 && !found; i++) {
		found = finds(lookout, false, child);
		usleep(10000);
	}
	assert_true(found);
	end_process(child);
	lookout_free(lookout);
}

static void looking_keeps_to_its_part(void **state UNUSED)
{
	struct pace pace = { 0 };
	uint64_t now = clock_monotonic_ns();

	pace_spend(&pace, 10 * NSEC_PER_USEC);
	assert_true(pace.next >= now + LOOKOUT_SHORTEST * NSEC_PER_MSEC);
	assert_true(pace.next < now + LOOKOUT_LONGEST * NSEC_PER_MSEC);
	/* A millisecond of work needs a pause of a second. */
	pace = (struct pace){ 0 };
	now = clock_monotonic_ns();
	pace_spend(&pace, NSEC_PER_MSEC);
	assert_true(pace.next >= now + NSEC_PER_SEC);
	/* Debts add up, but only to a limit. */
	pace_spend(&pace, NSEC_PER_SEC);
	assert_true(pace.next >= now + LOOKOUT_LONGEST * NSEC_PER_MSEC);
	assert_true(pace.next <= clock_monotonic_ns() + LOOKOUT_LONGEST * NSEC_PER_MSEC);
	assert_int_equal(pace.spent, NSEC_PER_MSEC + NSEC_PER_SEC);
	assert_int_equal(pace.times, 2);
}

static void a_control_group_is_meant_by_its_path_and_unit(void **state UNUSED)
{
	static const struct {
		char *cgroup, *unit;
		const char *path;
		bool meant;
	} cases[] = {
		{ "/pay", NULL, "/pay", true },
		{ "/pay", NULL, "/pay/worker", true },
		{ "/pay", NULL, "/payroll", false },
		{ "/pay", NULL, "/other/pay", false },
		{ "/pay/*", NULL, "/pay/worker", true },
		{ "/pay/*", NULL, "/pay", false },
		{ "/", NULL, "/", true },
		{ NULL, "PAY", "/system.slice/pay.service", true },
		{ NULL, "pay.service", "/system.slice/pay.service/sub", true },
		{ NULL, "PAY", "/system.slice/payroll.service", false },
		{ NULL, "PAY", "/system.slice/pay.timer", false },
		{ NULL, "system.slice", "/system.slice/pay.service", true },
		{ NULL, "pay@*", "/system.slice/pay@3.service", true },
		{ NULL, "PAY", "/", false },
		{ NULL, "PAY", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct control_request request = { .cgroup = cases[i].cgroup,
							 .unit = cases[i].unit };

		if (request_selects_path(&request, cases[i].path) != cases[i].meant)
			fail_msg("%s %s in %s", cases[i].cgroup ? cases[i].cgroup : "",
				 cases[i].unit ? cases[i].unit : "", cases[i].path);
	}
}

static void a_process_is_meant_by_what_is_known_of_it(void **state UNUSED)
{
	const pid_t child = make_process();
	struct control_request request = { .program = "test-lookout" };
	uint64_t ticks, again;
	int64_t second;

	assert_true(request_selects_process(&request, getuid(), child));
	assert_true(request_selects_process(&request, 0, child)); /* a request of root applies to everybody's
						    * processes */
	assert_false(request_selects_process(&request, getuid() + 1, child));
	assert_false(request_selects_process(&request, getuid(), getpid())); /* never vigil itself */
	request.pid = (uint64_t)child;
	assert_true(request_selects_process(&request, getuid() + 1, child)); /* matches, so that the request can
							       * report that the process is
							       * another user's */
	request.pid = (uint64_t)child + 1;
	assert_false(request_selects_process(&request, getuid(), child));
	request = (struct control_request){ .program = "other*" };
	assert_false(request_selects_process(&request, getuid(), child));
	assert_true(process_start_time(child, &second, &ticks));
	assert_in_range(second, time(NULL) - 60, time(NULL) + 1);
	/* The second is that of the start, at whatever part of a second it is asked for. */
	for (int64_t first = second, tries = 0; tries < 1100; tries++) {
		assert_true(process_start_time(child, &second, &again));
		assert_int_equal(second, first);
		assert_int_equal(ticks, again);
		usleep(1000);
	}
	kill(child, SIGKILL);
	while (process_start_time(child, &second, &again)) /* a zombie does not count */
		usleep(1000);
	waitpid(child, NULL, 0);
	assert_false(request_selects_process(&request, getuid(), child));
}

/* Only the flag shows it while memory and files are being released: it is no fault that it cannot be measured. */
static void a_process_that_exits_is_gone(void **state)
{
	static const struct {
		const char *stat;
		bool there;
	} cases[] = {
		{ "7 (short) S 1 7 7 0 -1 4194304", true },	{ "7 (short) R 1 7 7 0 -1 4194304", true },
		{ "7 (short) R 1 7 7 0 -1 4194308", false },	{ "7 (short) D 1 7 7 0 -1 4194564", false },
		{ "7 (short) Z 1 7 7 0 -1 4194304", false },
	};
	char path[PATH_MAX];
	uint64_t ticks;
	int64_t second;
	FILE *file;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/proc%s", (char *)*state, i ? "/7" : "");
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s/proc/7/stat", (char *)*state);
	procfs_set_root(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_non_null(file = fopen(path, "we"));
		fprintf(file, "%s 1 2 3 4 5 6 7 8 20 0 1 0 4711\n", cases[i].stat);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(process_start_time(7, &second, &ticks), cases[i].there);
	}
	procfs_set_root(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_process_is_found),
		cmocka_unit_test(all_are_all),
		cmocka_unit_test(the_kernel_tells_of_programs),
		cmocka_unit_test(looking_keeps_to_its_part),
		cmocka_unit_test(a_control_group_is_meant_by_its_path_and_unit),
		cmocka_unit_test(a_process_is_meant_by_what_is_known_of_it),
		cmocka_unit_test_setup_teardown(a_process_that_exits_is_gone, test_folder_make, test_folder_drop),
	};

	return cmocka_run_group_tests_name("lookout", tests, NULL, NULL);
}
