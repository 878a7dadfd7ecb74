/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the history for a command, and writes the command's output. */
#include "common/compat.h"
#include "session/commands/history-source.h"
#include "reports/device.h"
#include "session/commands/deck.h"

#include <signal.h>

int history_source_fail(const struct error *err)
{
	return command_message(SEVERITY_ERROR, 6855, "the history cannot be used: %s",
			       error_text(err));
}

int history_source_open(const struct history_source *source, struct history **history)
{
	char *folder = history_folder(source->folder, deck_folder(source->root, "VIGIL_ROOT", "data"));
	struct error err = ERROR_INIT;
	int status = EXIT_OK;

	*history = history_open(folder, false, HISTORY_PATIENCE, NULL, &err);
	if (!*history && *error_text(&err))
		status = history_source_fail(&err);
	else if (!*history)
		status = command_message(SEVERITY_ERROR, 6853, "there is no history in %s", folder);
	error_release(&err);
	free(folder);
	return status;
}

bool history_source_format(const char *format, struct report_options *options)
{
	options->device = device_of_documents(format);
	if (!options->device)
		command_fail(EXIT_USAGE, "unknown format '%s'; expected text, csv, json or html",
			     format);
	return options->device != NULL;
}

int history_source_write(struct history *history, const char *path, history_source_print print,
			 const void *argument)
{
	struct error err = ERROR_INIT;
	struct output output;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (output_open(&output, path, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	status = print(history, argument, &output, &err);
	if (status != EXIT_OK && *error_text(&err) && !output_reader_gone(&output))
		history_source_fail(&err);
	if (status != EXIT_OK)
		output_abandon(&output);
	else if (output_commit(&output, &err) < 0)
		status = output_reader_gone(&output)
				 ? EXIT_ERROR
				 : command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
	error_release(&err);
	return status;
}
