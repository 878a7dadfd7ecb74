/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of waits in columns. */
#include "common/compat.h"
#include "reports/wait-columns.h"

void wait_columns_add(uint64_t *sums, const struct profile_wait *wait)
{
	sums[WAIT_AMOUNT_COUNT] += wait->count;
	sums[WAIT_AMOUNT_TOTAL] += wait->total;
	sums[WAIT_AMOUNT_CHARGED] += wait->charged;
	sums[WAIT_AMOUNT_PAGE] += wait->reason == WAIT_PAGE ? wait->charged : 0;
	sums[WAIT_AMOUNT_SOLO] += wait->solo;
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

	row_number(table, row, sums[WAIT_AMOUNT_COUNT]);
	row_number(table, row, sums[WAIT_AMOUNT_TOTAL]);
	row_number(table, row, sums[WAIT_AMOUNT_CHARGED]);
	row_real(table, row, profile_run_percent(profile, sums[WAIT_AMOUNT_PAGE]));
	if (table_column(table, "run_solo_percent") != SIZE_MAX)
		row_real(table, row, profile_run_percent(profile, sums[WAIT_AMOUNT_SOLO]));
	row_real(table, row, profile_run_percent(profile, sums[WAIT_AMOUNT_CHARGED]));
}
