/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor's end of the exchange on objects (agent/event-objects-area.h):
 * answers what processes of the step ask of the files they have mapped, with
 * the plans that its planners make. Nothing that a process writes is believed
 * further than that a file is looked for.
 */
#ifndef VIGIL_EVENTS_OBJECTS_H
#define VIGIL_EVENTS_OBJECTS_H

#include "agent/event-objects-area.h"
#include "common/error.h"
#include "common/strbuf.h"
#include "engine/engine.h"
#include "events/pool.h"
#include "program/objects/object.h"

/*
 * Append a plan for an object to plan, which holds 8 bytes for its size; false
 * when there is nothing to do to it.
 */
typedef bool event_planner(void *argument, struct object *object, struct strbuf *plan);

struct event_objects {
	struct event_pool *pool;
	struct object_list *list; /* objects are taken from here; borrowed */
	struct engine *engine;
	struct event_objects_area *table; /* NULL: nobody has a planner */
	int file, bell[2];		  /* -1: none */
	uint64_t answered;		  /* entries */
	uint64_t end;			  /* of the file */
	struct {
		event_planner *plan; /* NULL: none */
		void *argument;
	} planners[EVENT_PLAN_COUNT];
};

/* Nothing is asked before event_objects_open. */
void event_objects_init(struct event_objects *objects, struct event_pool *pool);
void event_objects_release(struct event_objects *objects);
/* Give a kind of plan its planner; before event_objects_open. */
void event_objects_plan(struct event_objects *objects, enum event_plan_kind kind,
			event_planner *plan, void *argument);
/*
 * Make the table and tell the agent of it, where there is any planner: before the
 * step's process exists.
 */
int event_objects_open(struct event_objects *objects, struct error *err);
/* Answer from now on, with objects of list. */
void event_objects_watch(struct event_objects *objects, struct engine *engine,
			 struct object_list *list);
/* Answer all that is asked now; called when the bell rings. */
void event_objects_answer(struct event_objects *objects);
/* Answer no more. */
void event_objects_stop(struct event_objects *objects);

#endif
