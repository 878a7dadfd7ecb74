/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time options of the Language Environment: PROFILE and TEST.
 *
 *	PROFILE(ON,'string')  PROFILE(OFF)  TEST  TEST(...)  NOTEST
 *
 * They come from the variable _CEE_RUNOPTS of vigil's environment, the DD
 * CEEOPTS of the step, and the PARM; what comes later counts. Others of the
 * Language Environment's options are skipped. TEST makes PROFILE ineffective.
 */
#ifndef VIGIL_SESSION_JOB_RUN_OPTIONS_H
#define VIGIL_SESSION_JOB_RUN_OPTIONS_H

#include "session/job/program.h"

/* Bytes of the string of PROFILE. */
#define PROFILE_STRING_MAX 250

struct run_options {
	bool profile, test;
	char string[PROFILE_STRING_MAX + 1]; /* in upper case */
};

/*
 * Take the options of a text; blanks and commas divide them. -1 with the
 * reason at the first that cannot be understood: those before it are taken.
 */
int run_options_read(struct run_options *options, const char *text, struct error *err);

/*
 * Take the options out of a PARM: "options/arguments", or "arguments/options"
 * as COBOL has it. A part is options when nothing but options of the Language
 * Environment stands in it and PROFILE or TEST is one of them; any other PARM
 * is left as it is. -1 with the reason as run_options_read.
 */
int run_options_parm(struct run_options *options, char *parm, struct error *err);

/*
 * The path of the event handler CEEEVPRF.so that a step is to have, the caller
 * frees it: NULL when PROFILE is not in effect, TEST is, or it is not to be had,
 * with a message in the job log. parm loses the options that stand in it.
 */
char *run_options_handler(struct runner *runner, const struct allocation *allocations,
			  const char *step_name, char *parm, struct run_options *options);

#endif
