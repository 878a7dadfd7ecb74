/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the commands that print a profile, and the printing. */
#include "common/compat.h"
#include "session/commands/profile-options.h"
#include "common/clock.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "reports/report.h"
#include "session/commands/options.h"
#include "session/output.h"

#include <ctype.h>
#include <signal.h>
#include <unistd.h>

struct profile_options profile_options = {
	.format = "text",
	.color = "auto",
	.lines = 60,
	.resolution = OPTION_NOT_GIVEN,
	.baseline = -1,
};
static const struct profile_options *const given = &profile_options;

/* Set the order of lists of events by its name. */
static int read_sort(struct report_options *options)
{
	static const char *const names[] = {
		"default", "name", "hits", "cpu", "elapsed", "database"
	};

	for (unsigned i = 0; given->sort && i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(given->sort, names[i]) == 0) {
			options->sort = (enum report_sort)i;
			return 0;
		}
	}
	return given->sort ? command_fail(-1,
					  "--sort takes name, hits, cpu, elapsed or database, not "
					  "'%s'",
					  given->sort)
			   : 0;
}

/* A time since the session began, [[HH:]MM:]SS[.FRACTION], in ns; false when it is none. */
static bool read_time(const char *text, uint64_t *time)
{
	uint64_t seconds = 0, unit = NSEC_PER_SEC, fraction = 0;
	unsigned parts = 0;

	do {
		char *end;
		uint64_t part;

		if (*text < '0' || *text > '9' || parts++ == 3)
			return false;
		part = strtoull(text, &end, 10);
		if (end - text > 6 || (parts > 1 && part > 59))
			return false;
		seconds = seconds * 60 + part;
		text = end;
	} while (*text == ':' && *++text);
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
			unit /= 10;
			fraction += (uint64_t)(*text - '0') * unit;
		}
	*time = seconds * NSEC_PER_SEC + fraction;
	return *text == '\0';
}

/* Set which events are shown, and in which order. */
static int read_selection(struct report_options *options)
{
	RETURN_IF(read_sort(options) < 0, -1);
	options->events.program = given->program;
	if (given->event && !event_usage_types(given->event, &options->events.types))
		return command_fail(
			-1,
			"--event takes types of events (PS,NS) or groups of them (P,D), "
			"not '%s'",
			given->event);
	if (given->from && !read_time(given->from, &options->events.from))
		return command_fail(-1, "--from takes a time (HH:MM:SS), not '%s'", given->from);
	if (given->to && !read_time(given->to, &options->events.to))
		return command_fail(-1, "--to takes a time (HH:MM:SS), not '%s'", given->to);
	if (options->events.to && options->events.from >= options->events.to)
		return command_fail(-1, "--from is not before --to");
	return 0;
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

bool profile_options_list(void)
{
	return given->code_lists.count == 1 && strcmp(given->code_lists.items[0], "list") == 0;
}

int profile_options_print_list(void)
{
	struct strbuf known = STRBUF_INIT;
	int status = EXIT_OK;

	report_list(&known);
	if (fwrite(known.text, 1, known.length, stdout) != known.length || fflush(stdout) != 0)
		status = command_message(SEVERITY_ERROR, 31, "cannot write to standard output: %s",
					 strerror(errno));
	strbuf_release(&known);
	return status;
}

/* Set the device by the name of the format. */
static int read_format(struct report_options *options)
{
	if (strcasecmp(given->format, "text") == 0)
		options->device = DEVICE_TEXT;
	else if (strcasecmp(given->format, "csv") == 0)
		options->device = DEVICE_CSV;
	else if (strcasecmp(given->format, "json") == 0)
		options->device = DEVICE_JSON;
	else
		return command_fail(-1, "unknown format '%s'; expected text, csv or json",
				    given->format);
	return 0;
}

/* Whether listings are coloured: NO_COLOR says no where nothing else is said. */
static int read_color(struct report_options *options)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	options->colours = strcmp(given->color, "always") == 0;
	if (strcmp(given->color, "auto") == 0)
		options->colours = !given->output && !(no_color && *no_color) && terminal &&
				   strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO);
	else if (!options->colours && strcmp(given->color, "never") != 0)
		return command_fail(-1, "--color takes auto, always or never, not '%s'",
				    given->color);
	return 0;
}

/* The options of the command as the reports take them; -1 when they are wrong. */
static int make_options(struct report_options *options, struct option_list *codes,
			const char *const *usual, size_t usual_count)
{
	report_options_init(options);
	RETURN_IF(read_format(options) < 0, -1);
	for (size_t i = 0; i < given->code_lists.count; i++)
		RETURN_IF(add_codes(codes, given->code_lists.items[i]) < 0, -1);
	for (size_t i = 0; !given->code_lists.count && i < usual_count; i++)
		option_list_add(codes, xstrdup(usual[i]));
	if (given->code_lists.count && !codes->count)
		return command_fail(-1, "--report names no report");
	if (given->lines > 9999 || (given->lines > 0 && given->lines < 20))
		return command_fail(-1, "--lines takes 0, or 20 to 9999");
	if (given->resolution != OPTION_NOT_GIVEN &&
	    (given->resolution < 1 || given->resolution > 65536))
		return command_fail(-1, "--resolution takes 1 to 65536");
	options->codes = codes->items;
	options->code_count = codes->count;
	options->lines = (unsigned)given->lines;
	options->ansi_control = given->asa;
	options->margins = given->margins;
	options->all = given->all;
	options->title = given->title;
	if (given->baseline >= 0)
		options->baseline = given->baseline;
	if (given->resolution != OPTION_NOT_GIVEN)
		options->resolution = (unsigned)given->resolution;
	RETURN_IF(read_color(options) < 0, -1);
	return read_selection(options);
}

/* Whether the output would replace one of the sample data sets. */
static bool writes_over_input(int argc, char **argv)
{
	for (int i = 0; given->output && i < argc; i++)
		if (destination_same(given->output, argv[i]))
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
	if (output_open(&output, given->output, &err) < 0) {
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

int profile_options_print(int argc, char **argv, const char *const *usual, size_t usual_count)
{
	struct option_list codes = { NULL, 0, 0 };
	struct report_options options;
	int status;

	if (make_options(&options, &codes, usual, usual_count) < 0)
		status = EXIT_USAGE;
	else if (writes_over_input(argc, argv))
		status =
			command_fail(EXIT_USAGE, "--output would overwrite %s, which is to be read",
				     given->output);
	else
		status = print_all(argc, argv, &options);
	for (size_t i = 0; i < codes.count; i++)
		free((void *)(uintptr_t)codes.items[i]);
	free(codes.items);
	return status;
}
