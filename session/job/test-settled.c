/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the jobs of a spool are checked until they are settled, and no longer. */
#include "common/compat.h"
#include "session/job/remains.h"
#include "session/job/settled.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];
static int spool;

static int set_up(void **state UNUSED)
{
	snprintf(path, sizeof(path), "/tmp/vigil-settled-XXXXXX");
	assert_non_null(mkdtemp(path));
	spool = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return spool >= 0 ? 0 : -1;
}

static int tear_down(void **state UNUSED)
{
	char command[96];

	close(spool);
	snprintf(command, sizeof(command), "rm -r %s", path);
	return system(command);
}

static void put(const char *name, const char *text)
{
	int fd = openat(spool, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Creates a job's folder with a STATE of 64 bytes; state NULL: without STATE. */
static void put_job(unsigned number, const char *state)
{
	char name[64], text[65];

	snprintf(name, sizeof(name), "JOB%05u.PAY", number);
	assert_int_equal(mkdirat(spool, name, 0755), 0);
	if (!state)
		return;
	snprintf(name, sizeof(name), "JOB%05u.PAY/STATE", number);
	snprintf(text, sizeof(text), "%-63s\n", state);
	put(name, text);
}

/* Checks the beginning of a job's STATE. */
static void assert_state(unsigned number, const char *expected)
{
	char name[64], text[9] = "";
	int fd;

	snprintf(name, sizeof(name), "JOB%05u.PAY/STATE", number);
	fd = openat(spool, name, O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, text, 8) == 8);
	close(fd);
	text[strlen(expected)] = '\0';
	assert_string_equal(text, expected);
}

/* Returns the number up to which jobs are settled now. */
static unsigned upto(void)
{
	struct settled settled;

	settled_begin(&settled, spool);
	return settled.upto;
}

static void ended_jobs_are_looked_at_once(void **state UNUSED)
{
	put(".sequence", "00000003\n");
	put_job(1, "ENDED 0000");
	put_job(3, "ABENDED"); /* number 2 is missing */
	remains_clean(spool, path);
	assert_int_equal(upto(), 3);
	/* Settled jobs are not checked: only a manual change can cause this. */
	put("JOB00001.PAY/STATE",
	    "RUNNING STEP A                                                 \n");
	remains_clean(spool, path);
	assert_state(1, "RUNNING");
}

static void a_killed_job_is_cleaned_up_however_many_ended_behind_it(void **state UNUSED)
{
	put(".sequence", "00000012\n");
	for (unsigned i = 1; i <= 12; i++)
		put_job(i, i == 4 ? "RUNNING STEP A" : "ENDED 0000");
	remains_clean(spool, path);
	assert_state(4, "KILLED");
	assert_int_equal(upto(), 3);
	remains_clean(spool, path);
	assert_int_equal(upto(), 12);
}

static void a_job_that_lives_is_looked_at_until_it_ends(void **state UNUSED)
{
	int held;

	put(".sequence", "00000003\n");
	for (unsigned i = 1; i <= 3; i++)
		put_job(i, i == 2 ? "RUNNING STEP A" : "ENDED 0000");
	held = openat(spool, "JOB00002.PAY/STATE", O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(held, LOCK_EX), 0);
	for (int i = 0; i < 2; i++) {
		remains_clean(spool, path);
		assert_state(2, "RUNNING");
		assert_int_equal(upto(), 1);
	}
	close(held); /* its vigil was killed */
	remains_clean(spool, path);
	assert_state(2, "KILLED");
}

/*
 * STATE is created under the lock of the sequence: a folder with an assigned
 * number has one, or never will.
 */
static void a_folder_without_state_goes(void **state UNUSED)
{
	put(".sequence", "00000003\n");
	put_job(1, "ENDED 0000");
	put_job(2, NULL); /* its vigil was killed */
	put_job(3, NULL);
	put("JOB00003.PAY/notes", "of somebody else");
	put_job(4, NULL); /* still being created */
	remains_clean(spool, path);
	assert_int_equal(upto(), 3);
	assert_int_equal(faccessat(spool, "JOB00002.PAY", F_OK, 0), -1);
	assert_int_equal(faccessat(spool, "JOB00003.PAY/notes", F_OK, 0), 0);
	assert_int_equal(faccessat(spool, "JOB00004.PAY", F_OK, 0), 0);
	put(".sequence", "00000004\n");
	put("JOB00004.PAY/STATE", "");
	remains_clean(spool, path);
	assert_state(4, "KILLED");
}

static void a_work_folder_keeps_a_job_open(void **state UNUSED)
{
	put(".sequence", "00000001\n");
	put_job(1, "ENDED 0000");
	assert_int_equal(mkdirat(spool, "JOB00001.PAY/work", 0700), 0);
	remains_clean(spool, path);
	assert_int_equal(upto(), 0);
	assert_int_equal(faccessat(spool, "JOB00001.PAY/work", F_OK, 0), -1);
	remains_clean(spool, path);
	assert_int_equal(upto(), 1);
}

static void a_number_that_cannot_be_believed_counts_for_nothing(void **state UNUSED)
{
	char name[32];

	snprintf(name, sizeof(name), ".settled.%u", (unsigned)geteuid());
	put(name, "0000000009\n");
	put_job(1, "RUNNING STEP A");
	remains_clean(spool, path); /* no number was assigned */
	assert_state(1, "KILLED");
	put(".sequence", "00000005\n"); /* numbering has restarted */
	put_job(5, "RUNNING STEP A");
	remains_clean(spool, path);
	assert_state(5, "KILLED");
	assert_int_equal(unlinkat(spool, name, 0), 0);
	assert_int_equal(symlinkat(".sequence", spool, name), 0);
	assert_int_equal(upto(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ended_jobs_are_looked_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_killed_job_is_cleaned_up_however_many_ended_behind_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_job_that_lives_is_looked_at_until_it_ends, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_folder_without_state_goes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_work_folder_keeps_a_job_open, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_number_that_cannot_be_believed_counts_for_nothing,
						set_up, tear_down),
	};

	return cmocka_run_group_tests_name("session/job/settled", tests, NULL, NULL);
}
