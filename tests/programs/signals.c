/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals MS [FILE]: uses this much CPU time, and with FILE more until that exists
 * (30 seconds at most), while it sends signals to itself, starts programs that
 * exec and exit with 7, and traces its children through their stops; exits with 0
 * if all of them worked.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t received;

static void count(int number)
{
	(void)number;
	received++;
}

static uint64_t used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(uint64_t ns)
{
	uint64_t until = used() + ns;

	while (used() < until)
		;
}

/* Starts a child that execs and exits with 7. */
static int starts_programs(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		spin(2000000);
		execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
		_exit(1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

/* Traces a child that stops itself three times, and gets a signal the third time. */
static int traces(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		received = 0;
		signal(SIGUSR2, count);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		for (int i = 0; i < 3; i++) {
			raise(SIGSTOP);
			spin(1000000);
		}
		_exit(received == 1 ? 5 : 1);
	}
	for (int i = 0; i < 3; i++) {
		if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
		    WSTOPSIG(status) != SIGSTOP)
			return 0;
		ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)(i == 2 ? SIGUSR2 : 0));
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5;
}

int main(int argc, char **argv)
{
	uint64_t total = (argc > 1 ? strtoull(argv[1], NULL, 10) : 300) * 1000000u;
	const char *file = argc > 2 ? argv[2] : NULL;
	int sent = 0, good = 1;

	signal(SIGUSR1, count);
	while (used() < total ||
	       (file && used() < UINT64_C(30000000000) && access(file, F_OK) != 0)) {
		for (int i = 0; i < 20; i++, sent++) {
			raise(SIGUSR1);
			spin(50000);
		}
		good = good && starts_programs();
		good = good && (sent % 100 || traces());
	}
	return good && received == sent ? 0 : 1;
}
