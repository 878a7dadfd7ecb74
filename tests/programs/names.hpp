/* SPDX-License-Identifier: Apache-2.0 */
/* Templates and inlined functions for names-unit.cpp. */
#pragma once
template <class T> T mix(T value, T other)
{
	for (int i = 0; i < 3; i++)
		value = value * (T)31 + other;
	return value;
}
template <class F> __attribute__((noinline)) long apply(F function, long count)
{
	long sum = 0;
	for (long i = 0; i < count; i++)
		sum += function(i);
	return sum;
}
namespace shop {
struct price {
	long cents;
	__attribute__((always_inline)) long taxed(long rate) const
	{
		return cents * rate
			/ 100;
	}
};
}
