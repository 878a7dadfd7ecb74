/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the events of a session one by one from its data set; they are not kept in
 * memory. They are delivered in time order: in the data set, the events of a task
 * that waited follow later ones of other tasks, so a limited number is buffered.
 */
#ifndef VIGIL_PROFILE_EVENT_TRACE_H
#define VIGIL_PROFILE_EVENT_TRACE_H

#include "profile/event-usage.h"
#include "records/record-types.h"

struct event_trace_row {
	uint64_t
		number; /* from 1, counting all events of the data set in delivery order */
	uint64_t elapsed; /* ns since the session began */
	uint64_t cpu;	  /* ns of CPU time that the task has used so far; 0 for task 0 */
	const struct record_event *event;
	const struct record_event_site *site; /* strings of the profile */
	const char *data;		      /* "": none */
};

/* Called for each event; a nonzero result stops. */
typedef int (*event_trace_each)(void *argument, const struct event_trace_row *row);

/*
 * Calls each for the selected events of a profile's data set. Returns -1 with err
 * if the data set cannot be read (any more).
 */
int event_trace_read(const struct profile *profile, const struct event_selection *selection,
		     event_trace_each each, void *argument, struct error *err);

#endif
