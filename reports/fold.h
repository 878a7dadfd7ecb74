/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds a list: rows that are large enough are shown, all others are one row
 * ".OTHER (n)", and the total of all ends the table.
 *
 * For each row of the list, in order: fold_take, and if it is shown, a table_row
 * whose names the report fills, then fold_fill. At the end: fold_other, extra rows
 * of the report if any, fold_total.
 */
#ifndef VIGIL_REPORTS_FOLD_H
#define VIGIL_REPORTS_FOLD_H

#include "reports/report-class.h"

#define FOLD_AMOUNTS 12

struct fold {
	struct context *context;
	struct table *table;
	size_t amounts;		 /* amounts per row, at most FOLD_AMOUNTS; they are summed up */
	size_t names;		 /* columns before those of the amounts */
	size_t label;		 /* which of them holds the label of a sum, from 0 */
	const char *other_label; /* label of the row of folded ones; NULL: ".OTHER (n)" */
	/* Fills the columns of amounts; above: their sums over this row and all above it. */
	void (*put)(struct context *context, struct table *table, struct row *row,
		    const uint64_t *amounts, const uint64_t *above);

	/* Private to the fold, zero at first. */
	uint64_t other[FOLD_AMOUNTS], above[FOLD_AMOUNTS], total[FOLD_AMOUNTS];
	size_t folded;
};

/* Adds a row of the list to the total, and folds it unless shown. Returns shown. */
bool fold_take(struct fold *fold, const uint64_t *amounts, bool shown);
/* Fills the amounts of a row whose names are already filled. */
void fold_fill(struct fold *fold, struct row *row, const uint64_t *amounts);
/* Writes the row of folded ones, if there are any. */
void fold_other(struct fold *fold);
/*
 * Sets an amount that is not a sum: its value for all folded rows, and for all
 * rows. Call it before fold_other.
 */
void fold_set(struct fold *fold, size_t amount, uint64_t other, uint64_t total);
/* Writes a row that is not in the list; the total includes it. */
void fold_extra(struct fold *fold, const char *label, const uint64_t *amounts);
/* Writes the total of all. */
void fold_total(struct fold *fold, const char *label);

#endif
