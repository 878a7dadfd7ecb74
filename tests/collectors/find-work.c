/* SPDX-License-Identifier: Apache-2.0 */
/* A program that executes code of its own for 50 ms of CPU time, under whatever name, with pauses
   in which its data collectors can be loaded on a busy machine, too. */
#include <time.h>
#include <unistd.h>

int main(void)
{
	for (clock_t until = 0; until < CLOCKS_PER_SEC / 20;) {
		until += CLOCKS_PER_SEC / 500;
		while (clock() < until)
			for (volatile int i = 0; i < 100000; i++)
				;
		usleep(1000);
	}
	return 0;
}
