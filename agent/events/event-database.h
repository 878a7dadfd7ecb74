/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of database calls, for the hooks of a library (event-library.h).
 *
 * Each call of a wanted function is a DB event and, when it returns, a DA event
 * with its return code: the time between them is time in the database. A text
 * goes along once for a statement, and with what fails; a further call for the
 * same statement (another row) writes two plain events.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_DATABASE_H
#define VIGIL_AGENT_EVENTS_EVENT_DATABASE_H

#include "agent/events/event-library.h"

/*
 * A call begins. function: a constant, its name. key: what stands for the
 * statement; text: of it. NULL: that of the last call with the key; database: its
 * name, NULL unknown. Returns whether events are collected.
 */
bool event_database_begins(const char *function, const void *key, const char *text,
			   const char *database);
/* The call ends; error: a text for what failed, NULL none. */
void event_database_ends(const char *function, int32_t code, const char *error);

/* A function of a library that says more of a call, and where the pointer to it is. */
struct database_function {
	const char *name;
	void *pointer;
};

/* Find functions beside one of their library, once for a library that is loaded; *found begins as
 * 0. */
void event_database_find(const struct database_function *functions, size_t count, uint32_t *found,
			 const void *beside);

/* Whether an area wants database calls. */
bool event_database_wanted(const struct event_area *area);

#endif
