/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the script of a page works on that compares two sides: one JSON object,
 * compact, with no '<' in it. Its members:
 *
 *   names   of the frames, strings
 *   nodes   the calls, four each, parents before their children: number of
 *           the parent (0 the root, which is not among them; the first node is
 *           1), number of the name, CPU time of the base and of the other side
 *           with all below, microseconds
 *   base, other    CPU time of the sides, microseconds
 *   work    what amounts of the other side were multiplied by, 1 where the work is not known
 *
 * Calls that have less than a part in 20,000 of both sides are left out; their
 * time is in their callers'.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_DIFFERENCE_H
#define VIGIL_REPORTS_PAGE_PAGE_DIFFERENCE_H

#include "profile/comparison.h"

/* Append it. */
void page_difference_json(const struct comparison *comparison,
			  const struct comparison_request *request, struct strbuf *out);

#endif
