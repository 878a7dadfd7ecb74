/* SPDX-License-Identifier: Apache-2.0 */
/* vigil night: the report of a night, from the history. */
#include "common/compat.h"
#include "session/commands/history-source.h"
#include "session/history/night-report.h"
#include "session/history/nights.h"

static struct history_source source;
static const char *format = "text", *output_path;

static const struct command_option *night_options(void)
{
	static const struct command_option options[] = {
		HISTORY_SOURCE_OPTIONS(source),
		{ "format", 'f', OPTION_STRING, "FORMAT", "text, csv, json or html; default text",
		  &format },
		{ "output", 'o', OPTION_STRING, "FILE",
		  "write to FILE instead of standard output", &output_path },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* The query. */
struct query {
	uint64_t moment; /* in the night; 0: the last one of the history */
	const char *name;
	struct report_options options;
};

/* A history_source_print. */
static int print_night(struct history *history, const void *argument, struct output *output,
		       struct error *err)
{
	const struct query *query = argument;
	uint64_t moment = query->moment;
	struct night night;
	int status = EXIT_OK;

	if (moment == 0 && history_last(history, &moment, err) < 0)
		return EXIT_ERROR;
	if (night_init(&night, history, moment, err) < 0)
		status = EXIT_ERROR;
	else if (night.jobs.count == 0)
		status = command_message(SEVERITY_ERROR, 6858,
					 "no job of the night of %s is in the history",
					 query->name ? query->name : "now");
	else if (night_report(&night, &query->options, output->stream, err) < 0)
		status = EXIT_ERROR;
	night_release(&night);
	return status;
}

static int night_main(int argc, char **argv)
{
	struct query query = { .name = argc > 0 ? argv[0] : NULL };
	struct history *history = NULL;
	int status;

	report_options_init(&query.options);
	query.options.lines = 0;
	if (argc > 1)
		return command_fail(EXIT_USAGE, "night takes one night, no more");
	if (!history_source_format(format, &query.options))
		return EXIT_USAGE;
	if (query.name && !night_parse(query.name, &query.moment))
		return command_fail(EXIT_USAGE, "%s is not a night; expected a day such as "
						"2026-11-23",
				    query.name);
	status = history_source_open(&source, &history);
	if (status == EXIT_OK)
		status = history_source_write(history, output_path, print_night, &query);
	history_close(history);
	return status;
}

const struct command night_command = {
	.name = "night",
	.arguments = "[NIGHT]",
	.summary = "Reports a night: its steps, what differs, and what determined its end",
	.options = night_options,
	.run = night_main,
};
