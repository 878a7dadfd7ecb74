/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows of an attribution are divided by who called their caller. A helper that two procedures
 * call has a row for each of these that is large enough to be shown, and one for all others of them
 * together; one that is only called one way, or none of whose ways is large enough, has one row.
 *
 * First each sample or wait is taken with the key of its row, then chain_rows_key gives what
 * divides the row.
 */
#ifndef VIGIL_REPORTS_CHAIN_ROWS_H
#define VIGIL_REPORTS_CHAIN_ROWS_H

#include "profile/call-chains.h"
#include "profile/sums.h"

#define CHAIN_ROWS_WHOLE 0	     /* the row is not divided */
#define CHAIN_ROWS_OTHERS UINT64_MAX /* all chains that are too small */

struct chain_rows {
	struct call_chains chains;
	size_t width;	    /* values of a row's key */
	struct sums ways;   /* row, chain: weight */
	struct keymap rows; /* keys of rows */
	struct chain_row {
		size_t ways, small; /* chains, and those of them that are too small */
	} * items;
	size_t alloc;
	uint64_t *key; /* for the moment */
};

void chain_rows_init(struct chain_rows *rows, const struct profile *profile, size_t width);
void chain_rows_release(struct chain_rows *rows);
/* Take what weighs so much, of a stack. */
void chain_rows_take(struct chain_rows *rows, const uint64_t *key, size_t stack, uint64_t weight);
/* All was taken; least: the least weight of a way that has a row for itself. */
void chain_rows_end(struct chain_rows *rows, double least);
/* What tells a stack's row from others of the same key: one of the above, or a number of its own.
 */
uint64_t chain_rows_key(struct chain_rows *rows, const uint64_t *key, size_t stack, double least);
/* How many chains OTHERS of a row are. */
size_t chain_rows_others(const struct chain_rows *rows, const uint64_t *key);

#endif
