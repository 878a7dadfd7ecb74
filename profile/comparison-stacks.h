/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the stacks of two sides in the folded format with two columns, which
 * tools draw as a differential flame graph (flamegraph.pl with difffolded.pl's
 * output, speedscope's comparison and others):
 *
 * 	main;POST-LEDGER;cob_add 1200 1310
 *
 * Procedures run from the outermost to the innermost; the numbers are the CPU time
 * of the base and of the other side, in whole microseconds, each the mean over its
 * runs. The columns add up to the CPU time of the sides, except for rounding (at
 * most a microsecond per line).
 */
#ifndef VIGIL_PROFILE_COMPARISON_STACKS_H
#define VIGIL_PROFILE_COMPARISON_STACKS_H

#include "profile/comparison.h"

/* Appends one line per stack, sorted by text. */
void comparison_stacks(const struct comparison_request *request, struct strbuf *sb);

#endif
