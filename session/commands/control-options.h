/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control statements of a command line, the same in every command that
 * takes them (submit, check, run, attach): --control is a FILE, -c a
 * STATEMENT. Files come first, in their order; the statements after them are
 * the lines of one input, "-c" in messages. Where there are decks, --measure
 * stands before all: an ADD for every step, or for each of STEPS.
 */
#ifndef VIGIL_SESSION_COMMANDS_CONTROL_OPTIONS_H
#define VIGIL_SESSION_COMMANDS_CONTROL_OPTIONS_H

#include "session/commands/command.h"
#include "session/requests/checked-statements.h"

struct control_options {
	struct option_list files;      /* --control */
	struct option_list statements; /* -c */
	const char *measure; /* --measure: its STEPS, "" without; NULL: not given */
};

/* What that input is called in messages. */
#define CONTROL_MEASURE "--measure"

/* The rows of the option tables that belong to struct control_options. */
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
 * Add all of them to the statements; what is wrong with them is in diags.
 * EXIT_OK; EXIT_ERROR, after a message, when a file cannot be read; EXIT_USAGE,
 * after a message, when -c names a file.
 */
int control_options_read(const struct control_options *options, struct statements *statements,
			 struct diag_list *diags);
void control_options_release(struct control_options *options);

#endif
