/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads that wake each other through pipes as fast as they can, each with
 * some work to do when it is woken:
 *
 *	pingpong MILLISECONDS PINNED	all on one processor, or on any
 *	pingpong MILLISECONDS pair	each thread on its own processor
 *
 * Prints, in ns, the CPU time of the process by rusage, that of each thread, and
 * that spent in the two places of the first thread by its own clock; and how often
 * the threads switched.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 64 /* between two readings of the clock */

static int there[2], back[2];
static volatile uint64_t sink;
static uint64_t echo_cpu;

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Does three parts of work. */
__attribute__((noinline)) static void heavy(void)
{
	for (int i = 0; i < 3000; i++)
		sink += (uint64_t)i;
}

/* Does one part. */
__attribute__((noinline)) static void light(void)
{
	for (int i = 0; i < 1000; i++)
		sink += (uint64_t)i;
}

static void stay_on(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *echo(void *pair)
{
	char byte;

	if (pair)
		stay_on(1);
	while (read(there[0], &byte, 1) == 1) {
		light();
		if (byte)
			break;
		if (write(back[1], &byte, 1) != 1)
			break;
	}
	echo_cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void hand_over(char last)
{
	if (write(there[1], &last, 1) != 1)
		exit(1);
}

__attribute__((noinline)) static void await_echo(void)
{
	char byte;

	if (read(back[0], &byte, 1) != 1)
		exit(1);
}

int main(int count, char **arguments)
{
	uint64_t length = (uint64_t)(count > 1 ? atoi(arguments[1]) : 1000) * 1000000;
	const char *where = count > 2 ? arguments[2] : "0";
	int pair = strcmp(where, "pair") == 0;
	uint64_t begin = read_clock(CLOCK_MONOTONIC);
	struct rusage usage;
	pthread_t thread;

	if (pair || *where == '1')
		stay_on(0);
	if (pipe(there) < 0 || pipe(back) < 0 ||
	    pthread_create(&thread, NULL, echo, pair ? &pair : NULL) != 0)
		return 1;
	while (read_clock(CLOCK_MONOTONIC) - begin < length)
		for (int i = 0; i < ROUNDS; i++) {
			hand_over(0);
			heavy();
			await_echo();
		}
	hand_over(1);
	pthread_join(thread, NULL);
	getrusage(RUSAGE_SELF, &usage);
	printf("cpu %lld main %llu echo %llu elapsed %llu switches %ld\n",
	       (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
		       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000,
	       (unsigned long long)read_clock(CLOCK_THREAD_CPUTIME_ID),
	       (unsigned long long)echo_cpu,
	       (unsigned long long)(read_clock(CLOCK_MONOTONIC) - begin),
	       usage.ru_nvcsw + usage.ru_nivcsw);
	return 0;
}
