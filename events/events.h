/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a step: the monitor's side of what a PROFILER block asks for. Has
 * the data pool, empties it while the session goes on, and brings EVENT and
 * EVENT_SITE rows into its snapshots by the PRODUCER module "EVENTS". With a
 * sampler in the same engine its TASK rows are those of the sampler; without
 * one it makes TASK and PROCESS rows of its own.
 */
#ifndef VIGIL_EVENTS_EVENTS_H
#define VIGIL_EVENTS_EVENTS_H

#include "engine/engine.h"
#include "events/event-request.h"

#include <sys/types.h>

struct events;

/*
 * Make the pool, before the step's process exists. The request is borrowed.
 * transactions: path of the area in which the step tells its transactions, and
 * is started and paused; NULL: there is none.
 */
struct events *events_new(const struct event_request *request, const char *transactions,
			  struct error *err);
void events_free(struct events *events);
/* What VIGIL_EVENTS must say in the step's environment. */
const char *events_path(const struct events *events);
/* The step begins with process root. */
void events_follow(struct events *events, pid_t root);
/* Add the module to an engine. */
int events_register(struct events *events, struct engine *engine, struct error *err);
/* Start and pause collecting. */
void events_pause(struct events *events, bool pause);
/* Whether a process of the step is alive, as far as events tell. */
bool events_alive(const struct events *events);
/* Whether so much was read that a snapshot should be taken at once. */
bool events_are_many(const struct events *events);

struct events_counts {
	uint64_t kept, offered, tasks, processes;
};
void events_counts(const struct events *events, struct events_counts *counts);

#endif
