/* SPDX-License-Identifier: Apache-2.0 */
/* vigil compare: shows what takes more or less time in other runs than in base runs. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "reports/device.h"
#include "session/commands/options.h"
#include "session/requests/comparing.h"

#include <signal.h>

static const char *format = "text", *output_path, *work, *title;
static struct option_list base;
static uint64_t lines = 60, resolution = OPTION_NOT_GIVEN;
static double baseline = -1;
static bool asa, all, native, any_program;

static const struct command_option *compare_options(void)
{
	static const struct command_option options[] = {
		{ "base", 'b', OPTION_LIST, "FILE",
		  "a run of the base; repeatable. All operands are then the other side",
		  &base },
		{ "format", 'f', OPTION_STRING, "FORMAT",
		  "text, csv, json, html, or folded (stacks with two columns); text is the default",
		  &format },
		{ "per", 0, OPTION_STRING, "WHAT",
		  "what counts as work: transactions, a DD whose records are counted, event:CODE, "
		  "statement:VERB, program:NAME, or none",
		  &work },
		{ "baseline", 0, OPTION_PERCENT, "PCT",
		  "rows below a tenth of this share are shown only when they differ; default 2",
		  &baseline },
		{ "all", 'a', OPTION_FLAG, NULL, "show all rows", &all },
		{ "resolution", 0, OPTION_NUMBER, "BYTES",
		  "size of a code block where there are no names; default 64", &resolution },
		{ "any-program", 0, OPTION_FLAG, NULL, "compare sessions of different programs",
		  &any_program },
		{ "native", 0, OPTION_FLAG, NULL,
		  "the step's own instructions and stacks, without names from data collectors",
		  &native },
		{ "lines", 'l', OPTION_NUMBER, "N", "lines a page, 0 for no pages; default 60",
		  &lines },
		{ "asa", 0, OPTION_FLAG, NULL, "ASA carriage control in column 1", &asa },
		{ "title", 0, OPTION_STRING, "TEXT",
		  "heads each page instead of the program's name", &title },
		{ "output", 'o', OPTION_STRING, "FILE",
		  "write to FILE instead of standard output", &output_path },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Evaluates the options; returns an exit status, EXIT_OK to continue. */
static int make_request(struct comparing *comparing)
{
	struct report_options *options = &comparing->options;

	report_options_init(options);
	comparing->folded = strcasecmp(format, "folded") == 0;
	if (!comparing->folded)
		options->device = device_of_documents(format);
	if (!options->device)
		return command_fail(EXIT_USAGE,
				    "unknown format '%s'; expected text, csv, json, html or folded",
				    format);
	if (lines > 9999 || (lines > 0 && lines < 20))
		return command_fail(EXIT_USAGE, "--lines takes 0, or 20 to 9999");
	if (resolution != OPTION_NOT_GIVEN && (resolution < 1 || resolution > 65536))
		return command_fail(EXIT_USAGE, "--resolution takes 1 to 65536");
	options->lines = (unsigned)lines;
	options->ansi_control = asa;
	options->all = all;
	options->title = title;
	if (baseline >= 0)
		options->baseline = baseline;
	if (resolution != OPTION_NOT_GIVEN)
		options->resolution = (unsigned)resolution;
	comparing->native = native;
	comparing->any_program = any_program;
	comparing->work = work;
	comparing->sink = &command_messages;
	return EXIT_OK;
}

/* Writes the comparison to the output; returns the exit status. */
static int compare_to_output(const struct comparing *comparing)
{
	struct error err = ERROR_INIT;
	struct output output;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (output_open(&output, output_path, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	status = comparing_carry_out(comparing, &output);
	if (status >= EXIT_ERROR) {
		output_abandon(&output);
	} else if (output_commit(&output, &err) < 0) {
		status = output_reader_gone(&output)
				 ? EXIT_ERROR
				 : command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
	}
	error_release(&err);
	return status;
}

static int compare_main(int argc, char **argv)
{
	struct comparing comparing = { 0 };
	int status = make_request(&comparing);

	if (status != EXIT_OK)
		return status;
	if (base.count && argc < 1)
		return command_fail(EXIT_USAGE, "compare needs a run to compare with the base");
	if (!base.count && argc != 2)
		return command_fail(EXIT_USAGE,
				    "compare takes two sample data sets (FILE.vprf); --base names "
				    "the base where one side has several runs");
	comparing.paths[COMPARISON_BASE] = base.count ? base.items : (const char **)argv;
	comparing.counts[COMPARISON_BASE] = base.count ? base.count : 1;
	comparing.paths[COMPARISON_OTHER] = (const char **)argv + (base.count ? 0 : 1);
	comparing.counts[COMPARISON_OTHER] = (size_t)argc - (base.count ? 0 : 1);
	if (output_path && comparing_reads(&comparing, output_path))
		return command_fail(EXIT_USAGE,
				    "--output would overwrite %s, which is an input", output_path);
	return compare_to_output(&comparing);
}

const struct command compare_command = {
	.name = "compare",
	.arguments = "BASE OTHER | --base BASE... OTHER...",
	.summary = "Shows what became slower or faster between runs, and how certain that is",
	.options = compare_options,
	.run = compare_main,
};
