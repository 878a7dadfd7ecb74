/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three functions that use 50, 30 and 20 % of the CPU time. shares [MILLISECONDS
 * [FILE]] (default 3000). The shares follow the thread's CPU clock, so they hold
 * on a busy machine too. With FILE it continues until that exists, for 30 seconds
 * of CPU time at most.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LONGEST UINT64_C(30000000000)

static volatile uint64_t sink;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define SHARE(name)                                                                                \
	__attribute__((noinline)) void name(uint64_t until)                                        \
	{                                                                                          \
		while (cpu_ns() < until)                                                           \
			for (int i = 0; i < 100000; i++)                                            \
				sink += (uint64_t)i * i;                                           \
	}
void half(uint64_t until);
void third(uint64_t until);
void fifth(uint64_t until);
SHARE(half)
SHARE(third)
SHARE(fifth)

int main(int argc, char **argv)
{
	uint64_t total = (argc > 1 ? strtoull(argv[1], NULL, 10) : 3000) * 1000000u;
	uint64_t start = cpu_ns(), at = start;
	uint64_t round = total < 100000000u ? total : 100000000u;
	const char *file = argc > 2 ? argv[2] : NULL;

	while (at < start + total ||
	       (file && access(file, F_OK) != 0 && at < start + LONGEST)) {
		half(at + round / 2);
		third(at + round * 8 / 10);
		fifth(at + round);
		at += round;
	}
	return 0;
}
