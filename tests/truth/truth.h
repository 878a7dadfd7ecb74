/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program of "make truth" knows of itself: for each of its parts the CPU time and the time that it waited,
 * by the kernel's own accounts, and the CPU time of all its processes together. Written at the end to the file that
 * TRUTH_FILE names, a line each: "cpu PART NS", "wait PART NS", "total NS", and "user NS" where parts told how much they calculated.
 *
 *	struct truth_clock clock = truth_begin();
 *	... the part's work or wait ...
 *	truth_end(&clock, TRUTH_CPU or TRUTH_WAIT, part);
 *
 * The sums are in memory that children share. A wait is elapsed time less the time that the task executed or was
 * ready to: the third figure is that of /proc/thread-self/schedstat.
 */
#ifndef VIGIL_TESTS_TRUTH_TRUTH_H
#define VIGIL_TESTS_TRUTH_TRUTH_H

#include <stdint.h>

#define TRUTH_PARTS 128

enum truth_kind { TRUTH_CPU, TRUTH_WAIT };

struct truth_clock {
	int64_t elapsed, cpu, ready; /* ns */
};

/* Before anything else. */
void truth_init(void);
struct truth_clock truth_begin(enum truth_kind kind);
void truth_end(const struct truth_clock *clock, enum truth_kind kind, int part);
/* A part calculated for so long, by its count of loops. */
void truth_calculated(double ns);
/* In the first process, when its children have ended: writes the file. */
void truth_write(void);

/* Random numbers that TRUTH_SEED begins: 0 to 1, and exponential of a mean. */
double truth_uniform(void);
double truth_exponential(double mean);

#endif
