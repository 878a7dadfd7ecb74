/* SPDX-License-Identifier: Apache-2.0 */
/* An object that patched.c loads; its constructor and its function call another function. */
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline)) static void inner(long number)
{
	sink += number;
}

__attribute__((constructor)) static void begins(void)
{
	inner(1);
}

void plugged(long number)
{
	inner(number);
	inner(number + 1);
	sink++;
}
