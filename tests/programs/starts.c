/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts and pauses collecting inside functions, and in a thread's: the level of
 * each event is that of the program, where main is 1. "thread": only the thread's.
 */
#include <pthread.h>
#include <string.h>
#include <vigil/vigil.h>

static volatile long sum;

__attribute__((noinline)) static void leaf(void)
{
	sum++;
}

/* Begins in a pause, is active when collecting starts, and ends in the next pause. */
__attribute__((noinline)) static void inner(void)
{
	leaf();
	vigil_start();
	leaf();
	vigil_pause();
	leaf();
	sum++;
}

__attribute__((noinline)) static void other(void)
{
	vigil_start();
	leaf();
	sum++;
}

/* Ends after START. */
__attribute__((noinline)) static void outer(void)
{
	other();
	sum++;
}

/* Begins while events are collected, once per recursion, and ends in a pause. */
__attribute__((noinline)) static void again(long times)
{
	if (times)
		again(times - 1);
	else
		vigil_pause();
	sum++;
}

__attribute__((noinline)) static void *thread(void *argument)
{
	other();
	sum++;
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t one;

	if (argc > 1 && !strcmp(argv[1], "thread")) {
		if (pthread_create(&one, NULL, thread, NULL))
			return 1;
		pthread_join(one, NULL);
		return 0;
	}
	inner();
	leaf();
	outer();
	again(3);
	vigil_start();
	leaf();
	return 0;
}
