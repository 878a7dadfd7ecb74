/* SPDX-License-Identifier: Apache-2.0 */
/* vigil replay: makes the data set of a recorded session again, or with other options. */
#include "common/compat.h"
#include "common/destination.h"
#include "common/error.h"
#include "common/path.h"
#include "session/commands/command.h"
#include "session/measure/privilege.h"
#include "session/measure/recording.h"
#include "session/measure/replay.h"

/* Questions without an answer are reported from one in N on. */
#define UNANSWERED_PART 100

static const char *output_path, *privilege;
static uint64_t rate = OPTION_NOT_GIVEN;
static bool replace, quiet, list, no_collectors, names;

static const struct command_option *replay_options(void)
{
	static const struct command_option options[] = {
		{ "output", 'o', OPTION_STRING, "FILE",
		  "the sample data set; default the recording's name with .vprf", &output_path },
		{ "replace", 0, OPTION_FLAG, NULL, "replace an existing file", &replace },
		{ "no-collectors", 0, OPTION_FLAG, NULL, "as if no data collectors had been called", &no_collectors },
		{ "privilege", 0, OPTION_STRING, "LEVEL", "user: as an ordinary user would have been told by the kernel", &privilege },
		{ "rate", 0, OPTION_NUMBER, "N", "this number of samples a second of CPU time of a task; fewer than were taken", &rate },
		{ "names", 0, OPTION_FLAG, NULL, "look up the names of procedures and lines on this machine", &names },
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
	if (result->unanswered > result->asked / UNANSWERED_PART)
		status = command_message(SEVERITY_WARNING, 6629,
					 "of %" PRIu64 " questions that a session with these options asks the recording answers %" PRIu64,
					 result->asked, result->asked - result->unanswered);
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
		status = command_message(SEVERITY_ERROR, 6622, "cannot replay: %s", error_text(&err));
	error_release(&err);
	return status;
}

/* Sets the options that are other than those of the session; returns 0 or the exit status. */
static int set_options(struct replay_options *options)
{
	options->no_collectors = no_collectors;
	options->names = names;
	if (privilege && (!privilege_find(privilege, &options->privilege) ||
			  (options->privilege != PRIVILEGE_FULL && options->privilege != PRIVILEGE_USER)))
		return command_fail(EXIT_USAGE, "--privilege takes full or user, not '%s'", privilege);
	if (rate == OPTION_NOT_GIVEN)
		return 0;
	if (rate == 0)
		return command_fail(EXIT_USAGE, "--rate takes a number of samples a second, 1 or more");
	options->rate = rate;
	return 0;
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
	status = set_options(&request.options);
	if (status)
		return status;
	request.from = argv[0];
	if (output_path)
		strbuf_addstr(&to, output_path);
	else
		add_output(&to, argv[0]);
	request.to = to.text;
	if (destination_of_file(&place, to.text, replace, &err) < 0 || replay(&request, &result, &err) < 0)
		status = command_message(SEVERITY_ERROR, 6622, "cannot replay: %s", error_text(&err));
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
