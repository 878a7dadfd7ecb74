/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of eight procedures with a fixed amount of work each, for tests of the
 * comparison: "work ROUNDS" executes this many rounds of all. EXTRA is the
 * percentage that POST does more: another build of the same program, with other
 * addresses and lines.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXTRA
#define EXTRA 0
#endif

static uint32_t ledger[1 << 15];
static uint64_t state = 88172645463325252u;
static volatile uint64_t sink;

#define PROCEDURE __attribute__((noinline, noclone)) static void

/* Computes the next pseudo-random number; a macro, so that its time belongs to the caller. */
#define TURN(value) ((value) ^= (value) << 13, (value) ^= (value) >> 7, (value) ^= (value) << 17)

PROCEDURE validate(unsigned count)
{
	uint64_t value = state;

	for (unsigned i = 0; i < count; i++)
		TURN(value);
	state = value;
}

PROCEDURE price(unsigned count)
{
	double value = 1.5;

	for (unsigned i = 0; i < count; i++)
		value = value * 1.0000001 + 1.0 / (value + 2);
	sink = (uint64_t)value;
}

PROCEDURE tax(unsigned count)
{
	uint64_t value = 987654321987u;

	for (unsigned i = 1; i <= count; i++)
		value = value / (i | 3) + 987654321987u;
	sink = value;
}

#if EXTRA
/* An additional procedure that is never called: it moves the code that follows. */
__attribute__((used, noinline)) static void audit(void)
{
	sink = state + 1;
}
#endif

PROCEDURE post(unsigned count)
{
	uint64_t value = state;

	for (unsigned i = 0; i < count; i++) {
		TURN(value);
		ledger[value % 1024] += (uint32_t)value;
	}
	sink = value;
}

PROCEDURE scan(unsigned count)
{
	uint64_t at = 1, sum = 0;

	for (unsigned i = 0; i < count; i++) {
		at = (at * 5 + 12345) % (sizeof(ledger) / sizeof(*ledger));
		sum += ledger[at];
	}
	sink = sum;
}

PROCEDURE format(unsigned count)
{
	char text[24];
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t number = 1000003u * (uint64_t)i + 7;
		size_t length = 0;

		do
			text[length++] = (char)('0' + number % 10);
		while ((number /= 10));
		sum += (uint64_t)text[length - 1];
	}
	sink = sum;
}

PROCEDURE checksum(unsigned count)
{
	uint32_t sum = 0xffffffffu;

	for (unsigned i = 0; i < count; i++) {
		sum ^= i;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (0xedb88320u & -(sum & 1));
	}
	sink = sum;
}

PROCEDURE totals(unsigned count)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum = (sum << 5) - sum + (i ^ sum >> 3);
	sink = sum;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;

	for (unsigned i = 0; i < rounds; i++) {
		validate(180000);
		price(70000);
		tax(40000);
		post(400000 + 400000 / 100 * EXTRA);
		scan(120000);
		format(5000);
		checksum(12000);
		totals(60000);
	}
	return 0;
}
