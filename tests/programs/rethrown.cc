// SPDX-License-Identifier: Apache-2.0
// rethrown N: N exceptions through three frames, one of which has something to destroy, and one that
// catches another exception and throws it again.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static volatile long sink;

struct kept {
	~kept();
};

__attribute__((noinline)) kept::~kept()
{
	sink = sink + 1;
}

__attribute__((noinline)) void thrower(long number)
{
	sink = sink + number;
	throw std::runtime_error("thrown " + std::to_string(number));
}

__attribute__((noinline)) void again(long number)
{
	try {
		thrower(number);
	} catch (const std::exception &) {
		sink = sink + 2;
		throw;
	}
}

__attribute__((noinline)) void through(long number)
{
	kept here;

	again(number);
	sink = sink + 1;
}

__attribute__((noinline)) long catcher(long number)
{
	try {
		through(number);
	} catch (const std::runtime_error &error) {
		return std::string(error.what()).size();
	}
	return 0;
}

__attribute__((noinline)) void after(long number)
{
	sink = sink + number;
}

int main(int, char **argv)
{
	long count = std::atol(argv[1]), sum = 0;

	for (long i = 0; i < count; i++) {
		sum += catcher(i % 10);
		after(i);
	}
	std::printf("%ld %ld\n", sum, (long)sink);
	return 0;
}
