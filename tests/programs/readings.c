/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the ns of CPU time of two readings of the clock that stamps events. */
#include <stdio.h>
#include <time.h>

#define COUNT 5000000
#define RUNS 5

static volatile unsigned long long sink;

static unsigned long long reading(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (unsigned long long)at.tv_nsec;
#endif
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

int main(void)
{
	double best = 1e9;

	for (int run = 0; run < RUNS; run++) {
		double start = now(), took;

		for (int i = 0; i < COUNT; i++)
			sink = reading();
		took = (now() - start) / COUNT;
		best = took < best ? took : best;
	}
	printf("%.2f\n", 2 * best);
	return 0;
}
