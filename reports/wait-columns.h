/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of waits, and the columns that show them. */
#ifndef VIGIL_REPORTS_WAIT_COLUMNS_H
#define VIGIL_REPORTS_WAIT_COLUMNS_H

#include "reports/report-class.h"

/* What is summed up; times in ns. PAGE and SOLO are parts of CHARGED. */
enum wait_amount {
	WAIT_AMOUNT_COUNT,
	WAIT_AMOUNT_TOTAL,
	WAIT_AMOUNT_CHARGED,
	WAIT_AMOUNT_PAGE,
	WAIT_AMOUNT_SOLO,
	WAIT_AMOUNTS
};

/* Add the waits of one row of the profile. */
void wait_columns_add(uint64_t *sums, const struct profile_wait *wait);
/* The mean length of a wait in ns, 0 when there was none. */
uint64_t wait_columns_mean(const uint64_t *sums);
/* Fill WAIT_COUNT_COLUMNS, then the columns of the shares of the run time that the table has. */
void wait_columns_put(struct context *context, struct table *table, struct row *row,
		      const uint64_t *sums, const uint64_t *above);

/* Both shown in width columns unless flags say otherwise. */
#define WAIT_COUNT_COLUMNS(width_, flags_) \
	FIGURE(COLUMN_NUMBER, "waits", NULL, "WAITS", width_, .flags = COLUMN_ADDITIVE | (flags_), \
	       .legend = "number of waits"), \
	FIGURE(COLUMN_TIME, "wait_total_ns", "MM.SS.HH", "ALL TASKS", width_, \
	       .flags = COLUMN_ADDITIVE | (flags_), \
	       .legend = "minutes, seconds and hundredths waited, the sum over all tasks"), \
	FIGURE(COLUMN_TIME, "wait_charged_ns", NULL, "CHARGED", 9, \
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY)
#define WAIT_PAGE_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_page_percent", "RUN TIME %", "PAGE", 6, \
	       .flags = COLUMN_ADDITIVE, .legend = "the part of TOTAL due to page faults")
#define WAIT_SOLO_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_solo_percent", "RUN TIME %", "SOLO", 6, \
	       .flags = COLUMN_ADDITIVE, \
	       .legend = "the part of TOTAL in which the step waited for nothing else")
#define WAIT_SHARE_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_total_percent", "RUN TIME %", "TOTAL", 6, \
	       .flags = COLUMN_ADDITIVE, \
	       .legend = "share of the run time in which no task executed because of this wait; " \
			 "tasks that wait at the same time share it evenly")

#endif
