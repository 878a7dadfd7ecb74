/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the gate before an exec. */
#include "common/compat.h"
#include "session/measure/gate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PARENT_GONE 3
#define FAILED 4

/* Becomes the program in argument: a shell that exits with 7. */
static void become(void *argument, int fd)
{
	gate_wait(fd, PARENT_GONE);
	execl(argument, "sh", "-c", "exit 7", NULL);
	gate_fail(fd, "exec", FAILED);
}

static void fail_before(void *argument, int fd)
{
	errno = ENOTDIR;
	gate_fail(fd, argument, FAILED);
}

/* Returns the exit status of the child. */
static int end_of(const struct gate *gate)
{
	int status;

	assert_int_equal(waitpid(gate->pid, &status, 0), gate->pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void fork_child(struct gate *gate, void (*run)(void *argument, int fd), const char *argument)
{
	struct error err = ERROR_INIT;

	assert_int_equal(gate_fork(gate, "it", run, (void *)(uintptr_t)argument, &err), 0);
	assert_true(gate->pid > 0);
	error_release(&err);
}

static void a_child_waits_until_it_is_let_go(void **state UNUSED)
{
	struct gate gate;

	fork_child(&gate, become, "/bin/sh");
	usleep(20000);
	assert_int_equal(waitpid(gate.pid, NULL, WNOHANG), 0);
	gate_open(&gate);
	gate_close(&gate, true);
	assert_int_equal(gate.failure, 0);
	assert_int_equal(gate.fd, -1);
	assert_int_equal(end_of(&gate), 7);
	gate_close(&gate, true); /* a second call is harmless */
}

static void a_failed_exec_is_told(void **state UNUSED)
{
	struct gate gate;

	fork_child(&gate, become, "/there/is/none");
	gate_open(&gate);
	gate_close(&gate, true);
	assert_int_equal(gate.failure, ENOENT);
	assert_string_equal(gate.what, "exec");
	assert_int_equal(end_of(&gate), FAILED);
}

static void what_failed_before_the_gate_is_told_too(void **state UNUSED)
{
	struct gate gate;

	fork_child(&gate, fail_before, "a folder of long name");
	assert_int_equal(end_of(&gate), FAILED);
	gate_open(&gate); /* the child is gone: no signal */
	gate_close(&gate, false);
	assert_int_equal(gate.failure, ENOTDIR);
	assert_string_equal(gate.what, "a folder of lon");
}

static void nothing_is_known_before_it_happens(void **state UNUSED)
{
	struct gate gate;

	fork_child(&gate, become, "/bin/sh");
	gate_close(&gate, false);
	assert_int_equal(gate.failure, 0);
	/* To the child this is the same as a dead parent. */
	assert_int_equal(end_of(&gate), PARENT_GONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_waits_until_it_is_let_go),
		cmocka_unit_test(a_failed_exec_is_told),
		cmocka_unit_test(what_failed_before_the_gate_is_told_too),
		cmocka_unit_test(nothing_is_known_before_it_happens),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
