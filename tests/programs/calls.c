/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls WHAT...: functions whose calls are counted by tests. Compiled with
 * -finstrument-functions, or -pg with and without -mfentry.
 *
 *	calls N THREADS FORKS	N calls in main and in each thread, 2 in each forked process
 *	jump N			N calls that are left by longjmp, from three levels
 *	kill N			N calls, and SIGKILL
 *	handler N		N calls in main, and others in a signal handler meanwhile
 *	leave N			N calls, and _exit in the middle
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;
static volatile long handled;
static jmp_buf back;

__attribute__((noinline)) void leaf(long number)
{
	sink += number;
}

__attribute__((noinline)) void middle(long count)
{
	for (long i = 0; i < count; i++)
		leaf(i);
}

__attribute__((noinline)) void thrower(long depth)
{
	if (depth)
		thrower(depth - 1);
	else
		longjmp(back, 1);
	sink++;
}

__attribute__((noinline)) void in_handler(void)
{
	handled++;
}

static void *thread(void *count)
{
	middle((long)count);
	return NULL;
}

__attribute__((no_instrument_function)) static void on_alarm(int signal)
{
	(void)signal;
	in_handler();
}

static void calls(long count, long threads, long forks)
{
	pthread_t ids[1000];

	middle(count);
	for (long i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, thread, (void *)count))
			exit(9);
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (long i = 0; i < forks; i++) {
		pid_t child = fork();

		if (!child) {
			middle(2);
			if (i & 1)
				_exit(0);
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "calls";
	long count = argc > 2 ? atol(argv[2]) : 10;

	if (strcmp(what, "calls") == 0) {
		calls(count, argc > 3 ? atol(argv[3]) : 0, argc > 4 ? atol(argv[4]) : 0);
	} else if (strcmp(what, "jump") == 0) {
		for (volatile long i = 0; i < count; i++)
			if (!setjmp(back))
				thrower(2);
		leaf(1);
	} else if (strcmp(what, "kill") == 0) {
		middle(count);
		kill(getpid(), SIGKILL);
	} else if (strcmp(what, "leave") == 0) {
		middle(count);
		_exit(3);
	} else if (strcmp(what, "handler") == 0) {
		struct itimerval every = { { 0, 200 }, { 0, 200 } };

		signal(SIGALRM, on_alarm);
		setitimer(ITIMER_REAL, &every, NULL);
		middle(count);
		memset(&every, 0, sizeof(every));
		setitimer(ITIMER_REAL, &every, NULL);
		printf("%ld\n", handled);
	}
	return 0;
}
