/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns [MILLISECONDS [MICROSECONDS]]: two functions take turns, each using
 * MICROSECONDS of CPU time (default 500: together one sampling period), by the
 * thread's own clock.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define TURN(name)                                                                                 \
	__attribute__((noinline)) void name(uint64_t until)                                        \
	{                                                                                          \
		volatile uint64_t sink = 0;                                                        \
		while (cpu_ns() < until)                                                           \
			for (int i = 0; i < 3000; i++)                                             \
				sink = sink + (uint64_t)i;                                         \
	}
void one(uint64_t until);
void other(uint64_t until);
TURN(one)
TURN(other)

int main(int count, char **arguments)
{
	uint64_t total = (uint64_t)(count > 1 ? atoi(arguments[1]) : 2000) * 1000000u;
	uint64_t turn = (uint64_t)(count > 2 ? atoi(arguments[2]) : 500) * 1000u;
	uint64_t start = cpu_ns();

	for (uint64_t at = start; at < start + total; at += 2 * turn) {
		one(at + turn);
		other(at + 2 * turn);
	}
	return 0;
}
