/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where events happen: assigns an EVENT_SITE to each place, once. The decoder asks
 * for the site of an event type at a program or function; programs and functions
 * are identified when they are first seen.
 */
#ifndef VIGIL_EVENTS_SITES_H
#define VIGIL_EVENTS_SITES_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "events/pool.h"
#include "program/names/names.h"
#include "program/objects/space.h"
#include "records/record-types.h"

/* A program or function: the program of events. */
struct event_program {
	uint64_t kind; /* enum event_kind */
	char *library, *name, *object, *source;
	uint64_t sites[EVENT_TYPE_COUNT]; /* by type: of events with no place in it; 0 none yet */
	uint64_t line; /* of a function; 0 unknown */
};

struct event_sites {
	const struct event_pool *pool;
	struct engine *engine;
	struct object_list objects;
	struct names *names;
	struct event_program **programs; /* by number - 1 */
	size_t program_count, program_alloc;
	struct idmap by_name;	 /* number of a name in the pool -> program */
	struct idmap by_address; /* object and offset -> program */
	struct idmap by_key;	 /* all that identifies a site -> site */
	uint64_t count;		 /* number of sites */
	struct recordset rows;	 /* EVENT_SITE rows not yet taken */
};

void event_sites_init(struct event_sites *sites, const struct event_pool *pool,
		      struct engine *engine);
void event_sites_release(struct event_sites *sites);
/*
 * Returns the number of a COBOL program or Python function, by the agent's name
 * for it, one item a line: program, source and object, or function, "", file and
 * line (0: a module body).
 */
uint32_t event_sites_program(struct event_sites *sites, uint32_t name);
/* Returns the number of the function at address of a process whose mappings are space. */
uint32_t event_sites_function(struct event_sites *sites, struct space *space, uint64_t address);
/* Does the same for an address in an object. */
uint32_t event_sites_function_of(struct event_sites *sites, struct object *object, uint64_t offset);
/* Reads what the names of an object's functions are taken from, so that the first one is found soon. */
void event_sites_prepare(struct event_sites *sites, struct object *object, uint64_t offset);
/* Returns the number of a program that is an executable file. */
uint32_t event_sites_executable(struct event_sites *sites, uint32_t name);
/* A place in a program, as written by the agent: numbers of its names; 0 unknown or none. */
struct event_place {
	uint64_t line;
	uint32_t file, procedure, statement, database;
};

/* Returns the site of an event type at a program (0: none); place NULL: at no place in it. */
uint64_t event_sites_get(struct event_sites *sites, unsigned type, uint32_t program,
			 const struct event_place *place);
/* At the end: adds a site for each program whose statements were counted. */
void event_sites_count(struct event_sites *sites);
/* Returns the program with a number; NULL for 0. */
const struct event_program *event_sites_at(const struct event_sites *sites, uint32_t program);

#endif
