/* SPDX-License-Identifier: Apache-2.0 */
/* Another helper, for named.cpp; a fifth of its time is spent in the header. */
#include "named.hpp"
#include <ctime>

long cpu_ns()
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

namespace {
__attribute__((noinline)) long helper(long times)
{
	volatile long kept = 11;
	for (long i = 0; i < times; i++)
		kept = kept * 43 + i;
	return kept;
}
}

long other(long times, long *ns)
{
	long from = cpu_ns(), kept = helper(times);

	*ns += cpu_ns() - from;
	return kept + stir(9L, times / 4);
}
