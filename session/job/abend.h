/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a step ended: a return code, or an abend code with a sentence that
 * says what really happened.
 *
 *	S0C1 illegal instruction   S0C4 segmentation or bus error, subscript
 *	S0C7 non-numeric data      S0C9 division by zero
 *	S013 a file without FILE STATUS could not be opened
 *	S222 cancelled or killed   S322 CPU time limit   SB37 no room for output
 *	S878 no memory             Unnnn CEE3ABD or ILBOABN0 was called
 *	S522 elapsed time limit of the site
 *	S306 not executable        S806 program not found
 *	U4038 another error of the COBOL run time, or abort()
 *
 * The COBOL run time catches its own errors and exits with status 1, signals
 * and exits with their number (11 for a segmentation error): they are recognised by its message on standard
 * error, so a program that ends with return code 1 or 11 stays one.
 */
#ifndef VIGIL_SESSION_JOB_ABEND_H
#define VIGIL_SESSION_JOB_ABEND_H

#include "common/strbuf.h"

struct step_outcome {
	bool abended;
	char abend[8];
	unsigned return_code;
	struct strbuf reason; /* of an abend */
};

struct outcome_facts {
	int status;		  /* of wait */
	int cancelled;		  /* signal that cancelled the job, 0 */
	uint64_t cpu_limit;	  /* seconds, 0 none */
	uint64_t cpu_used;	  /* ns */
	uint64_t elapsed_limit;	  /* ns; the step was ended because it took longer, 0: it was not */
	bool limit_reached;	  /* the step was ended because of the limit */
	const char *error_output; /* path of the step's standard error */
	uint64_t error_start;	  /* bytes that stood there before the step */
	const char *full_code;	  /* path of the file with the full return code, may be missing */
};

/* Judges how a process ended. reason must be initialised. */
void outcome_judge(struct step_outcome *outcome, const struct outcome_facts *facts);
/* Sets an abend. */
void outcome_abend(struct step_outcome *outcome, const char *code, const char *format, ...)
	PRINTFLIKE(3, 4);

#endif
