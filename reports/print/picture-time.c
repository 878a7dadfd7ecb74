/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time: one strip each for the activities of the step, its threads and its files. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
#include "reports/print/picture-parts.h"

#define CELLS 200
#define ROWS_MAX 30	/* limit of all strips */
#define ROWS_OF_KIND 9	/* limit of reasons, of threads, of files */
#define NAMES 150.0	/* points for the names of strips, and for their shares */
#define SHARES 46.0
#define AXIS 24.0
/* Adjacent cells whose levels differ by less than one step are merged. */
#define STEPS 50.0

struct strip {
	char *name; /* owned */
	enum ink ink;
	double cells[CELLS]; /* share of the cell, 0 to 1 */
	double percent;	     /* of the run */
	const char *head; /* heading, for the first of a kind; else NULL */
};

struct strips {
	const struct profile *profile;
	struct strip items[ROWS_MAX];
	size_t count;
};

static double cell_width(const struct profile *profile)
{
	return (double)(profile_end(profile) - profile_start(profile)) / CELLS;
}

static struct strip *add(struct strips *strips, const char *head, const char *name, enum ink ink, uint64_t time)
{
	struct strip *strip = &strips->items[strips->count++];

	strip->head = head;
	strip->name = xstrdup(name);
	strip->ink = ink;
	strip->percent = profile_run_percent(strips->profile, time);
	return strip;
}

/* Spreads an amount of a timeline, ns, over the cells. */
static void spread(const struct strips *strips, struct strip *strip, const struct timeline *timeline, size_t amount)
{
	const struct profile *profile = strips->profile;
	double width = cell_width(profile);

	timeline_spread(timeline, amount, profile_start(profile), profile_end(profile), strip->cells, CELLS);
	for (size_t i = 0; i < CELLS; i++)
		strip->cells[i] = width > 0 ? strip->cells[i] / width : 0;
}

static void add_step(struct strips *strips)
{
	static const char *const names[] = { "executing", "waiting", "ready, not running" };
	static const enum ink inks[] = { INK_SOLO, INK_REST, INK_DISPATCH };
	const struct profile_step *step = &strips->profile->step;
	const uint64_t sums[] = { step->exec, step->wait, step->delay };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		spread(strips, add(strips, i ? NULL : "THE STEP", names[i], inks[i], sums[i]), &step->timeline, i);
}

/* Spreads the amount of a wait in a slice of the course over the cells. */
static void lay(const struct profile *profile, struct strip *strip, const struct course_cell *cell)
{
	const struct run_course *course = profile->course;
	double origin = (double)profile_start(profile), width = cell_width(profile);
	double from = ((double)(course->start + cell->slice * course->width) - origin) / width;
	double to = from + (double)course->width / width, each = (double)cell->charged / (to - from) / width;

	for (size_t i = from > 0 ? (size_t)from : 0; i < CELLS && (double)i < to; i++) {
		double low = (double)i > from ? (double)i : from, high = (double)i + 1 < to ? (double)i + 1 : to;

		if (high > low)
			strip->cells[i] += each * (high - low);
	}
}

static void lay_reason(const struct profile *profile, struct strip *strip, uint64_t reason)
{
	const struct course_rows *rows = &profile->course->waits;

	for (size_t i = 0; i < profile->wait_count && i < rows->count; i++)
		for (size_t c = 0; profile->waits[i].reason == reason && c < rows->items[i].count; c++)
			lay(profile, strip, &rows->items[i].cells[c]);
}

/* Adds run time by reason of the waits it is charged to, largest first. */
static void add_reasons(struct strips *strips)
{
	const struct profile *profile = strips->profile;
	uint64_t sums[WAIT_REASON_COUNT] = { 0 };

	for (size_t i = 0; i < profile->wait_count; i++)
		if (profile->waits[i].reason < WAIT_REASON_COUNT)
			sums[profile->waits[i].reason] += profile->waits[i].charged;
	for (size_t count = 0; profile->course && count < ROWS_OF_KIND; count++) {
		unsigned most = 0;
		struct strip *strip;

		for (unsigned reason = 1; reason < WAIT_REASON_COUNT; reason++)
			if (sums[reason] > sums[most])
				most = reason;
		if (!most || profile_run_percent(profile, sums[most]) < 0.05)
			return;
		strip = add(strips, count ? NULL : "WAITING FOR", label_reason(most), picture_reason_ink(most),
			    sums[most]);
		lay_reason(profile, strip, most);
		sums[most] = 0;
	}
}

/* Adds the busiest threads or files. */
static void add_activities(struct strips *strips, const struct activity_table *table, bool tasks)
{
	const struct activity_sum *order[ROWS_OF_KIND];
	size_t count = activity_busiest(table, order, ROWS_OF_KIND);
	struct strbuf label = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		strbuf_reset(&label);
		if (tasks)
			label_task(strips->profile, order[i]->id, &label);
		else
			label_file(strips->profile, order[i]->id, &label);
		spread(strips,
		       add(strips, i ? NULL : tasks ? "THREADS EXECUTING" : "FILES WAITED FOR", label.text,
			   tasks ? INK_SOLO : INK_REST, order[i]->busy),
		       &order[i]->timeline, ACTIVITY_BUSY);
	}
	strbuf_release(&label);
}

static double level_of(double share)
{
	double level = share > 1 ? 1 : share < 0 ? 0 : share;

	return (double)(int)(level * STEPS + (level > 0.0005 ? 0.999 : 0)) / STEPS;
}

/* Draws a strip: boxes as high as the share, equal neighbours merged. */
static void put_cells(struct sheets *sheets, const struct strip *strip, double x, double y, double width,
		      double height)
{
	for (size_t i = 0, end; i < CELLS; i = end) {
		double level = level_of(strip->cells[i]);

		for (end = i + 1; end < CELLS && level_of(strip->cells[end]) == level;)
			end++;
		if (level > 0)
			sheets_box(sheets, x + width * (double)i / CELLS, y - height * level,
				   width * (double)(end - i) / CELLS, height * level, strip->ink)->frame =
				strip->ink == INK_SOLO ? INK_NONE : INK_GREY;
	}
	sheets_line(sheets, x, y, width, 0, INK_GREY);
}

static void put_strip(struct sheets *sheets, const struct strip *strip, const struct picture_area *area, double y,
		      double height)
{
	struct strbuf text = STRBUF_INIT;

	if (strip->head)
		sheets_text(sheets, area->x, y - height - 1, 0, FONT_BOLD, 7.5, strip->head);
	picture_label(sheets, area->x + 6, y - 1.5, NAMES - 10, strip->name);
	put_cells(sheets, strip, area->x + NAMES, y, area->width - NAMES - SHARES, height);
	picture_percent(&text, strip->percent);
	sheets_text(sheets, area->x + area->width, y - 1.5, SHARES, FONT_FIXED, PICTURE_PITCH, text.text)->align = 1;
	strbuf_release(&text);
}

/*
 * Returns the largest of 1, 2, 5, 10, ... seconds (or minutes, hours) that fits
 * into a run at least four times, ns.
 */
static double tick_of(double run)
{
	static const double seconds[] = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1,  0.2,   0.5,   1,	 2,    5,
					  10,	 20,	30,    60,   120,  300,	 600,  1200,  1800,  3600, 7200,
					  14400, 28800, 43200, 86400 };
	double tick = seconds[0];

	for (size_t i = 0; i < ARRAY_SIZE(seconds) && seconds[i] * 4e9 <= run; i++)
		tick = seconds[i];
	return run > 40 * tick * 1e9 ? run / 5 : tick * 1e9;
}

static void add_time(struct strbuf *sb, double ns, double tick)
{
	uint64_t seconds = (uint64_t)(ns / 1e9 + 1e-9);

	if (tick < 1e9)
		strbuf_addf(sb, "%.*f s", tick < 1e7 ? 3 : tick < 1e8 ? 2 : 1, ns / 1e9);
	else if (tick < 60e9)
		strbuf_addf(sb, "%" PRIu64 " s", seconds);
	else if (tick < 3600e9)
		strbuf_addf(sb, "%" PRIu64 " min", seconds / 60);
	else
		strbuf_addf(sb, "%" PRIu64 " h", seconds / 3600);
}

static void put_axis(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     double bottom)
{
	double run = (double)(profile_end(profile) - profile_start(profile)), tick = tick_of(run);
	double x = area->x + NAMES, width = area->width - NAMES - SHARES;
	struct strbuf text = STRBUF_INIT;

	for (double at = 0; run > 0 && at <= run * 1.0001; at += tick) {
		sheets_line(sheets, x + width * at / run, area->y, 0, bottom - area->y + 4, INK_DISPATCH)->size = 0.3f;
		strbuf_reset(&text);
		add_time(&text, at, tick);
		sheets_text(sheets, x + width * at / run, bottom + 13, 0, FONT_FIXED, PICTURE_PITCH, text.text)->align = 0;
	}
	strbuf_release(&text);
}

static void draw(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		 unsigned resolution)
{
	struct strips *strips = xcalloc(1, sizeof(*strips));
	double each, y = area->y;

	(void)resolution;
	strips->profile = profile;
	add_step(strips);
	add_reasons(strips);
	add_activities(strips, &profile->task_activity, true);
	add_activities(strips, &profile->file_activity, false);
	/* The heading of a kind takes 10 points. */
	each = (area->height - AXIS - 4 * 12) / (double)strips->count;
	each = each > 34 ? 34 : each;
	put_axis(sheets, profile, area, area->y + each * (double)strips->count + 4 * 12);
	for (size_t i = 0; i < strips->count; i++) {
		y += each + (strips->items[i].head ? 12 : 0);
		put_strip(sheets, &strips->items[i], area, y, each * 0.8);
		free(strips->items[i].name);
	}
	free(strips);
}

static double height_of(const struct profile *profile)
{
	return profile->snapshots && session_facts_has_waits(profile) && profile_end(profile) > profile_start(profile)
		       ? PICTURE_ALL : 0;
}

const struct picture picture_time = { "time", "The run through time", height_of, draw };
