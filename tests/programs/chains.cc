// SPDX-License-Identifier: Apache-2.0
// Helpers that wait for several callers: templates, intermediate levels, recursion, and a nap with the same name in another file.
#include <time.h>

static volatile long sink;
void other_file();

#define PROCEDURE __attribute__((noinline)) static void

PROCEDURE nap(long ms)
{
	struct timespec time = { 0, ms * 1000000 };

	nanosleep(&time, nullptr);
	sink = sink + 1;
}

template <class Kind> PROCEDURE rest(Kind ms)
{
	nap(static_cast<long>(ms));
	sink = sink + 1;
}

PROCEDURE first()
{
	rest<int>(4);
	sink = sink + 1;
}

PROCEDURE second()
{
	rest<long>(6);
	sink = sink + 2;
}

PROCEDURE third()
{
	rest<long>(2);
	sink = sink + 3;
}

PROCEDURE deeper(int levels)
{
	if (levels)
		deeper(levels - 1);
	else
		nap(3);
	sink = sink + 4;
}

int main()
{
	for (int i = 0; i < 10; i++) {
		first();
		second();
		third();
		deeper(i);
		other_file();
	}
	return 0;
}
