/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program, under any name, that executes its own code for 50 ms of CPU time
 * (WORK times as long if that is in the environment), with pauses in which its
 * data collectors can be loaded even on a busy machine.
 */
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
