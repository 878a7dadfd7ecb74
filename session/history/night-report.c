/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the document of a night. */
#include "common/compat.h"
#include "session/history/night-report.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/history/history-output.h"
#include "session/history/nights.h"

#include <math.h>

#define TEXT(id_, heading_, width_, ...) \
	{ \
		.id = id_, .heading = heading_, .width = width_, .type = COLUMN_TEXT, __VA_ARGS__ \
	}
#define DATA(id_, type_) \
	{ \
		.id = id_, .heading = "", .width = 8, .type = type_, .flags = COLUMN_DATA_ONLY \
	}

/* Arguments of the fill function. */
struct filling {
	const struct night *night;
	struct critical_path path;
	uint64_t cpu, elapsed; /* of all steps */
	unsigned abends, measured, differing;
	struct strbuf name; /* of the night */
};

static const struct column step_columns[] = {
	TEXT("job", "JOB", 8),
	TEXT("step", "STEP", 17),
	TEXT("program", "PROGRAM", 10),
	TEXT("began", "BEGAN", 8),
	TEXT("code", "CODE", 5, .legend = "return code or abend"),
	FIGURE(COLUMN_TIME, "elapsed_ns", "MM.SS.HH", "ELAPSED", 9, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_TIME, "cpu_ns", "MM.SS.HH", "CPU", 9, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_TIME, "wait_ns", "MM.SS.HH", "WAITED", 9,
	       .legend = "time in which the step did not execute; - not measured"),
	FIGURE(COLUMN_REAL, "margin_percent", NULL, "+/-%", 5,
	       .legend = "margin of error of a share of the CPU time, 95 % confidence"),
	FIGURE(COLUMN_BYTES, "peak_bytes", NULL, "PEAK", 6, .legend = "storage of its largest process"),
	FIGURE(COLUMN_REAL, "change_percent", NULL, "CHANGE%", 7,
	       .legend = "of elapsed time from the median of its last nights"),
	TEXT("differs", "D", 1,
	     .legend = "+ above, - below the scatter of its last nights"),
	TEXT("finding", "FIRST FINDING", 24),
	DATA("number", COLUMN_TEXT),
	DATA("started_ns", COLUMN_NUMBER),
	DATA("ended_ns", COLUMN_NUMBER),
	DATA("calls", COLUMN_NUMBER),
	DATA("bytes", COLUMN_NUMBER),
	DATA("samples", COLUMN_NUMBER),
	DATA("nights", COLUMN_NUMBER),
	DATA("difference", COLUMN_TEXT),
	DATA("data_set", COLUMN_PATH),
	DATA("profile", COLUMN_PATH),
};

static const struct column matter_columns[] = {
	TEXT("job", "JOB", 8),
	TEXT("step", "STEP", 17),
	TEXT("program", "PROGRAM", 10),
	FIGURE(COLUMN_TIME, "elapsed_ns", "MM.SS.HH", "ELAPSED", 9),
	FIGURE(COLUMN_PERCENT, "path_percent", NULL, "PATH %", 6,
	       .legend = "of the critical path"),
	FIGURE(COLUMN_PERCENT, "cpu_percent", NULL, "CPU %", 6,
	       .legend = "of the CPU time of the night's steps"),
	TEXT("why", "WHY", 66),
};

static const struct column wait_columns[] = {
	TEXT("job", "JOB", 8),
	TEXT("began", "BEGAN", 8),
	FIGURE(COLUMN_TIME, "waited_ns", "MM.SS.HH", "WAITED", 9, .flags = COLUMN_ADDITIVE),
	TEXT("data_set", "FOR DATA SET", 44),
	TEXT("holder", "HELD BY", 8, .legend = "- no job in the history held it"),
	TEXT("holder_step", "UNTIL ITS STEP", 17),
};

static const struct column path_columns[] = {
	TEXT("began", "BEGAN", 8),
	FIGURE(COLUMN_TIME, "elapsed_ns", "MM.SS.HH", "ELAPSED", 9, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_PERCENT, "path_percent", NULL, "%", 6, .flags = COLUMN_ADDITIVE),
	TEXT("job", "JOB", 8),
	TEXT("step", "STEP", 17, .legend = "blank: the job, between its steps"),
	TEXT("program", "PROGRAM", 10),
	TEXT("differs", "D", 1),
	TEXT("why", "REASON", 60),
};

static void put_clock(struct table *table, struct row *row, uint64_t moment)
{
	struct strbuf sb = STRBUF_INIT;

	clock_format_wall_time(&sb, moment);
	row_text(table, row, sb.text);
	strbuf_release(&sb);
}

static void put_known(struct table *table, struct row *row, uint64_t amount)
{
	if (amount == HISTORY_UNKNOWN)
		row_unknown(table, row);
	else
		row_number(table, row, amount);
}

static void put_real(struct table *table, struct row *row, double amount)
{
	if (isfinite(amount))
		row_real(table, row, amount);
	else
		row_unknown(table, row);
}

static const char *mark_of(const struct history_step *step)
{
	return step->differs > 0 ? "+" : step->differs < 0 ? "-" : "";
}

static void put_code(struct table *table, struct row *row, const struct history_step *step)
{
	char text[16];

	snprintf(text, sizeof(text), "%04u", step->code);
	row_text(table, row, *step->abend ? step->abend : text);
}

/* Returns the number of a step's job. */
static const char *number_of(const struct night *night, const struct history_step *step)
{
	for (size_t i = 0; i < night->jobs.count; i++)
		if (night->jobs.items[i].id == step->job_id)
			return night->jobs.items[i].number;
	return "";
}

static void put_step(struct table *table, const struct night *night, const struct history_step *step)
{
	struct row *row = table_row(table, ROW_DETAIL);

	row_text(table, row, step->job);
	row_text(table, row, step->label);
	row_text(table, row, step->program);
	put_clock(table, row, step->started);
	put_code(table, row, step);
	put_known(table, row, step->figures[HISTORY_ELAPSED]);
	put_known(table, row, step->figures[HISTORY_CPU]);
	put_known(table, row, step->figures[HISTORY_WAIT]);
	put_real(table, row, step->margin);
	put_known(table, row, step->figures[HISTORY_PEAK]);
	put_real(table, row, step->change);
	row_text(table, row, mark_of(step));
	row_text(table, row, step->finding);
	row_text(table, row, number_of(night, step));
	row_number(table, row, step->started);
	row_number(table, row, step->ended);
	put_known(table, row, step->figures[HISTORY_CALLS]);
	put_known(table, row, step->figures[HISTORY_BYTES]);
	row_number(table, row, step->samples);
	row_number(table, row, step->nights);
	row_text(table, row, step->difference);
	row_text(table, row, step->data_set);
	row_text(table, row, step->page);
	row->colour = *step->abend ? ROW_RED : step->differs > 0 ? ROW_YELLOW : ROW_PLAIN;
}

static void put_steps(struct document *document, const struct filling *filling)
{
	const struct history_steps *steps = &filling->night->steps;
	struct table *table = document_table(document, "steps", "STEPS", step_columns,
					     ARRAY_SIZE(step_columns));
	struct row *row;

	for (size_t i = 0; i < steps->count; i++)
		put_step(table, filling->night, &steps->items[i]);
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTAL");
	row_skip(table, row, 4);
	row_number(table, row, filling->elapsed);
	row_number(table, row, filling->cpu);
	row_skip(table, row, ARRAY_SIZE(step_columns) - 7);
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

/* A step that may matter. */
struct matter {
	const struct history_step *step;
	double path, cpu; /* percent */
	int rank;	  /* 4: abend, 3: takes more, 2: on the path, or finding on it, 1: CPU
			   * time, or takes less; 0: does not matter */
};

static struct matter matter_of(const struct filling *filling, const struct history_step *step)
{
	struct matter matter = {
		.step = step,
		.path = percent_of(critical_path_of_step(&filling->path, step),
				   critical_path_length(&filling->path)),
		.cpu = percent_of(step->figures[HISTORY_CPU], filling->cpu),
	};

	if (*step->abend)
		matter.rank = 4;
	else if (step->differs > 0)
		matter.rank = 3;
	else if (matter.path >= NIGHT_PATH_PERCENT || (matter.path > 0 && *step->finding))
		matter.rank = 2;
	else if (matter.cpu >= NIGHT_CPU_PERCENT || step->differs < 0)
		matter.rank = 1;
	return matter;
}

static int by_rank(const void *a, const void *b)
{
	const struct matter *x = a, *y = b;

	if (x->rank != y->rank)
		return y->rank - x->rank;
	if (x->path < y->path || x->path > y->path)
		return x->path < y->path ? 1 : -1;
	return x->step->id < y->step->id ? -1 : x->step->id > y->step->id;
}

/* Appends a reason to others. */
static void add_reason(struct strbuf *sb, const char *text, const char *more)
{
	strbuf_addf(sb, "%s%s%s", sb->length ? "; " : "", text, more);
}

/* Appends why a step matters. */
static void add_reasons(struct strbuf *sb, const struct matter *matter)
{
	const struct history_step *step = matter->step;

	if (*step->abend)
		add_reason(sb, "abend ", step->abend);
	if (step->differs)
		add_reason(sb, step->differs > 0 ? "more than on its last nights: " : "less than on its last nights: ",
			   step->difference);
	if (matter->path >= NIGHT_PATH_PERCENT)
		add_reason(sb, "on the critical path", "");
	if (*step->finding)
		add_reason(sb, "finding: ", step->finding);
	if (matter->cpu >= NIGHT_CPU_PERCENT)
		add_reason(sb, "large share of the CPU time", "");
}

static void put_matter(struct table *table, const struct matter *matter)
{
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf sb = STRBUF_INIT;

	row_text(table, row, matter->step->job);
	row_text(table, row, matter->step->label);
	row_text(table, row, matter->step->program);
	put_known(table, row, matter->step->figures[HISTORY_ELAPSED]);
	row_real(table, row, matter->path);
	row_real(table, row, matter->cpu);
	add_reasons(&sb, matter);
	row_text(table, row, sb.text);
	row->colour = matter->rank == 4 ? ROW_RED : matter->rank == 3 ? ROW_YELLOW : ROW_PLAIN;
	strbuf_release(&sb);
}

static void put_matters(struct document *document, const struct filling *filling)
{
	const struct history_steps *steps = &filling->night->steps;
	struct matter *matters = xcalloc(steps->count + 1, sizeof(*matters));
	struct table *table;
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		matters[count] = matter_of(filling, &steps->items[i]);
		count += matters[count].rank > 0;
	}
	qsort(matters, count, sizeof(*matters), by_rank);
	table = document_table(document, "matters", "STEPS THAT MATTER", matter_columns,
			       ARRAY_SIZE(matter_columns));
	for (size_t i = 0; i < count; i++)
		put_matter(table, &matters[i]);
	free(matters);
}

static void put_waits(struct document *document, const struct filling *filling)
{
	struct table *table;

	if (filling->path.wait_count == 0)
		return;
	table = document_table(document, "job_waits", "JOBS THAT WAITED FOR DATA SETS OF OTHERS",
			       wait_columns, ARRAY_SIZE(wait_columns));
	for (size_t i = 0; i < filling->path.wait_count; i++) {
		const struct path_wait *wait = &filling->path.waits[i];
		struct row *row = table_row(table, ROW_DETAIL);

		row_text(table, row, wait->job->name);
		put_clock(table, row, wait->delay->began);
		row_number(table, row, wait->delay->ended > wait->delay->began ?
					       wait->delay->ended - wait->delay->began : 0);
		row_text(table, row, wait->delay->dsn);
		row_text(table, row, wait->holder ? wait->holder->name : "-");
		row_text(table, row, wait->step ? wait->step->label : "");
	}
}

/* Appends why a row of the path came when it did. */
static void add_why(struct strbuf *sb, const struct path_row *row, const struct path_row *before)
{
	if (row->kind == PATH_LOCK) {
		strbuf_addf(sb, "waited for data set %s, which no job in the history held", row->dsn);
		return;
	}
	switch (row->reason) {
	case PATH_BEGINS:
		strbuf_addf(sb, "job %s was submitted", row->job->number);
		break;
	case PATH_LOCKED:
		strbuf_addf(sb, "job %s held data set %s until then", before ? before->job->name : "-",
			    row->dsn);
		break;
	case PATH_QUEUED:
		strbuf_addf(sb, "job %s ran before it in the same submit",
			    before ? before->job->name : "-");
		break;
	case PATH_NEXT:
		strbuf_addstr(sb, row->kind == PATH_STEP ? "" : "between steps");
		break;
	}
}

static void put_path(struct document *document, const struct filling *filling)
{
	const struct critical_path *path = &filling->path;
	struct table *table = document_table(document, "critical_path", "CRITICAL PATH", path_columns,
					     ARRAY_SIZE(path_columns));
	struct strbuf why = STRBUF_INIT;
	const uint64_t length = critical_path_length(path);
	struct row *row;

	for (size_t i = 0; i < path->count; i++) {
		const struct path_row *one = &path->rows[i];

		row = table_row(table, ROW_DETAIL);
		put_clock(table, row, one->began);
		row_number(table, row, one->ended - one->began);
		row_real(table, row, percent_of(one->ended - one->began, length));
		row_text(table, row, one->job->name);
		row_text(table, row, one->step ? one->step->label : "");
		row_text(table, row, one->step ? one->step->program : "");
		row_text(table, row, one->step ? mark_of(one->step) : "");
		strbuf_reset(&why);
		add_why(&why, one, i ? &path->rows[i - 1] : NULL);
		row_text(table, row, why.text);
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTAL");
	row_number(table, row, length);
	row_real(table, row, length ? 100 : 0);
	row_skip(table, row, ARRAY_SIZE(path_columns) - 3);
	strbuf_release(&why);
}

/* Puts a moment as a pair. */
static void pair_moment(struct pair_group *group, const char *id, const char *label, uint64_t moment)
{
	struct strbuf sb = STRBUF_INIT;

	if (moment)
		clock_format_wall(&sb, moment);
	pair_text(group, id, label, sb.length ? sb.text : "not known");
	strbuf_release(&sb);
}

static void put_facts(struct document *document, const struct filling *filling)
{
	const struct critical_path *path = &filling->path;
	struct pair_group *groups = document_pairs(document, 2);

	groups[0].id = "night";
	groups[0].title = "NIGHT";
	pair_text(&groups[0], "night", "NIGHT OF", filling->name.text);
	pair_moment(&groups[0], "path_begins", "CRITICAL PATH BEGINS",
		    path->count ? path->rows[0].began : 0);
	pair_moment(&groups[0], "ended", "LAST JOB ENDED",
		    path->count ? path->rows[path->count - 1].ended : 0);
	pair_number(&groups[0], "path_ns", "CRITICAL PATH", COLUMN_TIME, critical_path_length(path));
	groups[1].id = "work";
	groups[1].title = "WORK";
	pair_number(&groups[1], "jobs", "JOBS", COLUMN_NUMBER, filling->night->jobs.count);
	pair_number(&groups[1], "steps", "STEPS", COLUMN_NUMBER, filling->night->steps.count);
	pair_number(&groups[1], "measured", "MEASURED", COLUMN_NUMBER, filling->measured);
	pair_number(&groups[1], "abends", "ABENDS", COLUMN_NUMBER, filling->abends);
	pair_number(&groups[1], "more", "TOOK MORE THAN BEFORE", COLUMN_NUMBER, filling->differing);
	pair_number(&groups[1], "cpu_ns", "CPU TIME", COLUMN_TIME, filling->cpu);
}

/* Notes that jobs with unknown end make the path uncertain. */
static void put_unknown_ends(struct document *document, const struct filling *filling)
{
	const struct history_jobs *jobs = &filling->night->jobs;

	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->items[i].ended == 0)
			document_note(document, SEVERITY_WARNING, 6857,
				      "job %s (%s) has no end: it is still running, or its vigil "
				      "was killed; it counts up to its last step",
				      jobs->items[i].name, jobs->items[i].number);
}

static void fill_night(struct document *document, const void *argument)
{
	const struct filling *filling = argument;

	put_facts(document, filling);
	put_unknown_ends(document, filling);
	put_steps(document, filling);
	put_matters(document, filling);
	put_waits(document, filling);
	put_path(document, filling);
}

/* Sums up the steps. */
static void sum_up(struct filling *filling)
{
	const struct history_steps *steps = &filling->night->steps;

	for (size_t i = 0; i < steps->count; i++) {
		const struct history_step *step = &steps->items[i];

		if (step->figures[HISTORY_CPU] != HISTORY_UNKNOWN)
			filling->cpu += step->figures[HISTORY_CPU];
		if (step->figures[HISTORY_ELAPSED] != HISTORY_UNKNOWN)
			filling->elapsed += step->figures[HISTORY_ELAPSED];
		filling->abends += *step->abend != '\0';
		filling->measured += step->measured;
		filling->differing += step->differs > 0;
	}
}

int night_init(struct night *night, struct history *history, uint64_t moment, struct error *err)
{
	*night = (struct night){ .moment = moment };
	return history_between(history, night_begin(moment), night_end(moment), &night->jobs,
			       &night->steps, err);
}

void night_release(struct night *night)
{
	history_jobs_release(&night->jobs);
	history_steps_release(&night->steps);
}

int night_report(const struct night *night, const struct report_options *options, FILE *stream,
		 struct error *err)
{
	struct filling filling = { .night = night, .name = STRBUF_INIT };
	struct strbuf title = STRBUF_INIT;
	struct history_output output = { "NIGHT REPORT", "NGT", "Night Report", NULL, "", "", "", "",
					 NULL };
	int result;

	night_format(&filling.name, night->moment);
	strbuf_addf(&title, "Night of %s", filling.name.text);
	output.title = options->title ? options->title : title.text;
	critical_path_init(&filling.path, &night->jobs, &night->steps);
	sum_up(&filling);
	result = history_output_print(&output, options, fill_night, &filling, stream, err);
	critical_path_release(&filling.path);
	strbuf_release(&filling.name);
	strbuf_release(&title);
	return result;
}
