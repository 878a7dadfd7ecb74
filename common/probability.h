/* SPDX-License-Identifier: Apache-2.0 */
/* How likely it is that chance alone brings what was found. All are two-sided and 0 to 1. */
#ifndef VIGIL_COMMON_PROBABILITY_H
#define VIGIL_COMMON_PROBABILITY_H

#include "common/compat.h"

/* That a normal deviate is at least so far from 0, in deviations. */
double probability_normal(double deviations);
/* The same of Student's t with so many degrees of freedom (0.5 and more; INFINITY: normal). */
double probability_student(double t, double freedom);
/*
 * That of first + second events, each of which is one of the second with the chance part (0 to 1),
 * so many or fewer, or so many or more, are of the second: twice the less likely side, exactly.
 * Whole numbers are expected.
 */
double probability_counts(double first, double second, double part);
/* How many deviations a normal deviate is from 0 that has this probability; at most 37. */
double probability_deviations(double probability);

#endif
