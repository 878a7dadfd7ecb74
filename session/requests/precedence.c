/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which request applies if several inputs select one step. */
#include "common/compat.h"
#include "session/requests/precedence.h"
#include "session/requests/pool-size.h"

/* The request of cards that specify nothing: all defaults. */
static const struct control_request default_request;

/* Returns whether cards consist of RUNOPTS only, and thus do not request a measurement. */
static bool is_run_options(const struct control_deck *deck)
{
	const struct control_statement *one = deck->statements;

	while (one && control_run_options(one))
		one = one->next;
	return deck->statements && !one;
}

/* Returns whether the step's own cards, by their presence, request a measurement with defaults. */
static bool asks_defaults(const struct request_inputs *inputs,
			     const struct request_events *events)
{
	return inputs->own && !request_any(inputs->own) && !is_run_options(inputs->own) &&
	       !events->request.wanted;
}

/* Finds the ADD that applies. */
static void settle_request(struct request_settled *settled, const struct request_inputs *inputs)
{
	const struct control_deck *const decks[] = { inputs->own, inputs->queued, inputs->general };

	for (size_t i = 0; i < ARRAY_SIZE(decks) && !settled->request; i++) {
		settled->request = request_find(decks[i], inputs->subject, &settled->number);
		if (i == 0 && !settled->request && inputs->own && inputs->unmatched &&
		    request_any_samples(inputs->own))
			inputs->unmatched(inputs->argument);
	}
	if (!inputs->subject)
		settled->number = 0; /* a command is one session: its requests are not numbered */
	if (!settled->request && inputs->stored)
		settled->request = inputs->stored(inputs->argument, &settled->number);
	if (!settled->request && asks_defaults(inputs, &settled->events))
		settled->request = &default_request;
}

/* Chooses the size of the data pool. */
static void settle_pool(struct request_settled *settled, const struct request_inputs *inputs)
{
	uint64_t own;

	settled->pool_invalid = !pool_size_of_step(inputs->parm, &own);
	if (settled->pool_invalid)
		return;
	settled->pool_kb = own ? own : inputs->queued_kb ? inputs->queued_kb : inputs->general_kb;
}

void request_resolve(struct request_settled *settled, const struct request_inputs *inputs,
		    struct diag_list *diags)
{
	*settled = (struct request_settled){ 0 };
	request_events_init(&settled->events);
	request_events_take(&settled->events, inputs->general);
	request_events_take(&settled->events, inputs->queued);
	request_events_take(&settled->events, inputs->own);
	settle_request(settled, inputs);
	settle_pool(settled, inputs);
	settled->no_events = request_events_missing(&settled->events, diags) &&
			   (!settled->request || settled->request == &default_request) &&
			   (inputs->own || settled->events.filter);
}

bool request_settled_measures(const struct request_settled *settled)
{
	return !settled->no_events && (settled->request || settled->events.request.wanted);
}

void request_settled_fill(struct request_settled *settled, struct measure_request *measure,
			  char *const *library)
{
	measure->request_number = settled->number;
	measure->events.pool_kb = settled->pool_kb;
	request_measure_events(measure, &settled->events, settled->request != NULL);
	if (settled->request)
		request_measure(measure, settled->request, library);
}

void request_settled_release(struct request_settled *settled)
{
	request_events_release(&settled->events);
	*settled = (struct request_settled){ 0 };
}
