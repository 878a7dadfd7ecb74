/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests stolen time, on two recorded trees of /proc: between them 2 s were
 * executed and 0.5 s stolen.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/stolen.h"

#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define MS NSEC_PER_MSEC

/* Reads below tests/procfs/NAME. */
static void set_tree(const char *name)
{
	static char root[4096];
	const char *source = getenv("VIGIL_SOURCE");

	snprintf(root, sizeof(root), "%s/tests/procfs/%s", source ? source : ".", name);
	procfs_set_root(root);
}

/* Returns a session from one tree to the other whose step was on a processor for used ns. */
static struct stolen session(uint64_t used)
{
	struct stolen stolen;

	set_tree("linux-6.1");
	stolen_begin(&stolen);
	set_tree("linux-6.1-later");
	stolen_look(&stolen, used, true);
	procfs_set_root(NULL);
	return stolen;
}

static void the_steps_part_is_that_of_the_busy_time(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	assert_int_equal(stolen.machine, 500 * MS);
	assert_int_equal(stolen.step, 200 * MS);
	assert_int_equal(session(2500 * MS).step, 500 * MS);
	assert_int_equal(session(0).step, 0);
	/* It cannot be more than the machine's: the ticks are coarse. */
	assert_int_equal(session(3000 * MS).step, 500 * MS);
}

static void what_the_step_counted_itself_bounds_it(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	stolen_settle(&stolen, 1000 * MS, 900 * MS, 200 * MS);
	assert_int_equal(stolen.step, 200 * MS);
	stolen_settle(&stolen, 1000 * MS, 700 * MS, 0);
	assert_int_equal(stolen.step, 300 * MS);
	/* The rest is something else. */
	stolen_settle(&stolen, 1000 * MS, 100 * MS, 0);
	assert_int_equal(stolen.step, 500 * MS);
	/* What it executed cannot have been stolen. */
	stolen_settle(&stolen, 1000 * MS, 990 * MS, 20 * MS);
	assert_int_equal(stolen.step, 30 * MS);
	stolen_settle(&stolen, 1000 * MS, 1100 * MS, 40 * MS);
	assert_int_equal(stolen.step, 0);
}

/* What a task lacks is stolen from it, whatever the step's part is; in all no more than the machine lost. */
static void what_tasks_lack_is_stolen_from_them(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	assert_int_equal(stolen.step, 200 * MS);
	assert_int_equal(stolen_take(&stolen, 300 * MS), 300 * MS);
	assert_int_equal(stolen.step, 300 * MS);
	/* The step's part has no room for more. */
	assert_false(stolen_takes(&stolen, MS));
	assert_int_equal(stolen_take(&stolen, 250 * MS), 200 * MS);
	assert_int_equal(stolen_take(&stolen, MS), 0);
	assert_int_equal(stolen.step, 500 * MS);
	/* The next look forgets none of it. */
	set_tree("linux-6.1-later");
	stolen_look(&stolen, 1000 * MS, true);
	procfs_set_root(NULL);
	assert_int_equal(stolen.step, 500 * MS);
	/* In the step's part there is room beside what tasks lacked. */
	stolen = session(1000 * MS);
	assert_int_equal(stolen_take(&stolen, 150 * MS), 150 * MS);
	assert_int_equal(stolen.step, 200 * MS);
	assert_true(stolen_takes(&stolen, 50 * MS));
	assert_false(stolen_takes(&stolen, MS));
}

/* What the system counts lacks processes for which nobody waits: samples of them are not stolen time. */
static void what_samples_show_was_executed(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	assert_int_equal(stolen_executed(900 * MS, 1000 * MS, MS), 900 * MS);
	assert_int_equal(stolen_executed(900 * MS, 1058 * MS, MS), 900 * MS);
	assert_int_equal(stolen_executed(840 * MS, 1000 * MS, MS), 1000 * MS);
	assert_int_equal(stolen_executed(60 * MS, 387 * MS, MS), 387 * MS);
	assert_int_equal(stolen_executed(60 * MS, 0, MS), 60 * MS);
	assert_int_equal(stolen_executed(0, UINT64_MAX, UINT64_MAX), 0);
	stolen_settle(&stolen, 1000 * MS, stolen_executed(100 * MS, 800 * MS, MS), 0);
	assert_int_equal(stolen.step, 200 * MS);
}

static void write_stat(const char *folder, const char *line)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/stat", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(line, file);
	assert_int_equal(fclose(file), 0);
}

/* Sums that wrap, as a damaged recording may have them. */
static void no_more_is_stolen_than_was_used(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-stolen-XXXXXX", path[128];
	struct stolen stolen;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/proc", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	procfs_set_root(folder);
	write_stat(folder, "cpu  0 0 0 0 0 0 0 0 0 0\n");
	stolen_begin(&stolen);
	write_stat(folder, "cpu  2 0 0 0 0 0 0 1844674407370 0 0\n");
	stolen_look(&stolen, 300 * MS, true);
	procfs_set_root(NULL);
	assert_int_equal(stolen.step, 300 * MS);
	snprintf(path, sizeof(path), "%s/proc/stat", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", folder);
	rmdir(path);
	rmdir(folder);
}

static void a_period_is_stolen_once(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	for (int i = 0; i < 200; i++)
		assert_true(stolen_takes(&stolen, MS));
	assert_false(stolen_takes(&stolen, MS));
}

static void a_kernel_that_does_not_tell_steals_nothing(void **state UNUSED)
{
	struct stolen stolen;

	set_tree("damaged");
	stolen_begin(&stolen);
	set_tree("linux-6.1");
	stolen_look(&stolen, 1000 * MS, true);
	assert_int_equal(stolen.machine, 0);
	assert_false(stolen_takes(&stolen, 1));
	/* Decreasing sums are unusable too. */
	set_tree("linux-6.1-later");
	stolen_begin(&stolen);
	set_tree("linux-6.1");
	stolen_look(&stolen, 1000 * MS, true);
	assert_int_equal(stolen.machine, 0);
	procfs_set_root(NULL);
}

static void it_is_looked_at_now_and_then(void **state UNUSED)
{
	struct stolen stolen = session(1000 * MS);

	set_tree("linux-6.1");
	stolen.machine = 7;
	stolen_look(&stolen, 1000 * MS, false);
	assert_int_equal(stolen.machine, 7);
	stolen.next = 0;
	stolen_look(&stolen, 1000 * MS, false);
	assert_true(stolen.next > clock_monotonic_ns() - MS);
	procfs_set_root(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_steps_part_is_that_of_the_busy_time),
		cmocka_unit_test(what_the_step_counted_itself_bounds_it),
		cmocka_unit_test(what_tasks_lack_is_stolen_from_them),
		cmocka_unit_test(what_samples_show_was_executed),
		cmocka_unit_test(no_more_is_stolen_than_was_used),
		cmocka_unit_test(a_period_is_stolen_once),
		cmocka_unit_test(a_kernel_that_does_not_tell_steals_nothing),
		cmocka_unit_test(it_is_looked_at_now_and_then),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
