/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that read the history share: which one, in which form, where it goes. */
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
			"folder of the data sets, beside which the history is; default VIGIL_ROOT, then " \
			"./data", \
			&(source_).root \
	}

/* Open it; an exit status, after a message when it is not EXIT_OK. */
int history_source_open(const struct history_source *source, struct history **history);
/* Say that the history could not be used; an exit status. */
int history_source_fail(const struct error *err);
/* Take --format; false after a message. */
bool history_source_format(const char *format, struct report_options *options);

/* Print to an output; an exit status. err has a text where no message was given. */
typedef int (*history_source_print)(struct history *history, const void *argument,
				    struct output *output, struct error *err);
/* Print to a file, or to standard output when path is NULL; it appears whole or not at all. */
int history_source_write(struct history *history, const char *path, history_source_print print,
			 const void *argument);

#endif
