/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the sources of events that begin with a process, and the tables of hooks. */
#include "agent/events/event-sources.h"
#include "agent/events/event-library.h"
#include "agent/events/event-objects.h"
#include "agent/events/event-python.h"

#if defined(__x86_64__)

/* Sources of calls that leave an object. */
static const struct event_hooks *const hooks[] = { &event_loader_hooks, &event_sqlite_hooks,
						   &event_libpq_hooks, &event_spawn_hooks,
						   &event_signal_hooks, &event_thread_hooks };

static void hook_libraries(void)
{
	event_library_begin(hooks, ARRAY_SIZE(hooks));
}

#else

static void hook_libraries(void) {}

#endif

void event_sources_begin(void)
{
	event_objects_begin();
	event_python_begin();
	hook_libraries();
}
