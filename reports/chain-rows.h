/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits rows of an attribution by the chain of callers of their caller. A helper
 * that two procedures call gets a row for each chain that is large enough to be
 * shown, and one row for all other chains together; a helper that is called in one
 * way only, or whose chains are all too small, has one row.
 *
 * First every sample or wait is added with the key of its row; then chain_rows_key
 * returns the value that splits the row.
 */
#ifndef VIGIL_REPORTS_CHAIN_ROWS_H
#define VIGIL_REPORTS_CHAIN_ROWS_H

#include "profile/call-chains.h"
#include "profile/sums.h"

#define CHAIN_ROWS_WHOLE 0	     /* the row is not split */
#define CHAIN_ROWS_OTHERS UINT64_MAX /* all chains that are too small */

struct chain_rows {
	struct call_chains chains;
	size_t width;	    /* values per row key */
	struct sums ways;   /* row, chain: weight */
	struct keymap rows; /* keys of rows */
	struct chain_row {
		size_t ways, small; /* number of chains, and of those that are too small */
	} * items;
	size_t alloc;
	uint64_t *key; /* scratch */
};

void chain_rows_init(struct chain_rows *rows, const struct profile *profile, size_t width);
void chain_rows_release(struct chain_rows *rows);
/* Adds a weight to the row of a key, for a stack. */
void chain_rows_take(struct chain_rows *rows, const uint64_t *key, size_t stack, uint64_t weight);
/* Ends the adding; least: minimum weight of a chain that gets its own row. */
void chain_rows_end(struct chain_rows *rows, double least);
/*
 * Returns the value that distinguishes a stack's row from others of the same key:
 * one of the above, or a number of its own.
 */
uint64_t chain_rows_key(struct chain_rows *rows, const uint64_t *key, size_t stack, double least);
/* Returns the number of chains in the OTHERS row of a key. */
size_t chain_rows_others(const struct chain_rows *rows, const uint64_t *key);

#endif
