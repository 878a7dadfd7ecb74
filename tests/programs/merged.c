/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that an optimizer merges: arms without a jump, functions of one
 * instruction, statements moved to a brace.
 */
#include <stdio.h>

static volatile int given = 6;

__attribute__((noinline)) int arms(int a)
{
	int result = a;
	if (a % 3 == 0)
		result += 2; /* yes */
	else
		result += 3; /* no */
	return result;
}

__attribute__((noinline)) int larger(int a)
{
	int result;
	if (a > 3)
		result = a; /* yes */
	else
		result = 3; /* no */
	return result + 1;
}

__attribute__((noinline)) int seven(void)
{
	return 7; /* yes */
}

__attribute__((noinline)) int never(int a)
{
	return a + 8; /* no */
}

__attribute__((noinline)) int looped(int count)
{
	int sum = 0;
	for (int i = 0; i < count; i++) {
		if (i & 8)
			sum += 5; /* no */
		else
			sum -= i; /* yes */
	}
	return sum; /* yes */
}

int main(void)
{
	int sum = arms(given) + larger(given) + seven() + looped(given);
	if (sum == given)
		sum = never(sum); /* no */
	printf("%d\n", sum); /* yes */
	return 0;
}
