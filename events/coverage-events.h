/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by statement events: removes the events of a session from its
 * snapshots, counts the statement events by statement, and makes rows of them at
 * the end of the last snapshot. Statements that were never executed have no
 * events, so such a program is partial.
 */
#ifndef VIGIL_EVENTS_COVERAGE_EVENTS_H
#define VIGIL_EVENTS_COVERAGE_EVENTS_H

#include "common/idmap.h"
#include "engine/engine.h"

/* Programs, statements and places covered by events have ids from here on. */
#define COVERAGE_IDS_FIRST (UINT64_C(1) << 32)

/* A statement that was executed. */
struct coverage_counted {
	uint64_t program;		/* index in rows */
	uint64_t procedure, file, verb; /* strings of the engine */
	uint64_t line, ordinal, count;
};

struct coverage_events {
	struct engine *engine;
	struct idmap sites;    /* EVENT_SITE -> index of the statement + 1; 0: not a statement */
	struct idmap programs; /* key of a program -> its index */
	struct recordset rows; /* COVERAGE_PROGRAM */
	struct coverage_counted *statements;
	size_t count, alloc;
};

void coverage_events_init(struct coverage_events *events, struct engine *engine);
void coverage_events_release(struct coverage_events *events);
/* Takes the events of a snapshot. */
void coverage_events_apply(struct coverage_events *events, struct snapshot *snapshot);
/* Returns whether a program of an object (folder and name) has had events. */
bool coverage_events_have(const struct coverage_events *events, const char *library,
			  const char *object);
/* Leaves out the programs of an object, since it is covered by places. */
void coverage_events_forget(struct coverage_events *events, const char *library,
			    const char *object);
/* Adds the rows of all programs to a snapshot. */
void coverage_events_put(const struct coverage_events *events, struct snapshot *snapshot);

#endif
