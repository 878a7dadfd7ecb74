/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that processes of a killed job are found whatever they are doing: the source shows
 * a process as it is for a moment while it begins.
 */
#include "common/compat.h"
#include "common/outside.h"
#include "session/job/remains.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define ITEM "VIGIL_JOB_SPOOL="

/* Of the job: of this process alone, as others may run these tests, too. */
static char item[64];

/* The process, and how often it is still shown as it was. */
static struct shown {
	pid_t pid;
	unsigned absent;  /* it is not in the list of processes yet */
	unsigned in_exec; /* it has no environment yet */
} shown;

/* Returns the descriptor of a file with this text. */
static int text_file(const char *text)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static int open_shown(struct outside *self UNUSED, const char *path, int flags)
{
	char stat[64], environment[64];

	snprintf(stat, sizeof(stat), "/proc/%d/stat", shown.pid);
	snprintf(environment, sizeof(environment), "/proc/%d/environ", shown.pid);
	if (strcmp(path, stat) == 0 && shown.absent) {
		shown.absent--;
		errno = ENOENT;
		return -1;
	}
	if (strcmp(path, stat) == 0 && shown.in_exec)
		return text_file("1 (sleep) R 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5123 2437120 120 18446744073709551615 "
				 "0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 140722080 0 0 0 0\n");
	if (strcmp(path, environment) == 0 && shown.in_exec) {
		shown.in_exec--;
		return text_file("");
	}
	return outside_system.open(&outside_system, path, flags);
}

/* Starts a process of the job in a group of its own; its environment names the folder. */
static pid_t start(void)
{
	char *arguments[] = { (char[]){ "sleep" }, (char[]){ "60" }, NULL };
	char *environment[] = { item, NULL };
	int ends[2];
	pid_t pid;
	char byte;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		setsid();
		execve("/bin/sleep", arguments, environment);
		_exit(1);
	}
	close(ends[1]);
	/* Exec closes its end. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	return pid;
}

/* Ends what is left of a job whose step is known (or not); returns whether its process was killed. */
static bool is_ended(bool step_known, struct shown as)
{
	struct outside source = outside_system;
	struct strbuf alive = STRBUF_INIT;
	struct remains none = { 0 };
	pid_t pid = start();
	int status;
	bool ended;

	shown = as;
	shown.pid = pid;
	source.open = open_shown;
	outside_current = &source;
	remains_end(&none, step_known ? "/nowhere/else" : item + strlen(ITEM), step_known ? pid : 0, &alive);
	outside_current = &outside_system;
	ended = waitpid(pid, &status, WNOHANG) == pid && WIFSIGNALED(status);
	if (!ended) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	strbuf_release(&alive);
	return ended;
}

static void one_that_is_there(void **state UNUSED)
{
	assert_true(is_ended(true, (struct shown){ 0 }));
	assert_true(is_ended(false, (struct shown){ 0 }));
}

/* It was started by another one while the list was read. */
static void one_that_is_not_in_the_list_yet(void **state UNUSED)
{
	assert_true(is_ended(true, (struct shown){ .absent = 1 }));
	assert_true(is_ended(false, (struct shown){ .absent = 1 }));
}

static void one_in_exec(void **state UNUSED)
{
	assert_true(is_ended(false, (struct shown){ .in_exec = 1 }));
	assert_true(is_ended(false, (struct shown){ .in_exec = 5 }));
}

/* The name of its folder only begins like this one. */
static void one_of_another_job(void **state UNUSED)
{
	struct strbuf alive = STRBUF_INIT;
	struct remains none = { 0 };
	pid_t pid = start();
	char other[sizeof(item)];

	snprintf(other, sizeof(other), "%.*s", (int)strlen(item) - 1, item);
	assert_int_equal(remains_end(&none, other + strlen(ITEM), 0, &alive), 0);
	assert_int_equal(kill(pid, 0), 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	strbuf_release(&alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_is_there),
		cmocka_unit_test(one_that_is_not_in_the_list_yet),
		cmocka_unit_test(one_in_exec),
		cmocka_unit_test(one_of_another_job),
	};

	snprintf(item, sizeof(item), ITEM "/nowhere/%d/JOB00001.A", getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
