/* SPDX-License-Identifier: Apache-2.0 */
/* A program that executes code of its own for 50 ms of CPU time (WORK times as long when the environment has it), under whatever
   name, with pauses in which its data collectors can be loaded on a busy machine, too. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	const char *times = getenv("WORK");
	const clock_t end = CLOCKS_PER_SEC / 20 * (times ? atoi(times) : 1);

	for (clock_t until = 0; until < end;) {
		until += CLOCKS_PER_SEC / 500;
		while (clock() < until)
			for (volatile int i = 0; i < 100000; i++)
				;
		usleep(1000);
	}
	return 0;
}
