/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names two transactions alternately and works for each.
 *
 *	alternate MILLISECONDS A B [SLEEP]
 *
 * A and B are the microseconds of CPU time that each uses per turn; with SLEEP the
 * second sleeps that long instead. Prints the number of turns, and the ns of CPU
 * time of A and of B.
 */
#include <vigil/vigil.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;

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

int main(int argc, char **argv)
{
	uint64_t until, one, other, turns = 0, from, between, used[2] = { 0 };

	if (argc < 4)
		return 2;
	until = now(CLOCK_THREAD_CPUTIME_ID) + strtoull(argv[1], NULL, 10) * 1000000u;
	one = strtoull(argv[2], NULL, 10);
	other = strtoull(argv[3], NULL, 10);
	while (now(CLOCK_THREAD_CPUTIME_ID) < until) {
		from = now(CLOCK_THREAD_CPUTIME_ID);
		vigil_transaction("A");
		compute(one * 1000);
		between = now(CLOCK_THREAD_CPUTIME_ID);
		vigil_transaction("B");
		if (argc > 4)
			usleep((useconds_t)other);
		else
			compute(other * 1000);
		used[0] += between - from;
		used[1] += now(CLOCK_THREAD_CPUTIME_ID) - between;
		turns++;
	}
	printf("%lu %lu %lu\n", turns, used[0], used[1]);
	return 0;
}
