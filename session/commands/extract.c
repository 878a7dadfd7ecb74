/* SPDX-License-Identifier: Apache-2.0 */
/* vigil extract: writes records of sample data sets or of a MONWRITE file as text. */
#include "common/compat.h"
#include "session/collection/extraction.h"
#include "metrics/outputs.h"
#include "session/commands/command.h"
#include "session/commands/guest-options.h"

static struct extract_request request;
static struct guest_options guests;
static uint64_t leap_seconds;

static const struct command_option *extract_options(void)
{
	static const struct command_option options[] = {
		{ "from", 0, OPTION_STRING, "TIME",
		  "omit records before a time, or before +SECONDS from the first snapshot",
		  &request.from },
		{ "to", 0, OPTION_STRING, "TIME", "omit records after a time", &request.to },
		{ "text", 't', OPTION_STRING, "FORM", TEXT_FORMS "; LIST is the default",
		  &request.text },
		GUEST_OPTIONS(guests),
		{ "output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output",
		  &request.output },
		{ "leap-seconds", 0, OPTION_NUMBER, "N",
		  "seconds that the clock of a MONWRITE file is ahead of UTC; 0 is the default",
		  &leap_seconds },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/*
 * Returns whether an operand after the first is another file, not a record: it has
 * a '/' or the suffix .vprf.
 */
static bool is_file(const char *operand)
{
	size_t length = strlen(operand);

	return strchr(operand, '/') || (length > 5 && strcmp(operand + length - 5, ".vprf") == 0);
}

static int extract_main(int argc, char **argv)
{
	int status;

	if (!argc)
		return command_fail(EXIT_USAGE, "extract needs a sample data set (FILE.vprf) or a MONWRITE file");
	status = guest_options_take(&guests, &request.guests);
	if (status != EXIT_OK)
		return status;
	if (request.text && !text_form_known(request.text))
		return command_fail(EXIT_USAGE, "unknown form '%s': " TEXT_FORMS, request.text);
	if (leap_seconds > 1000)
		return command_fail(EXIT_USAGE, "--leap-seconds takes 0 to 1000");
	request.leap_seconds = (int)leap_seconds;
	request.paths = (const char *const *)argv;
	request.path_count = 1;
	while (request.path_count < (size_t)argc && is_file(argv[request.path_count]))
		request.path_count++;
	request.records = request.paths + request.path_count;
	request.record_count = (size_t)argc - request.path_count;
	return extract_run(&request, &command_messages);
}

const struct command extract_command = {
	.name = "extract",
	.arguments = "FILE... [RECORD[.ITEM]...]",
	.summary = "Writes records of sample data sets or a MONWRITE file as text",
	.options = extract_options,
	.run = extract_main,
};
