/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of waits, and the columns that show them. */
#ifndef VIGIL_REPORTS_WAIT_COLUMNS_H
#define VIGIL_REPORTS_WAIT_COLUMNS_H

#include "profile/sums.h"
#include "reports/fold.h"

/* What is summed up; times in ns. PAGE and SOLO are parts of CHARGED. */
enum wait_amount {
	WAIT_AMOUNT_COUNT,
	WAIT_AMOUNT_TOTAL,
	WAIT_AMOUNT_CHARGED,
	WAIT_AMOUNT_PAGE,
	WAIT_AMOUNT_SOLO,
	WAIT_AMOUNT_VARIANCE, /* of TOTAL, square microseconds */
	WAIT_AMOUNTS
};

/*
 * The sums of waits by row. The certainty of a row depends on which waits are in
 * it, not on sums: so each row's VARIANCE is set after all waits were added, and
 * that of folded rows together before fold_other.
 */
struct wait_rows {
	const struct profile *profile; /* borrowed, like sums */
	struct sums *sums;
	size_t *rows;		/* by wait of the profile: its row; SIZE_MAX: none */
	unsigned char *folding; /* by row, for the table being written */
};

/* Starts without waits; keys of sums may have any width, its amounts are at least WAIT_AMOUNTS. */
void wait_rows_init(struct wait_rows *rows, const struct profile *profile, struct sums *sums);
/* Adds a wait of the profile, by its number, to the row of a key. Returns the row's amounts. */
uint64_t *wait_rows_add(struct wait_rows *rows, const uint64_t *key, size_t number);
/* Ends the adding of waits and sets each row's VARIANCE. */
void wait_rows_end(struct wait_rows *rows);
/* fold_take for a row, by its number in sums. */
bool wait_rows_fold(struct wait_rows *rows, struct fold *fold, size_t number, bool shown);
/* fold_other and fold_total for the rows taken since the last call. */
void wait_rows_total(struct wait_rows *rows, struct fold *fold);
void wait_rows_release(struct wait_rows *rows);

/* Returns the mean length of a wait in ns, 0 if there was none. */
uint64_t wait_columns_mean(const uint64_t *sums);
/* Returns the margin of error of the time waited, ns, at 95 % confidence; 0: exact. */
double wait_columns_margin(const struct profile *profile, const uint64_t *sums);
/* Fills WAIT_COUNT_COLUMNS, then the columns of the shares of the run time that the table has. */
void wait_columns_put(struct context *context, struct table *table, struct row *row,
		      const uint64_t *sums, const uint64_t *above);

/* Both are shown width_ columns wide unless flags say otherwise. */
#define WAIT_COUNT_COLUMNS(width_, flags_) \
	FIGURE(COLUMN_NUMBER, "waits", NULL, "WAITS", width_, .flags = COLUMN_ADDITIVE | (flags_), \
	       .legend = "number of waits"), \
	FIGURE(COLUMN_TIME, "wait_total_ns", "MM.SS.HH", "ALL TASKS", width_, \
	       .flags = COLUMN_ADDITIVE | COLUMN_MINOR | (flags_), \
	       .legend = "minutes, seconds and hundredths waited, the sum over all tasks"), \
	FIGURE(COLUMN_TIME, "wait_charged_ns", NULL, "CHARGED", 9, \
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY), \
	FIGURE(COLUMN_TIME, "wait_margin_ns", NULL, "MARGIN", 9, .flags = COLUMN_DATA_ONLY)
#define WAIT_PAGE_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_page_percent", "RUN TIME %", "PAGE", 6, \
	       .flags = COLUMN_ADDITIVE | COLUMN_MINOR, .legend = "the part of TOTAL due to page faults")
#define WAIT_SOLO_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_solo_percent", "RUN TIME %", "SOLO", 6, \
	       .flags = COLUMN_ADDITIVE | COLUMN_MINOR, \
	       .legend = "the part of TOTAL in which the step waited for nothing else")
#define WAIT_SHARE_COLUMN \
	FIGURE(COLUMN_PERCENT, "run_total_percent", "RUN TIME %", "TOTAL", 6, \
	       .flags = COLUMN_ADDITIVE, \
	       .legend = "share of the run time in which no task executed because of this wait; " \
			 "tasks that wait at the same time share it evenly"), \
	FIGURE(COLUMN_PERCENT, "run_margin_percent", "RUN TIME %", "+/-", 5, \
	       .flags = COLUMN_MARGIN, \
	       .legend = "margin of error of TOTAL in percentage points, at 95 % confidence: waits that " \
			 "were not sampled are distributed like those that were; 0 is exact")

#endif
