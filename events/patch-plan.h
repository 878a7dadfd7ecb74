/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions of an object are patched: those that FUNCTIONS asks for, those
 * compiled with patchable entries, and the ends of those compiled with -pg, as
 * far as filters let them pass. Makes the plans that the agent carries out
 * (agent/event-patch-area.h), and knows by their numbers what was planned.
 *
 * Functions that filters leave out are never patched, so they cost nothing.
 */
#ifndef VIGIL_EVENTS_PATCH_PLAN_H
#define VIGIL_EVENTS_PATCH_PLAN_H

#include "agent/event-objects-area.h"
#include "engine/engine.h"
#include "events/event-request.h"
#include "events/patch-sites.h"
#include "events/sites.h"

/* A function that has a number. */
struct patch_numbered {
	struct object *object;
	uint64_t offset;  /* in the object's terms */
	uint32_t program; /* of sites; 0 not yet */
};

struct patch_plan {
	const struct event_request *request;
	struct event_sites *sites; /* borrowed; set before the first plan */
	struct patch_numbered *functions;
	size_t count, alloc;
	bool *fits; /* by pattern: a function was found */
	uint64_t ends_unknown; /* functions of which not all ends are patched */
	uint64_t outcomes[PATCH_OUTCOMES];
	struct strbuf refused; /* names of the first functions that could not be patched */
	size_t refused_count;
};

void patch_plan_init(struct patch_plan *plan, const struct event_request *request);
void patch_plan_release(struct patch_plan *plan);
/* An event_planner (objects.h) of kind EVENT_PLAN_FUNCTIONS; argument is the patch_plan. */
bool patch_plan_object(void *argument, struct object *object, struct strbuf *text);
/* The program (number of sites) of a function by its number; 0: there is none of the number. */
uint32_t patch_plan_program(struct patch_plan *plan, uint64_t number);
/* Say what could not be done, at the session's end. table: what processes say; NULL: nothing. */
void patch_plan_notes(const struct patch_plan *plan, const struct event_objects_area *table,
		      struct engine *engine, struct snapshot *snapshot);

#endif
