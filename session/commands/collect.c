/* SPDX-License-Identifier: Apache-2.0 */
/* vigil collect: takes snapshots of the whole system at intervals. */
#include "common/compat.h"
#include "session/collection/collection.h"
#include "common/clock.h"
#include "metrics/outputs.h"
#include "session/collection/when.h"
#include "session/commands/command.h"
#include "session/commands/guest-options.h"

#include <unistd.h>

static const char *interval_text, *start_text, *end_text, *size_text, *rotation_text;
static uint64_t count = OPTION_NOT_GIVEN, port = OPTION_NOT_GIVEN, keep = OPTION_NOT_GIVEN;
static struct collect_request request;
static struct guest_options guests;

static const struct command_option *collect_options(void)
{
	static const struct command_option options[] = {
		{ "interval", 'i', OPTION_STRING, "SECONDS",
		  "time between snapshots, 0.01 to 86400 (default 1)", &interval_text },
		{ "count", 'c', OPTION_NUMBER, "N", "end after N snapshots", &count },
		{ "start", 0, OPTION_STRING, "TIME", "begin at a time, or +SECONDS from now",
		  &start_text },
		{ "end", 0, OPTION_STRING, "TIME", "end at a time, or +SECONDS from the start",
		  &end_text },
		{ "output", 'o', OPTION_STRING, "FILE", "write a sample data set",
		  &request.data_set },
		{ "replace", 0, OPTION_FLAG, NULL, "replace FILE if it exists",
		  &request.replace },
		{ "size", 0, OPTION_STRING, "BYTES",
		  "begin a new file before one exceeds BYTES, 4096 or more (k, M, G, T)",
		  &size_text },
		{ "rotate", 0, OPTION_STRING, "WHEN",
		  "begin a new file: hourly, daily or SECONDS", &rotation_text },
		{ "keep", 0, OPTION_NUMBER, "N", "keep the newest N of these files", &keep },
		{ "text", 't', OPTION_STRING, "FORM", "write text to standard output: " TEXT_FORMS,
		  &request.text },
		{ "openmetrics", 0, OPTION_STRING, "FILE",
		  "replace FILE with the newest snapshot as OpenMetrics text, at each interval",
		  &request.openmetrics },
		{ "openmetrics-port", 0, OPTION_NUMBER, "PORT",
		  "serve the same at http://127.0.0.1:PORT/metrics; 0 is any free port",
		  &port },
		GUEST_OPTIONS(guests),
		{ "quiet", 'q', OPTION_FLAG, NULL, "no live table, and do not report what was done",
		  &request.quiet },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Sets up live output: a line per interval. */
static void set_live(void)
{
	bool terminal = isatty(STDOUT_FILENO);

	request.stream = stdout;
	request.live = !request.text && !request.quiet &&
		       (terminal || !(request.data_set || request.openmetrics || request.has_port));
}

/* Checks the options, except for the modules; returns the exit status. */
static int check_options(void)
{
	uint64_t now = clock_wall_ns();

	if (interval_text && !collect_parse_interval(interval_text, &request.interval))
		return command_fail(EXIT_USAGE,
				    "VIG3501E '%s' is not an interval: 0.01 to 86400 seconds",
				    interval_text);
	if (!count)
		return command_fail(EXIT_USAGE, "VIG3501E a collection has at least one snapshot");
	if (size_text && !rotation_parse_size(size_text, &request.size))
		return command_fail(EXIT_USAGE,
				    "'%s' is not a size: 4096 or more, optionally followed by k, "
				    "M, G or T",
				    size_text);
	if (rotation_text && !rotation_parse(rotation_text, &request.rotation))
		return command_fail(EXIT_USAGE, "'%s' is not hourly, daily or SECONDS",
				    rotation_text);
	if (!keep)
		return command_fail(EXIT_USAGE, "at least one file is kept");
	if ((size_text || rotation_text || keep != OPTION_NOT_GIVEN) && !request.data_set)
		return command_fail(EXIT_USAGE, "--size, --rotate and --keep need --output");
	if (keep != OPTION_NOT_GIVEN && !size_text && !rotation_text)
		return command_fail(EXIT_USAGE, "--keep needs --size or --rotate");
	request.keep = keep == OPTION_NOT_GIVEN ? 0 : (size_t)keep;
	if (port != OPTION_NOT_GIVEN && port > UINT16_MAX)
		return command_fail(EXIT_USAGE, "%" PRIu64 " is not a port: 0 to 65535", port);
	request.has_port = port != OPTION_NOT_GIVEN;
	request.port = request.has_port ? (uint16_t)port : 0;
	request.count = count == OPTION_NOT_GIVEN ? 0 : count;
	if (request.text && !text_form_known(request.text))
		return command_fail(EXIT_USAGE, "unknown form '%s': " TEXT_FORMS, request.text);
	if (start_text && !when_parse(start_text, now, &request.start))
		return command_fail(EXIT_USAGE, "VIG3501E " WHEN_WRONG, start_text);
	if (end_text && !when_parse(end_text, request.start ? request.start : now, &request.end))
		return command_fail(EXIT_USAGE, "VIG3501E " WHEN_WRONG, end_text);
	if (end_text && request.end <= (request.start ? request.start : now))
		return command_fail(EXIT_USAGE,
				    "VIG3501E the collection would end before it begins");
	return EXIT_OK;
}

static int collect_main(int argc, char **argv)
{
	int status = check_options();

	if (status == EXIT_OK)
		status = guest_options_take(&guests, &request.guests);
	if (status != EXIT_OK)
		return status;
	set_live();
	request.modules = (const char *const *)argv;
	request.module_count = (size_t)argc;
	return collect_run(&request, &command_messages);
}

const struct command collect_command = {
	.name = "collect",
	.arguments = "[MODULE...]",
	.summary = "Takes snapshots of the whole system at intervals",
	.options = collect_options,
	.run = collect_main,
};
