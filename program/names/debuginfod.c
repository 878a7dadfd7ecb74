/* SPDX-License-Identifier: Apache-2.0 */
/* Queries a debuginfod server, through elfutils' client library if it is installed. */
#include "common/compat.h"
#include "program/names/debuginfod.h"
#include "common/clock.h"

#include <dlfcn.h>

/* One object must not delay the end of a session for longer. */
#define MAX_SECONDS 30

#define LIBRARY "libdebuginfod.so.1"

struct client {
	void *(*begin)(void);
	void (*end)(void *session);
	int (*find)(void *session, const unsigned char *id, int length, char **path);
	void (*set_progress)(void *session, int (*function)(void *session, long a, long b));
	void (*set_data)(void *session, void *data);
	void *(*get_data)(void *session);
};

/* Finds one function of the library. */
static bool find_function(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

/* Finds the functions of the library; returns false if it is too old. */
static bool find_functions(void *library, struct client *client)
{
	return find_function(library, "debuginfod_begin", &client->begin) &&
	       find_function(library, "debuginfod_end", &client->end) &&
	       find_function(library, "debuginfod_find_debuginfo", &client->find) &&
	       find_function(library, "debuginfod_set_progressfn", &client->set_progress) &&
	       find_function(library, "debuginfod_set_user_data", &client->set_data) &&
	       find_function(library, "debuginfod_get_user_data", &client->get_data);
}

/*
 * Aborts when the time is over. The end time is stored in the session; the
 * library, which is already loaded, returns it.
 */
static int check_time(void *session, long a, long b)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	struct client client;
	const uint64_t *end;

	(void)a;
	(void)b;
	if (!library || !find_functions(library, &client))
		return 1;
	end = client.get_data(session);
	dlclose(library);
	return clock_monotonic_ns() > *end;
}

int debuginfod_fetch(const unsigned char *build_id, size_t length, struct strbuf *why)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	uint64_t end = clock_monotonic_ns() + MAX_SECONDS * NSEC_PER_SEC;
	struct client client;
	void *library, *session;
	int fd = -1;

	if (!urls || !urls[0])
		return -1;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library || !find_functions(library, &client)) {
		strbuf_addstr(why, "DEBUGINFOD_URLS is set but libdebuginfod is not installed");
		return -1; /* the old library stays loaded: it may not support being unloaded */
	}
	session = client.begin();
	if (session) {
		client.set_data(session, &end);
		client.set_progress(session, check_time);
		fd = client.find(session, build_id, (int)length, NULL);
		client.end(session);
	}
	if (fd < 0 && !why->length)
		strbuf_addstr(why, "debuginfod has no debug information for it");
	return fd < 0 ? -1 : fd;
}
