/* SPDX-License-Identifier: Apache-2.0 */
/* Working Set Size Through Time: memory and page faults over the run. */
#include "common/compat.h"
#include "reports/report-class.h"

#define INTERVALS 40
#define PAGE_BYTES 4096

static const struct column columns[] = {
	{ .id = "start_ns",
	  .group = "MM.SS.HH",
	  .heading = "FROM",
	  .width = 9,
	  .type = COLUMN_TIME,
	  .legend = "start of the interval (mm.ss.hh from the start of the run)" },
	{ .id = "resident_pages",
	  .heading = "FRAMES",
	  .width = 11,
	  .type = COLUMN_NUMBER,
	  .legend = "mean number of 4096-byte pages in memory, the sum over all processes of the "
		    "step" },
	{ .id = "resident_bytes", .heading = "BYTES", .width = 7, .type = COLUMN_BYTES },
	{ .id = "minor_faults",
	  .group = "PAGE FAULTS",
	  .heading = "MINOR",
	  .width = 9,
	  .type = COLUMN_NUMBER,
	  .legend = "resolved from memory" },
	{ .id = "major_faults",
	  .group = "PAGE FAULTS",
	  .heading = "MAJOR",
	  .width = 7,
	  .type = COLUMN_NUMBER,
	  .legend = "resolved by reading from a device" },
	{ .id = "of_highest_percent",
	  .heading = "% HIGH",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .legend = "FRAMES in percent of the highest interval" },
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .legend = "+ is FRAMES; the scale is in percent of the highest interval",
	  .bar = "of_highest_percent" },
};

/* Amounts of the step over the intervals of the run. */
struct course {
	double time[INTERVALS], pages[INTERVALS], minor[INTERVALS], major[INTERVALS];
};

static void spread(const struct profile *profile, enum profile_step_amount amount, double *cells)
{
	timeline_spread(&profile->step.timeline, amount, profile_start(profile),
			profile_end(profile), cells, INTERVALS);
}

/* Computes the mean pages of each interval; returns the highest. */
static double make_course(const struct profile *profile, struct course *course)
{
	double highest = 0;

	memset(course, 0, sizeof(*course));
	spread(profile, PROFILE_STEP_EXEC, course->time);
	spread(profile, PROFILE_STEP_WAIT, course->time);
	spread(profile, PROFILE_STEP_DELAY, course->time);
	spread(profile, PROFILE_STEP_PAGES, course->pages);
	spread(profile, PROFILE_STEP_MINOR, course->minor);
	spread(profile, PROFILE_STEP_MAJOR, course->major);
	for (size_t i = 0; i < INTERVALS; i++) {
		course->pages[i] = course->time[i] > 0 ? course->pages[i] / course->time[i] : 0;
		if (course->pages[i] > highest)
			highest = course->pages[i];
	}
	return highest;
}

/* Returns a value as a whole number, limited to 64 bits. */
static uint64_t whole(double value)
{
	if (!(value > 0))
		return 0;
	return value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	double width = (double)(profile_end(profile) - profile_start(profile)) / INTERVALS;
	struct table *table;
	struct course course;
	double highest = make_course(profile, &course);
	struct pair_group *group;

	if (context_without_memory(context, document))
		return;
	group = document_pairs(document, 2);
	group[0].id = "working_set";
	group[0].title = "WORKING SET";
	pair_number(&group[0], "highest_interval_bytes", "HIGHEST INTERVAL, BYTES", COLUMN_BYTES,
		    whole(highest * PAGE_BYTES));
	pair_number(&group[0], "peak_resident_bytes", "HIGHEST SEEN, BYTES", COLUMN_BYTES,
		    profile->step.peak_resident * PAGE_BYTES);
	group[1].id = "page_faults";
	group[1].title = "PAGE FAULTS";
	pair_number(&group[1], "minor_faults", "MINOR", COLUMN_NUMBER, profile->step.minor_faults);
	pair_number(&group[1], "major_faults", "MAJOR", COLUMN_NUMBER, profile->step.major_faults);
	table = document_table(document, "intervals", NULL, columns, ARRAY_SIZE(columns));
	table->bar_title = "FRAMES IN MEMORY";
	for (size_t i = 0; i < INTERVALS && width > 0 && profile->step.interval; i++) {
		struct row *row = table_row(table, ROW_DETAIL);

		row_number(table, row, whole(width * (double)i));
		row_number(table, row, whole(course.pages[i] + 0.5));
		row_number(table, row, whole(course.pages[i] * PAGE_BYTES));
		row_number(table, row, whole(course.minor[i] + 0.5));
		row_number(table, row, whole(course.major[i] + 0.5));
		row_real(table, row, highest > 0 ? 100 * course.pages[i] / highest : 0);
	}
}

const struct report_class report_wss = { "WSS", "Working Set Size Through Time", build, REPORT_OF_SAMPLES };
