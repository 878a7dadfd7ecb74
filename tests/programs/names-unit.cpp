/* SPDX-License-Identifier: Apache-2.0 */
/* Two of each kind that only more than the plain name distinguishes; UNIT is the name of its function. */
#include "names.hpp"
namespace {
struct pair { int one; const char *other; };
__attribute__((noinline)) long helper(long x) { volatile long y = x; return y * 23; }
__attribute__((noinline)) long helper(const pair &x, long (*f)(long)) { volatile long y = f(x.one); return y * 5; }
template <int N> __attribute__((noinline)) long times(long x) { volatile long y = x; return y * N; }
namespace inner {
struct owner {
	long base;
	__attribute__((noinline)) long add(long x) const { volatile long y = x; return y + base; }
	__attribute__((noinline)) long set(unsigned long *x) { volatile long y = *x; return base = y; }
	struct nested { static __attribute__((noinline)) long call(double, short) { volatile long y = 1; return y; } };
};
}
}
static __attribute__((noinline)) long plain(long x) { volatile long y = x; return y * 7; }
static __attribute__((noinline)) long plain(unsigned char x) { volatile long y = x; return y * 9; }
static __attribute__((always_inline)) inline long quick(long x) { return x * 11
	+ 1; }
#define JOIN(a, b) a##b
#define OF_C(unit) JOIN(unit, _of_c)
extern "C" __attribute__((noinline)) long OF_C(UNIT)(long x) { volatile long y = x; return y * 13; }
long UNIT(long count)
{
	volatile long sink = 1;
	struct local { long run(long x) { volatile long y = x; return y + 17; } } here;
	auto first = [&](long v) { long t = v; t = t * sink + quick(v); return t; };
	auto other = [&](long *v) { *v = sink; return *v; };
	long sum = apply(first, count);
	{
		auto second = [&](long v) { long t = v; t = t * sink + 5; return t; };
		sum += apply(second, count) + apply(OF_C(UNIT), count);
	}
	inner::owner owner = { 5 };
	unsigned long last = 2;
	sum += other(&sum) + helper(sum) + helper(pair{ 1, "" }, OF_C(UNIT)) + times<3>(sum) + times<4>(sum);
	sum += owner.add(sum) + owner.set(&last) + inner::owner::nested::call(1.5, 3) + here.run(sum);
	sum += plain(sum) + plain((unsigned char)3) + mix(3, 4) + mix(3L, 4L);
	return sum + shop::price{ sum }.taxed(7) + quick(sum);
}
