/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that waits at four places, for tests of the comparison: "pauses
 * ROUNDS". EXTRA is the percentage by which the wait of post_ledger is longer.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifndef EXTRA
#define EXTRA 0
#endif

#define PROCEDURE __attribute__((noinline, noclone)) static void

static volatile unsigned long sink;

PROCEDURE doze(long microseconds)
{
	struct timespec time = { 0, microseconds * 1000 };

	nanosleep(&time, NULL);
	sink++;
}

PROCEDURE read_master(void)
{
	struct timespec time = { 0, 4000000 };

	nanosleep(&time, NULL);
	sink++;
}

PROCEDURE post_ledger(void)
{
	struct timespec time = { 0, 10000000 + 100000 * EXTRA };

	nanosleep(&time, NULL);
	sink++;
}

PROCEDURE ask_server(void)
{
	poll(NULL, 0, 6);
	sink++;
}

PROCEDURE print_line(void)
{
	for (int i = 0; i < 2; i++)
		doze(1500);
	sink++;
}

PROCEDURE calculate(void)
{
	unsigned long value = 1;

	for (unsigned i = 0; i < 400000; i++)
		value = value * 6364136223846793005u + i;
	sink = value;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 50;

	for (int i = 0; i < rounds; i++) {
		read_master();
		post_ledger();
		calculate();
		ask_server();
		print_line();
	}
	return 0;
}
