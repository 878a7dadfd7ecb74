/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command options: parsing, help and completion from one table (struct
 * command_option).
 *
 *	--name=VALUE  --name VALUE  -n VALUE  -nVALUE  -abc  --
 *
 * An optional value can only follow "=" (OPTION_OPTIONAL; such an option has no
 * letter).
 *
 * Options and operands may be mixed unless the command stops at its first operand.
 * If an option is repeated the last one counts, except for lists, which
 * accumulate. "-" is an operand.
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
 * Parses arguments (argv[0] is the first after the command's name) into the
 * targets. Moves the operands, in order, to the front of argv, followed by NULL
 * (argv has space for it), and sets *argc to their number.
 */
enum options_outcome options_parse(const struct command *command, int *argc, char **argv,
				   struct error *err);
/* Appends the help text of a command. */
void options_help(const struct command *command, struct strbuf *sb);
/* Appends the input of the shell completion: a line for the command and one for each option. */
void options_completion(const struct command *command, struct strbuf *sb);
void option_list_add(struct option_list *list, const char *item);

#endif
