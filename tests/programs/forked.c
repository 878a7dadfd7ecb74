/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forked [jump]: forks three functions deep. The child calls another function and
 * returns from all of them, or jumps back to main; the parent waits for it.
 */
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf back;

/* so that no function ends in a tail call, and each end has space for a patch */
#define KEEP __attribute__((noinline, noclone))
static volatile long total;

KEEP static void callee(void)
{
	total += 3;
}

KEEP static void caller(int jumps)
{
	pid_t child = fork();

	if (child) {
		waitpid(child, NULL, 0);
		total += 5;
		return;
	}
	callee();
	if (jumps)
		longjmp(back, 1);
	total += 7;
}

KEEP static void above(int jumps)
{
	caller(jumps);
	total += 11;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (!setjmp(back))
		above(argc > 1);
	callee();
	return 0;
}
