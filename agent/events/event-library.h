/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that leave an object: each import of a program or library is an address in
 * its table of imports (GOT), and replacing the address directs each such call to
 * the agent first. No name is exported for that: a program that checks whether it
 * has sqlite3_step finds what it would find without the agent.
 *
 * A hook is for a function whose parameters are known: a function of the agent
 * replaces it. A function that has no hook and matches a pattern of CALLS goes
 * through a stub (event-library-calls.c).
 *
 * Objects are scanned when a process image begins, and after one was loaded later:
 * a program calls dlsym for the functions it uses, which has a hook that scans
 * first. dlopen itself has none: the loader looks at its caller. Nothing is hooked
 * that the session does not collect.
 *
 * Not covered: calls inside an object, as in a program with its own copy of
 * SQLite; calls through addresses in data; static programs.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_LIBRARY_H
#define VIGIL_AGENT_EVENTS_EVENT_LIBRARY_H

#include "agent/events/event-lane.h"

struct event_hook {
	const char *name;
	void *instead;
	void *real; /* NULL until an object that imports it is seen */
};

/* The hooks of a source, and whether an area collects them. */
struct event_hooks {
	struct event_hook *hooks;
	size_t count;
	bool (*wanted)(const struct event_area *area);
};

/* All hooks, listed in event-sources.c. The first one is for the loader's own functions. */
extern const struct event_hooks event_loader_hooks, event_sqlite_hooks, event_libpq_hooks, event_spawn_hooks,
	event_signal_hooks, event_thread_hooks;

/* Number of unloads of objects: what was found in one may be gone. */
extern uint32_t event_library_unloaded;

/*
 * Installs the hooks of some sources in all objects, present and future; call when
 * a process image begins. sources stays the caller's, and must not change.
 */
void event_library_begin(const struct event_hooks *const sources[], size_t count);
/* Returns the function name of the object that contains function; NULL: it has none. */
void *event_library_sibling(const void *function, const char *name);
/*
 * Returns the stub to call instead of the function name at target, of a library
 * (path of its file); 0: its calls are not collected, or cannot be reported.
 */
uint64_t event_library_stub(const char *library, const char *name, uint64_t target);

/*
 * Prepares for stubs, and measures the cost of a call through one; call before the
 * program begins.
 */
void event_calls_measure(void);

/*
 * Writes an event with data: a word, then a text; a text that is too long is
 * truncated and ends with dots.
 */
void event_write_word(enum event_mark mark, int32_t number, uint64_t word, const char *text);

#endif
