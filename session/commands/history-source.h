/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the commands that read the history: which history, output format, output file. */
#ifndef VIGIL_SESSION_COMMANDS_HISTORY_SOURCE_H
#define VIGIL_SESSION_COMMANDS_HISTORY_SOURCE_H

#include "reports/report.h"
#include "session/commands/command.h"
#include "session/history/step-history.h"
#include "session/output.h"

/* Which history. */
struct history_source {
	const char *folder, *root;
};

#define HISTORY_SOURCE_OPTIONS(source_) \
	{ "history", 0, OPTION_STRING, "DIR", \
	  "the history of steps; default VIGIL_HISTORY, then ROOT.history", &(source_).folder }, \
	{ \
		"root", 0, OPTION_STRING, "DIR", \
			"folder of the data sets; the history is next to it; default VIGIL_ROOT, " \
			"then ./data", \
			&(source_).root \
	}

/* Opens the history; returns an exit status, after a message unless it is EXIT_OK. */
int history_source_open(const struct history_source *source, struct history **history);
/* Reports that the history cannot be used; returns an exit status. */
int history_source_fail(const struct error *err);
/* Applies --format; returns false after a message. */
bool history_source_format(const char *format, struct report_options *options);

/* Prints to an output; returns an exit status. err has a text if no message was printed. */
typedef int (*history_source_print)(struct history *history, const void *argument,
				    struct output *output, struct error *err);
/*
 * Prints to a file, or to standard output if path is NULL; a file appears complete
 * or not at all. Returns an exit status.
 */
int history_source_write(struct history *history, const char *path, history_source_print print,
			 const void *argument);

#endif
