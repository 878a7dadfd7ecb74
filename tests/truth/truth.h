/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times that a program of "make truth" measures itself: for each of its parts
 * the CPU time and the time that it waited, by the kernel's accounts, and the CPU
 * time of all its processes together. They are written at the end to the file that
 * TRUTH_FILE names, one per line: "cpu PART NS", "wait PART NS", "total NS", and
 * "user NS" and "kernel NS" if parts reported how much they calculated, and had calculated.
 *
 *	struct truth_clock clock = truth_begin();
 *	... the part's work or wait ...
 *	truth_end(&clock, TRUTH_CPU or TRUTH_WAIT, part);
 *
 * The sums are in memory that children share. A wait is elapsed time minus the
 * time that the task executed and the time that it was ready to execute (the second
 * figure of /proc/thread-self/schedstat).
 */
#ifndef VIGIL_TESTS_TRUTH_TRUTH_H
#define VIGIL_TESTS_TRUTH_TRUTH_H

#include <stdint.h>

#define TRUTH_PARTS 128

enum truth_kind { TRUTH_CPU, TRUTH_WAIT };

struct truth_clock {
	int64_t elapsed, cpu, ready; /* ns */
};

/* Must be called before anything else. */
void truth_init(void);
struct truth_clock truth_begin(enum truth_kind kind);
void truth_end(const struct truth_clock *clock, enum truth_kind kind, int part);
/* Reports that a part calculated this long, by its count of loops. */
void truth_calculated(double ns);
/* Reports that the kernel worked for this long, but for the calls of it. */
void truth_in_kernel(double ns);
/*
 * Writes the file; for the first process, when its children have ended. In another
 * one the time of all processes is that of the parts.
 */
void truth_write(void);

/* Return random numbers, seeded by TRUTH_SEED: from 0 to 1, and exponential with the given mean. */
double truth_uniform(void);
double truth_exponential(double mean);

#endif
