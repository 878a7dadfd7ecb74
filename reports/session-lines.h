/* SPDX-License-Identifier: Apache-2.0 */
/* The lines about the whole session at the head of its Measurement Session Data. */
#ifndef VIGIL_REPORTS_SESSION_LINES_H
#define VIGIL_REPORTS_SESSION_LINES_H

#include "profile/profile.h"

/* Appends "RETURN CODE 0", "ABEND S0C4", "NOT KNOWN". */
void session_lines_ending(const struct profile *profile, struct strbuf *sb);
/*
 * Appends "PROGRAM PAYCALC, STEP CALC OF JOB PAYROLL (JOB00012), 2026-11-20
 * 21:34:05, RETURN CODE 0".
 */
void session_lines_head(const struct profile *profile, struct strbuf *sb);
/*
 * Appends "ELAPSED 32.10 s = 41.23 % EXECUTING + 57.10 % WAITING + 1.67 % READY
 * BUT NOT RUNNING".
 */
void session_lines_time(const struct profile *profile, struct strbuf *sb);
/* Appends "CPU TIME 13.02 s; 9,812 SAMPLES, MARGIN OF ERROR 0.99 % AT 95 % CONFIDENCE". */
void session_lines_samples(const struct profile *profile, struct strbuf *sb);
/*
 * Appends the first finding (profile/advice.h), shortened to one line of the job
 * log; nothing if there is none: "43.2 % of the run time can be saved at most: the
 * step sleeps again and again: 150 times, 20.0 ms each (pay.c: look line 20)"
 */
void session_lines_finding(const struct profile *profile, struct strbuf *sb);

#endif
