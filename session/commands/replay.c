/* SPDX-License-Identifier: Apache-2.0 */
/* vigil replay: makes the data set of a recorded session again. */
#include "common/compat.h"
#include "common/destination.h"
#include "common/error.h"
#include "common/path.h"
#include "session/commands/command.h"
#include "session/measure/recording.h"
#include "session/measure/replay.h"

static const char *output_path;
static bool replace, quiet, list;

static const struct command_option *replay_options(void)
{
	static const struct command_option options[] = {
		{ "output", 'o', OPTION_STRING, "FILE",
		  "the sample data set; default the recording's name with .vprf", &output_path },
		{ "replace", 0, OPTION_FLAG, NULL, "replace an existing file", &replace },
		{ "list", 0, OPTION_FLAG, NULL, "print what was asked and answered, instead of a replay", &list },
		{ "quiet", 'q', OPTION_FLAG, NULL, "do not report what was done", &quiet },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Appends the path of the data set: in the same folder, with another suffix. */
static void add_output(struct strbuf *sb, const char *from)
{
	static const char *const endings[] = { RECORDING_SUFFIX };

	strbuf_add(sb, from, path_length_without(from, endings, ARRAY_SIZE(endings)));
	strbuf_addstr(sb, ".vprf");
}

/* Reports what the replay found; returns the exit status. */
static int report(const struct replay_request *request, const struct replay_result *result)
{
	int status = EXIT_OK;

	if (result->damaged)
		status = command_message(SEVERITY_WARNING, 6623,
					 "%s is damaged or was cut off: the session is replayed up to there",
					 request->from);
	else if (!result->whole)
		status = command_message(SEVERITY_WARNING, 6624,
					 "%s ends before the session did: the session is replayed up to there",
					 request->from);
	if (result->missing)
		status = command_message(SEVERITY_WARNING, 6627,
					 "%s is not there as it was recorded (%" PRIu64 " objects): stacks in it are broken; --record-objects and RECORD=OBJECTS put objects into a recording",
					 result->missing_path, result->missing);
	else if (result->whole && result->differences)
		status = command_message(SEVERITY_WARNING, 6625,
					 "the session is not the recorded one: %s (%" PRIu64 " differences)",
					 result->difference, result->differences);
	if (!quiet)
		command_message(SEVERITY_INFO, 6626, "%s: %" PRIu64 " samples, from %" PRIu64 " calls of the session",
				request->to, result->samples, result->calls);
	return status;
}

/* Prints a recording. */
static int print(const char *from)
{
	struct error err = ERROR_INIT;
	int status = EXIT_OK;

	if (replay_list(from, stdout, &err) < 0)
		status = command_message(SEVERITY_ERROR, 6622, "cannot replay %s", error_text(&err));
	error_release(&err);
	return status;
}

static int replay_main(int argc, char **argv)
{
	struct replay_request request = { 0 };
	struct replay_result result = { 0 };
	struct destination place;
	struct error err = ERROR_INIT;
	struct strbuf to = STRBUF_INIT;
	int status;

	if (argc != 1)
		return command_fail(EXIT_USAGE, "replay needs one recording");
	if (list)
		return print(argv[0]);
	request.from = argv[0];
	if (output_path)
		strbuf_addstr(&to, output_path);
	else
		add_output(&to, argv[0]);
	request.to = to.text;
	if (destination_of_file(&place, to.text, replace, &err) < 0 || replay(&request, &result, &err) < 0)
		status = command_message(SEVERITY_ERROR, 6622, "cannot replay %s", error_text(&err));
	else
		status = report(&request, &result);
	destination_release(&place);
	replay_result_release(&result);
	error_release(&err);
	strbuf_release(&to);
	return status;
}

const struct command replay_command = {
	.name = "replay",
	.arguments = "FILE",
	.summary = "Makes the data set of a recorded session again",
	.options = replay_options,
	.run = replay_main,
};
