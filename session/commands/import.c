/* SPDX-License-Identifier: Apache-2.0 */
/* vigil import: creates a sample data set from a perf recording. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/error.h"
#include "common/path.h"
#include "session/commands/command.h"
#include "session/import/import.h"

static const char *output_path;
static bool replace, quiet;

static const struct command_option *import_options(void)
{
	static const struct command_option options[] = {
		{ "output", 'o', OPTION_STRING, "FILE",
		  "write to FILE instead of the recording's name with .vprf", &output_path },
		{ "replace", 0, OPTION_FLAG, NULL, "replace an existing file", &replace },
		{ "quiet", 'q', OPTION_FLAG, NULL, "do not report what was done", &quiet },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Appends the path of a recording's data set: in the same folder, with another suffix. */
static void add_output(struct strbuf *sb, const char *from)
{
	static const char *const endings[] = { ".data", ".txt", ".script" };

	strbuf_add(sb, from, path_length_without(from, endings, ARRAY_SIZE(endings)));
	strbuf_addstr(sb, ".vprf");
}

/* Reports what was created. */
static void report(const char *to, const struct import_result *result)
{
	struct strbuf cpu = STRBUF_INIT, elapsed = STRBUF_INIT;

	clock_format_duration(&cpu, result->cpu);
	clock_format_duration(&elapsed, result->elapsed);
	command_message(SEVERITY_INFO, 6582,
			"%s: %" PRIu64 " samples, CPU time %s, elapsed %s, %s", to, result->read, cpu.text,
			elapsed.text, result->switches ? "with waits" : "without waits");
	strbuf_release(&cpu);
	strbuf_release(&elapsed);
}

static int import_main(int argc, char **argv)
{
	struct import_request request = { .replace = replace, .sink = &command_messages };
	struct import_result result;
	struct error err = ERROR_INIT;
	struct strbuf to = STRBUF_INIT;
	int status;

	if (argc != 1)
		return command_fail(EXIT_USAGE, "import needs one recording (perf.data), or - for "
						"standard input");
	if (!output_path && strcmp(argv[0], "-") == 0)
		return command_fail(EXIT_USAGE, "input from standard input needs --output");
	request.from = argv[0];
	if (output_path)
		strbuf_addstr(&to, output_path);
	else
		add_output(&to, argv[0]);
	request.to = to.text;
	if (import_recording(&request, &result, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 6580, "cannot import %s", error_text(&err));
	} else {
		status = result.severity;
		if (!quiet)
			report(to.text, &result);
	}
	error_release(&err);
	strbuf_release(&to);
	return status;
}

const struct command import_command = {
	.name = "import",
	.arguments = "FILE|-",
	.summary = "Creates a sample data set from a perf recording",
	.options = import_options,
	.run = import_main,
};
