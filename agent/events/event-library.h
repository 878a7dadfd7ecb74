/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that leave an object: what a program or library imports stands as an
 * address in its table of imports (GOT), and another address there brings each
 * such call to the agent first. No name is exported for that: a program that
 * looks whether it has sqlite3_step finds what it would find without the agent.
 *
 * A hook is for a function whose parameters are known: a function of the agent
 * stands in its place. What has no hook and fits a pattern of CALLS goes through
 * a stub (event-library-calls.c).
 *
 * Objects are looked at when an image of a process begins, and when one was
 * loaded later: a program asks dlsym for what it wants of it, which has a hook
 * that looks first. dlopen itself has none: the loader looks at who calls it.
 * Nothing is hooked that the session does not want.
 *
 * Not seen: calls inside an object, as in a program with its own copy of SQLite;
 * calls by addresses that stand in data; all of a static program.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_LIBRARY_H
#define VIGIL_AGENT_EVENTS_EVENT_LIBRARY_H

#include "agent/events/event-lane.h"

struct event_hook {
	const char *name;
	void *instead;
	void *real; /* NULL while no object was seen that imports it */
};

/* The hooks of a source, and whether an area wants them. */
struct event_hooks {
	struct event_hook *hooks;
	size_t count;
	bool (*wanted)(const struct event_area *area);
};

/* All there are, listed in event-sources.c. The first one is of the loader's own functions. */
extern const struct event_hooks event_loader_hooks, event_sqlite_hooks, event_libpq_hooks, event_spawn_hooks,
	event_signal_hooks, event_thread_hooks;

/* How often objects were unloaded: what was found in one may be there no longer. */
extern uint32_t event_library_unloaded;

/*
 * Put hooks of some sources into the objects that are there, and into those that will be; to be called when
 * an image of a process begins. sources stays the caller's, and as it is.
 */
void event_library_begin(const struct event_hooks *const sources[], size_t count);
/* The function name of the object in which function lies; NULL: it has none. */
void *event_library_beside(const void *function, const char *name);
/*
 * The stub to be called instead of the function name of a library (path of its
 * file) at target; 0: its calls are not wanted, or cannot be told.
 */
uint64_t event_library_stub(const char *library, const char *name, uint64_t target);

/* Get ready for stubs, and find out what a call through one costs; before the program begins. */
void event_calls_measure(void);

/* Data of an event: a word, then a text, which is cut, with dots at its end, where it is too long.
 */
void event_write_word(enum event_mark mark, int32_t number, uint64_t word, const char *text);

#endif
