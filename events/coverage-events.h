/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by statement events: takes the events of a session out of its
 * snapshots, counts the statement events by place, and makes rows of them at the
 * end of the last snapshot. Statements that were never executed tell no events:
 * such a program is partial.
 */
#ifndef VIGIL_EVENTS_COVERAGE_EVENTS_H
#define VIGIL_EVENTS_COVERAGE_EVENTS_H

#include "common/idmap.h"
#include "engine/engine.h"

/* Programs, statements and places known by events have ids from here on. */
#define COVERAGE_IDS_FIRST (UINT64_C(1) << 32)

/* A statement that was executed. */
struct coverage_counted {
	uint64_t program;		/* number in rows */
	uint64_t procedure, file, verb; /* strings of the engine */
	uint64_t line, ordinal, count;
};

struct coverage_events {
	struct engine *engine;
	struct idmap sites;    /* EVENT_SITE -> statement, by number + 1; 0: it is none */
	struct idmap programs; /* what makes a program -> its number */
	struct recordset rows; /* COVERAGE_PROGRAM */
	struct coverage_counted *statements;
	size_t count, alloc;
};

void coverage_events_init(struct coverage_events *events, struct engine *engine);
void coverage_events_release(struct coverage_events *events);
/* Take the events of a snapshot. */
void coverage_events_apply(struct coverage_events *events, struct snapshot *snapshot);
/* Whether a program of an object (folder and name) has told events. */
bool coverage_events_know(const struct coverage_events *events, const char *library,
			  const char *object);
/* Leave the programs of an object out: more is known of it. */
void coverage_events_forget(struct coverage_events *events, const char *library,
			    const char *object);
/* Put the rows of all programs into a snapshot. */
void coverage_events_put(const struct coverage_events *events, struct snapshot *snapshot);

#endif
