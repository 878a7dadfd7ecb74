/* SPDX-License-Identifier: Apache-2.0 */
/* A program that executes code of its own for a fifth of a second of CPU time, under whatever name.
 */
#include <time.h>

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 5)
		for (volatile int i = 0; i < 100000; i++)
			;
	return 0;
}
