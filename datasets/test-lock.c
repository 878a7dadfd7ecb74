/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the locks between jobs. */
#include "common/compat.h"
#include "datasets/lock.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "datasets/folders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* Creates an empty root of data sets. */
static int set_up(void **state)
{
	char *root = xstrdup("/tmp/vigil-test-lock-XXXXXX");

	*state = root;
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	int result = folders_remove(*state);

	free(*state);
	return result;
}

/* Returns whether a child process can take a lock: with the job's descriptor, or one of its own. */
static int try_in_child(const char *root, const struct lock_list *job, const char *dsn,
			bool exclusive)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct lock_list list;
		char number[16];

		lock_list_init(&list);
		unsetenv(LOCK_ENVIRONMENT);
		if (job) {
			snprintf(number, sizeof(number), "%d", job->fd);
			setenv(LOCK_ENVIRONMENT, number, 1);
		}
		if (lock_list_join(&list, root, NULL) < 0)
			_exit(9);
		_exit(lock_list_try(&list, dsn, exclusive, NULL));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

static void a_utility_shares_the_locks_of_its_job(void **state)
{
	const char *root = *state;
	struct lock_list job;

	lock_list_init(&job);
	assert_int_equal(lock_list_open(&job, root, NULL), 0);
	assert_int_equal(lock_list_try(&job, "A.B", true, NULL), 1);
	assert_int_equal(try_in_child(root, NULL, "A.B", true), 0);
	assert_int_equal(try_in_child(root, &job, "A.B", true), 1);
	assert_int_equal(try_in_child(root, NULL, "C.D", true), 1);
	assert_int_equal(try_in_child(root, &job, "C.D", true), 1);
	assert_int_equal(try_in_child(root, NULL, "C.D", true), 0); /* now the job has it */
	/* A shared use within the job does not weaken its exclusive lock. */
	assert_int_equal(try_in_child(root, &job, "A.B", false), 1);
	assert_int_equal(try_in_child(root, NULL, "A.B", false), 0);
	assert_int_equal(try_in_child(root, &job, "E.F", false), 1);
	assert_int_equal(try_in_child(root, NULL, "E.F", false), 1);
	assert_int_equal(try_in_child(root, NULL, "E.F", true), 0);
	lock_list_release(&job);
}

/*
 * A data set that several steps use is locked until the last of them, exclusively
 * if any requires it.
 */
static void a_lock_is_held_for_all_steps(void **state)
{
	const char *root = *state;
	struct lock_list job;

	lock_list_init(&job);
	lock_list_add(&job, "A.B", true, 0);
	lock_list_add(&job, "A.B", false, 2);
	lock_list_add(&job, "C.D", false, 0);
	lock_list_add(&job, "C.D", true, 1);
	lock_list_add(&job, "E.F", false, 2);
	lock_list_add(&job, "E.F", false, 1);
	assert_int_equal(lock_list_open(&job, root, NULL), 0);
	assert_int_equal(lock_list_take(&job, NULL, NULL, NULL), 0);
	lock_list_step_ended(&job, 0);
	assert_int_equal(try_in_child(root, NULL, "A.B", false), 0);
	assert_int_equal(try_in_child(root, NULL, "C.D", false), 0);
	assert_int_equal(try_in_child(root, NULL, "E.F", false), 1);
	lock_list_step_ended(&job, 1);
	assert_int_equal(try_in_child(root, NULL, "A.B", false), 0);
	assert_int_equal(try_in_child(root, NULL, "C.D", true), 1);
	assert_int_equal(try_in_child(root, NULL, "E.F", true), 0);
	lock_list_step_ended(&job, 2);
	assert_int_equal(try_in_child(root, NULL, "A.B", true), 1);
	assert_int_equal(try_in_child(root, NULL, "E.F", true), 1);
	lock_list_release(&job);
}

/*
 * A job may use any generation of a base it uses, so a job that uses a generation
 * also locks the base.
 */
static void a_generation_is_locked_with_its_group(void **state)
{
	const char *root = *state;
	struct lock_list job;

	lock_list_init(&job);
	lock_list_add(&job, "A.B.G0003V00", true, 0);
	assert_int_equal(job.count, 2);
	assert_int_equal(lock_list_open(&job, root, NULL), 0);
	assert_int_equal(lock_list_take(&job, NULL, NULL, NULL), 0);
	assert_int_equal(try_in_child(root, NULL, "A.B.G0003V00", false), 0);
	assert_int_equal(try_in_child(root, NULL, "A.B", false), 0);
	assert_int_equal(try_in_child(root, NULL, "A", true), 1);
	lock_list_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_utility_shares_the_locks_of_its_job, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_lock_is_held_for_all_steps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_generation_is_locked_with_its_group, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
