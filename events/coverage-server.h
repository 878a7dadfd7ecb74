/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor's side of coverage by places (agent/coverage-area.h): owns the
 * coverage area, reads the statements of each object that a process requests,
 * once, and keeps the marks of what is executed. A separate thread does this,
 * since processes wait for it and reading may take long; it also plants
 * breakpoints in processes that are already running when collecting is started
 * from outside.
 *
 * All memory belongs to the monitor: marks stay, however a process ends.
 */
#ifndef VIGIL_EVENTS_COVERAGE_SERVER_H
#define VIGIL_EVENTS_COVERAGE_SERVER_H

#include "agent/coverage-area.h"
#include "common/error.h"
#include "events/coverage-served.h"
#include "step/changes.h"

struct coverage_server;

/*
 * changes: of the step, which start coverage; borrowed; NULL: none, and it is
 * always active. Returns NULL with err set on failure.
 */
struct coverage_server *coverage_server_new(const struct event_request *request,
					    const struct changes *changes, struct error *err);
void coverage_server_free(struct coverage_server *server);
/* Returns the value for VIGIL_COVERAGE in the step's environment. */
const char *coverage_server_path(const struct coverage_server *server);
/* Returns the object at an index, from 0; NULL: there are no more yet. */
struct coverage_served *coverage_server_object(struct coverage_server *server, size_t index);
/* Returns the area, for its statistics. */
const struct coverage_area *coverage_server_area(const struct coverage_server *server);
/* Starts or pauses coverage, if the step has no transaction area. */
void coverage_server_pause(struct coverage_server *server, bool pause);

#endif
