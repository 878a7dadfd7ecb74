/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a step ended: with a return code, or with an abend code and a sentence that
 * gives the real cause.
 *	S0C1 illegal instruction   S0C4 segmentation or bus error, subscript
 *	S0C7 non-numeric data      S0C9 division by zero
 *	S013 a file without FILE STATUS could not be opened
 *	S222 cancelled or killed   S322 CPU time limit   SB37 no space for output
 *	S878 no memory             Unnnn CEE3ABD or ILBOABN0 was called
 *	S522 elapsed time limit of the site
 *	S306 not executable        S806 program not found
 *	S913 permission denied
 *	U4038 another error of the COBOL run time, or abort()
 *
 * The COBOL run time catches its own errors and signals and exits with status 1 or
 * with the signal's number (11 for a segmentation error). Such ends are recognised
 * by the run time's message on standard error, so a program that itself ends with
 * return code 1 or 11 keeps that code.
 */
#ifndef VIGIL_SESSION_JOB_ABEND_H
#define VIGIL_SESSION_JOB_ABEND_H

#include "common/strbuf.h"

struct step_outcome {
	bool abended;
	char abend[8];
	unsigned return_code;
	struct strbuf reason; /* why it abended */
};

struct outcome_facts {
	int status;		  /* as wait(2) returns it */
	int cancelled;		  /* signal that cancelled the job; 0: not cancelled */
	uint64_t cpu_limit;	  /* seconds; 0: none */
	uint64_t cpu_used;	  /* ns of CPU time */
	uint64_t elapsed_limit;	  /* ns; the limit, if the step was ended because it took longer;
				   * else 0 */
	bool limit_reached;	  /* the step was ended because it reached the CPU limit */
	const char *error_output; /* path of the step's standard error */
	uint64_t error_start;	  /* size of that file before the step */
	const char *full_code;	  /* path of the file with the full return code; it may be
				   * missing */
};

/* Determines how a process ended. reason must be initialised. */
void outcome_judge(struct step_outcome *outcome, const struct outcome_facts *facts);
/* Sets outcome to an abend with this code and reason. */
void outcome_abend(struct step_outcome *outcome, const char *code, const char *format, ...)
	PRINTFLIKE(3, 4);

#endif
