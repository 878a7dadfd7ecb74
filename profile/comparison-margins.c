/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how certain differences are. */
#include "common/compat.h"
#include "common/margin.h"
#include "common/probability.h"
#include "common/xalloc.h"
#include "profile/comparison-data.h"
#include "profile/label.h"
#include "records/record-types.h"

#include <math.h>

/* Distance, in deviations, from which a row no longer influences its run's factor. */
#define OUTLIER_DEVIATIONS 2.5
/*
 * The factor is computed from at most this many rows, the largest, each with at
 * least this many samples.
 */
#define FACTOR_ROWS 300
#define FACTOR_MIN_SAMPLES 10.0
/*
 * The scatter of rows is estimated from at least this many rows, each with at
 * least this many samples on both sides, and is limited.
 */
#define SCATTER_MIN_ROWS 6
#define SCATTER_MIN_SAMPLES 50.0
#define SCATTER_MAX 0.1
/*
 * Median of the distance of a normal deviate from 0, and how far the median of n
 * of them may be from it at 95 %: this divided by the square root of n.
 */
#define MEDIAN_DISTANCE 0.6745
#define MEDIAN_SURE (1.645 * 0.786)
/*
 * Additional scatter of a run's factor if the step waited for a processor all the
 * time: other work uses its caches and the other half of its core. And scatter of
 * the CPU time of a run that uses hardly any, as a fraction of the run time: the
 * cost of each wakeup varies.
 */
#define CROWDED_SCATTER 0.1
#define WAKING_SCATTER 0.005
/* 95 % quantile of the normal distribution. */
#define ONE_SIDED 1.645
/* Scatter of a run's factor if it may have run on another machine. */
#define ANY_FACTOR 10.0
/*
 * For waits: scatter of a sleep's length, of sums of sleeps, of sums of other
 * waits, of the time a task was ready, and the fraction of the run below which
 * waits are ignored.
 */
#define SLEEP_LENGTHS 0.1
#define SLEEP_SCATTER 0.02
#define WAIT_SCATTER 0.15
#define READY_SCATTER 1.0
#define WAIT_NEGLIGIBLE 0.001
/*
 * Additional scatter of waits, times the fraction of the run in which the step
 * waited for a processor: timers fire late then, and ready time is an estimate.
 */
#define CROWDED_WAITS 0.15
/* With several runs: minimum scatter of CPU time and waits. */
#define RUNS_SCATTER 0.004
/*
 * With several runs: what the machine may have changed between the runs of one
 * side and those of the other.
 */
#define DRIFT_SCATTER 0.01

/* The amounts of one row, all runs. */
struct figures {
	const struct comparison_table *table;
	bool cpu; /* samples of CPU time; else waits */
	bool ready; /* time without a processor: caused by other work */
	double scatter; /* of one run against another, as a fraction */
	double crowd;	/* the largest fraction of a run that the step waited for a processor */
	double *amounts, *variances, *counts;
};

/* One side of a row. */
struct side {
	double runs, mean, sampling; /* mean of the runs' variances due to sampling */
	double excess;		     /* scatter of the runs beyond sampling (variance) */
	double freedom;		     /* degrees of freedom of the excess; INFINITY: not from runs */
};

/* The difference as one of the tests of a row computes it. */
struct look {
	double difference, error; /* standard error */
	double freedom, probability;
	double sampling; /* fraction of the squared error that is due to sampling */
};

/* What applies to all rows. */
struct rule {
	double *factors;	/* by run: logarithm */
	double *without;	/* by row and run: the factor of the other rows */
	double *errors;		/* by row: standard error of the difference of the sides'
				 * factors; below 0: the row does not influence them, the common
				 * factors apply */
	double factor_error;	/* the same for the common factors */
	double run_scatter;	/* of a whole run, with one run on both sides */
	double scatter[2];	/* of CPU rows: by themselves, relative to the factor */
	bool from_runs;
};

static bool is_cpu(uint64_t kind)
{
	return kind == COMPARISON_PROCEDURE || kind == COMPARISON_STATEMENT ||
	       kind == COMPARISON_TRANSACTION;
}

/*
 * Returns the factor that scales the work of a run to that of the base; for a row
 * with its own work units, by these.
 */
static double at_base_work(const struct comparison_table *table, size_t row, size_t run)
{
	double base = 0, own = comparison_cell(table, row, run)->units;

	for (size_t i = 0; i < table->run_count; i++)
		if (comparison_cell(table, row, i)->units <= 0)
			own = 0;
	for (size_t i = 0; i < table->base_count; i++)
		base += own > 0 ? comparison_cell(table, row, i)->units : table->work[i];
	base /= (double)table->base_count;
	if (own > 0)
		return base / own;
	return table->work[run] > 0 && base > 0 ? base / table->work[run] : 1;
}

static bool is_ready(const struct comparison_table *table, const uint64_t *key)
{
	const char *reason = strmap_text(table->strings, (uint32_t)key[COMPARISON_REASON]);

	return strcmp(reason, label_reason(WAIT_DISPATCH)) == 0;
}

/*
 * Returns how much a wait scatters from run to run; *lengths: how much its length
 * does from wait to wait.
 */
static double wait_scatter(const struct comparison_table *table, const uint64_t *key,
			   double *lengths)
{
	const char *reason = strmap_text(table->strings, (uint32_t)key[COMPARISON_REASON]);

	*lengths = 1;
	if (is_ready(table, key))
		return READY_SCATTER;
	if (strcmp(reason, label_reason(WAIT_SLEEP)) == 0) {
		*lengths = SLEEP_LENGTHS;
		return SLEEP_SCATTER;
	}
	return WAIT_SCATTER;
}

static void figures_init(struct figures *figures, const struct comparison_table *table)
{
	memset(figures, 0, sizeof(*figures));
	figures->table = table;
	figures->amounts = xcalloc(table->run_count, sizeof(double));
	figures->variances = xcalloc(table->run_count, sizeof(double));
	figures->counts = xcalloc(table->run_count, sizeof(double));
	for (size_t i = 0; i < table->run_count; i++) {
		const struct profile_step *step = &table->runs[i]->step;

		if (step->interval)
			figures->crowd = fmax(figures->crowd,
					      (double)step->delay / (double)step->interval);
	}
}

static void figures_release(struct figures *figures)
{
	free(figures->amounts);
	free(figures->variances);
	free(figures->counts);
}

/* Fills figures from a row. */
static void figures_take(struct figures *figures, size_t row)
{
	const struct comparison_table *table = figures->table;
	const uint64_t *key = keymap_key(&table->keys, row);
	uint64_t kind = key[COMPARISON_KEY_KIND];
	double lengths = 0, nothing = table->longest * WAIT_NEGLIGIBLE / 2, certain = 1;

	figures->cpu = is_cpu(kind);
	figures->ready = false;
	figures->scatter = figures->cpu || kind == COMPARISON_TOTAL
				   ? 0
				   : wait_scatter(table, key, &lengths) +
					     CROWDED_WAITS * figures->crowd;
	if (kind == COMPARISON_WAIT || kind == COMPARISON_WAIT_PLACE)
		figures->ready = is_ready(table, key);
	for (size_t i = 0; i < table->run_count; i++) {
		const struct comparison_cell *cell = comparison_cell(table, row, i);
		double by = at_base_work(table, row, i), variance = cell->variance;

		if (kind == COMPARISON_TOTAL)
			variance += pow(table->longest * WAKING_SCATTER, 2) / 2;
		else if (!figures->cpu)
			variance += nothing * nothing +
				    (cell->count > 0 ? cell->amount * cell->amount / cell->count *
							       lengths * lengths
						     : 0);
		figures->amounts[i] = cell->amount * by;
		figures->variances[i] = variance * by * by;
		figures->counts[i] = cell->count * table->looks[i];
		if (figures->cpu && cell->count > 0)
			certain = fmin(certain, cell->certain);
	}
	/* What one look placed counts as one sample, in all runs alike. */
	for (size_t i = 0; i < table->run_count; i++)
		figures->counts[i] *= certain;
}

/* Returns the sum of a value over the runs of a side. */
static double sum_of(const struct comparison_table *table, const double *values,
		     enum comparison_side side)
{
	double sum = 0;

	for (size_t i = 0; i < table->run_count; i++)
		if (comparison_side_of(table, i) == side)
			sum += values[i];
	return sum;
}

/* Difference of a row in one run from the base, used to find the run's factor. */
struct shift {
	double value, variance; /* of the logarithm */
	double size;
	size_t row;
};

static int compare_sizes(const void *first, const void *second)
{
	const struct shift *one = first, *other = second;

	return one->size < other->size ? 1 : one->size > other->size ? -1 : 0;
}

/*
 * Fills shifts with the rows that determine the factor of a run, largest first;
 * returns how many.
 */
static size_t find_shifts(struct figures *figures, size_t run, struct shift *shifts)
{
	const struct comparison_table *table = figures->table;
	size_t count = 0;

	for (size_t row = 0; row < table->keys.count; row++) {
		double base, variance, runs = (double)table->base_count;

		if (keymap_key(&table->keys, row)[COMPARISON_KEY_KIND] != COMPARISON_PROCEDURE)
			continue;
		figures_take(figures, row);
		base = sum_of(table, figures->amounts, COMPARISON_BASE) / runs;
		variance = sum_of(table, figures->variances, COMPARISON_BASE) / (runs * runs);
		if (figures->counts[run] < FACTOR_MIN_SAMPLES ||
		    sum_of(table, figures->counts, COMPARISON_BASE) < FACTOR_MIN_SAMPLES)
			continue;
		shifts[count++] = (struct shift){
			.value = log(figures->amounts[run] / base),
			.variance = figures->variances[run] /
					    (figures->amounts[run] * figures->amounts[run]) +
				    variance / (base * base) +
				    COMPARISON_SCATTER * COMPARISON_SCATTER,
			.size = base,
			.row = row,
		};
	}
	qsort(shifts, count, sizeof(*shifts), compare_sizes);
	return count < FACTOR_ROWS ? count : FACTOR_ROWS;
}

/*
 * Returns whether runs normally scatter as much as this factor. Larger factors, as
 * of a run that had a core to itself, are all equally likely.
 */
static bool is_usual(double factor, double scatter)
{
	return factor * factor < OUTLIER_DEVIATIONS * OUTLIER_DEVIATIONS * scatter * scatter;
}

/*
 * Returns how badly a factor explains the rows: distances are limited, so all
 * distant rows count the same, and so is the factor itself.
 */
static double misfit(const struct shift *shifts, size_t count, double factor, double scatter)
{
	double sum = is_usual(factor, scatter) ? factor * factor / (scatter * scatter) : OUTLIER_DEVIATIONS * OUTLIER_DEVIATIONS;

	for (size_t i = 0; i < count; i++) {
		double distance = shifts[i].value - factor,
		       square = distance * distance / shifts[i].variance;

		sum += square < OUTLIER_DEVIATIONS * OUTLIER_DEVIATIONS ? square : OUTLIER_DEVIATIONS * OUTLIER_DEVIATIONS;
	}
	return sum;
}

/* Returns the mean of the rows near a factor, leaving one out; *error is its standard error. */
static double mean_near(const struct shift *shifts, size_t count, size_t left_out, double factor,
			double scatter, double *error)
{
	double weights = is_usual(factor, scatter) ? 1 / (scatter * scatter) : 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		double distance = shifts[i].value - factor;

		if (i == left_out || distance * distance >= OUTLIER_DEVIATIONS * OUTLIER_DEVIATIONS * shifts[i].variance)
			continue;
		weights += 1 / shifts[i].variance;
		sum += shifts[i].value / shifts[i].variance;
	}
	/* No row is near: nothing is known about the factor. */
	*error = weights > 0 ? sqrt(1 / weights) : scatter;
	return weights > 0 ? sum / weights : factor;
}

/* Returns the factor that explains the rows best, as a logarithm. */
static double find_factor(const struct shift *shifts, size_t count, double scatter, double *error)
{
	double best = 0, least = misfit(shifts, count, 0, scatter);

	for (size_t i = 0; i < count; i++) {
		double one = shifts[i].value, cost;

		for (int turn = 0; turn < 4; turn++)
			one = mean_near(shifts, count, SIZE_MAX, one, scatter, error);
		cost = misfit(shifts, count, one, scatter);
		if (cost < least) {
			least = cost;
			best = one;
		}
	}
	return mean_near(shifts, count, SIZE_MAX, best, scatter, error);
}

/*
 * Finds the factor of a run against the base: of all rows, and of all but each
 * one. Otherwise a row that makes up most of the run would be compared with
 * itself.
 */
static void find_factors_of(struct figures *figures, struct rule *rule, size_t run,
			    struct shift *shifts)
{
	const struct comparison_table *table = figures->table;
	double runs = (double)table->request->run_counts[comparison_side_of(table, run)];
	size_t count = find_shifts(figures, run, shifts);
	double error, common = find_factor(shifts, count, rule->run_scatter, &error);

	rule->factors[run] = common;
	rule->factor_error += error * error / (runs * runs);
	for (size_t row = 0; row < table->keys.count; row++)
		rule->without[row * table->run_count + run] = common;
	for (size_t i = 0; i < count; i++) {
		size_t row = shifts[i].row;
		double one = common;

		for (int turn = 0; turn < 4; turn++)
			one = mean_near(shifts, count, i, one, rule->run_scatter, &error);
		rule->without[row * table->run_count + run] = one;
		rule->errors[row] = fmax(rule->errors[row], 0) + error * error / (runs * runs);
	}
}

/* Finds the factor of each run against the base. */
static void find_factors(struct figures *figures, struct rule *rule)
{
	const struct comparison_table *table = figures->table;
	struct shift *shifts = xcalloc(table->keys.count + 1, sizeof(*shifts));

	rule->factors = xcalloc(table->run_count, sizeof(*rule->factors));
	rule->without = xcalloc(table->keys.count * table->run_count + 1, sizeof(*rule->without));
	rule->errors = xcalloc(table->keys.count + 1, sizeof(*rule->errors));
	for (size_t row = 0; row < table->keys.count; row++)
		rule->errors[row] = -1;
	/* A single base run is the reference itself. */
	for (size_t i = table->base_count == 1 ? 1 : 0; i < table->run_count; i++)
		find_factors_of(figures, rule, i, shifts);
	rule->factor_error = sqrt(rule->factor_error);
	for (size_t row = 0; row < table->keys.count; row++)
		rule->errors[row] = rule->errors[row] < 0 ? -1 : sqrt(rule->errors[row]);
	free(shifts);
}

/*
 * Returns the factors for a row, and their error: those of the other rows, for a
 * statement those of the procedures other than its own.
 */
static const double *factors_of_others(const struct comparison_table *table, const struct rule *rule,
				    size_t row, double *error)
{
	size_t place = table->procedures[row] != SIZE_MAX ? table->procedures[row] : row;

	*error = rule->errors[place];
	if (*error >= 0)
		return &rule->without[place * table->run_count];
	*error = rule->factor_error;
	return rule->factors;
}

/*
 * Returns one side of the figures; factors NULL: unchanged, else with the factor
 * of each run removed.
 */
static struct side side_of(const struct figures *figures, enum comparison_side side,
			   const double *factors)
{
	const struct comparison_table *table = figures->table;
	struct side one = { .freedom = INFINITY };
	double squares = 0;

	one.runs = (double)table->request->run_counts[side];
	for (size_t i = 0; i < table->run_count; i++) {
		double by = factors ? exp(-factors[i]) : 1;

		if (comparison_side_of(table, i) != side)
			continue;
		one.mean += figures->amounts[i] * by / one.runs;
		one.sampling += figures->variances[i] * by * by / one.runs;
	}
	if (one.runs < 2)
		return one;
	for (size_t i = 0; i < table->run_count; i++) {
		double by = factors ? exp(-factors[i]) : 1;
		double distance = figures->amounts[i] * by - one.mean;

		if (comparison_side_of(table, i) == side)
			squares += distance * distance;
	}
	one.freedom = one.runs - 1;
	one.excess = squares / one.freedom - one.sampling;
	if (one.excess < 0)
		one.excess = 0;
	return one;
}

/* Gives a side with one run the scatter that the other side shows. */
static void borrow_excess(struct side *one, const struct side *other)
{
	double by = other->mean > 0 ? one->mean / other->mean : 0;

	if (one->runs >= 2 || other->runs < 2)
		return;
	one->excess = other->excess * by * by;
	one->freedom = other->freedom;
}

/*
 * Returns the variance of a side's mean; adds its contribution to parts, for the
 * degrees of freedom. The minimum scatter comes from most rows and counts as
 * known, unless whole runs scatter: that is the same in all rows, and known from
 * these few runs only.
 */
static double variance_of(const struct side *side, double least, bool whole, double *parts)
{
	double excess = fmax(side->excess, least);

	if (side->excess > least || whole)
		*parts += pow(excess / side->runs, 2) / side->freedom;
	return (side->sampling + excess) / side->runs;
}

/*
 * Tests a row; factors as in side_of. scatter: the minimum, as a fraction of the
 * amount. whole: scatter of the difference as a whole, as a fraction.
 */
static struct look test_row(const struct figures *figures, const double *factors, double scatter,
			   double whole)
{
	struct side base = side_of(figures, COMPARISON_BASE, factors),
		    other = side_of(figures, COMPARISON_OTHER, factors);
	double mean = (base.mean + other.mean) / 2, parts = 0, least, variance;
	struct look look = { .difference = other.mean - base.mean };

	borrow_excess(&base, &other);
	borrow_excess(&other, &base);
	/* Scatter is between two runs: each contributes half of the variance. */
	least = scatter * scatter * mean * mean / 2;
	variance = variance_of(&base, least, !factors, &parts) +
		   variance_of(&other, least, !factors, &parts);
	variance += whole * whole * mean * mean;
	look.error = sqrt(variance);
	/* The common factor is estimated from samples, too. */
	if (variance > 0)
		look.sampling = (base.sampling / base.runs + other.sampling / other.runs +
				 (factors ? whole * whole * mean * mean : 0)) /
				variance;
	look.freedom = parts > 0 ? variance * variance / parts : INFINITY;
	look.probability = look.error > 0 ? probability_student(look.difference / look.error,
								 look.freedom)
			   : look.difference != 0 ? 0
						  : 1;
	return look;
}

static int compare_doubles(const void *first, const void *second)
{
	double one = *(const double *)first, other = *(const double *)second;

	return one < other ? -1 : one > other;
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/*
 * Appends the scatter of a row from run to run beyond sampling, per side, as
 * squares of fractions; returns how many values were added.
 */
static size_t side_scatters(const struct figures *figures, const double *factors, double *values)
{
	size_t count = 0;

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		struct side one = side_of(figures, side, factors);
		double least = sum_of(figures->table, figures->counts, side) / one.runs;
		double freedom = one.runs - 1;

		/* With few runs the median is less than the mean. */
		if (one.runs >= 2 && least >= SCATTER_MIN_SAMPLES)
			values[count++] =
				((one.excess + (one.excess > 0 ? one.sampling : 0)) /
					 pow(1 - 2 / (9 * freedom), 3) -
				 one.sampling) /
				(one.mean * one.mean);
	}
	return count;
}

/* Returns the scatter that most procedures show with several runs on a side. */
static double scatter_of_runs(struct figures *figures, const double *factors)
{
	const struct comparison_table *table = figures->table;
	double *values = xcalloc(2 * table->keys.count + 2, sizeof(*values)), scatter = 0;
	size_t count = 0;

	for (size_t row = 0; row < table->keys.count; row++)
		if (keymap_key(&table->keys, row)[COMPARISON_KEY_KIND] == COMPARISON_PROCEDURE) {
			figures_take(figures, row);
			count += side_scatters(figures, factors, values + count);
		}
	if (count)
		scatter = median(values, count);
	free(values);
	scatter = scatter > 0 ? sqrt(scatter) : 0;
	return fmin(fmax(scatter, RUNS_SCATTER), SCATTER_MAX);
}

/*
 * Returns the median of the squared differences beyond the factor, in deviations,
 * given a scatter. The largest is left out: it may be the actual difference.
 */
static double median_square(const double *squares, const double *variances, size_t count,
			    double scatter, double *scratch)
{
	for (size_t i = 0; i < count; i++)
		scratch[i] = squares[i] / (variances[i] + scatter * scatter);
	qsort(scratch, count, sizeof(*scratch), compare_doubles);
	return median(scratch, count - 1);
}

/*
 * Returns the scatter that most procedures show between one run and another: above
 * the default only if there are enough rows to rule out chance.
 */
static double scatter_between(struct figures *figures, const double *factors)
{
	const struct comparison_table *table = figures->table;
	double *squares = xcalloc(3 * table->keys.count + 3, sizeof(*squares));
	double *variances = squares + table->keys.count + 1,
	       *scratch = variances + table->keys.count + 1;
	double scatter = COMPARISON_SCATTER;
	size_t count = 0;
	double most;

	for (size_t row = 0; row < table->keys.count; row++) {
		struct look look;
		double mean;

		if (keymap_key(&table->keys, row)[COMPARISON_KEY_KIND] != COMPARISON_PROCEDURE)
			continue;
		figures_take(figures, row);
		if (figures->counts[0] < SCATTER_MIN_SAMPLES || figures->counts[1] < SCATTER_MIN_SAMPLES)
			continue;
		look = test_row(figures, factors, 0, 0);
		mean = (figures->amounts[0] + figures->amounts[1] * exp(-factors[1])) / 2;
		squares[count] = look.difference * look.difference / (mean * mean);
		variances[count++] = look.error * look.error / (mean * mean);
	}
	most = MEDIAN_DISTANCE + MEDIAN_SURE / sqrt((double)count);
	while (count >= SCATTER_MIN_ROWS && scatter < SCATTER_MAX &&
	       median_square(squares, variances, count, scatter, scratch) > most * most)
		scatter *= 1.05;
	free(squares);
	return scatter;
}

/* Returns the probability of a row's difference by the exact distribution of its sample counts. */
static double probability_of_counts(const struct figures *figures, const double *factors)
{
	const struct comparison_table *table = figures->table;
	double counts[COMPARISON_SIDES], rates[COMPARISON_SIDES] = { 0 };

	for (int side = 0; side < COMPARISON_SIDES; side++)
		counts[side] = floor(sum_of(table, figures->counts, side) + 1e-9);
	for (size_t i = 0; i < table->run_count; i++)
		if (table->sample[i] > 0)
			rates[comparison_side_of(table, i)] +=
				table->looks[i] / table->sample[i] *
				(factors ? exp(factors[i]) : 1) *
				(table->work[i] > 0 && table->work[0] > 0
					 ? table->work[i] / table->work[0]
					 : 1);
	return probability_counts(counts[COMPARISON_BASE], counts[COMPARISON_OTHER],
				  rates[COMPARISON_OTHER] /
					  (rates[COMPARISON_BASE] + rates[COMPARISON_OTHER]));
}

/* Returns the 95 % quantile, in deviations, for this many degrees of freedom. */
static double deviations_of(double freedom)
{
	double low = MARGIN_DEVIATIONS, high = 1000;

	if (!isfinite(freedom))
		return MARGIN_DEVIATIONS;
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (probability_student(middle, freedom) > 0.05)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Returns whether a row is large enough to claim a difference. */
static bool has_enough(const struct figures *figures, enum comparison_kind kind)
{
	double counts = sum_of(figures->table, figures->counts, COMPARISON_BASE) +
			sum_of(figures->table, figures->counts, COMPARISON_OTHER);
	double amount = 0;

	if (figures->cpu || kind == COMPARISON_TOTAL)
		return counts >= COMPARISON_MIN_SAMPLES;
	for (size_t i = 0; i < figures->table->run_count; i++)
		amount = fmax(amount, figures->amounts[i]);
	return amount >= figures->table->longest * WAIT_NEGLIGIBLE;
}

/* Returns the scatter of CPU rows, adapted to rows of a kind. */
static double scatter_of_kind(const struct rule *rule, enum comparison_kind kind, double scatter)
{
	if (kind == COMPARISON_STATEMENT && !rule->from_runs)
		return fmax(scatter, COMPARISON_STATEMENT_SCATTER);
	return scatter;
}

/* Tests a row of CPU time also relative to the factor; *look becomes the more certain result. */
static void test_beyond_factor(const struct figures *figures, const struct rule *rule, size_t number,
			struct comparison_row *row, struct look *look)
{
	bool few = row->counts[0] + row->counts[1] < COMPARISON_EXACT_BELOW;
	double error;
	const double *factors = factors_of_others(figures->table, rule, number, &error);
	struct look beyond =
		test_row(figures, factors, scatter_of_kind(rule, row->kind, rule->scatter[1]), error);
	struct side base = side_of(figures, COMPARISON_BASE, factors);

	row->beyond = base.mean > 0 ? 100 * beyond.difference / base.mean : INFINITY;
	if (few) {
		look->probability =
			fmax(look->probability, probability_of_counts(figures, NULL));
		beyond.probability =
			fmax(beyond.probability, probability_of_counts(figures, factors));
	}
	/* The influence of a whole run is not tested twice. */
	if (beyond.probability <= look->probability) {
		*look = beyond;
		if (!rule->from_runs)
			return;
	}
	look->probability = fmin(1, 2 * look->probability);
}

/*
 * With one run on each side: discounts from the test of a row by itself what
 * machines do to whole runs.
 */
static void discount_machines(const struct figures *figures, struct look *look)
{
	double base = side_of(figures, COMPARISON_BASE, NULL).mean,
	       other = side_of(figures, COMPARISON_OTHER, NULL).mean;
	double more = fmax(base, other) - COMPARISON_RUN_FACTOR * fmin(base, other);

	look->probability = more > 0 && look->error > 0
				    ? probability_student(more / look->error, look->freedom)
				    : 1;
}

/*
 * Tests a wait of several runs by the scatter of the runs alone, ignoring the
 * computed variances, which are upper limits. *look becomes the more certain
 * result.
 */
static void test_by_runs(struct figures *figures, double whole, struct look *look)
{
	struct look by_runs;

	memset(figures->variances, 0, figures->table->run_count * sizeof(*figures->variances));
	by_runs = test_row(figures, NULL, RUNS_SCATTER, whole);
	if (by_runs.probability < look->probability)
		*look = by_runs;
	look->probability = fmin(1, 2 * look->probability);
}

/*
 * Returns the smallest difference of a row that 95 of 100 comparisons would claim,
 * as a fraction of the base, if it were the only one among this many rows.
 */
static double least_seen(const struct look *look, double base, double rows)
{
	double low = 0, high = 1000, chance = COMPARISON_FALSE_RATE / fmax(1, rows), part;

	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (probability_student(middle, look->freedom) > chance)
			low = middle;
		else
			high = middle;
	}
	part = base > 0 ? (high + ONE_SIDED) * look->error / base : INFINITY;
	/* The error grows with the amount on the other side. */
	return part < 1 ? part / (1 - part / 2) : INFINITY;
}

/* Tests a row of waits. */
static struct look test_wait(struct figures *figures, const struct rule *rule)
{
	struct look look;

	if (!rule->from_runs)
		return test_row(figures, NULL, figures->scatter, 0);
	look = test_row(figures, NULL, RUNS_SCATTER, figures->scatter / 4);
	test_by_runs(figures, figures->scatter / 4, &look);
	return look;
}

/* Tests a row of CPU time. */
static struct look test_cpu(const struct figures *figures, const struct rule *rule,
			       size_t number, struct comparison_row *row)
{
	struct look look =
		test_row(figures, NULL, scatter_of_kind(rule, row->kind, rule->scatter[0]),
			rule->from_runs ? DRIFT_SCATTER : rule->run_scatter);

	row->difference = look.difference;
	if (!rule->from_runs)
		discount_machines(figures, &look);
	if (figures->cpu)
		test_beyond_factor(figures, rule, number, row, &look);
	return look;
}

/* Sets how much one row differs; *look keeps the test result. */
static void judge(struct figures *figures, const struct rule *rule, size_t number,
		  struct comparison_row *row, struct look *look)
{
	bool cpu = is_cpu(row->kind) || row->kind == COMPARISON_TOTAL;
	double base;

	figures_take(figures, number);
	base = side_of(figures, COMPARISON_BASE, NULL).mean;
	row->tested = has_enough(figures, row->kind) && (rule->from_runs || !figures->ready);
	*look = cpu ? test_cpu(figures, rule, number, row) : test_wait(figures, rule);
	if (!cpu)
		row->difference = look->difference;
	row->margin = look->error * deviations_of(look->freedom);
	row->percent = base > 0 ? 100 * row->difference / base : row->difference > 0 ? INFINITY : 0;
	row->percent_margin = base > 0 ? 100 * row->margin / base : INFINITY;
	row->probability = row->tested ? look->probability : 1;
	row->sure = probability_deviations(row->probability);
	/* Until the rule over all rows revokes it. */
	row->verdict = row->difference > 0 ? COMPARISON_SLOWER : COMPARISON_FASTER;
	if (row->counts[COMPARISON_BASE] <= 0)
		row->verdict = COMPARISON_ADDED;
	else if (row->counts[COMPARISON_OTHER] <= 0)
		row->verdict = COMPARISON_REMOVED;
}

/* Sets for each row the smallest difference that could have been seen. */
static void fill_min(const struct comparison_table *table, const struct look *looks,
		       struct comparison *comparison)
{
	double rows = 0;

	for (size_t i = 0; i < table->keys.count; i++)
		rows += comparison->rows[i].tested;
	for (size_t i = 0; i < table->keys.count; i++) {
		struct comparison_row *row = &comparison->rows[i];

		row->sampling = looks[i].sampling;
		row->least = 100 * least_seen(&looks[i], row->amounts[COMPARISON_BASE], rows);
		if (!row->tested)
			row->least = INFINITY;
	}
}

/* Returns the common factor of the sides. */
static double factor_of(const struct comparison_table *table, const struct rule *rule)
{
	double sides[COMPARISON_SIDES] = { 0 };

	for (size_t i = 0; i < table->run_count; i++) {
		enum comparison_side side = comparison_side_of(table, i);

		sides[side] += rule->factors[i] / (double)table->request->run_counts[side];
	}
	return exp(sides[COMPARISON_OTHER] - sides[COMPARISON_BASE]);
}

/* Returns the scatter of a run's factor, from the run that waited most for a processor. */
static double run_scatter(const struct comparison_table *table)
{
	double most = 0;

	for (size_t i = 0; i < table->run_count; i++) {
		const struct profile_step *step = &table->runs[i]->step;

		if (step->exec + step->delay)
			most = fmax(most, (double)step->delay / (double)(step->exec + step->delay));
	}
	return COMPARISON_RUN_SCATTER + CROWDED_SCATTER * most;
}

void comparison_margins(const struct comparison_table *table, bool other_machine,
			struct comparison *comparison)
{
	struct figures figures;
	struct look *looks = xcalloc(table->keys.count + 1, sizeof(*looks));
	struct rule rule = { .run_scatter = other_machine ? ANY_FACTOR : run_scatter(table) };

	figures_init(&figures, table);
	rule.from_runs = table->run_count > 2;
	find_factors(&figures, &rule);
	if (rule.from_runs) {
		rule.scatter[0] = scatter_of_runs(&figures, NULL);
		rule.scatter[1] = scatter_of_runs(&figures, rule.factors);
	} else {
		rule.scatter[1] = scatter_between(&figures, rule.factors);
		rule.scatter[0] = rule.scatter[1];
	}
	for (size_t i = 0; i < table->keys.count; i++)
		judge(&figures, &rule, i, &comparison->rows[i], &looks[i]);
	fill_min(table, looks, comparison);
	free(looks);
	comparison->factor = factor_of(table, &rule);
	comparison->scatter = rule.scatter[1];
	comparison->run_scatter = rule.run_scatter;
	comparison->from_runs = rule.from_runs;
	free(rule.factors);
	free(rule.without);
	free(rule.errors);
	figures_release(&figures);
}
