/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of the sampler from end to end: a program of tests/programs is measured, and what
 * holds for every measurement. */
#ifndef VIGIL_SAMPLER_TEST_MEASURE_H
#define VIGIL_SAMPLER_TEST_MEASURE_H

#include "sampler/test-session.h"

/* The path of a program of tests/programs. */
char *program(const char *name);
/* Measure a program of tests/programs with up to three arguments on a rung. */
void measure(struct session *session, enum privilege privilege, const char *name, const char *first,
	     const char *second, const char *third);
/* On the machine at hand a rung may be out of reach: then the test is skipped. */
void need_rung(struct session *session, enum privilege privilege);
/* From now on the kernel refuses performance events, as in many containers. */
bool forbid_events(void);

double rusage_ns(const struct session *session);
/* Whether two numbers differ by at most slack. */
void assert_within(double one, double other, double slack);
/* What holds for every measurement, whenever vigil gets a processor. */
void check_accounts(const struct session *session);

#endif
