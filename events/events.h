/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a step: the monitor's side of what a PROFILER block asks for. Has
 * the data pool, empties it while the session goes on, and brings EVENT and
 * EVENT_SITE rows into its snapshots by the PRODUCER module "EVENTS". Tasks and
 * transactions are those of the step; TASK, PROCESS and TRANSACTION rows are made
 * here of what no sampler makes them of.
 */
#ifndef VIGIL_EVENTS_EVENTS_H
#define VIGIL_EVENTS_EVENTS_H

#include "engine/engine.h"
#include "events/silence.h"
#include "step/step-account.h"

#include <sys/types.h>

struct events;

/* Make the pool, before the step's process exists. The request is borrowed. */
struct events *events_new(const struct event_request *request, struct error *err);
void events_free(struct events *events);
/* What VIGIL_EVENTS must say in the step's environment. */
const char *events_path(const struct events *events);
/* The step begins. What the texts point at is borrowed. */
void events_follow(struct events *events, const struct event_subject *subject);
/* Add the module to the engine of a session of the step, which is borrowed while the engine lives. */
int events_register(struct events *events, struct step *step, struct engine *engine,
		    struct error *err);
/* Start and pause collecting. */
void events_pause(struct events *events, bool pause);
/* Where it stands when collecting was started last, ns; 0: not since the session began. */
const uint64_t *events_started(const struct events *events);
/*
 * Make rows of all that was written until now, for a snapshot that is to show it: collecting is
 * paused. Events of a task that goes on later have had their CPU time then as far as it is known.
 */
void events_settle(struct events *events);
/* Whether a process of the step is alive, as far as events tell. */
bool events_alive(const struct events *events);
/* Whether so much was read that a snapshot should be taken at once. */
bool events_are_many(const struct events *events);
/* Empty the pool until it is empty or so much was read; whether it was. For who ends a session. */
bool events_take(struct events *events);

struct events_counts {
	uint64_t kept, offered, tasks, processes;
};
void events_counts(const struct events *events, struct events_counts *counts);

#endif
