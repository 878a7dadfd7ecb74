/* SPDX-License-Identifier: Apache-2.0 */
/* Another helper, for named.cpp; a fifth of its time passes in the header. */
#include "named.hpp"

namespace {
__attribute__((noinline)) long helper(long times)
{
	volatile long kept = 11;
	for (long i = 0; i < times; i++)
		kept = kept * 43 + i;
	return kept + stir(9L, times / 4);
}
}

long other(long times)
{
	return helper(times);
}
