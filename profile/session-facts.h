/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about the whole session, for Measurement Session Data and the summary. */
#ifndef VIGIL_PROFILE_SESSION_FACTS_H
#define VIGIL_PROFILE_SESSION_FACTS_H

#include "reports/report-class.h"

/* Fewer CPU samples than this prove nothing. */
#define SESSION_FEW_SAMPLES 100

/* The step's CPU time in ns, by the best source there is. */
uint64_t session_cpu_time(const struct profile *profile);
/* "RETURN CODE 0", "ABEND S0C4", "NOT KNOWN" */
void session_ending(const struct profile *profile, struct strbuf *sb);
/* "CALC", of a procedure's step "REORG.LOAD"; nothing when it has no name */
void session_step(const struct profile *profile, struct strbuf *sb);
/* "PROGRAM PAYCALC, STEP CALC OF JOB PAYROLL (JOB00012), 2026-11-20 21:34:05, RETURN CODE 0" */
void session_headline(const struct profile *profile, struct strbuf *sb);
/* "ELAPSED 00.32.10 = 41.23 % EXECUTING + 57.10 % WAITING + 1.67 % READY BUT NOT RUNNING" */
void session_time_line(const struct profile *profile, struct strbuf *sb);
/* "CPU TIME 00.13.02; 9,812 SAMPLES, MARGIN OF ERROR 0.99 % AT 95 % CONFIDENCE" */
void session_sample_line(const struct profile *profile, struct strbuf *sb);
/*
 * Notes on the whole session. urgent: what makes the figures doubtful
 * (damage, too few samples, accounts that do not tie). Otherwise: what the
 * session itself noted, data collectors with a problem, objects without
 * names.
 */
void session_notes(const struct context *context, struct document *document, bool urgent);

#endif
