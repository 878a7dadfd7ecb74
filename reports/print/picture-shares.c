/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of the run and of its CPU time: pies with a numbered list, and bars. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/share.h"
#include "profile/sums.h"
#include "records/record-types.h"
#include "reports/print/picture-parts.h"

#include <math.h>

#define SLICES_MAX 10
#define BARS_MAX 40
#define ROW 14.0
#define FIGURES 134.0 /* width of the figures after a bar */
#define PIE 148.0 /* height of a pie with its list */

/* A slice of a pie, or a row of its list. */
struct slice {
	struct strbuf name;
	enum ink ink;
	double amount;
	uint64_t time; /* ns */
};

struct pie {
	struct slice slices[SLICES_MAX + 1];
	size_t count;
	double whole;
};

static struct slice *add_slice(struct pie *pie, enum ink ink, double amount, uint64_t time)
{
	struct slice *slice = &pie->slices[pie->count++];

	strbuf_init(&slice->name);
	slice->ink = ink;
	slice->amount = amount;
	slice->time = time;
	return slice;
}

/* Puts the list next to a pie: number, swatch, name, share, time. */
static void put_list(struct sheets *sheets, const struct pie *pie, const struct picture_area *area)
{
	double y = area->y + area->height / 2 - ROW * (double)pie->count / 2 + 10;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < pie->count; i++, y += ROW) {
		const struct slice *slice = &pie->slices[i];

		strbuf_reset(&text);
		strbuf_addf(&text, "%zu", i + 1);
		sheets_text(sheets, area->x + 12, y, 0, FONT_BOLD, 8, text.text)->align = 1;
		picture_key(sheets, area->x + 18, y, slice->ink, "");
		picture_label(sheets, area->x + 38, y, area->width - 38 - 110, slice->name.text);
		strbuf_reset(&text);
		picture_percent(&text, share_percent(slice->amount, pie->whole));
		sheets_text(sheets, area->x + area->width - 62, y, 0, FONT_FIXED, PICTURE_PITCH, text.text)->align = 1;
		strbuf_reset(&text);
		clock_format_duration(&text, slice->time);
		sheets_text(sheets, area->x + area->width, y, 0, FONT_FIXED, PICTURE_PITCH, text.text)->align = 1;
	}
	strbuf_release(&text);
}

/* Puts slices clockwise from the top, each with its number next to it if it is wide enough. */
static void put_pie(struct sheets *sheets, struct pie *pie, const struct picture_area *area)
{
	double side = area->width * 0.42 < area->height ? area->width * 0.42 : area->height;
	double radius = side / 2 - 14, x = area->x + side / 2, y = area->y + area->height / 2, at = 0;
	const struct picture_area list = { area->x + side + 10, area->y, area->width - side - 10, area->height };
	char number[24];

	for (size_t i = 0; i < pie->count; i++) {
		double turn = pie->whole > 0 ? pie->slices[i].amount / pie->whole : 0;
		double middle = 2 * M_PI * (at + turn / 2);

		if (turn > 0)
			sheets_wedge(sheets, x, y, radius, at, at + turn, pie->slices[i].ink);
		snprintf(number, sizeof(number), "%zu", i + 1);
		if (turn * 2 * M_PI * radius > 8)
			sheets_text(sheets, x + sin(middle) * (radius + 8), y - cos(middle) * (radius + 8) + 3, 0, FONT_BOLD, 8,
				    number)->align = 0;
		at += turn;
	}
	put_list(sheets, pie, &list);
	for (size_t i = 0; i < pie->count; i++)
		strbuf_release(&pie->slices[i].name);
}

/*
 * Adds the reasons that the waiting run time is charged to, largest first; small
 * ones are merged.
 */
static void add_reasons(struct pie *pie, const struct profile *profile)
{
	uint64_t sums[WAIT_REASON_COUNT] = { 0 }, rest = profile->charged;

	for (size_t i = 0; i < profile->wait_count; i++)
		if (profile->waits[i].reason < WAIT_REASON_COUNT)
			sums[profile->waits[i].reason] += profile->waits[i].charged;
	while (pie->count < SLICES_MAX) {
		unsigned most = 0;

		for (unsigned reason = 1; reason < WAIT_REASON_COUNT; reason++)
			if (sums[reason] > sums[most])
				most = reason;
		if (!most)
			break;
		strbuf_addf(&add_slice(pie, picture_reason_ink(most), (double)sums[most], sums[most])->name, "waiting: %s",
			    label_reason(most));
		rest -= sums[most];
		sums[most] = 0;
	}
	if (rest)
		strbuf_addstr(&add_slice(pie, INK_OTHER, (double)rest, rest)->name, "waiting: other");
}

static void draw_run(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     unsigned resolution)
{
	struct pie pie = { .count = 0 };

	(void)resolution;
	strbuf_addstr(&add_slice(&pie, INK_SOLO, (double)profile->step.exec, profile->step.exec)->name, "executing");
	add_reasons(&pie, profile);
	pie.whole = (double)profile->step.exec + (double)profile->charged;
	put_pie(sheets, &pie, area);
}

static double run_height(const struct profile *profile)
{
	return profile->snapshots && session_facts_has_waits(profile) && profile->step.exec + profile->charged > 0
		       ? PIE : 0;
}

/* Draws CPU samples by module and section, as in Program Section Usage. */
static void draw_cpu(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     unsigned resolution)
{
	static const enum ink inks[SLICES_MAX] = { INK_PROGRAM, INK_LIBRARY,  INK_LOCK,	  INK_FILE_WRITE,
						    INK_NETWORK, INK_DISPATCH, INK_FILE_SYNC, INK_CHILD,
						    INK_PAGE };
	struct sums sums;
	struct pie pie = { .whole = (double)profile->samples };
	uint64_t rest = profile->samples;

	(void)resolution;
	sums_init(&sums, 2, 1);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *place = attribution_place(&profile->attribution, profile->cpu[i].stack);

		sums_at(&sums, (const uint64_t[]){ place->module, place->section })[0] += profile->cpu[i].count;
	}
	sums_sort_falling(&sums, 0, profile_compare_text_pairs, (void *)profile);
	for (size_t i = 0; i < sums.keys.count && i < SLICES_MAX - 1; i++) {
		const uint64_t *key = sums_key(&sums, sums.order[i]);
		uint64_t samples = sums_values(&sums, sums.order[i])[0];

		strbuf_addf(&add_slice(&pie, inks[i], (double)samples, session_facts_sampled(profile, samples))->name,
			    "%s  %s", profile_text(profile, key[0]), profile_text(profile, key[1]));
		rest -= samples;
	}
	if (rest)
		strbuf_addstr(&add_slice(&pie, INK_OTHER, (double)rest, session_facts_sampled(profile, rest))->name,
			      ".OTHER");
	put_pie(sheets, &pie, area);
	sums_release(&sums);
}

static double cpu_height(const struct profile *profile)
{
	return profile->samples > 0 ? PIE : 0;
}

enum { WAIT_COUNT, WAIT_TOTAL, WAIT_CHARGED, WAIT_SOLO, WAIT_FIGURES };

/* x positions of the parts of a row of bars. */
struct bars {
	struct sheets *sheets;
	const struct profile *profile;
	double x, y, reason, file, bar, width, highest;
};

static void put_bar(struct bars *bars, const uint64_t *key, const uint64_t *values)
{
	double share = profile_run_percent(bars->profile, values[WAIT_CHARGED]);
	double length = bars->highest > 0 ? bars->width * share / bars->highest : 0;
	double solo = values[WAIT_CHARGED] ? length * (double)values[WAIT_SOLO] / (double)values[WAIT_CHARGED] : 0;
	struct strbuf text = STRBUF_INIT;

	picture_key(bars->sheets, bars->x, bars->y, picture_reason_ink(key[0]), "");
	picture_label(bars->sheets, bars->x + 18, bars->y, bars->file - bars->reason - 22, label_reason(key[0]));
	if (key[1])
		label_file(bars->profile, key[1], &text);
	picture_label(bars->sheets, bars->file, bars->y, bars->bar - bars->file - 6, text.text);
	if (length > 0)
		sheets_box(bars->sheets, bars->bar, bars->y - 7.5, length, 9.5, INK_REST)->frame = INK_GREY;
	if (solo > 0)
		sheets_box(bars->sheets, bars->bar, bars->y - 7.5, solo, 9.5, INK_SOLO);
	strbuf_reset(&text);
	picture_percent(&text, share);
	strbuf_addf(&text, "  ");
	clock_format_duration(&text, values[WAIT_CHARGED]);
	strbuf_addf(&text, "  %" PRIu64 " wait%s", values[WAIT_COUNT], values[WAIT_COUNT] == 1 ? "" : "s");
	picture_label(bars->sheets, bars->bar + length + 4, bars->y, FIGURES - 4, text.text);
	strbuf_release(&text);
}

static void sum_waits(struct sums *sums, const struct profile *profile)
{
	sums_init(sums, 2, WAIT_FIGURES);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t *values = sums_at(sums, (const uint64_t[]){ wait->reason, wait->file });

		values[WAIT_COUNT] += wait->count;
		values[WAIT_TOTAL] += wait->total;
		values[WAIT_CHARGED] += wait->charged;
		values[WAIT_SOLO] += wait->solo;
	}
	sums_sort_falling(sums, WAIT_CHARGED, NULL, NULL);
}

/* Returns whether a row has anything to show. */
static bool shows_wait(const struct profile *profile, const struct sums *sums, size_t number)
{
	return number == 0 ||
	       (number < BARS_MAX &&
		profile_run_percent(profile, sums_values(sums, sums->order[number])[WAIT_CHARGED]) >= 0.05);
}

static void draw_waits(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		       unsigned resolution)
{
	double left = area->width - FIGURES > 400 ? 230 : (area->width - FIGURES) * 0.6;
	struct bars bars = { .sheets = sheets, .profile = profile, .x = area->x, .reason = area->x,
			     .file = area->x + left * 0.47, .bar = area->x + left };
	size_t room = area->height > 4 * ROW ? (size_t)((area->height - 3 * ROW) / ROW) : 1;
	struct sums sums;

	(void)resolution;
	sum_waits(&sums, profile);
	bars.width = area->width - left - FIGURES;
	bars.highest = profile_run_percent(profile, sums_values(&sums, sums.order[0])[WAIT_CHARGED]);
	bars.y = area->y + ROW;
	for (size_t i = 0; i < sums.keys.count && i < room && shows_wait(profile, &sums, i); i++, bars.y += ROW)
		put_bar(&bars, sums_key(&sums, sums.order[i]), sums_values(&sums, sums.order[i]));
	picture_key(sheets, area->x, bars.y + 4, INK_SOLO, "SOLO: no other task of the step waited");
	picture_key(sheets, area->x, bars.y + 4 + ROW, INK_REST, "the rest of TOTAL, percent of run time");
	sums_release(&sums);
}

static double waits_height(const struct profile *profile)
{
	struct sums sums;
	size_t rows = 0;

	RETURN_IF(!profile->charged, 0);
	sum_waits(&sums, profile);
	while (rows < sums.keys.count && shows_wait(profile, &sums, rows))
		rows++;
	sums_release(&sums);
	return ROW * (double)(rows + 4);
}

const struct picture picture_run = { "run", "What the step did with its run time", run_height, draw_run };
const struct picture picture_cpu = { "cpu", "CPU time by section", cpu_height, draw_cpu };
const struct picture picture_waits = { "waits", "Run time by what was waited for", waits_height, draw_waits };
