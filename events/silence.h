/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a session has no events of programs: no process could be reached, or none
 * makes the requested events. Reported as a note at the end of a session.
 */
#ifndef VIGIL_EVENTS_SILENCE_H
#define VIGIL_EVENTS_SILENCE_H

#include "engine/engine.h"
#include "events/event-request.h"

/* The step whose events the session collects. Texts are borrowed. */
struct event_subject {
	pid_t root;		/* the step's first process */
	const char *executable; /* its file; "" unknown; NULL it ran before the session began */
	bool sampled;		/* samples are taken, too */
};

/*
 * Adds the note, if there is a reason for one. processes: number of processes that
 * reported their begin; sources: names of those that made events, "" none.
 */
void event_silence_note(const struct event_subject *subject, const struct event_request *request,
			size_t processes, const char *sources, struct engine *engine,
			struct snapshot *snapshot);

#endif
