/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statement coverage of a step (INIT COVERAGE=ON): adds COVERAGE_PROGRAM,
 * COVERAGE_STATEMENT and COVERAGE_PLACE rows to a session's snapshots. Programs
 * with line information are covered by places (coverage-server.h); COBOL programs
 * without it, but compiled with -ftraceall, by their statement events
 * (coverage-events.h). If a program has both, only places are used: its statement
 * events are not even written.
 *
 * Rows are added when an object was read, and again when parts of it were
 * executed: a data set of a killed session is right up to that point.
 */
#ifndef VIGIL_EVENTS_COVERAGE_COLLECT_H
#define VIGIL_EVENTS_COVERAGE_COLLECT_H

#include "engine/engine.h"
#include "events/coverage-events.h"
#include "events/event-request.h"
#include "step/changes.h"

struct coverage;

/*
 * changes: of the step, which start and pause coverage; borrowed; without an area
 * coverage is always active. Returns NULL with err set on failure.
 */
struct coverage *coverage_new(const struct event_request *request, const struct changes *changes,
			      struct error *err);
void coverage_free(struct coverage *coverage);
/* Returns the value for VIGIL_COVERAGE in the step's environment. */
const char *coverage_path(const struct coverage *coverage);
/*
 * Adds the modules to an engine that has EVENTS. executable: of the step, ""
 * unknown; NULL: it was running already when the session began; it must outlive
 * the session.
 */
int coverage_register(struct coverage *coverage, struct engine *engine, const char *executable,
		      struct error *err);

#endif
