/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that TRUTHMIX.cob calls: which paragraph is next and for how many
 * turns, and when one begins and ends.
 */
#define _GNU_SOURCE
#include "truth.h"

#include <stdlib.h>
#include <time.h>

#define PARAGRAPHS 10

static double seconds_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/*
 * Sets the next part and its number of turns; part is negative when the time
 * (TRUTH_SECONDS) is over.
 */
int truth_next(int *part, int *turns)
{
	static double until, weights[PARAGRAPHS], sum;
	double point;
	if (until == 0) {
		const char *seconds = getenv("TRUTH_SECONDS");
		truth_init();
		until = seconds_now() + (seconds ? atof(seconds) : 1);
		for (int i = 0; i < PARAGRAPHS; i++)
			sum += weights[i] = 0.05 + truth_uniform();
	}
	if (seconds_now() >= until) {
		truth_write();
		*part = -1;
		return 0;
	}
	point = truth_uniform() * sum;
	for (*part = 0; *part < PARAGRAPHS - 1 && (point -= weights[*part]) >= 0; ++*part)
		;
	*turns = (int)truth_exponential(3000) + 1;
	return 0;
}

int truth_mark(const int *part)
{
	static struct truth_clock clock;
	static int current;
	if (*part >= 0) {
		current = *part;
		clock = truth_begin(TRUTH_CPU);
	} else {
		truth_end(&clock, TRUTH_CPU, current);
	}
	return 0;
}
