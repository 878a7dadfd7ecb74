// SPDX-License-Identifier: Apache-2.0
// Exceptions, templates and static objects: statements with "yes" are executed, those with "no" are not.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int destroyed;

struct guard {
	~guard()
	{
		destroyed++; // yes
	}
};

static int risky(int value)
{
	guard g; // yes
	if (value == 3)
		throw std::runtime_error("three"); // yes
	if (value == 100)
		throw std::logic_error("hundred"); // no
	return value;				   // yes
}

template <typename Type> static Type twice(Type value)
{
	if (value == Type())
		return value;	  // no
	return value + value; // yes
}

struct counter {
	int value;
	counter() : value(7)
	{
		value += 1; // yes
	}
};

static counter before_main;

int main()
{
	std::vector<std::string> caught;

	for (int i = 0; i < 5; i++) {
		try {
			risky(i); // yes
		} catch (const std::logic_error &error) {
			caught.push_back("logic"); // no
		} catch (const std::exception &error) {
			caught.push_back(error.what()); // yes
		}
	}
	auto add = [&caught](int value) {
		if (value > 5)
			caught.clear(); // no
		return twice(value);	// yes
	};
	if (add(2) != 4 || before_main.value != 8)
		std::puts("wrong"); // no
	std::printf("%zu %d\n", caught.size(), destroyed);
	return caught.size() == 1 && destroyed == 5 ? 0 : 1; // yes
}
