/* SPDX-License-Identifier: Apache-2.0 */
/* Two lambdas of one function, two instances of a template, and two functions of one name (the other is in
   named-other.cpp). Of each pair one takes twice as long as the other: named [ROUNDS]. */
#include "named.hpp"
#include <cstdlib>

long other(long times);

namespace {
__attribute__((noinline)) long helper(long times)
{
	volatile long kept = 3;
	for (long i = 0; i < times; i++)
		kept = kept * 31 + i;
	return kept;
}
}

template <class F> __attribute__((noinline)) long apply(F function, long times)
{
	return function(times);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000, sum = 0;
	auto one = [&](long times) {
		volatile long kept = sum;
		for (long i = 0; i < times; i++)
			kept = kept * 37 + i;
		return kept;
	};
	auto two = [&](long times) {
		volatile long kept = sum;
		for (long i = 0; i < times; i++)
			kept = kept * 41 + i;
		return kept;
	};

	for (long i = 0; i < rounds; i++) {
		sum += apply(one, 10000) + apply(two, 20000);
		sum += helper(10000) + other(20000);
		sum += stir(5L, 10000) + stir(7UL, 20000);
	}
	return sum == 42;
}
