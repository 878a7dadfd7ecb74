/* SPDX-License-Identifier: Apache-2.0 */
/* Builds documents about steps and their trends. */
#include "common/compat.h"
#include "session/history/history-report.h"
#include "common/clock.h"
#include "reports/device.h"
#include "session/history/history-output.h"
#include "session/history/last-nights.h"
#include "session/history/nights.h"
#include "session/history/page-trend.h"

#include <math.h>

#define LINE_WIDTH 45

#define TEXT(id_, heading_, width_, ...) \
	{ \
		.id = id_, .heading = heading_, .width = width_, .type = COLUMN_TEXT, __VA_ARGS__ \
	}

static const struct column step_columns[] = {
	TEXT("job", "JOB", 8),
	TEXT("step", "STEP", 17),
	TEXT("program", "PROGRAM", 16),
	FIGURE(COLUMN_NUMBER, "runs", NULL, "RUNS", 7,
	       .legend = "runs since the history began, including those deleted for age or number"),
	FIGURE(COLUMN_NUMBER, "kept", NULL, "KEPT", 7, .legend = "runs still in the history"),
	FIGURE(COLUMN_NUMBER, "abends", NULL, "ABENDS", 6),
	TEXT("first", "FIRST NIGHT", 11),
	TEXT("last", "LAST NIGHT", 11),
	FIGURE(COLUMN_TIME, "elapsed_mean_ns", "MEAN, MM.SS.HH", "ELAPSED", 10),
	FIGURE(COLUMN_TIME, "cpu_mean_ns", "MEAN, MM.SS.HH", "CPU", 10),
	FIGURE(COLUMN_TIME, "elapsed_ns", "ALL RUNS", "ELAPSED", 11, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_TIME, "cpu_ns", "ALL RUNS", "CPU", 11, .flags = COLUMN_ADDITIVE),
};

static void put_night(struct table *table, struct row *row, uint64_t moment)
{
	struct strbuf sb = STRBUF_INIT;

	night_format(&sb, moment);
	row_text(table, row, sb.text);
	strbuf_release(&sb);
}

static void put_total(struct table *table, const struct history_total *one)
{
	struct row *row = table_row(table, ROW_DETAIL);

	row_text(table, row, one->job);
	row_text(table, row, one->label);
	row_text(table, row, one->program);
	row_number(table, row, one->runs);
	row_number(table, row, one->kept);
	row_number(table, row, one->abends);
	put_night(table, row, one->first);
	put_night(table, row, one->last);
	row_number(table, row, one->elapsed / one->runs);
	row_number(table, row, one->cpu / one->runs);
	row_number(table, row, one->elapsed);
	row_number(table, row, one->cpu);
}

static void fill_steps(struct document *document, const void *argument)
{
	const struct history_totals *totals = argument;
	struct table *table = document_table(document, "steps", NULL, step_columns,
					     ARRAY_SIZE(step_columns));

	for (size_t i = 0; i < totals->count; i++)
		if (totals->items[i].runs)
			put_total(table, &totals->items[i]);
}

int history_report_steps(const struct history_totals *totals, const struct report_options *options,
			 FILE *stream, struct error *err)
{
	const struct history_output output = { "STEP HISTORY", "HST", "Steps of the History",
					       options->title ? options->title : "Steps of the history",
					       "", "", "", "", NULL };

	return history_output_print(&output, options, fill_steps, totals, stream, err);
}

/* Columns of a point; LINE comes last and is only in listings. */
#define POINT_COLUMNS \
	TEXT("night", "NIGHT", 10, .legend = "the day of its evening; from noon to noon"), \
		FIGURE(COLUMN_NUMBER, "runs", NULL, "RUNS", 4, \
		       .legend = "in that night; if several, figures are their medians"), \
		TEXT("code", "CODE", 5, .legend = "return code or abend of the last run")
#define POINT_REST \
	TEXT("differs", "D", 1, \
	     .legend = "+ above, - below the scatter of the last nights before it"), \
		TEXT("difference", "", 8, .flags = COLUMN_DATA_ONLY), \
		TEXT("program", "", 8, .flags = COLUMN_DATA_ONLY), \
		TEXT("finding", "", 8, .flags = COLUMN_DATA_ONLY), \
		{ .id = "data_set", .heading = "", .width = 8, .type = COLUMN_PATH, .flags = COLUMN_DATA_ONLY }, \
		{ .id = "profile", .heading = "", .width = 8, .type = COLUMN_PATH, .flags = COLUMN_DATA_ONLY }, \
		TEXT("line", "TREND", LINE_WIDTH, \
		     .legend = "the plotted figure, one night below the other; : its median, x a " \
			       "night with an abend")

static const struct column point_columns[] = {
	POINT_COLUMNS,
	FIGURE(COLUMN_TIME, "elapsed_ns", "MM.SS.HH", "ELAPSED", 9),
	FIGURE(COLUMN_TIME, "cpu_ns", "MM.SS.HH", "CPU", 9),
	FIGURE(COLUMN_TIME, "wait_ns", "MM.SS.HH", "WAITED", 9),
	FIGURE(COLUMN_NUMBER, "calls", NULL, "CALLS", 8, .legend = "calls that read or wrote"),
	FIGURE(COLUMN_BYTES, "bytes", NULL, "MOVED", 6, .legend = "bytes read and written by them"),
	FIGURE(COLUMN_BYTES, "peak_bytes", NULL, "PEAK", 6, .legend = "storage of its largest process"),
	FIGURE(COLUMN_REAL, "margin_percent", NULL, "+/-%", 5,
	       .legend = "margin of error of a share of the CPU time, 95 % confidence"),
	POINT_REST,
};

static const struct column procedure_columns[] = {
	POINT_COLUMNS,
	FIGURE(COLUMN_TIME, "elapsed_ns", "MM.SS.HH", "ELAPSED", 9),
	FIGURE(COLUMN_TIME, "cpu_ns", "MM.SS.HH", "CPU", 9),
	FIGURE(COLUMN_TIME, "procedure_cpu_ns", "PROCEDURE", "CPU", 9),
	FIGURE(COLUMN_TIME, "procedure_margin_ns", "PROCEDURE", "+/-", 9,
	       .legend = "margin of error, 95 % confidence"),
	FIGURE(COLUMN_PERCENT, "procedure_percent", "PROCEDURE", "%", 6,
	       .legend = "of the step's CPU time"),
	FIGURE(COLUMN_NUMBER, "procedure_samples", "PROCEDURE", "SAMPLES", 8),
	POINT_REST,
};

/* Puts an amount of a point that may be unknown. */
static void put_amount(struct table *table, struct row *row, double amount)
{
	if (isnan(amount))
		row_unknown(table, row);
	else
		row_number(table, row, (uint64_t)(amount + 0.5));
}

static void put_code(struct table *table, struct row *row, const struct history_step *step)
{
	char text[16];

	snprintf(text, sizeof(text), "%04u", step->code);
	row_text(table, row, *step->abend ? step->abend : text);
}

static void put_procedure(struct table *table, struct row *row, const struct trend_point *point)
{
	const double *amounts = point->amounts;
	const double percent = 100 * amounts[TREND_PROCEDURE_CPU] / amounts[HISTORY_CPU];

	put_amount(table, row, amounts[HISTORY_ELAPSED]);
	put_amount(table, row, amounts[HISTORY_CPU]);
	put_amount(table, row, amounts[TREND_PROCEDURE_CPU]);
	put_amount(table, row, amounts[TREND_PROCEDURE_MARGIN]);
	if (isfinite(percent))
		row_real(table, row, percent);
	else
		row_unknown(table, row);
	put_amount(table, row, amounts[TREND_PROCEDURE_SAMPLES]);
}

static void put_step(struct table *table, struct row *row, const struct trend_point *point)
{
	for (int i = 0; i < HISTORY_FIGURES; i++)
		put_amount(table, row, point->amounts[i]);
	if (isnan(point->last->margin))
		row_unknown(table, row);
	else
		row_real(table, row, point->last->margin);
}

static void put_point(struct table *table, const struct history_trend_asked *asked, size_t number,
		      bool line)
{
	const struct trend_point *point = &asked->trend->points[number];
	const struct history_step *last = point->last;
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf sb = STRBUF_INIT;

	put_night(table, row, last->started);
	row_number(table, row, point->run_count);
	put_code(table, row, last);
	if (asked->procedure)
		put_procedure(table, row, point);
	else
		put_step(table, row, point);
	row_text(table, row, last->differs > 0 ? "+" : last->differs < 0 ? "-" : "");
	row_text(table, row, last->difference);
	row_text(table, row, last->program);
	row_text(table, row, last->finding);
	row_text(table, row, last->data_set);
	row_text(table, row, last->page);
	if (line) {
		step_trend_draw(asked->trend, asked->drawn, number, LINE_WIDTH, &sb);
		row_text(table, row, sb.text);
	}
	strbuf_release(&sb);
}

/* Puts what the line of the listing shows, and its range of amounts. */
static void put_axis(struct document *document, const struct history_trend_asked *asked)
{
	const bool of_step = asked->drawn < HISTORY_FIGURES;
	const enum history_figure unit = of_step ? (enum history_figure)asked->drawn : HISTORY_CPU;
	struct strbuf sb = STRBUF_INIT;
	double low, high;

	if (!step_trend_axis(asked->trend, asked->drawn, &low, &high))
		return;
	history_figure_add(&sb, unit, low);
	strbuf_addstr(&sb, " to ");
	history_figure_add(&sb, unit, high);
	document_text(document, "The line shows %s%s, from %s.",
		      of_step ? "" : "the procedure's ", history_figure_name(unit), sb.text);
	strbuf_release(&sb);
}

static const struct column figure_columns[] = {
	TEXT("figure", "FIGURE", 30),
	FIGURE(COLUMN_NUMBER, "nights", NULL, "NIGHTS", 6, .legend = "before the last one, with a known value"),
	TEXT("last_shown", "LAST NIGHT", 14),
	TEXT("median_shown", "MEDIAN", 14, .legend = "of the nights before"),
	TEXT("low_shown", "LEAST", 14),
	TEXT("high_shown", "MOST", 14),
	TEXT("beyond_shown", "DIFFERENCE", 14,
	     .legend = "of the last night from the median, if it exceeds the scatter of the nights "
		       "before and its own margin"),
	FIGURE(COLUMN_REAL, "last", NULL, "", 8, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_REAL, "median", NULL, "", 8, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_REAL, "reach", NULL, "", 8, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_REAL, "difference", NULL, "", 8, .flags = COLUMN_DATA_ONLY),
};

static void put_shown(struct table *table, struct row *row, enum history_figure unit, double amount)
{
	struct strbuf sb = STRBUF_INIT;

	if (isfinite(amount))
		history_figure_add(&sb, unit, amount);
	row_text(table, row, sb.length ? sb.text : "-");
	strbuf_release(&sb);
}

static void put_real(struct table *table, struct row *row, double amount)
{
	if (isfinite(amount))
		row_real(table, row, amount);
	else
		row_unknown(table, row);
}

/* Puts one figure of the last night next to those before. */
static void put_figure(struct table *table, const struct step_trend *trend, unsigned amount,
		       const char *name)
{
	const enum history_figure unit = amount < HISTORY_FIGURES ? (enum history_figure)amount
								  : HISTORY_CPU;
	const struct scatter scatter = step_trend_scatter(trend, amount, true);
	const struct trend_point *last = &trend->points[trend->count - 1];
	const double value = last->amounts[amount];
	const double margin = amount == TREND_PROCEDURE_CPU ?
				      last->amounts[TREND_PROCEDURE_MARGIN] : 0;
	const bool known = scatter.count > 0 && !isnan(value);
	const double beyond = known && !*last->last->abend ?
				      last_nights_beyond(unit, &scatter, value, margin) : 0;
	struct row *row = table_row(table, ROW_DETAIL);

	row_text(table, row, name);
	row_number(table, row, scatter.count);
	put_shown(table, row, unit, value);
	put_shown(table, row, unit, scatter.count ? scatter.median : NAN);
	put_shown(table, row, unit, scatter.count ? scatter.low : NAN);
	put_shown(table, row, unit, scatter.count ? scatter.high : NAN);
	put_shown(table, row, unit, beyond != 0 ? beyond : NAN);
	put_real(table, row, value);
	put_real(table, row, scatter.count ? scatter.median : NAN);
	put_real(table, row, scatter_reach(&scatter));
	put_real(table, row, beyond);
}

static void put_figures(struct document *document, const struct history_trend_asked *asked)
{
	struct table *table = document_table(document, "figures", "LAST NIGHT AND NIGHTS BEFORE",
					     figure_columns, ARRAY_SIZE(figure_columns));

	if (asked->procedure)
		put_figure(table, asked->trend, TREND_PROCEDURE_CPU, "CPU time of the procedure");
	for (int i = 0; i < HISTORY_FIGURES; i++)
		put_figure(table, asked->trend, (unsigned)i, history_figure_name(i));
}

static const struct column wait_columns[] = {
	TEXT("kind", "WAITS FOR", 20),
	FIGURE(COLUMN_TIME, "wait_ns", "MM.SS.HH", "WAITED", 10),
	FIGURE(COLUMN_TIME, "margin_ns", "MM.SS.HH", "+/-", 10,
	       .legend = "margin of error, 95 % confidence"),
};

static const struct column top_columns[] = {
	TEXT("procedure", "PROCEDURE", 40),
	TEXT("section", "SECTION", 30),
	FIGURE(COLUMN_TIME, "cpu_ns", "MM.SS.HH", "CPU", 10),
	FIGURE(COLUMN_TIME, "margin_ns", "MM.SS.HH", "+/-", 10,
	       .legend = "margin of error, 95 % confidence"),
	FIGURE(COLUMN_NUMBER, "samples", NULL, "SAMPLES", 9),
};

/* Puts the waits and the procedures of the last run. */
static void put_parts(struct document *document, const struct history_step *last)
{
	struct table *table;

	table = document_table(document, "waits", "WAITS OF THE LAST RUN", wait_columns,
			       ARRAY_SIZE(wait_columns));
	for (size_t i = 0; i < last->wait_count; i++) {
		struct row *row = table_row(table, ROW_DETAIL);

		row_text(table, row, last->waits[i].kind);
		row_number(table, row, last->waits[i].time);
		row_number(table, row, last->waits[i].margin);
	}
	table = document_table(document, "procedures", "PROCEDURES OF THE LAST RUN", top_columns,
			       ARRAY_SIZE(top_columns));
	for (size_t i = 0; i < last->procedure_count; i++) {
		struct row *row = table_row(table, ROW_DETAIL);

		row_text(table, row, last->procedures[i].name);
		row_text(table, row, last->procedures[i].section);
		row_number(table, row, last->procedures[i].cpu);
		row_number(table, row, last->procedures[i].margin);
		row_number(table, row, last->procedures[i].samples);
	}
}

/* Puts the verdict on the last run at its end. */
static void put_verdict(struct document *document, const struct history_step *last)
{
	if (last->differs)
		document_note(document, last->differs > 0 ? SEVERITY_WARNING : SEVERITY_INFO,
			      last->differs > 0 ? 6851 : 6852,
			      "step %s took %s than on its last %u nights: %s", last->label,
			      last->differs > 0 ? "more" : "less", last->nights, last->difference);
	else if (last->nights)
		document_text(document,
			      "The last run was like its last %u nights: no figure is beyond their "
			      "scatter.",
			      last->nights);
	else if (*last->abend)
		document_text(document,
			      "The last run abended (%s): it is not compared with the nights before.",
			      last->abend);
	else
		document_text(document,
			      "The last run was not compared: a comparison needs %d nights before "
			      "it in which the same program ended by itself.",
			      NIGHTS_MIN);
}

/* Arguments of a fill function. */
struct filling {
	const struct history_trend_asked *asked;
	bool line;
};

static void fill_trend(struct document *document, const void *argument)
{
	const struct filling *filling = argument;
	const struct history_trend_asked *asked = filling->asked;
	const struct column *columns = asked->procedure ? procedure_columns : point_columns;
	const size_t count = asked->procedure ? ARRAY_SIZE(procedure_columns)
					      : ARRAY_SIZE(point_columns);
	const struct history_step *last = asked->trend->points[asked->trend->count - 1].last;
	struct table *table;

	put_verdict(document, last);
	put_axis(document, asked);
	table = document_table(document, "nights", "NIGHTS", columns, count - !filling->line);
	table_context(table, "job", "JOB", asked->total->job);
	table_context(table, "step", "STEP", asked->total->label);
	if (asked->procedure)
		table_context(table, "procedure", "PROCEDURE", asked->procedure);
	for (size_t i = 0; i < asked->trend->count; i++)
		put_point(table, asked, i, filling->line);
	put_figures(document, asked);
	if (!asked->procedure && last->measured)
		put_parts(document, last);
}

int history_report_trend(const struct history_trend_asked *asked,
			 const struct report_options *options, FILE *stream, struct error *err)
{
	const struct filling filling = { asked, options->device->lines };
	struct strbuf title = STRBUF_INIT, trend = STRBUF_INIT;
	struct history_output output = { "STEP HISTORY", "TRD", "Trend",	   NULL,
					 asked->total->job, asked->total->label, asked->total->program,
					 "", NULL };
	int result;

	strbuf_addf(&title, "%s %s", asked->total->job, asked->total->label);
	if (asked->procedure)
		strbuf_addf(&title, ", procedure %s", asked->procedure);
	output.title = options->title ? options->title : title.text;
	if (options->device == &html_device) {
		page_trend_json(asked->trend, &trend);
		output.trend = trend.text;
	}
	result = history_output_print(&output, options, fill_trend, &filling, stream, err);
	strbuf_release(&title);
	strbuf_release(&trend);
	return result;
}
