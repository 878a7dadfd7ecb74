/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of vigil: one file per command, and one table of them (main.c). */
#ifndef VIGIL_SESSION_COMMANDS_COMMAND_H
#define VIGIL_SESSION_COMMANDS_COMMAND_H

#include "session/collection/messages.h"

/* Exit statuses shared by all commands except submit and run. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_USAGE = 2,
	EXIT_WARNING = 4,
	EXIT_ERROR = 8,
	EXIT_SEVERE = 12,
};

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_STRING, /* const char * */
	OPTION_OPTIONAL, /* const char *: --name=VALUE, or "" for --name alone */
	OPTION_LIST,   /* struct option_list: may be repeated */
	OPTION_NUMBER, /* uint64_t */
	OPTION_PERCENT, /* double */
};

struct option_list {
	const char **items;
	size_t count, alloc;
};

/* The value of a number whose option was not given. */
#define OPTION_NOT_GIVEN UINT64_MAX

/* One option; the usage text, the parsing and the shell completion come from this table. */
struct command_option {
	const char *name;     /* long name without "--" */
	char letter;	      /* short name, 0 none */
	enum option_kind kind;
	const char *argument; /* word for the argument in the help, NULL for flags */
	const char *help;     /* one sentence without full stop */
	void *target;
};

struct command {
	const char *name;
	const char *arguments; /* "DECK..." */
	const char *summary;   /* one sentence without full stop */
	const struct command_option *(*options)(void); /* terminated by a NULL name; NULL: none */
	int (*run)(int argc, char **argv); /* argv[0] is the first operand; returns the exit status */
	bool stop_at_operand;  /* options end at the first operand (run) */
};

extern const struct command submit_command, check_command, run_command, attach_command,
	control_command, report_command, collectors_command, start_command, pause_command, list_command,
	delete_command, consolidate_command, read_command, export_command, collect_command, extract_command,
	modules_command, compare_command, import_command, replay_command, request_command, watch_command,
	history_command, night_command;

/*
 * Prints "vigil: VIGnnnnX text" to standard error; returns the severity, which is
 * also the exit status.
 */
int command_message(enum severity severity, unsigned number, const char *format, ...)
	PRINTFLIKE(3, 4);
/* command_message as a sink, for the code that does the command's work. */
extern const struct message_sink command_messages;
/* Prints "vigil: " and the text to standard error for a wrong command line; returns status. */
int command_fail(int status, const char *format, ...) PRINTFLIKE(2, 3);

#endif
