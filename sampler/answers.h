/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the answers of data collectors, and makes a stack of them. An answer is a
 * claim: a module must contain the address for which it is named, a level must
 * exist in the stack; the ranges of numbers were checked already (host/client.h).
 * Impossible answers are counted (struct collector) and dropped.
 */
#ifndef VIGIL_SAMPLER_ANSWERS_H
#define VIGIL_SAMPLER_ANSWERS_H

#include "sampler/query.h"

struct collector;
struct named_places;
struct stacks;
struct transactions;

/*
 * Begins the state of a query: no collector was asked, and the module in control
 * is the one that vigil knows. The known transaction is the one in force.
 */
void answers_begin(struct query_state *state, const struct query *query,
		   const struct transactions *transactions);
/*
 * Takes a collector's answer (collector->client.answer): its module and places
 * become named places, its transaction gets an id.
 */
void answers_take(struct collector *collector, struct query_state *state,
		  struct named_places *places, struct transactions *transactions);
/*
 * Returns whether a collector named a module or places, so that the stack differs
 * from the walked one.
 */
bool answers_change_stack(const struct query_state *state);
/*
 * Makes the stack with the named places instead of frames: fills stack, whole and
 * cut. Call only if answers_change_stack.
 */
void answers_stack(const struct query_state *state, struct stacks *stacks,
		   struct resolved_stack *resolved);
/*
 * Returns the median of the delays from samples to the last read of the program's
 * memory for them, ns.
 */
uint64_t answers_delay(const struct collector *collector);

#endif
