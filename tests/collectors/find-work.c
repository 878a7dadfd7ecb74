/* SPDX-License-Identifier: Apache-2.0 */
/* A program that executes for a fifth of a second of CPU time, under whatever name. */
#include <time.h>

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 5)
		;
	return 0;
}
