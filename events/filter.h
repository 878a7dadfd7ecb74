/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which events are kept (the rule: event-request.h). What can be decided
 * in the program is decided there: the agent gets the filters as far as its format
 * holds them, and blocked functions one by one, so that these make no more events.
 */
#ifndef VIGIL_EVENTS_FILTER_H
#define VIGIL_EVENTS_FILTER_H

#include "events/event-request.h"
#include "events/sites.h"

/* The decision on a program. */
enum { EVENT_PROGRAM_UNDECIDED, EVENT_PROGRAM_PASSES, EVENT_PROGRAM_BLOCKED };

struct event_filter {
	const struct event_request *request; /* NULL: everything is kept */
	struct event_sites *sites;
	unsigned char *decided; /* by number of the program */
	size_t decided_alloc;
	uint64_t start;	 /* ns: when collecting began */
	uint64_t passed; /* events that passed all filters except count */
	uint64_t rejected;
	bool over; /* event_filter_over has returned true */
};

void event_filter_init(struct event_filter *filter, const struct event_request *request,
		       struct event_sites *sites);
void event_filter_release(struct event_filter *filter);
/* Stores in the area the filters that the agent can apply. */
void event_filter_share(const struct event_request *request, struct event_area *area);
/* Sets when collecting began; stores in the pool's area from when on events can pass. */
void event_filter_begin(struct event_filter *filter, struct event_pool *pool, uint64_t now);
/*
 * Returns whether nothing passes any more from now on: the range of numbers or
 * times that filters let through has ended. The agent then makes no more
 * statements, and restores patched functions. Returns true only once: what was
 * written before must still be taken.
 */
bool event_filter_over(struct event_filter *filter, struct event_area *area, uint64_t now);
/*
 * Returns whether the load of an object is reported: not of a run time unless
 * FNAT=ON, and never of vigil's own.
 */
bool event_filter_load(const struct event_filter *filter, const char *path);
/* Returns whether there are program filters. */
bool event_filter_blocks(const struct event_filter *filter);
/* Returns whether a function of an object in a folder passes, by its names alone. */
bool event_filter_function(const struct event_request *request, const char *library,
			   const char *object, const char *name);
/* Returns whether a program (number in sites) passes, for events without a line. */
bool event_filter_program(struct event_filter *filter, uint32_t program);
/* Returns whether the decision on an event depends only on its type, program and line. */
static inline bool event_filter_is_steady(const struct event_filter *filter)
{
	const struct event_request *request = filter->request;

	return !request || (!request->time_from && !request->time_to && !request->count_from &&
			    !request->count_to);
}

/*
 * Returns whether events of a type that have no line pass; false also if that is
 * not decided yet.
 */
static inline bool event_filter_accepts(const struct event_filter *filter, uint32_t program,
				     unsigned type)
{
	const struct event_request *request = filter->request;

	if (!request)
		return true;
	return (!request->types || request->types >> type & 1) && program < filter->decided_alloc &&
	       filter->decided[program] == EVENT_PROGRAM_PASSES;
}

enum event_verdict {
	EVENT_KEPT,
	EVENT_TYPE_REJECTED, /* its type is not requested */
	EVENT_BLOCKED_HERE, /* a filter of programs, lines, numbers or times rejects it */
};

/* Decides whether an event is kept; call once for each, in the order in which they arrive. */
enum event_verdict event_filter_judge(struct event_filter *filter, unsigned type, uint32_t program,
				      uint64_t line, uint64_t time);

#endif
