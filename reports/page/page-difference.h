/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data for the script of a page that compares two sides: one JSON object,
 * compact, without any '<'. Its members:
 *
 *   names   of the frames, strings
 *   nodes   the calls, four each, parents before their children: number of
 *           the parent (0 the root, which is not in the list; the first node is
 *           1), number of the name, CPU time of the base and of the other side
 *           including callees, microseconds
 *   base, other    CPU time of the sides, microseconds
 *   work    factor by which amounts of the other side were multiplied, 1 if the work is unknown
 *
 * Calls with less than 1/20,000 of both sides are left out; their time is included
 * in their callers.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_DIFFERENCE_H
#define VIGIL_REPORTS_PAGE_PAGE_DIFFERENCE_H

#include "profile/comparison.h"

/* Appends the object. */
void page_difference_json(const struct comparison *comparison,
			  const struct comparison_request *request, struct strbuf *out);

#endif
