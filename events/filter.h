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

struct event_filter {
	const struct event_request *request; /* NULL: everything is kept */
	struct event_sites *sites;
	unsigned char *decided; /* by program: 0 not yet, 1 passes, 2 blocked */
	size_t decided_alloc;
	uint64_t start;	 /* ns: when collecting began */
	uint64_t passed; /* events that passed all filters but that of count */
	uint64_t rejected;
};

void event_filter_init(struct event_filter *filter, const struct event_request *request,
		       struct event_sites *sites);
void event_filter_release(struct event_filter *filter);
/* Tell the agent what it can decide. */
void event_filter_share(const struct event_request *request, struct event_area *area);
/* Whether there are filters of programs. */
bool event_filter_blocks(const struct event_filter *filter);
/* Whether a program (number of sites) passes, for events without a line. */
bool event_filter_program(struct event_filter *filter, uint32_t program);
enum event_verdict {
	EVENT_KEPT,
	EVENT_TYPE_REJECTED, /* nobody wants events of its type */
	EVENT_BLOCKED_HERE, /* a filter of programs, lines, numbers or times does not let it pass */
};

/* Whether an event is kept; called once for each, in the order in which they come. */
enum event_verdict event_filter_judge(struct event_filter *filter, unsigned type, uint32_t program,
				      uint64_t line, uint64_t time);

#endif
