/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listings of a job in the format that mainframe users know: JESJCL
 * (jesjcl.c), and what JESYSMSG and JESMSGLG contain about steps in addition to
 * vigil's own messages (jesysmsg.c). Lines that correspond to z/OS messages have
 * their ids (IEF285I); what those cannot express is in a vigil message next to
 * them.
 */
#ifndef VIGIL_SESSION_JOB_JES_H
#define VIGIL_SESSION_JOB_JES_H

#include "session/job/allocate.h"

/*
 * Writes JESJCL: the statements as they were carried out, each with its number and
 * level mark, symbols substituted, procedures expanded; then the messages of the
 * check, by statement number.
 */
int jes_list_statements(struct runner *runner, struct error *err);
/*
 * Returns whether a message of the check is about a card of the job, or of a
 * member that the job included.
 */
bool jes_is_about(const struct plan_job *job, const struct diag *diag);
/* Overwrites what follows PASSWORD= in a text with asterisks. */
void jes_hide_password(char *text);

/* Logs, at the start of a step, how each of its DDs was allocated. */
void jes_allocated(struct runner *runner, const struct plan_step *step,
		   const struct allocation *list);
/*
 * Logs what was done with a data set: "kept" (catalogued if that was asked for),
 * "deleted", "passed", ...
 */
void jes_disposed(struct runner *runner, const char *dsn, enum disp_action asked, const char *what);
/* Logs that a SYSOUT data set is complete. */
void jes_sysout(struct runner *runner, const struct allocation *allocation);
/* Log the end of a step: its code before the dispositions, its times after them. */
void jes_step_code(struct runner *runner, const struct step_result *result);
void jes_step_ended(struct runner *runner, const struct step_result *result);
/* Logs that a step was not run because of a decision; CONDITION_RUN: it could not be allocated. */
void jes_step_not_run(struct runner *runner, const struct plan_step *step,
		      enum condition_decision decision);
/* Returns the number of the statement at a location; 0 if it belongs to none of the job's. */
unsigned jes_statement_number(const struct plan_job *job, const struct location *at);
/* Logs that the job begins. */
void jes_job_started(struct runner *runner);
/*
 * Logs that the job is over, with a return code: its closing lines, the table of
 * its steps in JESMSGLG, and what to do if it failed.
 */
void jes_job_ended(struct runner *runner, unsigned code);
/* Appends a step's peak storage, "12.3 MB" or "below 12.3 MB". */
void jes_format_peak(struct strbuf *sb, const struct step_result *result);

#endif
