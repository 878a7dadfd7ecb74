/* SPDX-License-Identifier: Apache-2.0 */
/* Notes why there are no events of programs. */
#include "common/compat.h"
#include "events/silence.h"
#include "records/event-codes.h"
#include "program/objects/preloading.h"

/* Types that need no source in the program, only the system. */
#define SYSTEM_TYPES \
	(EVENT_TYPE_BIT(EVENT_SI) | EVENT_TYPE_BIT(EVENT_ST) | EVENT_TYPE_BIT(EVENT_MP) | \
	 EVENT_TYPE_BIT(EVENT_PL) | EVENT_TYPE_BIT(EVENT_KF) | EVENT_TYPE_BIT(EVENT_KX) | \
	 EVENT_TYPE_BIT(EVENT_KT) | EVENT_TYPE_BIT(EVENT_KE) | EVENT_TYPE_BIT(EVENT_KP) | \
	 EVENT_TYPE_BIT(EVENT_KS) | EVENT_TYPE_BIT(EVENT_MB))

/* Returns where else the step can be observed. */
static const char *instead(const struct event_subject *subject)
{
	return subject->sampled ? "its samples are available" : "a request ADD samples it";
}

/* Notes that no process of the step was reached. */
static void note_unreached(const struct event_subject *subject, struct engine *engine,
			   struct snapshot *snapshot)
{
	const char *path = subject->executable, *why = path ? preloading_obstacle(path) : NULL;

	if (!path)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3180,
			      "there are no events: the step started before the session, so "
			      "vigil-events.so is not loaded; %s",
			      instead(subject));
	else if (why)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3180,
			      "there are no events: %s %s, so vigil-events.so was not loaded; %s",
			      path, why, instead(subject));
	else
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3180,
			      "there are no events: vigil-events.so was not loaded into %s; %s",
			      *path ? path : "the step's program", instead(subject));
}

void event_silence_note(const struct event_subject *subject, const struct event_request *request,
			size_t processes, const char *sources, struct engine *engine,
			struct snapshot *snapshot)
{
	/* Coverage reports itself what it misses. */
	if (request->coverage)
		return;
	if (!processes)
		note_unreached(subject, engine, snapshot);
	else if (!*sources && (!request->types || request->types & ~SYSTEM_TYPES))
		snapshot_note(
			snapshot, engine, SEVERITY_WARNING, 3181,
			"there are only events of processes: no program of the step produces "
			"others by compiler options, database calls or calls of vigil; %s",
			instead(subject));
}
