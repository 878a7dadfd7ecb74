/* SPDX-License-Identifier: Apache-2.0 */
/* The probability that a result comes from chance alone. All are two-sided and 0 to 1. */
#ifndef VIGIL_COMMON_PROBABILITY_H
#define VIGIL_COMMON_PROBABILITY_H

#include "common/compat.h"

/* Returns the probability that a normal deviate is at least this many deviations from 0. */
double probability_normal(double deviations);
/*
 * As probability_normal, for Student's t with this many degrees of freedom (0.5 or
 * more; INFINITY: normal).
 */
double probability_student(double t, double freedom);
/*
 * Of first + second events, each is one of the second kind with the chance part (0
 * to 1). Returns the exact probability of a count of the second kind that is at
 * least as extreme as second: twice the less likely side. first and second should
 * be whole numbers.
 */
double probability_counts(double first, double second, double part);
/* Returns how many deviations from 0 a normal deviate with this probability is; at most 37. */
double probability_deviations(double probability);

#endif
