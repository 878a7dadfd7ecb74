/* SPDX-License-Identifier: Apache-2.0 */
/* Time Distribution of Activity Level: tasks and files over the run, one row each. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "reports/device.h"
#include "reports/report-class.h"
#include "profile/label.h"

#define CELLS 100
#define TASK_ROWS 5
#define FILE_ROWS 11

static const struct column columns[] = {
	{ .id = "name", .heading = "TASK OR DDNAME", .width = 16, .type = COLUMN_NAME },
	{ .id = "resource", .heading = "RESOURCE", .width = 8, .type = COLUMN_TEXT },
	{ .id = "level",
	  .group = "PERCENT OF RUN TIME",
	  .heading = "0----.----10---.----20---.----30---.----40---.----50---.----60---.----70---.-"
		     "---80---.----90---.---",
	  .width = CELLS,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_LEVELS },
	{ .id = "active_percent",
	  .heading = "TOTAL",
	  .width = 5,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "solo_percent",
	  .heading = "SOLO",
	  .width = 5,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_DATA_ONLY },
};

/* The values of one row: busy ns per cell. */
struct strip {
	double cells[CELLS];
	uint64_t busy, solo;
};

/* Appends the level of each cell; width is ns per cell. */
static void add_levels(struct strbuf *sb, const struct strip *strip, double width)
{
	for (size_t i = 0; i < CELLS; i++) {
		double share = width > 0 ? strip->cells[i] / width : 0;

		if (share <= 0.000001)
			strbuf_addch(sb, ' ');
		else if (share < 0.05)
			strbuf_addch(sb, '.');
		else if (share >= 0.95)
			strbuf_addch(sb, '+');
		else
			strbuf_addch(sb, (char)('0' + (int)(share * 10 + 0.5)));
	}
}

static void put_strip(struct context *context, struct table *table, enum row_kind kind,
		      const char *name, const char *resource, const struct strip *strip)
{
	const struct profile *profile = context->profile;
	double width = (double)(profile_end(profile) - profile_start(profile)) / CELLS;
	struct row *row = table_row(table, kind);
	struct strbuf levels = STRBUF_INIT;

	add_levels(&levels, strip, width);
	row_text(table, row, name);
	row_text(table, row, resource);
	row_text(table, row, levels.text);
	row_real(table, row, profile_run_percent(context->profile, strip->busy));
	row_real(table, row, profile_run_percent(context->profile, strip->solo));
	strbuf_release(&levels);
}

static void add_activity(const struct profile *profile, struct strip *strip,
			 const struct activity_sum *sum)
{
	timeline_spread(&sum->timeline, 0, profile_start(profile), profile_end(profile),
			strip->cells, CELLS);
	strip->busy += sum->busy;
	strip->solo += sum->busy_solo;
}

static int compare_activity(const void *first, const void *second)
{
	const struct activity_sum *a = *(const struct activity_sum *const *)first;
	const struct activity_sum *b = *(const struct activity_sum *const *)second;

	if (a->busy_solo != b->busy_solo)
		return a->busy_solo > b->busy_solo ? -1 : 1;
	if (a->busy != b->busy)
		return a->busy > b->busy ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Puts rows for the most active tasks or files, and one for the others. */
static void put_activities(struct context *context, struct table *table,
			   const struct activity_table *activities, bool tasks, size_t limit)
{
	const struct profile *profile = context->profile;
	const struct activity_sum **order = xcalloc(activities->count + 1, sizeof(void *));
	struct strip other = { .busy = 0 };
	struct strbuf label = STRBUF_INIT;
	size_t shown = 0, count = 0;

	for (size_t i = 0; i < activities->count; i++)
		if (activities->items[i].busy || context->options->all)
			order[count++] = &activities->items[i];
	qsort(order, count, sizeof(void *), compare_activity);
	for (size_t i = 0; i < count; i++) {
		struct strip strip = { .busy = 0 };

		if (shown >= limit && count > limit + 1 && !context->options->all) {
			add_activity(profile, &other, order[i]);
			continue;
		}
		shown++;
		add_activity(profile, &strip, order[i]);
		strbuf_reset(&label);
		if (tasks)
			label_task(context->profile, order[i]->id, &label);
		else
			label_file(profile, order[i]->id, &label);
		put_strip(context, table, ROW_DETAIL, label.text,
			  tasks ? "CPU" : label_device(profile, order[i]->id), &strip);
	}
	if (shown < count)
		put_strip(context, table, ROW_OTHER, ".OTHER", tasks ? "CPU" : "FILES", &other);
	free(order);
	strbuf_release(&label);
}

/* Puts the whole step: executing, waiting, ready but not running. */
static void put_step(struct context *context, struct table *table)
{
	static const char *const names[] = { "EXECUTING", "WAITING", "NOT DISPATCHED" };
	const struct profile *profile = context->profile;
	const uint64_t sums[] = { profile->step.exec, profile->step.wait, profile->step.delay };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct strip strip = { .busy = sums[i] };

		timeline_spread(&profile->step.timeline, i, profile_start(profile),
				profile_end(profile), strip.cells, CELLS);
		put_strip(context, table, ROW_DETAIL, names[i], "STEP", &strip);
	}
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;

	if (context_without_waits(context, document))
		return;
	document_text(document, "%s",
		      context->options->device->drawn ?
		      "The height of a strip is the share of that time in which it was active; "
		      "from left to right is the run, in percent." :
		      "Each character stands for one percent of the run: blank is not active, . is "
		      "active for less than 5 % of that time, 1 to 9 for that many tenths of it, + "
		      "for 95 % or more.");
	document_text(document, "%s", "");
	put_step(context,
		 document_table(document, "step", "THE STEP", columns, ARRAY_SIZE(columns)));
	put_activities(context,
		       document_table(document, "tasks", "TASKS ON A PROCESSOR", columns,
				      ARRAY_SIZE(columns)),
		       &profile->task_activity, true, TASK_ROWS);
	put_activities(
		context,
		document_table(document, "files", "FILES WAITED FOR", columns, ARRAY_SIZE(columns)),
		&profile->file_activity, false, FILE_ROWS);
}

const struct report_class report_tda = { "TDA", "Time Distribution of Activity Level", build, REPORT_OF_SAMPLES };
