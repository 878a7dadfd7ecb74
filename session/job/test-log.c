/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that text from outside cannot control the terminal through the job log. */
#include "common/compat.h"
#include "session/job/log.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/vigil-log-XXXXXX";
static int folder_fd = -1;
static struct job_log job_log;

static int set_up(void **state UNUSED)
{
	struct error err = ERROR_INIT;

	assert_non_null(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return job_log_open(&job_log, folder_fd, 7, NULL, &err);
}

static int tear_down(void **state UNUSED)
{
	job_log_close(&job_log);
	unlinkat(folder_fd, "JESMSGLG", 0);
	unlinkat(folder_fd, "JESYSMSG", 0);
	close(folder_fd);
	return rmdir(folder);
}

/* Checks the contents of a log file from an offset on. */
static void assert_log(const char *name, size_t from, const char *expected)
{
	char text[512];
	int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = read(fd, text, sizeof(text) - 1);

	assert_true(length >= (ssize_t)from);
	text[length] = '\0';
	assert_string_equal(text + from, expected);
	close(fd);
}

static void lines_are_escaped_and_stay_one_line_each(void **state UNUSED)
{
	size_t stamp = strlen("hh.mm.ss JOB00007  ");

	job_log_line(&job_log, false, "step %s ended", "\033[2J\rA\nB");
	assert_log("JESMSGLG", stamp, "step \\033[2J\\rA\\nB ended\n");
	job_log_system_line(&job_log, "IEF285I   %-10s %s   ", "\x9b\n", "KEPT");
	assert_log("JESYSMSG", 0, "IEF285I   \\233\\n         KEPT\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_are_escaped_and_stay_one_line_each, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("session/job/log", tests, NULL, NULL);
}
