/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements that a command was given in files and options: parsed,
 * checked, and joined into one deck.
 */
#ifndef VIGIL_SESSION_COMMANDS_CONTROLS_H
#define VIGIL_SESSION_COMMANDS_CONTROLS_H

#include "parser/control.h"
#include "session/commands/command.h"

struct controls {
	struct source *sources;
	struct control_deck *deck; /* never NULL after controls_init */
	char *library;		   /* the folder that DCCLIB of the request names, NULL none */
	bool sampling_allowed;	   /* a PROFILER block with plain sampling is carried out */
};

void controls_init(struct controls *controls, bool sampling_allowed);
void controls_release(struct controls *controls);
/* Add a file of statements; what is wrong with them is in diags. -1 when it cannot be read. */
int controls_add_file(struct controls *controls, const char *path, struct diag_list *diags,
		      struct error *err);
/* Add statements given as options, one a line, together one input. */
void controls_add_lines(struct controls *controls, const struct option_list *lines,
			struct diag_list *diags);
/* Add a text; takes source over. */
void controls_add_source(struct controls *controls, struct source *source, bool cards,
			 struct diag_list *diags);
/* How many statements ask for a measurement, and the last of them. */
size_t controls_requests(const struct controls *controls, const struct control_statement **last);

#endif
