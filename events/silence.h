/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a session has no events of programs: none could be reached, or none makes
 * the events that are wanted. Told at the end of a session, as a note.
 */
#ifndef VIGIL_EVENTS_SILENCE_H
#define VIGIL_EVENTS_SILENCE_H

#include "engine/engine.h"
#include "events/event-request.h"

/* What the session collects events of. Texts are borrowed. */
struct event_subject {
	pid_t root;		/* the step's first process */
	const char *executable; /* its file; "" not known; NULL it ran before the session began */
	bool sampled;		/* samples are taken too */
};

/*
 * Add the note, if there is a reason for one. processes: how many told that they began; sources:
 * names of those that made events, "" none.
 */
void event_silence_note(const struct event_subject *subject, const struct event_request *request,
			size_t processes, const char *sources, struct engine *engine,
			struct snapshot *snapshot);

#endif
