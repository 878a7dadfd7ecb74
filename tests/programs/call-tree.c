/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Procedures that call one another, with known shares of the CPU time and known
 * waits. call-tree [MILLISECONDS] (default 1000):
 *
 *	main > heavy > common > burn		50 % of the time
 *	main > light > common > burn		20 %
 *	main > descend > descend > .. > burn	30 %, ten levels
 *	main > morning > rest > nap		NAPS waits of 3 ms
 *	main > evening > rest > nap		half as many, of 9 ms
 *	main > nap				a quarter, of 3 ms
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NAPS 40

static volatile uint64_t sink;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define PROCEDURE __attribute__((noinline, noclone)) static void

PROCEDURE burn(uint64_t until)
{
	while (cpu_ns() < until)
		for (int i = 0; i < 100000; i++)
			sink += (uint64_t)i * i;
}

PROCEDURE common(uint64_t until)
{
	burn(until);
	sink++; /* else the call is a jump */
}

PROCEDURE heavy(uint64_t until)
{
	common(until);
	sink++;
}

PROCEDURE light(uint64_t until)
{
	common(until);
	sink += 2; /* else it is the same function as heavy */
}

PROCEDURE descend(uint64_t until, int levels)
{
	if (levels > 1)
		descend(until, levels - 1);
	else
		burn(until);
	sink++;
}

PROCEDURE nap(unsigned ms)
{
	struct timespec time = { 0, ms * 1000000l };

	nanosleep(&time, NULL);
	sink++;
}

PROCEDURE rest(unsigned ms)
{
	nap(ms);
	sink++;
}

PROCEDURE morning(unsigned times)
{
	while (times--)
		rest(3);
}

PROCEDURE evening(unsigned times)
{
	while (times--)
		rest(9);
}

int main(int argc, char **argv)
{
	uint64_t total = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000u;
	uint64_t start = cpu_ns(), at = start, round = 50000000;

	while (at < start + total) {
		heavy(at + round / 2);
		light(at + round * 7 / 10);
		descend(at + round, 10);
		at += round;
	}
	morning(NAPS);
	evening(NAPS / 2);
	for (int i = 0; i < NAPS / 4; i++)
		nap(3);
	return 0;
}
