/* SPDX-License-Identifier: Apache-2.0 */
/* vigil history: shows the records of steps over the nights, and their trends. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/commands/deck.h"
#include "session/commands/history-source.h"
#include "session/history/history-report.h"
#include "session/output.h"

#include <ctype.h>
#include <signal.h>

#define NIGHTS 30
#define NIGHTS_LARGEST 3660
#define DAYS_LARGEST 36600
#define STEPS_LARGEST 100000000

static struct history_source source;
static const char *format = "text", *output_path, *procedure, *figure;
static uint64_t nights = NIGHTS, keep_days = OPTION_NOT_GIVEN, keep_steps = OPTION_NOT_GIVEN;

static const struct command_option *history_options(void)
{
	static const struct command_option options[] = {
		HISTORY_SOURCE_OPTIONS(source),
		{ "procedure", 'p', OPTION_STRING, "NAME",
		  "the trend of one procedure of the step", &procedure },
		{ "figure", 0, OPTION_STRING, "FIGURE",
		  "the figure plotted in a listing: elapsed, cpu, wait, calls, bytes or peak", &figure },
		{ "nights", 'n', OPTION_NUMBER, "N", "at most N nights; default 30", &nights },
		{ "format", 'f', OPTION_STRING, "FORMAT", "text, csv, json or html; default text",
		  &format },
		{ "output", 'o', OPTION_STRING, "FILE",
		  "write to FILE instead of standard output", &output_path },
		{ "keep-days", 0, OPTION_NUMBER, "DAYS",
		  "keep steps for DAYS days from now on; initially 400", &keep_days },
		{ "keep-steps", 0, OPTION_NUMBER, "N",
		  "keep at most N steps from now on; initially 100000", &keep_steps },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* The query. */
struct query {
	char *job, *step; /* upper case; NULL: any */
	unsigned drawn;
	struct report_options options;
};

/* Returns a name in upper case, as in decks. */
static char *upper(const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	for (; *name; name++)
		strbuf_addch(&sb, (char)toupper((unsigned char)*name));
	return strbuf_detach(&sb, NULL);
}

/* Chooses the figure that the chart line shows; false after a message. */
static bool choose_figure(struct query *query)
{
	query->drawn = procedure ? (unsigned)TREND_PROCEDURE_CPU : (unsigned)HISTORY_ELAPSED;
	if (!figure)
		return true;
	for (int i = 0; i < HISTORY_FIGURES; i++)
		if (strcasecmp(figure, history_figure_id(i)) == 0) {
			query->drawn = (unsigned)i;
			return true;
		}
	command_fail(EXIT_USAGE,
		     "--figure %s is not known; expected elapsed, cpu, wait, calls, bytes or peak", figure);
	return false;
}

/* Checks that the options are compatible; returns an exit status. */
static int check(struct query *query)
{
	report_options_init(&query->options);
	query->options.lines = 0;
	if (!history_source_format(format, &query->options))
		return EXIT_USAGE;
	if (nights < 1 || nights > NIGHTS_LARGEST)
		return command_fail(EXIT_USAGE, "--nights takes 1 to %d", NIGHTS_LARGEST);
	if (keep_days != OPTION_NOT_GIVEN && (keep_days < 1 || keep_days > DAYS_LARGEST))
		return command_fail(EXIT_USAGE, "--keep-days takes 1 to %d", DAYS_LARGEST);
	if (keep_steps != OPTION_NOT_GIVEN && (keep_steps < 1 || keep_steps > STEPS_LARGEST))
		return command_fail(EXIT_USAGE, "--keep-steps takes 1 to %d", STEPS_LARGEST);
	if ((procedure || figure) && !query->step)
		return command_fail(EXIT_USAGE, "--%s needs a job and a step",
				    procedure ? "procedure" : "figure");
	return choose_figure(query) ? EXIT_OK : EXIT_USAGE;
}

/* Changes the retention, and prints the current values. */
static int change_kept(struct history *history)
{
	uint64_t days = keep_days == OPTION_NOT_GIVEN ? 0 : keep_days;
	uint64_t steps = keep_steps == OPTION_NOT_GIVEN ? 0 : keep_steps;
	struct error err = ERROR_INIT;
	int status = EXIT_OK;

	if (history_keep(history, &days, &steps, &err) < 0)
		status = history_source_fail(&err);
	else
		command_message(SEVERITY_INFO, 6856,
				"the history keeps steps for %" PRIu64 " days, and %" PRIu64
				" of them at most",
				days, steps);
	error_release(&err);
	return status;
}

/* Returns whether any night has the procedure; false after a message. */
static bool has_procedure(const struct step_trend *trend, const struct query *query)
{
	double low, high;

	if (!procedure || step_trend_axis(trend, TREND_PROCEDURE_CPU, &low, &high))
		return true;
	command_message(SEVERITY_ERROR, 6854,
			"procedure %s is not among those kept in the history of step %s of job %s",
			procedure, query->step, query->job);
	return false;
}

/* Prints the trend of a step. */
static int print_trend(struct history *history, const struct query *query,
		       const struct history_total *total, struct output *output, struct error *err)
{
	struct history_trend_asked wanted = { .total = total, .procedure = procedure,
					      .drawn = query->drawn };
	struct step_trend trend;
	int status = EXIT_OK;

	if (step_trend_init(&trend, history, query->job, query->step, procedure, nights, err) < 0)
		status = EXIT_ERROR;
	else if (trend.count == 0)
		status = command_message(SEVERITY_ERROR, 6854,
					 "no run of step %s of job %s is left in the history",
					 query->step, query->job);
	else if (!has_procedure(&trend, query))
		status = EXIT_ERROR;
	wanted.trend = &trend;
	if (status == EXIT_OK &&
	    history_report_trend(&wanted, &query->options, output->stream, err) < 0)
		status = EXIT_ERROR;
	step_trend_release(&trend);
	return status;
}

/* Prints the result of the query; err has a text if no message was printed yet. */
static int print_asked(struct history *history, const struct query *query, struct output *output,
		       struct error *err)
{
	struct history_totals totals = { 0 };
	int status = EXIT_OK;

	if (history_totals(history, query->job, query->step, &totals, err) < 0)
		status = EXIT_ERROR;
	else if (totals.count == 0 && query->job)
		status = command_message(SEVERITY_ERROR, 6854, "%s%s%sjob %s is not in the history",
					 query->step ? "step " : "", query->step ? query->step : "",
					 query->step ? " of " : "", query->job);
	else if (query->step)
		status = print_trend(history, query, &totals.items[0], output, err);
	else if (history_report_steps(&totals, &query->options, output->stream, err) < 0)
		status = EXIT_ERROR;
	history_totals_release(&totals);
	return status;
}

/* A history_source_print. */
static int print_history(struct history *history, const void *argument, struct output *output,
			 struct error *err)
{
	return print_asked(history, argument, output, err);
}

static int history_main(int argc, char **argv)
{
	struct query query = { .job = argc > 0 ? upper(argv[0]) : NULL,
			       .step = argc > 1 ? upper(argv[1]) : NULL };
	struct history *history = NULL;
	int status;

	if (argc > 2)
		status = command_fail(EXIT_USAGE, "history takes a job and a step, no more");
	else
		status = check(&query);
	if (status == EXIT_OK)
		status = history_source_open(&source, &history);
	if (status == EXIT_OK && (keep_days != OPTION_NOT_GIVEN || keep_steps != OPTION_NOT_GIVEN))
		status = change_kept(history);
	else if (status == EXIT_OK)
		status = history_source_write(history, output_path, print_history, &query);
	history_close(history);
	free(query.job);
	free(query.step);
	return status;
}

const struct command history_command = {
	.name = "history",
	.arguments = "[JOB [STEP]]",
	.summary = "Shows the history of steps, night by night, and their trends",
	.options = history_options,
	.run = history_main,
};
