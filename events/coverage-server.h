/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor's side of coverage by places (agent/coverage-area.h): has the
 * coverage area, reads the statements of each object that a process asks for,
 * once, and keeps what is executed. A thread of its own does so, as processes
 * wait for it and reading may take long; it also plants breakpoints in processes
 * that run already when collecting is started from outside.
 *
 * All is memory of the monitor's: what was marked stays, however a process ends.
 */
#ifndef VIGIL_EVENTS_COVERAGE_SERVER_H
#define VIGIL_EVENTS_COVERAGE_SERVER_H

#include "agent/coverage-area.h"
#include "common/error.h"
#include "events/coverage-served.h"
#include "step/changes.h"

struct coverage_server;

/* changes: of the step, which is started by them; borrowed; NULL none, and it always goes on. */
struct coverage_server *coverage_server_new(const struct event_request *request,
					    const struct changes *changes, struct error *err);
void coverage_server_free(struct coverage_server *server);
/* What VIGIL_COVERAGE must say in the step's environment. */
const char *coverage_server_path(const struct coverage_server *server);
/* Object number index, counted from 0; NULL: there are no more yet. */
struct coverage_served *coverage_server_object(struct coverage_server *server, size_t index);
/* The area, for its statistics. */
const struct coverage_area *coverage_server_area(const struct coverage_server *server);
/* Start or pause, where the step has no word of its own. */
void coverage_server_pause(struct coverage_server *server, bool pause);

#endif
