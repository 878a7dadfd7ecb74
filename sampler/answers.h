/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks what a data collector answered, and makes a stack of it. An answer is
 * a claim: a module must hold the address that it is named for, a level must be
 * one of the stack's, numbers are in their range already (host/client.h). What
 * cannot be is counted (struct collector) and dropped.
 */
#ifndef VIGIL_SAMPLER_ANSWERS_H
#define VIGIL_SAMPLER_ANSWERS_H

#include "sampler/query.h"

struct collector;
struct named_places;
struct stacks;
struct transactions;

/* Begin the state of a query: nobody was asked, and the module in control is the one that vigil
   knows. The transaction known is the one in force. */
void answers_begin(struct query_state *state, const struct query *query,
		   const struct transactions *transactions);
/* Take over what a collector said (collector->client.answer): its module and places become named
   places, its transaction gets an id. */
void answers_take(struct collector *collector, struct query_state *state,
		  struct named_places *places, struct transactions *transactions);
/* Whether a collector named a module or places, so that the stack is another than the walked one.
 */
bool answers_change_stack(const struct query_state *state);
/* The stack with what collectors named in the place of frames: fills stack and whole. Only when
   they changed it. */
void answers_stack(const struct query_state *state, struct stacks *stacks,
		   struct resolved_stack *resolved);
/* Median of the delays from samples to the last read of the program's memory for them, ns. */
uint64_t answers_delay(const struct collector *collector);

#endif
