/* SPDX-License-Identifier: Apache-2.0 */
/* spend(n): uses n milliseconds of the thread's CPU time, for COBOL programs with known shares. */
#include <stdint.h>
#include <time.h>

int spend(int milliseconds);

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int spend(int milliseconds)
{
	int64_t until = cpu_ns() + milliseconds * INT64_C(1000000);
	uint64_t value = (uint64_t)until;

	while (cpu_ns() < until)
		for (int i = 0; i < 10000; i++)
			value = value * 6364136223846793005u + 1;
	__asm__ volatile("" : : "r"(value));
	return 0;
}
