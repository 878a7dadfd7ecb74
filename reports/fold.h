/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding a list: rows that are large enough stand by themselves, all others
 * in one row ".OTHER (n)", and the total of all ends the table.
 *
 * For each row of the list, in its order: fold_take, and when it is shown a
 * table_row whose names the report fills, then fold_fill. At the end
 * fold_other, rows of the report's own if there are any, fold_total.
 */
#ifndef VIGIL_REPORTS_FOLD_H
#define VIGIL_REPORTS_FOLD_H

#include "reports/report-class.h"

#define FOLD_AMOUNTS 12

struct fold {
	struct context *context;
	struct table *table;
	size_t amounts;		 /* of a row, at most FOLD_AMOUNTS; they are summed up */
	size_t names;		 /* columns before those of the amounts */
	size_t label;		 /* the one of them that holds the label of a sum, from 0 */
	const char *other_label; /* label of the row of those folded; NULL: ".OTHER (n)" */
	/* Fill the columns of amounts; above: their sums over this row and all above it. */
	void (*put)(struct context *context, struct table *table, struct row *row,
		    const uint64_t *amounts, const uint64_t *above);

	/* The fold's own, zero at first. */
	uint64_t other[FOLD_AMOUNTS], above[FOLD_AMOUNTS], total[FOLD_AMOUNTS];
	size_t folded;
};

/* Add a row of the list to the total, and fold it unless it is shown. Returns shown. */
bool fold_take(struct fold *fold, const uint64_t *amounts, bool shown);
/* Fill the amounts of a row whose names are filled. */
void fold_fill(struct fold *fold, struct row *row, const uint64_t *amounts);
/* Write the row of what was folded, if there is any. */
void fold_other(struct fold *fold);
/* An amount that is no sum: what it is of all rows folded, and of all taken. Before fold_other. */
void fold_set(struct fold *fold, size_t amount, uint64_t other, uint64_t total);
/* Write a row that is not in the list; the total includes it. */
void fold_extra(struct fold *fold, const char *label, const uint64_t *amounts);
/* Write the total of all. */
void fold_total(struct fold *fold, const char *label);

#endif
