/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements on the command line, the same in every command that takes
 * them (submit, check, run, attach): --control takes a FILE, -c a STATEMENT. Files
 * come first, in their order; the statements follow as the lines of one input,
 * called "-c" in messages. In commands that take decks, --measure precedes both:
 * it is an ADD for every step, or for each of STEPS.
 */
#ifndef VIGIL_SESSION_COMMANDS_CONTROL_OPTIONS_H
#define VIGIL_SESSION_COMMANDS_CONTROL_OPTIONS_H

#include "session/commands/command.h"
#include "session/requests/checked-statements.h"

struct control_options {
	struct option_list files;      /* --control */
	struct option_list statements; /* -c */
	const char *measure; /* --measure: its STEPS, "" if it has none; NULL: not given */
};

/* The name of this input in messages. */
#define CONTROL_MEASURE "--measure"

/* The option table rows that belong to struct control_options. */
#define CONTROL_OPTIONS(options) \
	{ "control", \
	  0, \
	  OPTION_LIST, \
	  "FILE", \
	  "control statements from a file; '-' is standard input", \
	  &(options).files }, \
	{ \
		"statement", 'c', OPTION_LIST, "STATEMENT", "a control statement", \
			&(options).statements \
	}

#define MEASURE_OPTION(options) \
	{ \
		"measure", 0, OPTION_OPTIONAL, "STEPS", \
			"measure each step, or those of STEPS: NAME or STEP.PROCSTEP, several " \
			"separated by commas", \
			&(options).measure \
	}

/*
 * Adds all of them to the statements and their errors to diags. Returns EXIT_OK;
 * EXIT_ERROR, after a message, if a file cannot be read; EXIT_USAGE, after a
 * message, if -c names a file.
 */
int control_options_read(const struct control_options *options, struct statements *statements,
			 struct diag_list *diags);
void control_options_release(struct control_options *options);

#endif
