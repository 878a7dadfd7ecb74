/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time options of the Language Environment: PROFILE and TEST.
 *
 *	PROFILE(ON,'string')  PROFILE(OFF)  TEST  TEST(...)  NOTEST
 *
 * Other options of the Language Environment are skipped. TEST disables PROFILE.
 */
#ifndef VIGIL_PARSER_RUN_TIME_OPTIONS_H
#define VIGIL_PARSER_RUN_TIME_OPTIONS_H

#include "common/error.h"

/* Maximum length of PROFILE's string in bytes. */
#define PROFILE_STRING_MAX 250

struct run_options {
	bool profile, test;
	char string[PROFILE_STRING_MAX + 1]; /* in upper case */
};

/*
 * Reads the options in a text, separated by blanks and commas. -1 with the reason
 * at the first invalid one: those before it are applied.
 */
int run_options_read(struct run_options *options, const char *text, struct error *err);

/*
 * Removes the options from a PARM: "options/arguments", or "arguments/options" as
 * in COBOL. A part is options if it has only options of the Language Environment
 * and PROFILE or TEST is one of them; any other PARM stays unchanged. -1 with the
 * reason as run_options_read.
 */
int run_options_parm(struct run_options *options, char *parm, struct error *err);

#endif
