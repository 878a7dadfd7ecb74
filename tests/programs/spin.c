/* SPDX-License-Identifier: Apache-2.0 */
/* Spins in one function and sleeps in another, four times. */
#include <stdio.h>
#include <unistd.h>

static volatile unsigned long sum;

static void __attribute__((noinline)) spin(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sum += i * i;
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		spin(40000000);
		usleep(50000);
	}
	printf("%lu\n", sum);
	return 0;
}
