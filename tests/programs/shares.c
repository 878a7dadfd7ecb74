/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three functions that use the processor for 50, 30 and 20 % of its time.
 * shares [MILLISECONDS] (default 3000). The shares are made by the CPU
 * clock of the thread, so they hold on a busy machine too.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

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

	while (at < start + total) {
		half(at + round / 2);
		third(at + round * 8 / 10);
		fifth(at + round);
		at += round;
	}
	return 0;
}
