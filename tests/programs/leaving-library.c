/* SPDX-License-Identifier: Apache-2.0 */
/* A library for leaving.cc: functions with every kind of argument, and one that calls back. */
#include "leaving.h"

#include <stdarg.h>

#if defined(__x86_64__)
__attribute__((target("avx"))) wide add_wide(wide a, wide b)
{
	return a + b;
}

__attribute__((target("avx512f"))) wider add_wider(wider a, wider b)
{
	return a + b;
}
#endif

long double extended(long double a, int b, long double c)
{
	return a * c + b;
}

struct large scaled(long by, struct large from)
{
	for (int i = 0; i < 40; i++)
		from.values[i] *= by;
	return from;
}

struct mixed mixed(long a, double b)
{
	struct mixed result = { a + 1, b + 1 };

	return result;
}

double sum(int count, ...)
{
	double result = 0;
	va_list list;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		result += va_arg(list, double);
	va_end(list);
	return result;
}

int back(int (*function)(int), int argument)
{
	return function(argument) + 1;
}
