/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of database calls, for the hooks of a library (event-library.h).
 *
 * Each call of a collected function is a DB event and, when it returns, a DA event
 * with its return code: the time between them is time in the database. The text is
 * written once per statement, and for failures; a further call for the same
 * statement (another row) writes two plain events.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_DATABASE_H
#define VIGIL_AGENT_EVENTS_EVENT_DATABASE_H

#include "agent/events/event-library.h"

/*
 * Reports that a call begins. function: its name, a constant. key: identifies the
 * statement; text: the statement's; NULL: that of the last call with the key;
 * database: its name, NULL unknown. Returns whether events are collected.
 */
bool event_database_begins(const char *function, const void *key, const char *text,
			   const char *database);
/* Reports that the call ends; error: the text of a failure, NULL none. */
void event_database_ends(const char *function, int32_t code, const char *error);

/* A function of a library that gives details of a call, and the address of the pointer to it. */
struct database_function {
	const char *name;
	void *pointer;
};

/*
 * Finds functions in the library that contains the function beside, once per
 * loaded library; *found must be 0 at first.
 */
void event_database_find(const struct database_function *functions, size_t count, uint32_t *found,
			 const void *sibling);

/* Returns whether an area collects database calls. */
bool event_database_wanted(const struct event_area *area);

#endif
