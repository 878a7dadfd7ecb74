/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a comparison share while it is made: rows with what each run has of them. */
#ifndef VIGIL_PROFILE_COMPARISON_DATA_H
#define VIGIL_PROFILE_COMPARISON_DATA_H

#include "common/keymap.h"
#include "profile/comparison.h"

/* What one run has of one row. */
struct comparison_cell {
	double amount;	 /* ns */
	double count;	 /* samples or waits */
	double lumped;	 /* samples that were put here together, by one guess */
	double variance; /* of amount by sampling, ns2 */
	double units;	 /* of the row's own work (transactions), 0 not known */
};

enum {
	COMPARISON_KEY_KIND = COMPARISON_NAMES,
	COMPARISON_KEY_LINE,
	COMPARISON_KEYS
};

struct comparison_table {
	const struct comparison_request *request;
	struct strmap *strings;		/* borrowed, of the comparison */
	const struct profile **runs;	/* those of the base, then the others */
	size_t run_count, base_count;
	struct keymap keys;		/* names, kind, line */
	struct comparison_cell *cells;	/* of row r in run i: r * run_count + i */
	uint64_t (*lines)[COMPARISON_SIDES];
	size_t *procedures;		/* of a statement or wait place: the row of its procedure */
	size_t alloc, lines_alloc, procedures_alloc;
	double *sample;			/* by run: ns that a sample stands for */
	double *looks;			/* by run: independent samples by samples, at most 1 */
	double *work;			/* by run: units, 0 not known */
	double longest;			/* ns: of the runs */
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

/* comparison-rows.c: find the rows and fill their cells. */
void comparison_rows_init(struct comparison_table *table, const struct comparison_request *request,
			  struct strmap *strings);
void comparison_rows_release(struct comparison_table *table);
void comparison_rows_take(struct comparison_table *table);

/* comparison-work.c: how much work each run did; says in work what is counted. */
void comparison_work_find(struct comparison_table *table, struct comparison_work *work);

/* comparison-margins.c: say of each of the comparison's rows (as many as the table's, in its order)
   how much it differs and how sure that is. other_machine: a run's factor may be any. */
void comparison_margins(const struct comparison_table *table, bool other_machine,
			struct comparison *comparison);

#endif
