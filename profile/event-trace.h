/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a session one by one, read from its data set: they do not sit
 * in memory. They come in order of time: those of a task that waited stand in the
 * data set behind later ones of others, and so many are held.
 */
#ifndef VIGIL_PROFILE_EVENT_TRACE_H
#define VIGIL_PROFILE_EVENT_TRACE_H

#include "profile/event-usage.h"
#include "records/record-types.h"

struct event_trace_row {
	uint64_t
		number; /* from 1, of all events of the data set, in the order in which they come */
	uint64_t elapsed; /* ns since the session began */
	uint64_t cpu;	  /* ns of CPU time that the task had used; 0 for task 0 */
	const struct record_event *event;
	const struct record_event_site *site; /* strings of the profile */
	const char *data;		      /* "" none */
};

/* Called for each event; return nonzero to stop. */
typedef int (*event_trace_each)(void *argument, const struct event_trace_row *row);

/*
 * Go through the events of a profile's data set that are wanted. -1 with err
 * when the data set cannot be read (any more).
 */
int event_trace_read(const struct profile *profile, const struct event_selection *selection,
		     event_trace_each each, void *argument, struct error *err);

#endif
