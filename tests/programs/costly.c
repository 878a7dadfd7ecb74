/* SPDX-License-Identifier: Apache-2.0 */
/*
 * costly MILLISECONDS: uses this much CPU time, in the C library and the kernel
 * too, and prints the ns of CPU time that it used.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

__attribute__((noinline)) static uint64_t multiply(uint64_t value)
{
	for (int i = 0; i < 20000; i++)
		value = value * 6364136223846793005u + 1;
	return value;
}

/* Does its work in the C library. */
__attribute__((noinline)) static size_t print(uint64_t value)
{
	char text[64];
	size_t length = 0;

	for (int i = 0; i < 50; i++)
		length += (size_t)snprintf(text, sizeof(text), "%.6f %d", (double)value * i, i);
	return length;
}

int main(int argc, char **argv)
{
	int64_t until = (argc > 1 ? atoi(argv[1]) : 100) * INT64_C(1000000);
	uint64_t value = 1;

	while (cpu_ns() < until) {
		value = multiply(value) + print(value);
		for (int i = 0; i < 20; i++)
			if (write(STDIN_FILENO, "", 0) < 0)
				value++;
	}
	printf("%lld\n", (long long)cpu_ns());
	return value == 0;
}
