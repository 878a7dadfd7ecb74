/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands run and attach share: options and statements become a
 * measurement request, the session begins and ends, its summary and its
 * reports are printed. The commands themselves start or find the process and
 * decide when it is over.
 */
#ifndef VIGIL_SESSION_COMMANDS_SESSION_COMMAND_H
#define VIGIL_SESSION_COMMANDS_SESSION_COMMAND_H

#include "session/commands/control-options.h"
#include "session/measure/measure.h"
#include "session/requests/precedence.h"

struct session_options {
	const char *output;
	struct control_options control;
	uint64_t rate, samples; /* OPTION_NOT_GIVEN */
	const char *cost;	/* percent; NULL not given */
	const char *privilege;	/* NULL: the highest that works */
	const char *library; /* of resources, where the statements name none; NULL not given */
	const char *pool;    /* KB of the data pool; NULL not given */
	const char *trace;   /* where TRACE=ON goes; NULL: standard output */
	bool require; /* what was not measured as asked for is an exit status */
	bool quiet;
};

#define SESSION_OPTIONS_INIT \
	{ \
		.rate = OPTION_NOT_GIVEN, .samples = OPTION_NOT_GIVEN \
	}

/* The rows of the option tables that belong to struct session_options. */
#define SESSION_OPTIONS(options) \
	{ "output", \
	  'o', \
	  OPTION_STRING, \
	  "FILE", \
	  "the sample data set; default PROGRAM.vprf or SCRIPT.vprf in the current folder, .vprc with " \
	  "CONSOLIDATE=ON, .vcvf with COVERAGE=ON", \
	  &(options).output }, \
		CONTROL_OPTIONS((options).control), \
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
		{ "cost", \
		  0, \
		  OPTION_STRING, \
		  "PERCENT", \
		  "of the step's CPU time that measuring may cost, 1 to 100; default 3", \
		  &(options).cost }, \
		{ "library", \
		  0, \
		  OPTION_STRING, \
		  "DIR", \
		  "resource library; default VIGIL_LIBRARY, then profiles in the data set root", \
		  &(options).library }, \
		{ "pool", \
		  0, \
		  OPTION_STRING, \
		  "KB", \
		  "data pool of events, 100 to 2097151; default VIGIL_PDPSIZE, then 16384", \
		  &(options).pool }, \
		{ "trace", \
		  0, \
		  OPTION_STRING, \
		  "FILE", \
		  "where TRACE=ON writes; default standard output", \
		  &(options).trace }, \
		{ "privilege", \
		  0, \
		  OPTION_STRING, \
		  "LEVEL", \
		  "full, user or proc: the way of measuring, instead of the best that works", \
		  &(options).privilege }, \
		{ "require", \
		  0, \
		  OPTION_FLAG, \
		  NULL, \
		  "not measured, or not as asked for, is an exit status of its own", \
		  &(options).require }, \
	{ \
		"quiet", 'q', OPTION_FLAG, NULL, "no progress and no summary", &(options).quiet \
	}

struct session_command {
	struct measure_request request;
	struct session_options *options; /* borrowed */
	struct statements statements;
	struct request_settled settled; /* what its statements ask for */
	const char *name; /* what the sample data set is called without --output, without a suffix */
	char *output;	  /* the default: NAME.vprf, or with the suffix of what it holds */
	char *library; /* the folder that DCCLIB names */
	bool unmeasured; /* the resource cannot be written: a command runs without being measured */
};

/*
 * Read the statements and fill the request from them and the options. program,
 * a file's name without folders, line, the command line, and type, "QUEUED" or
 * "ACTIVE", are borrowed; name is what the sample data set is called without --output. Messages are printed. 0, or the exit status; it is
 * to be released in any case.
 */
int session_command_init(struct session_command *command, struct session_options *options,
			 const char *program, const char *name, const char *line,
			 const char *type);
/*
 * Whether the sample data set leaves the measured program's file alone; otherwise a message and the
 * exit status.
 */
int session_command_spare(const struct session_command *command, const char *program);
/* measure_new; what it has to say of data collectors is printed. NULL: the command is to run unmeasured, which was said. */
struct measure *session_command_begin(const struct session_command *command);
/*
 * measure_finish, with a message when the profile of the subject is incomplete; false then.
 * *lacking is set when the session is not what was asked for: incomplete, paused all the
 * time, or with less privilege.
 */
bool session_command_finish(const struct session_command *command, struct measure *measure,
			    const char *subject, bool *lacking);
/* After the session: print the summary and the reports that were asked for. The worst severity. */
int session_command_report(const struct session_command *command);
/* The options' lists are released too. */
void session_command_release(struct session_command *command);

#endif
