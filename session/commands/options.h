/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of commands: parsing, help and completion from one table
 * (struct command_option).
 *
 *	--name=VALUE  --name VALUE  -n VALUE  -nVALUE  -abc  --
 *
 * A value that may be left out follows "=" only (OPTION_OPTIONAL; such an option has no letter).
 *
 * Options and operands may be mixed unless the command stops at its first
 * operand. When an option is given again the last one counts, but for lists,
 * which collect. "-" is an operand.
 */
#ifndef VIGIL_SESSION_COMMANDS_OPTIONS_H
#define VIGIL_SESSION_COMMANDS_OPTIONS_H

#include "common/error.h"
#include "session/commands/command.h"

enum options_outcome {
	OPTIONS_GO = 0, /* run the command with the operands */
	OPTIONS_HELP,	/* --help was given */
	OPTIONS_WRONG,	/* err says why */
};

/*
 * Parse arguments (argv[0] is the first after the command's name) into the
 * targets. The operands are moved to the front of argv in their order,
 * followed by NULL; *argc becomes their number. argv has room for that NULL.
 */
enum options_outcome options_parse(const struct command *command, int *argc, char **argv,
				   struct error *err);
/* Append the help text of a command. */
void options_help(const struct command *command, struct strbuf *sb);
/* Append what the shell completion reads: a line for the command and one for each option. */
void options_completion(const struct command *command, struct strbuf *sb);
/* Append an item to a list. */
void option_list_add(struct option_list *list, const char *item);

#endif
