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
#include "session/requests/requests.h"

struct session_options {
	const char *output;
	struct control_options control;
	uint64_t rate, samples; /* OPTION_NOT_GIVEN */
	const char *privilege;	/* NULL: the highest that works */
	const char *library; /* of resources, where the statements name none; NULL not given */
	const char *pool;    /* KB of the data pool; NULL not given */
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
	  "the sample data set; default PROGRAM.vprf in the current folder", \
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
		{ "privilege", \
		  0, \
		  OPTION_STRING, \
		  "LEVEL", \
		  "full, user or proc: the way of measuring, instead of the best that works", \
		  &(options).privilege }, \
	{ \
		"quiet", 'q', OPTION_FLAG, NULL, "no progress and no summary", &(options).quiet \
	}

struct session_command {
	struct measure_request request;
	struct session_options *options; /* borrowed */
	struct statements statements;
	struct request_events events;
	char *output;  /* PROGRAM.vprf, the default */
	char *library; /* the folder that DCCLIB names */
};

/*
 * Read the statements and fill the request from them and the options. program,
 * a file's name without folders, line, the command line, and type, "QUEUED" or
 * "ACTIVE", are borrowed. Messages are printed. 0, or the exit status; it is
 * to be released in any case.
 */
int session_command_init(struct session_command *command, struct session_options *options,
			 const char *program, const char *line, const char *type);
/*
 * Whether the sample data set leaves the measured program's file alone; otherwise a message and the
 * exit status.
 */
int session_command_spare(const struct session_command *command, const char *program);
/* measure_new; what it has to say of data collectors is printed. */
struct measure *session_command_begin(const struct session_command *command);
/* measure_finish, with a message when the profile of the subject is incomplete; false then. */
bool session_command_finish(struct measure *measure, const char *subject);
/* After the session: print the summary and the reports that were asked for. The worst severity. */
int session_command_report(const struct session_command *command);
/* The options' lists are released too. */
void session_command_release(struct session_command *command);

#endif
