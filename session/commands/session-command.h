/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the commands run and attach: options and statements become a
 * measurement request, the session begins and ends, its summary and reports are
 * printed. The commands themselves start or find the process and decide when the
 * session is over.
 */
#ifndef VIGIL_SESSION_COMMANDS_SESSION_COMMAND_H
#define VIGIL_SESSION_COMMANDS_SESSION_COMMAND_H

#include "session/commands/control-options.h"
#include "session/measure/measure.h"
#include "session/requests/precedence.h"

struct session_options {
	const char *output;
	struct control_options control;
	uint64_t rate, samples; /* OPTION_NOT_GIVEN if not given */
	const char *cost;	/* percent; NULL: not given */
	const char *privilege;	/* NULL: the highest available */
	const char *library; /* resource library, if the statements name none; NULL: not given */
	const char *pool;    /* KB of the data pool; NULL: not given */
	const char *trace;   /* destination of TRACE=ON; NULL: standard output */
	const char *record;	/* file of the recording; NULL: none */
	uint64_t record_size; /* MB; OPTION_NOT_GIVEN if not given */
	bool record_objects; /* the recording has the content of objects */
	bool record_no_memory; /* the recording has no data of the program */
	bool require; /* the exit status reports if the measurement is not as requested */
	bool quiet;
};

#define SESSION_OPTIONS_INIT \
	{ \
		.rate = OPTION_NOT_GIVEN, .samples = OPTION_NOT_GIVEN, .record_size = OPTION_NOT_GIVEN \
	}

/* The option table rows that belong to struct session_options. */
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
		  "initial number of samples a second of CPU time of a task; default 1000", \
		  &(options).rate }, \
		{ "samples", \
		  0, \
		  OPTION_NUMBER, \
		  "N", \
		  "samples requested; a longer session has at most twice as many; default 10000", \
		  &(options).samples }, \
		{ "cost", \
		  0, \
		  OPTION_STRING, \
		  "PERCENT", \
		  "share of the step's CPU time that measuring may cost, 1 to 100; default 3", \
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
		  "full, user or proc: the method of measuring, instead of the best available", \
		  &(options).privilege }, \
		{ "record", \
		  0, \
		  OPTION_STRING, \
		  "FILE", \
		  "also record what the session learns, for vigil replay", \
		  &(options).record }, \
		{ "record-objects", \
		  0, \
		  OPTION_FLAG, \
		  NULL, \
		  "with the whole program and its libraries; a replay needs only the parts that were read", \
		  &(options).record_objects }, \
		{ "record-no-memory", \
		  0, \
		  OPTION_FLAG, \
		  NULL, \
		  "without the data in the program's memory: only what unwinding needs of it", \
		  &(options).record_no_memory }, \
		{ "record-size", \
		  0, \
		  OPTION_NUMBER, \
		  "MB", \
		  "maximum size of the recording, which then ends; default 1024", \
		  &(options).record_size }, \
		{ "require", \
		  0, \
		  OPTION_FLAG, \
		  NULL, \
		  "a separate exit status if it is not measured, or not as requested", \
		  &(options).require }, \
	{ \
		"quiet", 'q', OPTION_FLAG, NULL, "no progress and no summary", &(options).quiet \
	}

struct session_command {
	struct measure_request request;
	struct session_options *options; /* borrowed */
	struct statements statements;
	struct request_settled settled; /* what the statements request */
	const char *name; /* default name of the sample data set, without suffix */
	char *output;	  /* default output: NAME.vprf, or the suffix of its kind */
	char *library; /* the folder named by DCCLIB */
	bool unmeasured; /* the resource cannot be written: the command runs unmeasured */
};

/*
 * Reads the statements and fills the request from them and the options. Borrowed:
 * program, a file name without folders; line, the command line; type, "QUEUED" or
 * "ACTIVE". name is the default name of the sample data set. Prints messages.
 * Returns 0 or the exit status; release the command in either case.
 */
int session_command_init(struct session_command *command, struct session_options *options,
			 const char *program, const char *name, const char *line,
			 const char *type);
/*
 * Checks that the sample data set does not overwrite the measured program's file;
 * returns 0, or an exit status after a message.
 */
int session_command_spare(const struct session_command *command, const char *program);
/*
 * Calls measure_new and prints its messages about data collectors. Returns NULL if
 * the command shall run unmeasured, after a message.
 */
struct measure *session_command_begin(const struct session_command *command);
/*
 * Calls measure_finish; returns false, after a message, if the profile is
 * incomplete. Sets *lacking if the session is not as requested: incomplete, paused
 * all the time, or with less privilege.
 */
bool session_command_finish(const struct session_command *command, struct measure *measure,
			    const char *subject, bool *lacking);
/* Prints the summary and the requested reports after the session; returns the worst severity. */
int session_command_report(const struct session_command *command);
/* Also releases the options' lists. */
void session_command_release(struct session_command *command);

#endif
