/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the PROFILER blocks of all inputs into what a session is asked to collect. */
#include "common/compat.h"
#include "session/requests/requests.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/record-types.h"

/* Every code of an event with its group; 0: in none. */
static const struct {
	char code[3];
	char group;
	enum event_type type;
} types[] = {
	{ "SI", 'S', EVENT_SI }, { "ST", 'S', EVENT_ST }, { "MP", 'S', EVENT_MP },
	{ "PL", 'P', EVENT_PL }, { "PS", 'P', EVENT_PS }, { "PT", 'P', EVENT_PT },
	{ "PR", 'P', EVENT_PR }, { "PP", 'P', EVENT_PP }, { "NS", 'N', EVENT_NS },
	{ "DB", 'D', EVENT_DB }, { "DA", 'D', EVENT_DA }, { "IB", 'I', EVENT_IB },
	{ "IA", 'I', EVENT_IA }, { "CB", 'C', EVENT_CB }, { "CA", 'C', EVENT_CA },
	{ "E", 0, EVENT_E },	 { "U", 0, EVENT_U },	  { "KF", 'K', EVENT_KF },
	{ "KX", 'K', EVENT_KX }, { "KT", 'K', EVENT_KT }, { "KE", 'K', EVENT_KE },
	{ "KP", 'K', EVENT_KP }, { "KS", 'K', EVENT_KS },
};

_Static_assert(ARRAY_SIZE(types) == EVENT_TYPE_COUNT - 1, "every type has a code here");

/* The events of the session itself are always kept: without them no time is right. */
#define SESSION_TYPES (UINT64_C(1) << EVENT_SI | UINT64_C(1) << EVENT_ST | UINT64_C(1) << EVENT_MP)

/* The types that a word of EVENT names: a code, or a group of them. */
static uint64_t types_of(const char *word)
{
	uint64_t found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(word, types[i].code) == 0 ||
		    (word[0] == types[i].group && word[1] == '\0'))
			found |= UINT64_C(1) << types[i].type;
	return found;
}

uint64_t request_event_types(char *const *words, size_t count)
{
	uint64_t found = 0;

	for (size_t i = 0; i < count; i++)
		found |= strcmp(words[i], "ALL") == 0 ? UINT64_MAX : types_of(words[i]);
	return found == UINT64_MAX ? 0 : found;
}

void request_events_init(struct request_events *events)
{
	*events = (struct request_events){ 0 };
}

void request_events_release(struct request_events *events)
{
	free(events->programs);
	request_events_init(events);
}

/* Which kinds of filter the input at hand has given. */
struct given {
	unsigned input;
	bool events, programs;
};

/* EVENT, STATEMENT and FNAT; the types of several filters add up. */
static void take_events(struct request_events *events, const struct control_filter *filter,
			struct given *given)
{
	struct event_request *request = &events->request;

	if (filter->event_count && !given->events) {
		request->types = 0;
		given->events = true;
	}
	for (size_t i = 0; i < filter->event_count; i++)
		request->types |= strcmp(filter->events[i], "ALL") == 0
					  ? UINT64_MAX
					  : types_of(filter->events[i]);
	if (filter->statements != CONTROL_STATEMENTS_NOT_GIVEN)
		request->statements =
			filter->statements == CONTROL_STATEMENTS_ON	 ? EVENT_STATEMENTS_ON
			: filter->statements == CONTROL_STATEMENTS_COUNT ? EVENT_STATEMENTS_COUNT
									 : EVENT_STATEMENTS_OFF;
	if (filter->run_time != CONTROL_SWITCH_NOT_GIVEN)
		request->run_time = filter->run_time == CONTROL_SWITCH_ON;
}

/* LIBRARY, PROGRAM and LINE: one more program filter. */
static void take_program(struct request_events *events, const struct control_filter *filter,
			 struct given *given)
{
	struct event_request *request = &events->request;

	if (!filter->library && !filter->program && !filter->lines.given)
		return;
	if (!given->programs)
		request->program_count = 0;
	given->programs = true;
	GROW(events->programs, request->program_count + 1, events->program_alloc);
	events->programs[request->program_count++] =
		(struct event_program_filter){ .library = filter->library,
					       .program = filter->program,
					       .line_from = filter->lines.from,
					       .line_to = filter->lines.to };
}

static void take_filter(struct request_events *events, const struct control_filter *filter,
			struct given *given)
{
	struct event_request *request = &events->request;

	take_events(events, filter, given);
	take_program(events, filter, given);
	if (filter->count.given) {
		request->count_from = filter->count.from;
		request->count_to = filter->count.to;
	}
	if (filter->time.given) {
		request->time_from = filter->time.from * NSEC_PER_SEC;
		request->time_to = filter->time.to * NSEC_PER_SEC;
	}
}

/* FUNCTION=INIT: nothing of the session before it holds any longer. */
static void take_init(struct request_events *events, const struct control_statement *statement)
{
	events->request = (struct event_request){
		.wanted = true,
		.interval = statement->init.interval * NSEC_PER_USEC,
		.consolidate = statement->init.consolidate,
		.coverage = statement->init.coverage,
		.trace = statement->init.trace,
	};
	events->resource = &statement->resource;
	events->collecting = REQUEST_PAUSED;
}

void request_events_take(struct request_events *events, const struct control_deck *deck)
{
	struct given given = { 0 };

	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next) {
		if (!control_collects(one))
			continue;
		if (one->input != given.input)
			given = (struct given){ .input = one->input };
		if (control_is_function(one, "INIT"))
			take_init(events, one);
		else if (control_is_function(one, "START"))
			events->collecting = REQUEST_ACTIVE;
		else if (control_is_function(one, "PAUSE"))
			events->collecting = REQUEST_PAUSED;
		take_filter(events, &one->filter, &given);
	}
}

void request_measure_events(struct measure_request *measure, struct request_events *events,
			    bool sampled)
{
	struct event_request *request = &events->request;

	request->programs = events->programs;
	request->started = events->collecting == REQUEST_ACTIVE;
	if (request->statements == EVENT_STATEMENTS_ON && request->types)
		request->types |= UINT64_C(1) << EVENT_NS;
	if (request->types)
		request->types |= SESSION_TYPES;
	if (request->types == UINT64_MAX)
		request->types = 0;
	request->pool_kb = measure->events.pool_kb;
	measure->events = *request;
	measure->sampled = sampled || !request->wanted;
	measure->paused = events->collecting == REQUEST_PAUSED;
}
