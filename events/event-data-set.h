/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consolidating the events of a data set that is there: each record that is no
 * event goes into the new data set as it is, the events as sums
 * (records/event-sums.h). Reports of both data sets have the same figures; the
 * new one has no event trace.
 */
#ifndef VIGIL_EVENTS_EVENT_DATA_SET_H
#define VIGIL_EVENTS_EVENT_DATA_SET_H

#include "common/error.h"
#include "common/strbuf.h"

/* Ends of the names of data sets with events, and of consolidated ones. */
#define EVENT_DATA_SET_SUFFIX ".vprf"
#define EVENT_CONSOLIDATED_SUFFIX ".vprc"

/* What was done. */
struct consolidation_result {
	uint64_t events, sums;	       /* records that became, and were made */
	uint64_t bytes_from, bytes_to; /* of the files */
	struct strbuf damage;	       /* sentences on what was missing; "" nothing */
};

/* Append the name that a consolidated data set gets: the same with its own suffix. */
void event_data_set_name(struct strbuf *sb, const char *path);
/*
 * Consolidate the data set at from into one at to, which appears whole or not
 * at all. A file there is an error unless it is to be replaced; a data set without
 * events is one, too. result is initialized here, and released by the caller
 * when 0 is returned.
 */
int event_data_set_consolidate(const char *from, const char *to, bool replace,
			       struct consolidation_result *result, struct error *err);

#endif
