/* SPDX-License-Identifier: Apache-2.0 */
/* Options and printing of the commands that print a profile. */
#include "common/compat.h"
#include "session/commands/profile-options.h"
#include "common/clock.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "profile/butterfly.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/print/picture.h"
#include "reports/report-monitor.h"
#include "session/collection/monitor-files.h"
#include "session/commands/options.h"
#include "session/commands/terminal.h"
#include "session/listing-print.h"
#include "session/painter-load.h"

#include <ctype.h>
#include <signal.h>
#include <unistd.h>

/* Size of a picture in points, and PNG pixels per point. */
#define PICTURE_WIDTH 1000
#define PICTURE_HEIGHT 600
#define PICTURE_MIN 400
#define PICTURE_MAX 4000
#define PIXELS_POINT 2.0

struct profile_options profile_options = {
	.format = "text",
	.color = "auto",
	.lines = OPTION_NOT_GIVEN,
	.columns = OPTION_NOT_GIVEN,
	.resolution = OPTION_NOT_GIVEN,
	.baseline = -1,
};
static const struct profile_options *const given = &profile_options;
/* A reader closed the output early; for a pager this is no error. */
static bool reader_left;

/* Sets the sort order of event lists by name. */
static int read_sort(struct report_options *options)
{
	static const char *const names[] = {
		"default", "name", "hits", "cpu", "elapsed", "database", "percent"
	};

	for (unsigned i = 0; given->sort && i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(given->sort, names[i]) == 0) {
			options->sort = (enum report_sort)i;
			return 0;
		}
	}
	return given->sort ? command_fail(-1,
					  "--sort takes name, hits, cpu, elapsed, database or "
					  "percent, not '%s'",
					  given->sort)
			   : 0;
}

/* Sets the division of the Call Tree report. */
static int read_by(struct report_options *options)
{
	static const char *const names[] = { [CALL_TREE_BY_TASK] = "thread",
					     [CALL_TREE_BY_TRANSACTION] = "transaction" };

	for (unsigned i = CALL_TREE_BY_TASK; given->by && i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(given->by, names[i]) == 0) {
			options->by = (enum call_tree_by)i;
			return 0;
		}
	}
	return given->by ? command_fail(-1, "--by takes thread or transaction, not '%s'", given->by)
			 : 0;
}

/*
 * Parses a time since the start of the session, [[HH:]MM:]SS[.FRACTION], into ns;
 * false if malformed.
 */
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

/* Sets which events are shown, and in which order. */
static int read_selection(struct report_options *options)
{
	RETURN_IF(read_sort(options) < 0, -1);
	options->events.program = given->program;
	options->coverage.missed = given->missed;
	options->coverage.below = given->below;
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

/* Adds the codes of a list "PSU,PUP", in upper case, to a list with allocated items. */
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

/* Sets the device by the name of the format. */
static int read_format(struct report_options *options)
{
	options->device = device_find(given->format);
	RETURN_IF(options->device, 0);
	return command_fail(-1, "unknown format '%s'; expected text, csv, json, html, pdf, svg or png", given->format);
}

/* Parses "1000x600" in points; PNG has PIXELS_POINT pixels each. */
static int read_size(struct report_options *options)
{
	double unit = options->device->pixels ? PIXELS_POINT : 1;
	unsigned width, height;
	int end = 0;

	options->scale = unit;
	options->width = PICTURE_WIDTH;
	options->height = PICTURE_HEIGHT;
	if (!given->size)
		return 0;
	if (sscanf(given->size, "%5ux%5u%n", &width, &height, &end) != 2 || given->size[end] ||
	    width < PICTURE_MIN * unit || width > PICTURE_MAX * unit || height < PICTURE_MIN * unit ||
	    height > PICTURE_MAX * unit)
		return command_fail(-1, "--size takes WIDTHxHEIGHT, each %.0f to %.0f, not '%s'", PICTURE_MIN * unit,
				    PICTURE_MAX * unit, given->size);
	options->width = width / unit;
	options->height = height / unit;
	return 0;
}

/* Sets which picture to draw, and its size. */
static int read_picture(struct report_options *options)
{
	struct strbuf names = STRBUF_INIT;
	int status = 0;

	picture_names(&names);
	options->picture = given->picture ? picture_find(given->picture) : NULL;
	if (!given->picture)
		status = command_fail(-1, "--format %s needs --picture: %s", given->format, names.text);
	else if (!options->picture)
		status = command_fail(-1, "unknown picture '%s'; expected %s", given->picture, names.text);
	else
		status = read_size(options);
	strbuf_release(&names);
	return status;
}

/* Sets the additional options of PDF, SVG and PNG. */
static int read_drawing(struct report_options *options)
{
	bool picture = options->device->picture;

	if (given->paper && options->device != &pdf_device)
		return command_fail(-1, "--paper is for --format pdf");
	if ((given->picture || given->size) && !picture)
		return command_fail(-1, "--picture and --size are for --format svg and --format png");
	if (picture)
		return read_picture(options);
	if (!given->paper || strcasecmp(given->paper, "a4") == 0)
		return 0;
	if (strcasecmp(given->paper, "letter") != 0)
		return command_fail(-1, "--paper takes a4 or letter, not '%s'", given->paper);
	options->width = REPORT_LETTER_WIDTH;
	options->height = REPORT_LETTER_HEIGHT;
	return 0;
}

/* Loads the drawing library if something is drawn; returns the exit status. */
static int load_painter(struct report_options *options)
{
	struct error err = ERROR_INIT;
	unsigned number;
	int status = EXIT_OK;

	if (painter_give(options, &number, &err) < 0)
		status = command_message(SEVERITY_ERROR, number, "%s", error_text(&err));
	error_release(&err);
	return status;
}

/* Sets whether listings are coloured: by default not if NO_COLOR is set. */
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

/*
 * Returns whether the listing is for reading on a terminal: lines of its width, no
 * pages, only the first reports.
 */
static bool is_for_terminal(const struct report_options *options)
{
	return options->device->lines && !given->output && !given->asa && isatty(STDOUT_FILENO);
}

/* Sets length and width of pages. */
static int read_page(struct report_options *options)
{
	bool terminal = is_for_terminal(options);
	unsigned columns = terminal ? terminal_columns(STDOUT_FILENO) : 0;

	if (given->lines != OPTION_NOT_GIVEN &&
	    (given->lines > 9999 || (given->lines > 0 && given->lines < 20)))
		return command_fail(-1, "--lines takes 0, or 20 to 9999");
	if (given->columns != OPTION_NOT_GIVEN &&
	    (given->columns < REPORT_COLUMNS_MIN || given->columns > REPORT_COLUMNS_MAX))
		return command_fail(-1, "--width takes %d to %d", REPORT_COLUMNS_MIN,
				    REPORT_COLUMNS_MAX);
	if (given->lines != OPTION_NOT_GIVEN)
		options->lines = (unsigned)given->lines;
	else if (terminal)
		options->lines = 0;
	if (given->columns != OPTION_NOT_GIVEN)
		columns = (unsigned)given->columns;
	else if (columns && columns < REPORT_COLUMNS_MIN)
		columns = REPORT_COLUMNS_MIN;
	options->columns = columns;
	return 0;
}

/* Returns whether "all" requests all reports. */
static bool wants_all(void)
{
	return given->code_lists.count == 1 && strcasecmp(given->code_lists.items[0], "all") == 0;
}

/* Converts the command's options to those of the reports; -1 if they are wrong. */
static int make_options(struct report_options *options, struct option_list *codes,
			const char *const *usual, size_t usual_count)
{
	report_options_init(options);
	RETURN_IF(read_format(options) < 0, -1);
	RETURN_IF(read_drawing(options) < 0, -1);
	for (size_t i = 0; i < given->code_lists.count && !wants_all(); i++)
		RETURN_IF(add_codes(codes, given->code_lists.items[i]) < 0, -1);
	options->usual = !given->code_lists.count || wants_all();
	options->first = !given->code_lists.count && !usual_count && is_for_terminal(options);
	for (size_t i = 0; options->usual && i < usual_count; i++)
		option_list_add(codes, xstrdup(usual[i]));
	options->procedure = given->procedure;
	/* A procedure without report codes selects the report of procedures. */
	if (given->procedure && !given->code_lists.count) {
		options->usual = options->first = false;
		option_list_add(codes, xstrdup("PRC"));
	}
	if (given->code_lists.count && !codes->count && !wants_all())
		return command_fail(-1, "--report names no report");
	RETURN_IF(read_page(options) < 0, -1);
	if (given->resolution != OPTION_NOT_GIVEN &&
	    (given->resolution < 1 || given->resolution > 65536))
		return command_fail(-1, "--resolution takes 1 to 65536");
	options->codes = codes->items;
	options->code_count = codes->count;
	options->ansi_control = given->asa;
	options->margins = given->margins;
	options->all = given->all;
	options->title = given->title;
	if (given->baseline >= 0)
		options->baseline = given->baseline;
	if (given->resolution != OPTION_NOT_GIVEN)
		options->resolution = (unsigned)given->resolution;
	RETURN_IF(read_color(options) < 0, -1);
	RETURN_IF(read_by(options) < 0, -1);
	return read_selection(options);
}

/* Returns whether the output would replace one of the sample data sets. */
static bool writes_over_input(int argc, char **argv)
{
	for (int i = 0; given->output && i < argc; i++)
		if (destination_same(given->output, argv[i]))
			return true;
	return false;
}

/* Prints the report on a MONWRITE file, which is read from place; returns the exit status. */
static int print_monitor(const char *path, const char *place, const struct report_options *options,
			 struct output *output)
{
	struct monitor_damage damage = { .sink = &command_messages, .path = path };
	struct monitor_input input = { .path = place,
				       .damage = monitor_files_damaged,
				       .damage_argument = &damage };
	struct monitor_report report = { .path = path };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;
	int status;

	if (!engine_add(engine, &monitor_input_class, &input, &err) ||
	    !engine_add(engine, &monitor_report_class, &report, &err) ||
	    engine_extract(engine, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
	} else {
		report.damages = damage.count;
		status = monitor_files_read(&damage, &input);
		if (monitor_report_print(&report, options, output->stream, &err) < 0) {
			status = EXIT_ERROR;
			if (!output_reader_gone(output))
				command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		}
	}
	engine_free(engine);
	monitor_report_release(&report);
	error_release(&err);
	return status;
}

/* Reports that the requested procedure is not in a profile; returns the exit status. */
static int check_procedure(const struct profile *profile, const struct report_options *options)
{
	struct butterfly butterfly;
	struct strbuf why = STRBUF_INIT;
	int status = EXIT_OK;

	if (!options->procedure)
		return status;
	butterfly_init(&butterfly, profile, options->resolution);
	if (butterfly_has_none(&butterfly, options->procedure, &why))
		status = command_message(SEVERITY_WARNING, 6641, "%s", why.text);
	butterfly_release(&butterfly);
	strbuf_release(&why);
	return status;
}

/* Prints one sample data set; returns the exit status. */
static int print_profile(const char *path, const struct report_options *options,
			 struct output *output)
{
	struct error err = ERROR_INIT;
	struct profile *profile = report_load(path, options, &err);
	int status = EXIT_OK;

	if (profile)
		profile_show_native(profile, given->native);
	if (!profile) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
	} else if (listing_add(profile, options, output, &err) < 0) {
		status = EXIT_ERROR;
		if (!output_reader_gone(output))
			command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		else
			reader_left = true;
	} else {
		status = check_procedure(profile, options);
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

/* Prints one file; returns the exit status. */
static int print_one(const char *path, const struct report_options *options, struct output *output)
{
	char *place = NULL;
	int status = monitor_files_place(path, &command_messages, &place);

	if (status == EXIT_OK && options->picture && monwrite_is(place))
		status = command_message(SEVERITY_ERROR, 6743, "%s has monitor data: there is no picture of it", path);
	else if (status == EXIT_OK)
		status = monwrite_is(place) ? print_monitor(path, place, options, output)
					    : print_profile(path, options, output);
	free(place);
	return status;
}

/* Prints all and moves the output to its final name. */
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
		reader_left |= output_reader_gone(&output);
		if (worst < EXIT_ERROR && !output_reader_gone(&output))
			command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		worst = EXIT_ERROR;
	}
	error_release(&err);
	return worst;
}

/* Prints all, on a terminal through a pager; directly if no pager can be run. */
static int print_for_reader(int argc, char **argv, const struct report_options *options)
{
	struct pager pager;
	bool had_pager;
	int status;

	if (!is_for_terminal(options) || given->no_pager)
		return print_all(argc, argv, options);
	pager_begin(&pager);
	had_pager = pager.pid != 0;
	status = print_all(argc, argv, options);
	if (had_pager && !pager_end(&pager))
		return print_all(argc, argv, options);
	return had_pager && reader_left ? EXIT_OK : status;
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
			command_fail(EXIT_USAGE, "--output would overwrite %s, which is an input",
				     given->output);
	else if (options.device->alone && argc > 1)
		status = command_fail(EXIT_USAGE, "%s is of one session; give one file",
				      options.device->alone);
	else
		status = load_painter(&options);
	if (status == EXIT_OK)
		status = print_for_reader(argc, argv, &options);
	for (size_t i = 0; i < codes.count; i++)
		free((void *)(uintptr_t)codes.items[i]);
	free(codes.items);
	return status;
}
