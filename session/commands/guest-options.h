/* SPDX-License-Identifier: Apache-2.0 */
/* Options for third-party modules, shared by collect, extract and modules. */
#ifndef VIGIL_SESSION_COMMANDS_GUEST_OPTIONS_H
#define VIGIL_SESSION_COMMANDS_GUEST_OPTIONS_H

#include "session/collection/guests.h"
#include "session/commands/command.h"

struct guest_options {
	struct option_list libraries;
	const char *folders, *patience;
};

/* Their rows in an option table. */
#define GUEST_OPTIONS(guests) \
	{ "module", \
	  'm', \
	  OPTION_LIST, \
	  "NAME[=TEXT]", \
	  "use the modules of a third-party library, with a text for them", \
	  &(guests).libraries }, \
		{ "path", \
		  'p', \
		  OPTION_STRING, \
		  "FOLDER[:FOLDER]", \
		  "search these folders first for module libraries", \
		  &(guests).folders }, \
	{ \
		"patience", 0, OPTION_STRING, "SECONDS", \
			"maximum duration of a call of a third-party module (default 10)", \
			&(guests).patience \
	}

/* Copies the given values into a request; returns the exit status, after a message. */
int guest_options_take(const struct guest_options *options, struct guest_request *request);

#endif
