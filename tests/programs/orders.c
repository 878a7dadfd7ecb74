/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of work of a few milliseconds, whose name is in memory for a data
 * collector (tests/collectors/orders.c), like the query of a database's backend:
 * UPDATE computes, COMMIT waits, .IDLE waits.
 *
 *	orders MILLISECONDS UPDATE COMMIT IDLE [PROCESSES]
 *
 * UPDATE, COMMIT and IDLE are microseconds. At the end each process prints how
 * often each unit began, its CPU time and how long it lasted, in ns.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNITS 3

char orders_unit[16];
static volatile uint64_t sink;
static const char *const names[UNITS] = { "UPDATE", "COMMIT", ".IDLE" };
static uint64_t counts[UNITS], cpu[UNITS], elapsed[UNITS];

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void compute(uint64_t ns)
{
	uint64_t until = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < until)
		for (int i = 0; i < 10000; i++)
			sink += (uint64_t)i * i;
}

static void pause_for(uint64_t ns)
{
	struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&time, NULL);
}

static void work(int unit, uint64_t ns)
{
	uint64_t from = now(CLOCK_MONOTONIC), cpu_from = now(CLOCK_THREAD_CPUTIME_ID);

	memcpy(orders_unit, names[unit], strlen(names[unit]) + 1);
	if (unit == 0)
		compute(ns);
	else
		pause_for(ns);
	counts[unit]++;
	cpu[unit] += now(CLOCK_THREAD_CPUTIME_ID) - cpu_from;
	elapsed[unit] += now(CLOCK_MONOTONIC) - from;
}

static void serve(char **argv)
{
	uint64_t until = now(CLOCK_MONOTONIC) + strtoull(argv[1], NULL, 10) * 1000000u;

	while (now(CLOCK_MONOTONIC) < until)
		for (int unit = 0; unit < UNITS; unit++)
			work(unit, strtoull(argv[2 + unit], NULL, 10) * 1000u);
	for (int unit = 0; unit < UNITS; unit++)
		printf("%s %lu %lu %lu\n", names[unit], counts[unit], cpu[unit], elapsed[unit]);
}

int main(int argc, char **argv)
{
	int processes = argc > 5 ? atoi(argv[5]) : 1;

	if (argc < 5)
		return 2;
	while (--processes > 0)
		if (fork() == 0)
			break;
	serve(argv);
	fflush(stdout);
	while (wait(NULL) > 0)
		;
	return 0;
}
