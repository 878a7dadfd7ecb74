/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of a job: JESMSGLG (what happened, with times), JESYSMSG (allocation and
 * disposition of each data set), and a copy of the first for the submitter.
 *
 * Text may come from outside (file names, PARM), so it is escaped as by
 * diag_escape and each call writes one line.
 *
 * Every line is written at once and whole, so that a killed job leaves a log that
 * is correct up to that moment. A line that cannot be written does not stop the
 * job: it is counted, and job_run reports it at its end.
 */
#ifndef VIGIL_SESSION_JOB_LOG_H
#define VIGIL_SESSION_JOB_LOG_H

#include "common/diag.h"
#include "common/error.h"

struct job_log {
	int messages;	 /* descriptor of JESMSGLG; -1: not open */
	int system;	 /* descriptor of JESYSMSG; -1: not open */
	FILE *copy;	 /* borrowed, may be NULL */
	unsigned number; /* job number */
	unsigned failed; /* lines that could not be written */
	int failure;	 /* errno of the first of those */
};

/* Opens both files in a job's folder. */
int job_log_open(struct job_log *log, int folder, unsigned number, FILE *copy, struct error *err);
void job_log_close(struct job_log *log);

/* Writes "hh.mm.ss JOBnnnnn  VIGnnnnX text" to JESMSGLG and the copy. */
void job_log_message(struct job_log *log, enum severity severity, unsigned number,
		     const char *format, ...) PRINTFLIKE(4, 5);
/* Writes "VIGnnnnX text" to JESYSMSG; an error also goes to JESMSGLG and the copy. */
void job_log_system(struct job_log *log, enum severity severity, unsigned number,
		    const char *format, ...) PRINTFLIKE(4, 5);
/* Writes a line in mainframe format, without a vigil id, to JESYSMSG only. */
void job_log_system_line(struct job_log *log, const char *format, ...) PRINTFLIKE(2, 3);
/* Writes the same to JESMSGLG, with the time; copied: also to the submitter's copy. */
void job_log_line(struct job_log *log, bool copied, const char *format, ...) PRINTFLIKE(3, 4);
/*
 * Writes one diagnostic with its card and caret to JESYSMSG only: it was already
 * printed before the job began.
 */
void job_log_diagnostic(struct job_log *log, const struct diag *diag);
/* Writes diagnostics about cards, each with its card and caret, to both. */
void job_log_diagnostics(struct job_log *log, struct diag_list *diags);

#endif
