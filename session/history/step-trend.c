/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the points of a step's nights, and the line through them. */
#include "common/compat.h"
#include "session/history/step-trend.h"
#include "common/xalloc.h"
#include "session/history/nights.h"

#include <math.h>

/* Average number of runs per night that are read. */
#define RUNS_A_NIGHT 20

/* Finds the CPU time of a procedure in a run, by name, in all sections. */
static void take_procedure(const struct history_step *run, const char *name, double *amounts)
{
	double cpu = 0, samples = 0, square = 0;
	bool found = false;

	for (size_t i = 0; i < run->procedure_count; i++) {
		const struct history_procedure *one = &run->procedures[i];

		if (strcasecmp(one->name, name) != 0)
			continue;
		found = true;
		cpu += (double)one->cpu;
		samples += (double)one->samples;
		square += (double)one->margin * (double)one->margin;
	}
	amounts[TREND_PROCEDURE_CPU] = found ? cpu : NAN;
	amounts[TREND_PROCEDURE_SAMPLES] = found ? samples : NAN;
	amounts[TREND_PROCEDURE_MARGIN] = found ? sqrt(square) : NAN;
}

/* Reads all amounts of one run. */
static void take_run(const struct history_step *run, const char *procedure, double *amounts)
{
	for (int i = 0; i < HISTORY_FIGURES; i++)
		amounts[i] = run->figures[i] == HISTORY_UNKNOWN ? NAN : (double)run->figures[i];
	take_procedure(run, procedure ? procedure : "", amounts);
}

/* Computes the median of each amount over the runs of a point: the abended ones or the others. */
static void take_medians(const struct step_trend *trend, struct trend_point *point,
			 const char *procedure)
{
	const bool abended = point->abends == point->run_count;
	double *values = xcalloc(point->run_count, sizeof(*values)), amounts[TREND_AMOUNTS];

	for (int amount = 0; amount < TREND_AMOUNTS; amount++) {
		size_t count = 0;

		for (size_t i = 0; i < point->run_count; i++) {
			const struct history_step *run = &trend->runs.items[point->first_run + i];

			take_run(run, procedure, amounts);
			if ((*run->abend != '\0') == abended && !isnan(amounts[amount]))
				values[count++] = amounts[amount];
		}
		point->amounts[amount] = count ? scatter_of(values, count).median : NAN;
	}
	free(values);
}

/* Reverses the runs, so that the oldest comes first. */
static void reverse_runs(struct history_steps *runs)
{
	for (size_t i = 0; i < runs->count / 2; i++) {
		struct history_step one = runs->items[i];

		runs->items[i] = runs->items[runs->count - 1 - i];
		runs->items[runs->count - 1 - i] = one;
	}
}

/* Keeps the runs, newest first, of this many nights. */
static void keep_nights(struct history_steps *runs, size_t nights)
{
	uint64_t night = UINT64_MAX;
	size_t count = 0, kept = 0;

	for (; kept < runs->count; kept++) {
		uint64_t own = night_begin(runs->items[kept].started);

		count += own != night;
		night = own;
		if (count > nights)
			break;
	}
	for (size_t i = kept; i < runs->count; i++)
		history_step_release(&runs->items[i]);
	runs->count = kept;
}

/* Builds the points from sorted runs. */
static void make_points(struct step_trend *trend, const char *procedure)
{
	uint64_t night = UINT64_MAX;

	for (size_t i = 0; i < trend->runs.count; i++) {
		const struct history_step *run = &trend->runs.items[i];
		struct trend_point *point;

		if (night_begin(run->started) != night) {
			GROW(trend->points, trend->count + 1, trend->alloc);
			trend->points[trend->count++] = (struct trend_point){ .first_run = i };
			night = night_begin(run->started);
		}
		point = &trend->points[trend->count - 1];
		point->last = run;
		point->run_count++;
		point->abends += *run->abend != '\0';
	}
	for (size_t i = 0; i < trend->count; i++)
		take_medians(trend, &trend->points[i], procedure);
}

int step_trend_init(struct step_trend *trend, struct history *history, const char *job,
		    const char *label, const char *procedure, size_t nights, struct error *err)
{
	*trend = (struct step_trend){ .of_procedure = procedure != NULL };
	RETURN_IF(history_runs(history, job, label, UINT64_MAX, nights * RUNS_A_NIGHT, &trend->runs,
			       err) < 0,
		  -1);
	keep_nights(&trend->runs, nights);
	reverse_runs(&trend->runs);
	for (size_t i = 0; i < trend->runs.count; i++)
		RETURN_IF(history_details(history, &trend->runs.items[i], err) < 0, -1);
	make_points(trend, procedure);
	return 0;
}

void step_trend_release(struct step_trend *trend)
{
	history_steps_release(&trend->runs);
	free(trend->points);
	*trend = (struct step_trend){ 0 };
}

struct scatter step_trend_scatter(const struct step_trend *trend, unsigned amount,
				  bool without_last)
{
	double *values = xcalloc(trend->count + 1, sizeof(*values));
	struct scatter scatter;
	size_t count = 0;

	for (size_t i = 0; i + without_last < trend->count; i++)
		if (!isnan(trend->points[i].amounts[amount]))
			values[count++] = trend->points[i].amounts[amount];
	scatter = scatter_of(values, count);
	free(values);
	return scatter;
}

bool step_trend_axis(const struct step_trend *trend, unsigned amount, double *low,
		     double *high)
{
	struct scatter scatter = step_trend_scatter(trend, amount, false);

	if (scatter.count == 0)
		return false;
	*low = scatter.low;
	*high = scatter.high;
	/*
	 * Differences that are small compared with the amount shall be visible; otherwise
	 * the axis begins at zero.
	 */
	if (*low < *high / 2)
		*low = 0;
	if (*high <= *low)
		*high = *low > 0 ? *low * 1.05 : 1;
	return true;
}

/* Returns the column of an amount. */
static size_t column_of(double amount, double low, double high, size_t width)
{
	return (size_t)((amount - low) / (high - low) * (double)(width - 1) + 0.5);
}

/* Returns the last point before this one that has the amount; SIZE_MAX: none. */
static size_t before(const struct step_trend *trend, unsigned amount, size_t point)
{
	while (point-- > 0)
		if (!isnan(trend->points[point].amounts[amount]))
			return point;
	return SIZE_MAX;
}

void step_trend_draw(const struct step_trend *trend, unsigned amount, size_t point,
		     size_t width, struct strbuf *sb)
{
	const size_t start = sb->length, last = before(trend, amount, point);
	const double value = trend->points[point].amounts[amount];
	double low, high;
	size_t own, from;

	strbuf_addchars(sb, ' ', width);
	if (!step_trend_axis(trend, amount, &low, &high))
		return;
	own = column_of(step_trend_scatter(trend, amount, false).median, low, high, width);
	sb->text[start + own] = ':';
	if (isnan(value))
		return;
	own = column_of(value, low, high, width);
	from = last == SIZE_MAX ? own :
				  column_of(trend->points[last].amounts[amount], low, high, width);
	for (size_t i = from < own ? from : own; i <= (from < own ? own : from); i++)
		sb->text[start + i] = '-';
	sb->text[start + own] = trend->points[point].abends ? 'x' : '*';
}
