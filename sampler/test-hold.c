/* SPDX-License-Identifier: Apache-2.0 */
/* Holding a task for a moment. */
#include "common/compat.h"
#include "sampler/hold.h"
#include "sampler/present.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* A child that executes until it is killed. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	while (pid == 0)
		;
	return pid;
}

static void end_child(pid_t pid)
{
	int status;

	assert_int_equal(kill(pid, SIGKILL), 0);
	do
		assert_int_equal(waitpid(pid, &status, 0), pid);
	while (WIFSTOPPED(status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Wait until the child is in a state; it is killed, and the test with it, by the time limit of the
   tests otherwise. */
static void await_state(pid_t pid, char state)
{
	while (present_state(pid, pid) != state)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void a_task_goes_on_after_it_was_held(void **state UNUSED)
{
	static struct holds holds;
	pid_t pid = start_child();
	unsigned held = 0;

	/* One that does not stop in time, on a busy machine, is let go later. */
	while (held < 20 && !holds.refused) {
		struct unwind_input input = { 0 };

		await_state(pid, 'R');
		if (hold_begin(&holds, pid, pid, &input) != HOLD_DONE) {
			hold_look(&holds);
			continue;
		}
		assert_int_equal(present_state(pid, pid), 't');
		hold_end(&holds, pid);
		held++;
	}
	while (holds.stuck_count)
		hold_look(&holds);
	await_state(pid, 'R');
	end_child(pid);
	if (holds.refused)
		skip();
}

static void a_stop_that_another_wait_took_is_seen(void **state UNUSED)
{
	static struct holds holds;
	pid_t pid = start_child();
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	assert_int_equal(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	holds.stuck[holds.stuck_count++] = (struct stuck){ pid, pid };
	hold_look(&holds);
	assert_int_equal(holds.stuck_count, 0);
	await_state(pid, 'R');
	end_child(pid);
}

static void a_signal_that_came_meanwhile_is_delivered(void **state UNUSED)
{
	static struct holds holds;
	pid_t pid = start_child();
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTERM);
	holds.stuck[holds.stuck_count++] = (struct stuck){ pid, pid };
	hold_look(&holds);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_goes_on_after_it_was_held),
		cmocka_unit_test(a_stop_that_another_wait_took_is_seen),
		cmocka_unit_test(a_signal_that_came_meanwhile_is_delivered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
