/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps that "make bench" measures. Each prints how long its work took, in
 * seconds, so that starting and ending a measurement do not count.
 *
 *	bench-step exec PROGRAM ARG...	run a program
 *	bench-step work N		calculate, N million steps
 *	bench-step cpu N		the same; prints the CPU time it took
 *	bench-step switches N RATE	two processes that pass a byte to and
 *					fro through pipes, N switches in all,
 *					with work in between for a rate of
 *					about RATE switches per second
 */
#include "common/compat.h"
#include "common/clock.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

/* Uses about ns of CPU time. */
static void burn(uint64_t ns)
{
	uint64_t end = clock_monotonic_ns() + ns;

	while (clock_monotonic_ns() < end)
		;
}

/* Does a fixed amount of work: this many steps, each of which depends on the one before. */
static void work(long steps)
{
	uint64_t value = (uint64_t)steps;

	for (long i = 0; i < steps; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	__asm__ volatile("" : : "r"(value));
}

/* Plays one side: waits for the byte, works, passes it on. */
static void play(int in, int out, long rounds, uint64_t work_ns)
{
	char byte = 0;

	for (long i = 0; i < rounds; i++) {
		if (read(in, &byte, 1) != 1)
			_exit(1);
		burn(work_ns);
		if (write(out, &byte, 1) != 1)
			_exit(1);
	}
}

/* Runs both sides on one processor, so that each hand-over is a task switch. */
static void switches(long count, long rate)
{
	int there[2], back[2];
	cpu_set_t one;
	/* a bare hand-over costs about 2.5 us; the rest of the interval is work */
	uint64_t interval = NSEC_PER_SEC / (uint64_t)rate;
	uint64_t work_ns = interval > 2500 ? interval - 2500 : 0;
	pid_t child;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (pipe(there) < 0 || pipe(back) < 0)
		_exit(1);
	child = fork();
	if (child == 0) {
		play(there[0], back[1], count / 2, work_ns);
		_exit(0);
	}
	if (write(back[1], "", 1) != 1)
		_exit(1);
	play(back[0], there[1], count / 2, work_ns);
	waitpid(child, NULL, 0);
}

static void run(char **argv)
{
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	bool cpu = argc == 3 && strcmp(argv[1], "cpu") == 0;
	uint64_t start = cpu ? cpu_ns() : clock_monotonic_ns();

	if (argc > 2 && strcmp(argv[1], "exec") == 0)
		run(argv + 2);
	else if (argc == 3 && (cpu || strcmp(argv[1], "work") == 0))
		work(atol(argv[2]) * 1000000);
	else if (argc == 4 && strcmp(argv[1], "switches") == 0)
		switches(atol(argv[2]), atol(argv[3]));
	else
		return 2;
	printf("%.6f\n", (double)((cpu ? cpu_ns() : clock_monotonic_ns()) - start) / 1e9);
	return 0;
}
