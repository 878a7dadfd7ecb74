/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a step with its last nights, and finds the parts of a difference. */
#include "common/compat.h"
#include "session/history/last-nights.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/history/nights.h"

#include <math.h>

/* Maximum number of runs to compare with: several per night. */
#define RUNS_MAX 240
/* Fraction of the median below which a difference is irrelevant. */
#define MIN_FRACTION 0.01
/* Minimum fraction of a difference for a part to be named. */
#define MIN_NAMED_FRACTION 0.2

/* Differences of a figure below this are irrelevant. */
static const double floors[HISTORY_FIGURES] = {
	[HISTORY_ELAPSED] = 0.05 * (double)NSEC_PER_SEC,
	[HISTORY_CPU] = 0.02 * (double)NSEC_PER_SEC,
	[HISTORY_WAIT] = 0.05 * (double)NSEC_PER_SEC,
	[HISTORY_CALLS] = 20,
	[HISTORY_BYTES] = 64 * 1024,
	[HISTORY_PEAK] = 1024 * 1024,
};

double last_nights_beyond(enum history_figure figure, const struct scatter *scatter, double value,
			  double margin)
{
	return scatter_beyond(scatter, value, margin,
			      fmax(floors[figure], MIN_FRACTION * scatter->median));
}

/* Keeps only the runs with which the step can be compared; returns their number of nights. */
static unsigned choose_runs(const struct history_step *step, struct history_steps *runs)
{
	uint64_t night = UINT64_MAX;
	unsigned nights = 0;
	size_t kept = 0;

	for (size_t i = 0; i < runs->count; i++) {
		struct history_step *one = &runs->items[i];
		bool fits = !*one->abend && one->measured == step->measured &&
			    strcmp(one->program, step->program) == 0 && nights <= NIGHTS_MAX;

		if (fits && night_begin(one->started) != night) {
			night = night_begin(one->started);
			nights++;
		}
		if (fits && nights <= NIGHTS_MAX)
			runs->items[kept++] = *one;
		else
			history_step_release(one);
	}
	runs->count = kept;
	return nights < NIGHTS_MAX ? nights : NIGHTS_MAX;
}

/* Returns the scatter of a figure over the runs that have it. */
static struct scatter scatter_of_figure(const struct history_steps *runs, enum history_figure figure)
{
	double *values = xcalloc(runs->count + 1, sizeof(*values));
	struct scatter scatter;
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].figures[figure] != HISTORY_UNKNOWN)
			values[count++] = (double)runs->items[i].figures[figure];
	scatter = scatter_of(values, count);
	free(values);
	return scatter;
}

/* Returns the margin of a figure of the step. */
static double margin_of(const struct history_step *step, enum history_figure figure)
{
	double square = 0;

	if (figure != HISTORY_WAIT)
		return 0; /* counted exactly by the system */
	for (size_t i = 0; i < step->wait_count; i++)
		square += (double)step->waits[i].margin * (double)step->waits[i].margin;
	return sqrt(square);
}

/* Appends the text about one figure that differs. */
static void append_figure(struct strbuf *sb, enum history_figure figure, double value,
		       const struct scatter *scatter, double difference)
{
	strbuf_addf(sb, "%s%s ", sb->length ? "; " : "", history_figure_name(figure));
	history_figure_add(sb, figure, value);
	strbuf_addstr(sb, ", ");
	history_figure_add(sb, figure, fabs(difference));
	strbuf_addf(sb, " %s than the median of ", difference > 0 ? "more" : "less");
	history_figure_add(sb, figure, scatter->median);
	strbuf_addstr(sb, " (");
	history_figure_add(sb, figure, scatter->low);
	strbuf_addstr(sb, " to ");
	history_figure_add(sb, figure, scatter->high);
	strbuf_addch(sb, ')');
}

/* Returns a step's amount of a wait or a procedure. */
static double wait_of(const struct history_step *step, const struct history_step *named, size_t which)
{
	for (size_t i = 0; i < step->wait_count; i++)
		if (strcmp(step->waits[i].kind, named->waits[which].kind) == 0)
			return (double)step->waits[i].time;
	return 0;
}

static double procedure_of(const struct history_step *step, const struct history_step *named,
			   size_t which)
{
	const struct history_procedure *wanted = &named->procedures[which];

	for (size_t i = 0; i < step->procedure_count; i++)
		if (strcmp(step->procedures[i].name, wanted->name) == 0 &&
		    strcmp(step->procedures[i].section, wanted->section) == 0)
			return (double)step->procedures[i].cpu;
	/*
	 * If the maximum is kept, a procedure not kept may have had nearly as much as the
	 * last one.
	 */
	if (step->procedure_count == HISTORY_PROCEDURES)
		return (double)step->procedures[HISTORY_PROCEDURES - 1].cpu;
	return 0;
}

/* A kind of parts of a difference. */
struct parts {
	double (*amount)(const struct history_step *step, const struct history_step *named,
			 size_t which);
	enum history_figure figure;
	bool waits;
};

/* Returns how much more a part takes in step than in the median of the runs. */
static double excess_of(const struct parts *parts, const struct history_step *step,
		      const struct history_steps *runs, const struct history_step *named,
		      size_t which)
{
	double *values = xcalloc(runs->count + 1, sizeof(*values)), difference;
	struct scatter scatter;

	for (size_t i = 0; i < runs->count; i++)
		values[i] = parts->amount(&runs->items[i], named, which);
	scatter = scatter_of(values, runs->count);
	difference = parts->amount(step, named, which) - scatter.median;
	free(values);
	return difference;
}

/*
 * Finds the part of a step that contributes most to a difference; returns its
 * size, 0 if none contributes enough.
 */
static double find_part(const struct parts *parts, const struct history_step *step,
			const struct history_steps *runs, double difference,
			const struct history_step **found, size_t *which)
{
	/*
	 * A part that takes more is in the step; one that takes less was at least in the
	 * last run.
	 */
	const struct history_step *named = difference > 0 ? step : &runs->items[0];
	size_t count = parts->waits ? named->wait_count : named->procedure_count;
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		double more = excess_of(parts, step, runs, named, i);
		double margin =
			parts->waits ? (double)named->waits[i].margin : (double)named->procedures[i].margin;

		if (more * difference > 0 && fabs(more) > fabs(most) && fabs(more) > margin &&
		    fabs(more) >= MIN_NAMED_FRACTION * fabs(difference)) {
			most = more;
			*which = i;
		}
	}
	*found = named;
	return most;
}

/* Appends the largest part of a difference of CPU time or waits. */
static void append_part(struct strbuf *sb, const struct parts *parts, const struct history_step *step,
		     const struct history_steps *runs, double difference)
{
	const struct history_step *named;
	size_t which = 0;
	double more = find_part(parts, step, runs, difference, &named, &which);

	if (more == 0)
		return;
	if (parts->waits)
		strbuf_addf(sb, "; waits for %s ", named->waits[which].kind);
	else
		strbuf_addf(sb, "; procedure %s of %s ", named->procedures[which].name,
			    named->procedures[which].section);
	strbuf_addch(sb, more > 0 ? '+' : '-');
	history_figure_add(sb, parts->figure, fabs(more));
}

/* Appends the parts of the difference. */
static int append_parts(struct history *history, struct history_step *step, struct history_steps *runs,
		   const double *differences, struct strbuf *sb, struct error *err)
{
	static const struct parts cpu = { procedure_of, HISTORY_CPU, false },
				  waits = { wait_of, HISTORY_WAIT, true };

	for (size_t i = 0; i < runs->count; i++)
		RETURN_IF(history_details(history, &runs->items[i], err) < 0, -1);
	if (differences[HISTORY_CPU] != 0)
		append_part(sb, &cpu, step, runs, differences[HISTORY_CPU]);
	if (differences[HISTORY_WAIT] != 0)
		append_part(sb, &waits, step, runs, differences[HISTORY_WAIT]);
	return 0;
}

/* Compares all figures. */
static int compare(struct history *history, struct history_step *step, struct history_steps *runs,
		   struct error *err)
{
	double differences[HISTORY_FIGURES] = { 0 };
	struct strbuf sb = STRBUF_INIT;
	int result = 0;

	for (int i = 0; i < HISTORY_FIGURES; i++) {
		struct scatter scatter = scatter_of_figure(runs, i);
		double value = (double)step->figures[i];

		if (i == HISTORY_ELAPSED && scatter.median > 0)
			step->change = 100 * (value / scatter.median - 1);
		if (step->figures[i] == HISTORY_UNKNOWN)
			continue;
		differences[i] = last_nights_beyond(i, &scatter, value, margin_of(step, i));
		if (differences[i] == 0)
			continue;
		if (!step->differs)
			step->differs = differences[i] > 0 ? 1 : -1;
		append_figure(&sb, i, value, &scatter, differences[i]);
	}
	if (step->differs)
		result = append_parts(history, step, runs, differences, &sb, err);
	free(step->difference);
	step->difference = strbuf_detach(&sb, NULL);
	return result;
}

int last_nights_compare(struct history *history, struct history_step *step, struct error *err)
{
	struct history_steps runs = { 0 };
	unsigned nights;
	int result = 0;

	step->change = NAN;
	step->differs = 0;
	step->nights = 0;
	RETURN_IF(*step->abend, 0);
	if (history_runs(history, step->job, step->label, night_begin(step->started), RUNS_MAX,
			 &runs, err) < 0) {
		history_steps_release(&runs);
		return -1;
	}
	nights = choose_runs(step, &runs);
	if (nights >= NIGHTS_MIN) {
		step->nights = nights;
		result = compare(history, step, &runs, err);
	}
	history_steps_release(&runs);
	return result;
}
