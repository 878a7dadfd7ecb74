/* SPDX-License-Identifier: Apache-2.0 */
/* Two lambdas of one function, two instances of a template, and two functions of one name (the other is in
   named-other.cpp). Of each pair one takes about twice as long as the other, as the compiler will have it:
   named [ROUNDS] prints the ns of CPU time of all six, pair after pair. */
#include "named.hpp"
#include <cstdio>
#include <cstdlib>

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
	long rounds = argc > 1 ? atol(argv[1]) : 100, sum = 0, spent[6] = {};
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

	for (long i = 0, from; i < rounds; i++) {
		from = cpu_ns();
		sum += apply(one, 100000);
		spent[0] += cpu_ns() - from;
		from = cpu_ns();
		sum += apply(two, 200000);
		spent[1] += cpu_ns() - from;
		from = cpu_ns();
		sum += helper(100000);
		spent[2] += cpu_ns() - from;
		sum += other(200000, &spent[3]);
		from = cpu_ns();
		sum += stir(5L, 100000);
		spent[4] += cpu_ns() - from;
		from = cpu_ns();
		sum += stir(7UL, 200000);
		spent[5] += cpu_ns() - from;
	}
	for (long ns : spent)
		printf("%ld ", ns);
	printf("\n");
	return sum == 42;
}
