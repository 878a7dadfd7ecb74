/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor's side of the exchange about objects (agent/event-objects-area.h):
 * answers the requests of the step's processes for the files they have mapped,
 * with plans made by its planners. Nothing that a process writes is trusted; it
 * only leads to a lookup of a file.
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
 * Appends a plan for an object to plan, which already has 8 bytes for its size;
 * returns false if there is nothing to do.
 */
typedef bool event_planner(void *argument, struct object *object, struct strbuf *plan);

struct event_objects {
	struct event_pool *pool;
	struct object_list *list; /* source of objects; borrowed */
	struct engine *engine;
	struct event_objects_area *table; /* NULL: there is no planner */
	int file, bell[2];		  /* -1: none */
	/* Called when the bell has rung, after requests were answered. */
	void (*heard)(void *argument);
	void *argument;
	uint64_t answered;		  /* number of entries */
	uint64_t end;			  /* size of the file */
	struct {
		event_planner *plan; /* NULL: none */
		void *argument;
	} planners[EVENT_PLAN_COUNT];
};

/* Initializes it; no request is made before event_objects_open. */
void event_objects_init(struct event_objects *objects, struct event_pool *pool);
void event_objects_release(struct event_objects *objects);
/* Sets the planner of a kind of plan; call before event_objects_open. */
void event_objects_plan(struct event_objects *objects, enum event_plan_kind kind,
			event_planner *plan, void *argument);
/*
 * Makes the table and stores its descriptor in the area, if there is any planner;
 * call before the step's process exists.
 */
int event_objects_open(struct event_objects *objects, struct error *err);
/*
 * Answers requests from now on, with objects of list; calls heard (unless NULL) each
 * time that the bell has rung.
 */
void event_objects_watch(struct event_objects *objects, struct engine *engine,
			 struct object_list *list, void (*heard)(void *argument), void *argument);
/* Answers all present requests; called when the bell rings. */
void event_objects_answer(struct event_objects *objects);
/* Stops answering. */
void event_objects_stop(struct event_objects *objects);

#endif
