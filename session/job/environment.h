/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a step: little, and the same on every machine.
 *
 * From vigil's own environment only PATH, HOME, USER, LOGNAME, SHELL, TZ,
 * LANG, LC_* and COB_* are taken over; messages are in English. For each DD there are
 * DD_NAME and dd_name (in both spellings of the name), because GnuCOBOL
 * looks for the name as the source spells it. STEPLIB or JOBLIB stand in
 * front of COB_LIBRARY_PATH and LD_LIBRARY_PATH, TMPDIR is the step's folder.
 */
#ifndef VIGIL_SESSION_JOB_ENVIRONMENT_H
#define VIGIL_SESSION_JOB_ENVIRONMENT_H

#include "session/job/program.h"

/* Digits that the child overwrites with its own process id. */
#define ENVIRONMENT_PID "VIGIL_STEP_PID="
#define ENVIRONMENT_PID_WIDTH 10

struct environment {
	char **items; /* NULL at the end */
	size_t count, alloc;
	char *pid_digits; /* in the item VIGIL_STEP_PID=, or NULL */
};

struct environment_facts {
	const struct runner *runner;
	const struct plan_step *step;
	const char *step_name;
	const struct allocation *allocations;
	const struct program *program;
	const char *folder;	 /* the step's current folder */
	const char *return_code; /* file for the full return code */
	const char *handler;	 /* path of the event handler; NULL: none */
	const char *string;	 /* of PROFILE, for the handler */
	const char *files;	 /* file for what the step's programs open */
	const char *const *more; /* further "NAME=value", NULL at the end; may be NULL */
	const char *const *measured; /* the same, of the measurement */
	const char *preload;	     /* library that a measurement preloads; NULL: none */
};

void environment_init(struct environment *environment, const struct environment_facts *facts);
void environment_release(struct environment *environment);

#endif
