/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the comparison-*.c files share while a comparison is made: rows with the
 * amounts of each run.
 */
#ifndef VIGIL_PROFILE_COMPARISON_DATA_H
#define VIGIL_PROFILE_COMPARISON_DATA_H

#include "common/keymap.h"
#include "profile/comparison.h"

/* The amounts of one run in one row. */
struct comparison_cell {
	double amount;	 /* ns */
	double count;	 /* samples or waits */
	double lumped;	 /* samples that one guess placed here together */
	double placed;	 /* samples that looks placed here (profile_cpu_placed) */
	double certain;	 /* part of the variance of the other samples in that with these, 1: there are none */
	double variance; /* of amount due to sampling, ns2 */
	double units;	 /* work units of the row itself (transactions), 0 unknown */
};

enum {
	COMPARISON_KEY_KIND = COMPARISON_NAMES,
	COMPARISON_KEY_LINE,
	COMPARISON_KEYS
};

struct comparison_table {
	const struct comparison_request *request;
	struct strmap *strings;		/* borrowed from the comparison */
	const struct profile **runs;	/* the base's runs, then the other side's */
	size_t run_count, base_count;
	struct keymap keys;		/* names, kind, line */
	struct comparison_cell *cells;	/* of row r in run i: r * run_count + i */
	uint64_t (*lines)[COMPARISON_SIDES];
	size_t *procedures;		/* of a statement or wait place: the row of its procedure */
	size_t alloc, lines_alloc, procedures_alloc;
	double *sample;			/* by run: ns per sample */
	double *looks;			/* by run: independent samples per sample, at most 1; as if
					 * no look had placed any */
	double *work;			/* by run: work units, 0 unknown */
	double longest;			/* ns: the longest run */
};

static inline enum comparison_side comparison_side_of(const struct comparison_table *table,
						      size_t run)
{
	return run < table->base_count ? COMPARISON_BASE : COMPARISON_OTHER;
}

static inline struct comparison_cell *comparison_cell(const struct comparison_table *table,
						      size_t row, size_t run)
{
	return &table->cells[row * table->run_count + run];
}

/* comparison-rows.c: finds the rows and fills their cells. */
void comparison_rows_init(struct comparison_table *table, const struct comparison_request *request,
			  struct strmap *strings);
void comparison_rows_release(struct comparison_table *table);
void comparison_rows_take(struct comparison_table *table);

/* comparison-work.c: finds how much work each run did, and sets in work what is counted. */
void comparison_work_find(struct comparison_table *table, struct comparison_work *work);

/*
 * comparison-margins.c: computes for each row of the comparison (same rows and
 * order as the table) how much it differs and how certain that is. other_machine:
 * the factor between runs may have any size.
 */
void comparison_margins(const struct comparison_table *table, bool other_machine,
			struct comparison *comparison);

#endif
