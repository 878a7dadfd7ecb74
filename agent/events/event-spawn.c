/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of processes started without fork: by posix_spawn, and by system and
 * popen, which use it within the C library.
 */
#include "agent/events/event-library.h"

#include <spawn.h>
#include <stdio.h>

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const *, char *const *);
typedef int system_function(const char *);
typedef FILE *popen_function(const char *, const char *);

static spawn_function hooked_posix_spawn, hooked_posix_spawnp;
static system_function hooked_system;
static popen_function hooked_popen;

enum { SPAWN, SPAWNP, SYSTEM, POPEN, FUNCTION_COUNT };

static struct event_hook hooks[] = {
	{ "posix_spawn", (void *)(uint64_t)hooked_posix_spawn, NULL },
	{ "posix_spawnp", (void *)(uint64_t)hooked_posix_spawnp, NULL },
	{ "system", (void *)(uint64_t)hooked_system, NULL },
	{ "popen", (void *)(uint64_t)hooked_popen, NULL },
};

static bool wanted(const struct event_area *area)
{
	return area->spawns;
}

const struct event_hooks event_spawn_hooks = { hooks, FUNCTION_COUNT, wanted };

#define REAL(type, function) ((type *)hooks[function].real)

/* Reports the program started, and its process id; 0 unknown. */
static void report_spawn(pid_t child, const char *what)
{
	if (event_active())
		event_write_word(EVENT_MARK_SPAWN, child, 0, what);
}

static int spawn(int function, pid_t *child, const char *path,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const *arguments, char *const *environment)
{
	pid_t own = 0;
	int code = REAL(spawn_function, function)(&own, path, actions, attributes, arguments,
						  environment);

	if (code)
		return code;
	if (child)
		*child = own;
	report_spawn(own, path);
	return 0;
}

static int hooked_posix_spawn(pid_t *child, const char *path,
			      const posix_spawn_file_actions_t *actions,
			      const posix_spawnattr_t *attributes, char *const *arguments,
			      char *const *environment)
{
	return spawn(SPAWN, child, path, actions, attributes, arguments, environment);
}

static int hooked_posix_spawnp(pid_t *child, const char *path,
			       const posix_spawn_file_actions_t *actions,
			       const posix_spawnattr_t *attributes, char *const *arguments,
			       char *const *environment)
{
	return spawn(SPAWNP, child, path, actions, attributes, arguments, environment);
}

static int hooked_system(const char *command)
{
	/* Without a command the call only asks whether there is a shell. */
	if (command)
		report_spawn(0, command);
	return REAL(system_function, SYSTEM)(command);
}

static FILE *hooked_popen(const char *command, const char *mode)
{
	if (command)
		report_spawn(0, command);
	return REAL(popen_function, POPEN)(command, mode);
}
