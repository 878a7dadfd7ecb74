/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time as a page shows it: series of values, one per slice. */
#ifndef VIGIL_REPORTS_PAGE_PAGE_AXIS_H
#define VIGIL_REPORTS_PAGE_PAGE_AXIS_H

#include "profile/profile.h"

/* The time axis of a page; times in ns. */
struct page_axis {
	uint64_t origin; /* of displayed times: the start of the run */
	uint64_t start;	 /* of slice 0 */
	uint64_t width;	 /* of one slice */
	size_t count;	 /* number of slices; at least 1 */
};

/* Sets up the axis of a session: that of its course, if it has one. */
void page_axis_init(struct page_axis *axis, const struct profile *profile);
/* Appends all groups of series as a JSON array. */
void page_axis_json(const struct page_axis *axis, const struct profile *profile, struct strbuf *out);

#endif
