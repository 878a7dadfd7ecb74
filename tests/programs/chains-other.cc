// SPDX-License-Identifier: Apache-2.0
// The nap of chains.cc's other file.
#include <time.h>

static volatile long sink;

__attribute__((noinline)) static void nap(long ms)
{
	struct timespec time = { 0, ms * 1000000 };

	nanosleep(&time, nullptr);
	sink = sink + 1;
}

__attribute__((noinline)) static void early()
{
	nap(1);
	sink = sink + 2;
}

__attribute__((noinline)) static void late()
{
	nap(2);
	sink = sink + 3;
}

void other_file()
{
	early();
	late();
}
