/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time options of the Language Environment: PROFILE and TEST.
 *
 *	PROFILE(ON,'string')  PROFILE(OFF)  TEST  TEST(...)  NOTEST
 *
 * Others of the Language Environment's options are skipped. TEST makes PROFILE
 * ineffective.
 */
#ifndef VIGIL_PARSER_RUN_TIME_OPTIONS_H
#define VIGIL_PARSER_RUN_TIME_OPTIONS_H

#include "common/error.h"

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

#endif
