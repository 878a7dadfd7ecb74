/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of two sides in the folded form with two columns, which tools
 * draw as a differential flame graph (flamegraph.pl of difffolded.pl's
 * output, speedscope's comparison and others):
 *
 *	main;POST-LEDGER;cob_add 1200 1310
 *
 * from the outermost procedure to the innermost, then the CPU time of the
 * base and of the other side, in whole microseconds, the mean over the runs
 * of each. The columns add up to the CPU time of the sides, but for rounding
 * (at most a microsecond a line).
 */
#ifndef VIGIL_PROFILE_COMPARISON_STACKS_H
#define VIGIL_PROFILE_COMPARISON_STACKS_H

#include "profile/comparison.h"

/* Append a line a stack, in the order of their texts. */
void comparison_stacks(const struct comparison_request *request, struct strbuf *sb);

#endif
