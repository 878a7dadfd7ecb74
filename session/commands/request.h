/* SPDX-License-Identifier: Apache-2.0 */
/* What run and attach share: options and statements to a measurement request, and its end. */
#ifndef VIGIL_SESSION_COMMANDS_REQUEST_H
#define VIGIL_SESSION_COMMANDS_REQUEST_H

#include "session/commands/controls.h"
#include "session/measure/measure.h"

struct request_options {
	const char *output;
	struct option_list files;      /* --control */
	struct option_list statements; /* -c */
	uint64_t rate, samples;	       /* OPTION_NOT_GIVEN */
	const char *privilege;	       /* NULL: the highest that works */
	bool quiet;
};

#define REQUEST_OPTIONS_INIT \
	{ \
		.rate = OPTION_NOT_GIVEN, .samples = OPTION_NOT_GIVEN \
	}

/* The rows of the option tables that belong to struct request_options. */
#define REQUEST_OPTIONS(options) \
	{ "output", \
	  'o', \
	  OPTION_STRING, \
	  "FILE", \
	  "the sample data set; default PROGRAM.vprf in the current folder", \
	  &(options).output }, \
		{ "control",	   0, OPTION_LIST, "FILE", "control statements from a file", \
		  &(options).files }, \
		{ "statement",		'c', OPTION_LIST, "STATEMENT", "a control statement", \
		  &(options).statements }, \
		{ "rate", \
		  0, \
		  OPTION_NUMBER, \
		  "N", \
		  "samples a second of CPU time and a task, at first; default 1000", \
		  &(options).rate }, \
		{ "samples", \
		  0, \
		  OPTION_NUMBER, \
		  "N", \
		  "samples wanted; a longer session has at most twice as many; default 10000", \
		  &(options).samples }, \
		{ "privilege", \
		  0, \
		  OPTION_STRING, \
		  "LEVEL", \
		  "full, user or proc: the way of measuring, instead of the best that works", \
		  &(options).privilege }, \
	{ \
		"quiet", 'q', OPTION_FLAG, NULL, "no progress and no summary", &(options).quiet \
	}

/*
 * Read the statements and fill the request from them and the options; the
 * texts stay the options' and the statements'. Messages are printed. 0, or
 * the exit status.
 */
int request_fill(struct measure_request *request, const struct request_options *options,
		 struct controls *controls);
/* measure_new, with what is to be told printed. */
struct measure *request_begin(const struct measure_request *request, struct error *err);
/* The name of the default sample data set of a program: "payroll.vprf". The caller frees it. */
char *request_output(const char *program);
/* After the session: print the summary and the reports that were asked for. The worst severity. */
int request_report(const struct measure_request *request, const struct request_options *options,
		   const struct controls *controls);

#endif
