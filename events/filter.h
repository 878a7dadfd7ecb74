/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which events are kept (the rule: event-request.h). What can be decided
 * in the program is decided there: filters are told to the agent as far as its
 * form holds them, and functions that are blocked are told to it one by one, so
 * that they make no more events.
 */
#ifndef VIGIL_EVENTS_FILTER_H
#define VIGIL_EVENTS_FILTER_H

#include "events/event-request.h"
#include "events/sites.h"

/* What was decided on a program. */
enum { EVENT_PROGRAM_UNDECIDED, EVENT_PROGRAM_PASSES, EVENT_PROGRAM_BLOCKED };

struct event_filter {
	const struct event_request *request; /* NULL: everything is kept */
	struct event_sites *sites;
	unsigned char *decided; /* by program */
	size_t decided_alloc;
	uint64_t start;	 /* ns: when collecting began */
	uint64_t passed; /* events that passed all filters but that of count */
	uint64_t rejected;
	bool over; /* event_filter_over said so */
};

void event_filter_init(struct event_filter *filter, const struct event_request *request,
		       struct event_sites *sites);
void event_filter_release(struct event_filter *filter);
/* Tell the agent what it can decide. */
void event_filter_share(const struct event_request *request, struct event_area *area);
/* Tell it when collecting began, and from when on anything passes. */
void event_filter_begin(struct event_filter *filter, struct event_pool *pool, uint64_t now);
/*
 * Whether from now on nothing passes any more: the numbers or the time that filters let through are
 * over. The agent makes no more statements then, and gives patched functions back. True once: what
 * was written before is still to be taken.
 */
bool event_filter_over(struct event_filter *filter, struct event_area *area, uint64_t now);
/* Whether the load of an object is told: not of the run time's unless FNAT=ON, and never of vigil's own. */
bool event_filter_load(const struct event_filter *filter, const char *path);
/* Whether there are filters of programs. */
bool event_filter_blocks(const struct event_filter *filter);
/* Whether a function of an object in a folder passes, by the names alone. */
bool event_filter_function(const struct event_request *request, const char *library,
			   const char *object, const char *name);
/* Whether a program (number of sites) passes, for events without a line. */
bool event_filter_program(struct event_filter *filter, uint32_t program);
/* Whether the verdict on an event depends on nothing but its type, program and line. */
static inline bool event_filter_is_steady(const struct event_filter *filter)
{
	const struct event_request *request = filter->request;

	return !request || (!request->time_from && !request->time_to && !request->count_from &&
			    !request->count_to);
}

/* As far as it was decided already: whether events of a type that have no line pass. */
static inline bool event_filter_lets(const struct event_filter *filter, uint32_t program,
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
	EVENT_TYPE_REJECTED, /* nobody wants events of its type */
	EVENT_BLOCKED_HERE, /* a filter of programs, lines, numbers or times does not let it pass */
};

/* Whether an event is kept; called once for each, in the order in which they come. */
enum event_verdict event_filter_judge(struct event_filter *filter, unsigned type, uint32_t program,
				      uint64_t line, uint64_t time);

#endif
