/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of waits in columns. */
#include "common/compat.h"
#include "reports/wait-columns.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "profile/wait-variance.h"
#include "records/record-types.h"

#include <math.h>

/* State of a row in the table being written. */
enum folding {
	FOLDING_TAKEN = 1,
	FOLDING_FOLDED = 2,
};

void wait_rows_init(struct wait_rows *rows, const struct profile *profile, struct sums *sums)
{
	*rows = (struct wait_rows){
		.profile = profile,
		.sums = sums,
		.rows = xcalloc(profile->wait_count + 1, sizeof(*rows->rows)),
	};
	for (size_t i = 0; i < profile->wait_count; i++)
		rows->rows[i] = SIZE_MAX;
}

/* Adds the waits of one row of the profile; all amounts except the variance. */
static void add(uint64_t *sums, const struct profile_wait *wait)
{
	sums[WAIT_AMOUNT_COUNT] += wait->count;
	sums[WAIT_AMOUNT_TOTAL] += wait->total;
	sums[WAIT_AMOUNT_CHARGED] += wait->charged;
	sums[WAIT_AMOUNT_PAGE] += wait->reason == WAIT_PAGE ? wait->charged : 0;
	sums[WAIT_AMOUNT_SOLO] += wait->solo;
}

uint64_t *wait_rows_add(struct wait_rows *rows, const uint64_t *key, size_t number)
{
	uint64_t *amounts = sums_at(rows->sums, key);

	rows->rows[number] = (size_t)(amounts - rows->sums->values) / rows->sums->width;
	add(amounts, &rows->profile->waits[number]);
	return amounts;
}

void wait_rows_end(struct wait_rows *rows)
{
	size_t count = rows->sums->keys.count;
	uint64_t *variances = xcalloc(count + 1, sizeof(*variances));

	wait_variances(rows->profile, rows->rows, count, variances);
	for (size_t i = 0; i < count; i++)
		rows->sums->values[i * rows->sums->width + WAIT_AMOUNT_VARIANCE] = variances[i];
	free(variances);
	rows->folding = xcalloc(count + 1, sizeof(*rows->folding));
}

bool wait_rows_fold(struct wait_rows *rows, struct fold *fold, size_t number, bool shown)
{
	rows->folding[number] = shown ? FOLDING_TAKEN : FOLDING_FOLDED;
	return fold_take(fold, sums_values(rows->sums, number), shown);
}

/* Returns the variance of all rows together whose state is at least least. */
static uint64_t variance_of(const struct wait_rows *rows, enum folding least)
{
	size_t count = rows->profile->wait_count;
	size_t *together = xcalloc(count + 1, sizeof(*together));
	uint64_t variance = 0;

	for (size_t i = 0; i < count; i++)
		together[i] = rows->rows[i] != SIZE_MAX && rows->folding[rows->rows[i]] >= least
				      ? 0
				      : SIZE_MAX;
	wait_variances(rows->profile, together, 1, &variance);
	free(together);
	return variance;
}

void wait_rows_total(struct wait_rows *rows, struct fold *fold)
{
	fold_set(fold, WAIT_AMOUNT_VARIANCE, fold->folded ? variance_of(rows, FOLDING_FOLDED) : 0,
		 variance_of(rows, FOLDING_TAKEN));
	memset(rows->folding, 0, rows->sums->keys.count);
	fold_other(fold);
	fold_total(fold, "TOTALS");
}

void wait_rows_release(struct wait_rows *rows)
{
	free(rows->rows);
	free(rows->folding);
	*rows = (struct wait_rows){ 0 };
}

double wait_columns_margin(const struct profile *profile, const uint64_t *sums)
{
	/* The total length of all waits is exact. */
	if (sums[WAIT_AMOUNT_TOTAL] >= profile->total_wait)
		return 0;
	return MARGIN_DEVIATIONS * 1000 * sqrt((double)sums[WAIT_AMOUNT_VARIANCE]);
}

uint64_t wait_columns_mean(const uint64_t *sums)
{
	uint64_t count = sums[WAIT_AMOUNT_COUNT];

	return count ? sums[WAIT_AMOUNT_TOTAL] / count : 0;
}

void wait_columns_put(struct context *context, struct table *table, struct row *row,
		      const uint64_t *sums, const uint64_t *above UNUSED)
{
	const struct profile *profile = context->profile;
	double margin = wait_columns_margin(profile, sums);
	double charged = profile_run_percent(profile, sums[WAIT_AMOUNT_CHARGED]);

	row_number(table, row, sums[WAIT_AMOUNT_COUNT]);
	row_number(table, row, sums[WAIT_AMOUNT_TOTAL]);
	row_number(table, row, sums[WAIT_AMOUNT_CHARGED]);
	row_number(table, row, (uint64_t)margin);
	row_real(table, row, profile_run_percent(profile, sums[WAIT_AMOUNT_PAGE]));
	if (table_column(table, "run_solo_percent") != SIZE_MAX)
		row_real(table, row, profile_run_percent(profile, sums[WAIT_AMOUNT_SOLO]));
	row_real(table, row, charged);
	row_real(table, row, sums[WAIT_AMOUNT_TOTAL] ? charged * margin / (double)sums[WAIT_AMOUNT_TOTAL] : 0);
}
