/* SPDX-License-Identifier: Apache-2.0 */
/* vigil report: prints the Performance Profile of sample data sets. */
#include "common/compat.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "reports/report.h"
#include "session/commands/command.h"
#include "session/commands/options.h"
#include "session/output.h"

#include <ctype.h>
#include <signal.h>

static const char *format = "text";
static struct option_list code_lists;
static uint64_t lines = 60, resolution = OPTION_NOT_GIVEN;
static bool asa, margins, all;
static double baseline = -1;
static const char *title, *output_path;

static const struct command_option *report_options_table(void)
{
	static const struct command_option options[] = {
		{ "format", 'f', OPTION_STRING, "FORMAT", "text, csv or json; text is the default",
		  &format },
		{ "report", 'r', OPTION_LIST, "CODE,...",
		  "only these reports; 'list' prints the codes", &code_lists },
		{ "lines", 'l', OPTION_NUMBER, "N", "lines a page, 0 for no pages; default 60",
		  &lines },
		{ "asa", 0, OPTION_FLAG, NULL, "ASA carriage control in column 1", &asa },
		{ "margins", 0, OPTION_FLAG, NULL, "the margin of error of each row", &margins },
		{ "baseline", 0, OPTION_PERCENT, "PCT",
		  "modules below this share of CPU time are not detailed; default 2", &baseline },
		{ "resolution", 0, OPTION_NUMBER, "BYTES",
		  "size of a code block where there are no names; default 64", &resolution },
		{ "all", 'a', OPTION_FLAG, NULL, "do not fold small rows into .OTHER", &all },
		{ "title", 0, OPTION_STRING, "TEXT",
		  "heads each page instead of the program's name", &title },
		{ "output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output",
		  &output_path },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Add the codes of "PSU,PUP" in upper case to a list whose items are allocated. */
static int add_codes(struct option_list *codes, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");
		char *code = xstrndup(list, length);

		for (char *at = code; *at; at++)
			*at = (char)toupper((unsigned char)*at);
		option_list_add(codes, code);
		if (!report_known(code)) {
			struct strbuf known = STRBUF_INIT;

			report_list(&known);
			command_fail(EXIT_USAGE, "unknown report code '%s'; the reports are", code);
			fwrite(known.text, 1, known.length, stderr);
			strbuf_release(&known);
			return -1;
		}
		list += length;
		list += *list == ',';
	}
	return 0;
}

/* Print the list of reports. */
static int list_reports(void)
{
	struct strbuf known = STRBUF_INIT;
	int status = EXIT_OK;

	report_list(&known);
	if (fwrite(known.text, 1, known.length, stdout) != known.length || fflush(stdout) != 0)
		status = command_message(SEVERITY_ERROR, 31,
					 "cannot write to standard output: %s", strerror(errno));
	strbuf_release(&known);
	return status;
}

/* Set the device by the name of the format. */
static int read_format(struct report_options *options)
{
	if (strcasecmp(format, "text") == 0)
		options->device = DEVICE_TEXT;
	else if (strcasecmp(format, "csv") == 0)
		options->device = DEVICE_CSV;
	else if (strcasecmp(format, "json") == 0)
		options->device = DEVICE_JSON;
	else
		return command_fail(-1, "unknown format '%s'; expected text, csv or json", format);
	return 0;
}

/* The options of the command as the reports take them; -1 when they are wrong. */
static int make_options(struct report_options *options, struct option_list *codes)
{
	report_options_init(options);
	RETURN_IF(read_format(options) < 0, -1);
	for (size_t i = 0; i < code_lists.count; i++)
		RETURN_IF(add_codes(codes, code_lists.items[i]) < 0, -1);
	if (code_lists.count && !codes->count)
		return command_fail(-1, "--report names no report");
	if (lines > 9999 || (lines > 0 && lines < 20))
		return command_fail(-1, "--lines takes 0, or 20 to 9999");
	if (resolution != OPTION_NOT_GIVEN && (resolution < 1 || resolution > 65536))
		return command_fail(-1, "--resolution takes 1 to 65536");
	options->codes = codes->items;
	options->code_count = codes->count;
	options->lines = (unsigned)lines;
	options->ansi_control = asa;
	options->margins = margins;
	options->all = all;
	options->title = title;
	if (baseline >= 0)
		options->baseline = baseline;
	if (resolution != OPTION_NOT_GIVEN)
		options->resolution = (unsigned)resolution;
	return 0;
}

/* Whether the output would replace one of the sample data sets. */
static bool writes_over_input(int argc, char **argv)
{
	for (int i = 0; output_path && i < argc; i++)
		if (destination_same(output_path, argv[i]))
			return true;
	return false;
}

/* Print one sample data set; the exit status. */
static int print_one(const char *path, const struct report_options *options, struct output *output)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	int status = EXIT_OK;

	if (!profile) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
	} else if (report_print(profile, options, output->stream, &err) < 0) {
		status = EXIT_ERROR;
		if (!output_reader_gone(output))
			command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
	}
	if (profile && profile_damage(profile)[0]) {
		command_message(SEVERITY_WARNING, 14, "%s is damaged: %s", path,
				profile_damage(profile));
		status = status ? status : EXIT_WARNING;
	}
	profile_free(profile);
	error_release(&err);
	return status;
}

/* Print all and put the output in place. */
static int print_all(int argc, char **argv, const struct report_options *options)
{
	struct error err = ERROR_INIT;
	struct output output;
	int worst = EXIT_OK;

	signal(SIGPIPE, SIG_IGN);
	if (output_open(&output, output_path, &err) < 0) {
		worst = command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		error_release(&err);
		return worst;
	}
	for (int i = 0; i < argc; i++) {
		int status = print_one(argv[i], options, &output);

		worst = status > worst ? status : worst;
	}
	if (worst >= EXIT_ERROR && output.path) {
		output_abandon(&output);
	} else if (output_commit(&output, &err) < 0) {
		if (worst < EXIT_ERROR && !output_reader_gone(&output))
			command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		worst = EXIT_ERROR;
	}
	error_release(&err);
	return worst;
}

static int report_main(int argc, char **argv)
{
	struct option_list codes = { NULL, 0, 0 };
	struct report_options options;
	int status;

	if (code_lists.count == 1 && strcmp(code_lists.items[0], "list") == 0)
		return list_reports();
	if (argc == 0)
		return command_fail(EXIT_USAGE, "report needs a sample data set (FILE.vprf)");
	if (make_options(&options, &codes) < 0)
		status = EXIT_USAGE;
	else if (writes_over_input(argc, argv))
		status = command_fail(EXIT_USAGE,
				      "--output would overwrite %s, which is to be read",
				      output_path);
	else
		status = print_all(argc, argv, &options);
	for (size_t i = 0; i < codes.count; i++)
		free((void *)(uintptr_t)codes.items[i]);
	free(codes.items);
	return status;
}

const struct command report_command = {
	.name = "report",
	.arguments = "FILE...",
	.summary = "Prints the Performance Profile of sample data sets",
	.options = report_options_table,
	.run = report_main,
};
