/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the PROFILER blocks of all inputs into the event request of a session. */
#include "common/compat.h"
#include "session/requests/requests.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/event-codes.h"

/* Events of the session itself, which are always kept: without them all times would be wrong. */
#define SESSION_TYPES \
	(EVENT_TYPE_BIT(EVENT_SI) | EVENT_TYPE_BIT(EVENT_ST) | EVENT_TYPE_BIT(EVENT_MP) | \
	 EVENT_TYPE_BIT(EVENT_MB))

/* Coverage collects program starts and statements, whatever else is requested. */
#define TYPES_OF_COVERAGE (EVENT_TYPE_BIT(EVENT_PS) | EVENT_TYPE_BIT(EVENT_NS))

uint64_t request_event_types(char *const *words, size_t count)
{
	uint64_t found = 0;

	for (size_t i = 0; i < count; i++)
		found |= event_code_types(words[i], strlen(words[i]));
	return found == EVENT_TYPES_ALL ? 0 : found;
}

void request_events_init(struct request_events *events)
{
	*events = (struct request_events){ 0 };
}

void request_events_release(struct request_events *events)
{
	free(events->programs);
	free(events->calls);
	for (size_t i = 0; i < events->text_count; i++)
		free(events->texts[i]);
	free(events->texts);
	request_events_init(events);
}

/* Which kinds of filter the current input has given. */
struct given {
	unsigned input;
	bool events, programs;
};

/* Takes EVENT, STATEMENT and FNAT; the types of several filters add up. */
static void take_events(struct request_events *events, const struct control_filter *filter,
			struct given *given)
{
	struct event_request *request = &events->request;

	if (filter->event_count && !given->events) {
		request->types = 0;
		given->events = true;
	}
	for (size_t i = 0; i < filter->event_count; i++)
		request->types |= event_code_types(filter->events[i], strlen(filter->events[i]));
	if (filter->statements != CONTROL_STATEMENTS_NOT_GIVEN)
		request->statements =
			filter->statements == CONTROL_STATEMENTS_ON	 ? EVENT_STATEMENTS_ON
			: filter->statements == CONTROL_STATEMENTS_COUNT ? EVENT_STATEMENTS_COUNT
									 : EVENT_STATEMENTS_OFF;
	if (filter->run_time != CONTROL_SWITCH_NOT_GIVEN)
		request->run_time = filter->run_time == CONTROL_SWITCH_ON;
}

/* Takes LIBRARY, PROGRAM and LINE: one more program filter. */
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

/* Takes the patterns of CALLS, each as two texts. */
static void take_calls(struct request_events *events, const struct control_init *init)
{
	struct event_request *request = &events->request;

	for (size_t i = 0; i < init->call_count && i < EVENT_CALL_PATTERNS; i++) {
		char *text = xstrdup(init->calls[i]), *mark = strchr(text, '!');

		GROW(events->texts, events->text_count + 1, events->text_alloc);
		events->texts[events->text_count++] = text;
		if (mark)
			*mark = '\0';
		GROW(events->calls, request->call_count + 1, events->call_alloc);
		events->calls[request->call_count++] = (struct event_call_pattern){
			.library = mark ? text : "",
			.function = mark ? mark + 1 : text,
		};
	}
}

/* Takes FUNCTION=INIT, which discards everything given before it. */
static void take_init(struct request_events *events, const struct control_statement *statement,
		      struct given *given)
{
	const struct control_init *init = &statement->init;

	assert(statement->payload == CONTROL_INITIAL);
	events->request = (struct event_request){
		.wanted = true,
		.interval = init->interval * NSEC_PER_USEC,
		.consolidate = init->consolidate,
		.coverage = init->coverage,
		.trace = init->trace,
		.shapes = init->shapes,
		.online = init->online,
		.functions = init->functions,
		.function_count = init->function_count,
	};
	take_calls(events, init);
	events->resource = &init->resource;
	events->filter = NULL;
	events->collecting = REQUEST_PAUSED;
	take_filter(events, &init->filter, given);
}

/* Returns whether a deck has blocks, all of them empty. */
static bool is_empty(const struct control_deck *deck)
{
	const struct control_statement *one = deck->statements;

	while (one && !one->block)
		one = one->next;
	return deck->blocks && !one;
}

/* Takes one statement about events. */
static void take_statement(struct request_events *events, const struct control_statement *one,
			   struct given *given)
{
	if (one->verb == CONTROL_FILTER)
		take_filter(events, &one->filter, given);
	else if (one->function == CONTROL_START)
		events->collecting = REQUEST_ACTIVE;
	else if (one->function == CONTROL_PAUSE)
		events->collecting = REQUEST_PAUSED;
	else
		take_init(events, one, given);
}

void request_events_take(struct request_events *events, const struct control_deck *deck)
{
	struct given given = { 0 };

	RETURN_IF(!deck, );
	if (is_empty(deck))
		events->empty = true;
	for (const struct control_statement *one = deck->statements; one; one = one->next) {
		if (!control_collects(one))
			continue;
		if (one->verb == CONTROL_FILTER && !events->request.wanted && !events->filter)
			events->filter = one;
		if (one->input != given.input)
			given = (struct given){ .input = one->input };
		take_statement(events, one, &given);
	}
}

bool request_events_missing(const struct request_events *events, struct diag_list *diags)
{
	RETURN_IF(events->request.wanted, false);
	if (events->filter)
		diag_add(diags, SEVERITY_WARNING, 56, &events->filter->location,
			 "FILTER=%s filters nothing: there is no FUNCTION=INIT, so no events are collected",
			 events->filter->name);
	return events->filter || (events->empty && events->collecting == REQUEST_COLLECTING_NOT_SAID);
}

enum resource_kind request_resource_kind(const struct event_request *request)
{
	return request->coverage      ? RESOURCE_COVERAGE
	       : request->consolidate ? RESOURCE_CONSOLIDATED
				      : RESOURCE_EVENTS;
}

bool request_names_resource(const struct request_events *events)
{
	return events->resource && events->resource->name;
}

char *request_resource(const struct request_events *events, const struct resource_place *place,
		       const char *job_number, uint64_t job_start, struct error *err)
{
	const struct control_resource *resource = events->resource;
	char *folder = resource_folder(resource->library, place);
	char *path = resource_create(
		&(struct resource_request){ .folder = folder,
					    .name = resource->name,
					    .kind = request_resource_kind(&events->request),
					    .replace = resource->replace,
					    .job_number = job_number,
					    .job_start = job_start },
		err);

	free(folder);
	return path;
}

void request_measure_events(struct measure_request *measure, struct request_events *events,
			    bool sampled)
{
	struct event_request *request = &events->request;

	request->programs = events->programs;
	request->calls = events->calls;
	request->started = events->collecting == REQUEST_ACTIVE;
	if (request->coverage) {
		request->types = TYPES_OF_COVERAGE;
		request->function_count = 0; /* nothing else is patched */
		request->statements = EVENT_STATEMENTS_ON;
	}
	if (request->statements == EVENT_STATEMENTS_ON && request->types)
		request->types |= EVENT_TYPE_BIT(EVENT_NS);
	if (request->call_count && request->types && !request->coverage)
		request->types |= EVENT_TYPE_BIT(EVENT_CB) | EVENT_TYPE_BIT(EVENT_CA);
	/* Only the end of a call gives its duration. */
	if (request->types & EVENT_TYPE_BIT(EVENT_DB))
		request->types |= EVENT_TYPE_BIT(EVENT_DA);
	if (request->types)
		request->types |= SESSION_TYPES;
	if (request->types == EVENT_TYPES_ALL)
		request->types = 0;
	request->pool_kb = measure->events.pool_kb;
	measure->events = *request;
	measure->sampled = sampled || !request->wanted;
	measure->paused = events->collecting == REQUEST_PAUSED;
}
