/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes what the agent writes about calls that leave an object
 * (agent/events/event-library.h): database calls, calls between libraries, spawned
 * processes, and signals. The text of a statement is written once; it is kept here
 * for further calls.
 */
#ifndef VIGIL_EVENTS_LIBRARY_EVENTS_H
#define VIGIL_EVENTS_LIBRARY_EVENTS_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "events/pool.h"

struct library_statement;

struct library_events {
	const struct event_pool *pool;
	struct engine *engine;
	bool shapes;	       /* statements without their values */
	struct idmap by_key;   /* process and statement -> index in statements */
	struct idmap by_names; /* function and library -> string */
	struct library_statement *statements;
	size_t count, alloc;
	bool database, calls, spawns, signals; /* sources that were seen */
};

/* A decoded event; its names are numbers of the pool, 0 none. */
struct library_event {
	unsigned type; /* enum event_type */
	uint32_t statement, database;
	int64_t code;  /* INT64_MIN none */
	uint64_t data; /* string of the engine, 0 none */
};

void library_events_init(struct library_events *events, const struct event_pool *pool,
			 struct engine *engine);
void library_events_release(struct library_events *events);
/*
 * Decodes the event that begins at slot, of a process (any number that identifies
 * its image). *database: name of the last database of the task, which the caller
 * keeps.
 */
struct library_event library_events_read(struct library_events *events, uint64_t process,
					 const struct event_slot *slot, uint32_t *database);

#endif
