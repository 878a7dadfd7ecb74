/* SPDX-License-Identifier: Apache-2.0 */
/* The run through time as a page has it: series of values, a value a slice. */
#ifndef VIGIL_REPORTS_PAGE_PAGE_AXIS_H
#define VIGIL_REPORTS_PAGE_PAGE_AXIS_H

#include "profile/profile.h"

/* The time axis of a page; times in ns. */
struct page_axis {
	uint64_t origin; /* of the times that are shown: the start of the run */
	uint64_t start;	 /* of slice 0 */
	uint64_t width;	 /* of a slice */
	size_t count;	 /* of slices; at least 1 */
};

/* The axis of a session: its course, where it has one. */
void page_axis_init(struct page_axis *axis, const struct profile *profile);
/* Append all groups of series as a JSON array. */
void page_axis_json(const struct page_axis *axis, const struct profile *profile, struct strbuf *out);

#endif
