/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storm SECONDS THREADS [FILE]: each thread calls a function as often as it can
 * for SECONDS, or until FILE exists. Prints the number of calls and the seconds
 * they took, and in another line the fewest calls of a thread as a share of their mean.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((no_instrument_function))
/* calls between two readings of the clock */
#define STRETCH 10000
#define MOST 500

/* each on its own cache lines */
struct worker {
	_Alignas(128) pthread_t thread;
	volatile long sink;
	long calls;
};

static struct worker workers[MOST];
static double until;
static const char *ended;

__attribute__((noinline)) void traced(volatile long *sink, long number)
{
	*sink += number;
}

HIDDEN static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

HIDDEN static void *work(void *argument)
{
	struct worker *worker = argument;

	while (now() < until && !(ended && access(ended, F_OK) == 0)) {
		for (long i = 0; i < STRETCH; i++)
			traced(&worker->sink, i);
		worker->calls += STRETCH;
	}
	return NULL;
}

HIDDEN int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, start = now();
	int threads = argc > 2 ? atoi(argv[2]) : 2;
	long calls = 0, fewest = -1;

	if (threads < 1 || threads > MOST)
		return 2;
	until = start + seconds;
	ended = argc > 3 ? argv[3] : NULL;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	for (int i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		calls += workers[i].calls;
		fewest = fewest < 0 || workers[i].calls < fewest ? workers[i].calls : fewest;
	}
	printf("%ld %.6f\n%.4f\n", calls, now() - start, (double)fewest * threads / (double)calls);
	return 0;
}
