/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traced N: calls a function N times; prints the ns of CPU time per call and the
 * seconds it took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile long sink;

__attribute__((noinline)) void traced(long number)
{
	sink += number;
}

__attribute__((no_instrument_function)) static double now(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1000000;
	double cpu = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);

	for (long i = 0; i < count; i++)
		traced(i);
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("%.2f %.6f\n", cpu / (double)count * 1e9, now(CLOCK_MONOTONIC) - start);
	return 0;
}
