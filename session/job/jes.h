/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listings of a job as a mainframe's users know them: JESJCL (jesjcl.c),
 * and what JESYSMSG and JESMSGLG say of steps beside vigil's own messages
 * (jesysmsg.c). Lines that stand for messages of z/OS have their ids (IEF285I);
 * what they cannot say stands in a message of ours beside them.
 */
#ifndef VIGIL_SESSION_JOB_JES_H
#define VIGIL_SESSION_JOB_JES_H

#include "session/job/allocate.h"

/*
 * JESJCL: the statements as they were carried out, each with its number and
 * level mark, symbols put in, procedures in their place; then what the check
 * found, by statement number.
 */
int jes_list_statements(struct runner *runner, struct error *err);
/* Returns whether a message of the check is about a card of the job, or of a member it took in. */
bool jes_is_about(const struct plan_job *job, const struct diag *diag);
/* Puts asterisks over what follows PASSWORD= in a text. */
void jes_hide_password(char *text);

/* A step begins: how each of its DDs was allocated. */
void jes_allocated(struct runner *runner, const struct plan_step *step,
		   const struct allocation *list);
/* What became of a data set: "kept" (catalogued when that was asked for), "deleted", "passed", ...
 */
void jes_disposed(struct runner *runner, const char *dsn, enum disp_action asked, const char *what);
/* A SYSOUT data set is complete. */
void jes_sysout(struct runner *runner, const struct allocation *allocation);
/* A step is over: its code before the dispositions, its times after them. */
void jes_step_code(struct runner *runner, const struct step_result *result);
void jes_step_ended(struct runner *runner, const struct step_result *result);
/* A step was not run, by a decision; CONDITION_RUN: it could not be allocated. */
void jes_step_not_run(struct runner *runner, const struct plan_step *step,
		      enum condition_decision decision);
/* Returns the number of the statement that stands at a place; 0 when it is none of the job's. */
unsigned jes_statement_number(const struct plan_job *job, const struct location *at);
/* The job begins. */
void jes_job_started(struct runner *runner);
/* The job is over, with a return code: its lines, the table of its steps in JESMSGLG, and what to
 * do when it failed. */
void jes_job_ended(struct runner *runner, unsigned code);
/* Appends the peak storage of a step, "12.3 MB" or "below 12.3 MB". */
void jes_format_peak(struct strbuf *sb, const struct step_result *result);

#endif
