/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a step: the monitor's side of a PROFILER block. Owns the data pool,
 * empties it during the session, and adds EVENT and EVENT_SITE rows to its
 * snapshots through the PRODUCER module "EVENTS". Tasks and transactions are those
 * of the step; TASK, PROCESS and TRANSACTION rows are made here if no sampler
 * makes them.
 */
#ifndef VIGIL_EVENTS_EVENTS_H
#define VIGIL_EVENTS_EVENTS_H

#include "engine/engine.h"
#include "events/silence.h"
#include "step/step-account.h"

#include <sys/types.h>

struct events;

/*
 * Makes the pool; call before the step's process exists. request is borrowed.
 * Returns NULL with err set on failure.
 */
struct events *events_new(const struct event_request *request, struct error *err);
void events_free(struct events *events);
/* Returns the value for VIGIL_EVENTS in the step's environment. */
const char *events_path(const struct events *events);
/* Call when the step begins. The texts in subject are borrowed. */
void events_follow(struct events *events, const struct event_subject *subject);
/*
 * Adds the module to the engine of a session of the step; step is borrowed while
 * the engine lives.
 */
int events_register(struct events *events, struct step *step, struct engine *engine,
		    struct error *err);
/* Starts or pauses collecting. */
void events_pause(struct events *events, bool pause);
/*
 * Returns the address of the time, ns, at which collecting was last started; 0:
 * not since the session began.
 */
const uint64_t *events_started(const struct events *events);
/*
 * Makes rows of all that was written until now, for a snapshot that is to show it;
 * collecting must be paused. Events of tasks that continue later get their CPU
 * time as far as it is known.
 */
void events_settle(struct events *events);
/* Returns whether a process of the step is alive, as far as events show. */
bool events_alive(const struct events *events);
/* Returns whether so many rows are ready that a snapshot should be taken at once. */
bool events_snapshot_is_due(const struct events *events);
/*
 * Empties the pool until it is empty or many rows are ready; returns whether they
 * are.
 */
bool events_take(struct events *events);
/*
 * Does the same at the end of a session. Returns whether another snapshot is to be
 * taken before the last one.
 */
bool events_end(struct events *events);

struct events_counts {
	uint64_t kept, offered, tasks, processes;
};
void events_counts(const struct events *events, struct events_counts *counts);

#endif
