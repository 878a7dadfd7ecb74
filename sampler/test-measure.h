/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For end-to-end tests of the sampler: measures a program of tests/programs, and
 * checks what holds for every measurement.
 */
#ifndef VIGIL_SAMPLER_TEST_MEASURE_H
#define VIGIL_SAMPLER_TEST_MEASURE_H

#include "sampler/test-session.h"

/* Returns the path of a program of tests/programs. */
char *program(const char *name);
/* Measures a program of tests/programs with up to three arguments at a privilege level. */
void measure(struct session *session, enum privilege privilege, const char *name, const char *first,
	     const char *second, const char *third);
/* Skips the test if this machine does not permit the privilege level. */
void need_rung(struct session *session, enum privilege privilege);
/* Makes the kernel refuse performance events from now on, as in many containers. */
bool forbid_events(void);

double rusage_ns(const struct session *session);
/* Checks that two numbers differ by at most slack. */
void assert_within(double one, double other, double slack);
/* Checks what holds for every measurement, no matter when vigil gets a processor. */
void check_accounts(const struct session *session);

#endif
