/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A state of two words that changes a million times per second of CPU time, both
 * in one instruction, so that they always match (the second is the complement of
 * the first). Prints the rate it achieved.
 *
 *	switcher MILLISECONDS	of CPU time
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RATE 1000000
#define LOOK_EVERY 1000 /* switches */

typedef uint64_t pair __attribute__((vector_size(16)));

volatile pair switcher_state = { 0, ~UINT64_C(0) };

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int main(int count, char **arguments)
{
	uint64_t end = (uint64_t)(count > 1 ? atoi(arguments[1]) : 1000) * 1000000;
	uint64_t begin = cpu_ns(), passed = 0, number = 0, spins = 300;

	while (passed < end) {
		for (int i = 0; i < LOOK_EVERY; i++) {
			number++;
			switcher_state = (pair){ number, ~number };
			for (uint64_t spin = 0; spin < spins; spin++)
				__asm__ volatile("" ::: "memory");
		}
		/* too early: slow down; too late: speed up */
		passed = cpu_ns() - begin;
		if (number * (1000000000 / RATE) > passed)
			spins += spins / 16 + 1;
		else
			spins -= spins / 16;
	}
	printf("%.0f\n", (double)number * 1e9 / (double)passed);
	return 0;
}
