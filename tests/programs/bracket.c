/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bracket MILLISECONDS: three functions that use 50, 30 and 20 % of this much CPU
 * time, ten times each. Prints for each its name, its calls, and the ns of CPU
 * time from its first to its last reading of the clock, and around its calls. No
 * compiler option instruments the reading itself: between the two there is only
 * the function's own work.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 10

static volatile uint64_t sink;
static uint64_t within[3], around[3];

__attribute__((no_instrument_function)) static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define SHARE(name, number)                                                                        \
	__attribute__((noinline)) void name(uint64_t ns)                                           \
	{                                                                                          \
		uint64_t from = cpu_ns(), now = from;                                              \
		while (now < from + ns) {                                                          \
			for (int i = 0; i < 10000; i++)                                            \
				sink += (uint64_t)i * i;                                           \
			now = cpu_ns();                                                            \
		}                                                                                  \
		within[number] += now - from;                                                      \
	}
void half(uint64_t ns);
void third(uint64_t ns);
void fifth(uint64_t ns);
SHARE(half, 0)
SHARE(third, 1)
SHARE(fifth, 2)

int main(int count, char **arguments)
{
	uint64_t round = (uint64_t)(count > 1 ? atoi(arguments[1]) : 1000) * 1000000u / ROUNDS;
	static void (*const functions[])(uint64_t) = { half, third, fifth };
	static const char *const names[] = { "half", "third", "fifth" };
	static const unsigned percent[] = { 50, 30, 20 };

	for (int i = 0; i < ROUNDS; i++)
		for (int k = 0; k < 3; k++) {
			uint64_t from = cpu_ns();

			functions[k](round * percent[k] / 100);
			around[k] += cpu_ns() - from;
		}
	for (int k = 0; k < 3; k++)
		printf("%s %d %llu %llu\n", names[k], ROUNDS, (unsigned long long)within[k],
		       (unsigned long long)around[k]);
	return 0;
}
