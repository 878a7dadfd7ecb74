/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consolidates the events of an existing data set: records other than events go
 * into the new data set unchanged, events as sums (records/event-sums.h). Reports
 * on both data sets have the same figures; the new one has no event trace.
 */
#ifndef VIGIL_EVENTS_EVENT_DATA_SET_H
#define VIGIL_EVENTS_EVENT_DATA_SET_H

#include "common/error.h"
#include "common/strbuf.h"

/* Suffixes of the names of data sets with events, and of consolidated ones. */
#define EVENT_DATA_SET_SUFFIX ".vprf"
#define EVENT_CONSOLIDATED_SUFFIX ".vprc"

/* The result of a consolidation. */
struct consolidation_result {
	uint64_t events, sums;	       /* numbers of records read, and made */
	uint64_t bytes_from, bytes_to; /* sizes of the files */
	struct strbuf damage;	       /* sentences on what was missing; "" none */
};

/* Appends the name of the consolidated data set: the same with the other suffix. */
void event_data_set_name(struct strbuf *sb, const char *path);
/*
 * Consolidates the data set at from into one at to, which appears complete or not
 * at all. It is an error if to exists and replace is not set, or if from has no
 * events. result is initialized here, and released by the caller when 0 is
 * returned.
 */
int event_data_set_consolidate(const char *from, const char *to, bool replace,
			       struct consolidation_result *result, struct error *err);

#endif
