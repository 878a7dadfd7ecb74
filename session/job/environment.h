/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a step: small, and the same on every machine. Only PATH,
 * HOME, USER, LOGNAME, SHELL, TZ, LANG, LC_* and COB_* are inherited from vigil's
 * environment; messages are in English. Each DD sets DD_NAME and dd_name (with the
 * name in both spellings), because GnuCOBOL looks for the name as spelled in the
 * source. STEPLIB or JOBLIB is put in front of COB_LIBRARY_PATH and
 * LD_LIBRARY_PATH; TMPDIR is the step's folder.
 */
#ifndef VIGIL_SESSION_JOB_ENVIRONMENT_H
#define VIGIL_SESSION_JOB_ENVIRONMENT_H

#include "session/job/program.h"

/* Followed by digits that the child overwrites with its process id. */
#define ENVIRONMENT_PID "VIGIL_STEP_PID="
#define ENVIRONMENT_PID_WIDTH 10

struct environment {
	char **items; /* NULL-terminated */
	size_t count, alloc;
	char *pid_digits; /* digits of the item VIGIL_STEP_PID=; NULL: no such item */
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
	const char *string;	 /* the string of PROFILE, passed to the handler */
	const char *files;	 /* file that lists what the step's programs open */
	const char *const *more; /* further "NAME=value" items, NULL-terminated; NULL: none */
	const char *const *measured; /* the same, for the measurement */
	const char *preload;	     /* library that the measurement preloads; NULL: none */
};

void environment_init(struct environment *environment, const struct environment_facts *facts);
void environment_release(struct environment *environment);

#endif
