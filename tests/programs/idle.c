/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idle THREADS PAUSE_MS MILLISECONDS: THREADS threads that repeatedly sleep for
 * half to one and a half pauses, and a first one that uses this much CPU time
 * meanwhile. Prints the ns of CPU time used.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long pause_us;

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void *idle(void *argument)
{
	unsigned seed = (unsigned)(uintptr_t)argument;

	for (;;) { /* ends when main does */
		long us = pause_us / 2 + rand_r(&seed) % (pause_us + 1);

		nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	int threads = count > 1 ? atoi(arguments[1]) : 200;
	int64_t until = (count > 3 ? atoi(arguments[3]) : 200) * INT64_C(1000000);
	volatile uint64_t value = 1;

	pause_us = (count > 2 ? atol(arguments[2]) : 100) * 1000;
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, idle, (void *)(uintptr_t)(i + 1)))
			return 8;
	}
	while (cpu_ns() < until)
		for (int i = 0; i < 20000; i++)
			value = value * 6364136223846793005u + 1;
	printf("%" PRId64 "\n", cpu_ns());
	return 0;
}
