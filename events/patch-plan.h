/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses which functions of an object are patched: those that FUNCTIONS requests,
 * those compiled with patchable entries, and the ends of those compiled with -pg,
 * as far as filters let them pass. Makes the plans that the agent carries out
 * (agent/event-patch-area.h), and resolves the numbers of planned functions.
 *
 * Functions that filters exclude are never patched, so they cost nothing.
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
	uint64_t offset;  /* address in the object */
	uint32_t program; /* number in sites; 0 none yet */
};

struct patch_plan {
	const struct event_request *request;
	struct event_sites *sites; /* borrowed; set before the first plan */
	struct patch_numbered *functions;
	size_t count, alloc;
	bool *fits; /* by pattern: it matched a function */
	uint64_t ends_unknown; /* functions with ends that are not patched */
	uint64_t outcomes[PATCH_OUTCOMES];
	struct strbuf refused; /* names of the first functions that could not be patched */
	size_t refused_count;
};

void patch_plan_init(struct patch_plan *plan, const struct event_request *request);
void patch_plan_release(struct patch_plan *plan);
/* An event_planner (objects.h) of kind EVENT_PLAN_FUNCTIONS; argument is the patch_plan. */
bool patch_plan_object(void *argument, struct object *object, struct strbuf *text);
/* Returns the program (number in sites) of a function by its number; 0: no such number. */
uint32_t patch_plan_program(struct patch_plan *plan, uint64_t number);
/*
 * At the session's end: notes what could not be done. table: what processes
 * report; NULL: nothing.
 */
void patch_plan_notes(const struct patch_plan *plan, const struct event_objects_area *table,
		      struct engine *engine, struct snapshot *snapshot);

#endif
