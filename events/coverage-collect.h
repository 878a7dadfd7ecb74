/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statement coverage of a step (INIT COVERAGE=ON): brings the COVERAGE_PROGRAM,
 * COVERAGE_STATEMENT and COVERAGE_PLACE rows into a session's snapshots. Of
 * programs with line information by places (coverage-server.h), of COBOL programs
 * without it, but compiled with -ftraceall, by their statement events
 * (coverage-events.h). Where a program has both, places alone are used: its
 * statement events are not written at all.
 *
 * Rows come when an object was read, and again when something of them was
 * executed: what a killed session has written is right up to then.
 */
#ifndef VIGIL_EVENTS_COVERAGE_COLLECT_H
#define VIGIL_EVENTS_COVERAGE_COLLECT_H

#include "engine/engine.h"
#include "events/coverage-events.h"
#include "events/event-request.h"
#include "step/changes.h"

struct coverage;

/* changes: of the step, which is started and paused by them; borrowed; without an area it always goes
   on. */
struct coverage *coverage_new(const struct event_request *request, const struct changes *changes,
			      struct error *err);
void coverage_free(struct coverage *coverage);
/* What VIGIL_COVERAGE must say in the step's environment. */
const char *coverage_path(const struct coverage *coverage);
/* Add the modules to an engine that has EVENTS. executable: of the step, "" unknown; NULL: it ran
   already when the session began; it outlives the session. */
int coverage_register(struct coverage *coverage, struct engine *engine, const char *executable,
		      struct error *err);

#endif
