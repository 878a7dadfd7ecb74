/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of Python 3.12 and later, through sys.monitoring (PEP 669): one tool of
 * several, alongside the script's own profilers and debuggers, in all threads.
 * Where a filter blocks a function the interpreter stops calling.
 */
#include "agent/events/event-python-data.h"

#include <dlfcn.h>

/* Tool ids without a predefined purpose. */
static const int tools[] = { 4, 3 };
/* METH_FASTCALL. */
#define FAST_CALL 0x80

static python_object *none, *disable;

/* Returns a callback's answer: continue, or never call again for this location. */
static python_object *answer(python_object *object)
{
	python.refer(object);
	return object;
}

/* Reports a function; returns blocked if it is blocked, none otherwise. */
static python_object *report_function(enum event_mark mark, python_object *code, python_object *blocked)
{
	uint64_t known = python_know(code);

	if (known & PYTHON_BLOCKED)
		return answer(blocked);
	python_report(mark, known);
	return answer(none);
}

static python_object *on_begin(python_object *self UNUSED, python_object *const *arguments,
			       ssize_t count)
{
	return count ? report_function(EVENT_MARK_PYTHON, arguments[0], disable) : answer(none);
}

static python_object *on_end(python_object *self UNUSED, python_object *const *arguments,
			     ssize_t count)
{
	return count ? report_function(EVENT_MARK_PYTHON_END, arguments[0], disable) : answer(none);
}

/*
 * An exception enters a generator, or leaves a function: these events cannot be
 * disabled by location.
 */
static python_object *on_throw(python_object *self UNUSED, python_object *const *arguments,
			       ssize_t count)
{
	return count ? report_function(EVENT_MARK_PYTHON, arguments[0], none) : answer(none);
}

static python_object *on_unwind(python_object *self UNUSED, python_object *const *arguments,
				ssize_t count)
{
	return count ? report_function(EVENT_MARK_PYTHON_END, arguments[0], none) : answer(none);
}

static python_object *on_line(python_object *self UNUSED, python_object *const *arguments,
			      ssize_t count)
{
	uint64_t known;

	if (count < 2)
		return answer(none);
	known = python_know(arguments[0]);
	if (known & PYTHON_BLOCKED)
		return answer(disable);
	python_report_line(known, (uint64_t)python.number(arguments[1]));
	return answer(none);
}

static struct {
	const char *event;
	struct python_method method;
	bool line;
} callbacks[] = {
	{ "PY_START", { "begin", on_begin, FAST_CALL, NULL }, false },
	{ "PY_RESUME", { "resume", on_begin, FAST_CALL, NULL }, false },
	{ "PY_RETURN", { "end", on_end, FAST_CALL, NULL }, false },
	{ "PY_YIELD", { "yield", on_end, FAST_CALL, NULL }, false },
	{ "PY_THROW", { "throw", on_throw, FAST_CALL, NULL }, false },
	{ "PY_UNWIND", { "unwind", on_unwind, FAST_CALL, NULL }, false },
	{ "LINE", { "line", on_line, FAST_CALL, NULL }, true },
};

/* Drops the result of a call; returns false if the call failed. */
static bool done(python_object *result)
{
	if (!result) {
		python.clear_error();
		return false;
	}
	python.drop(result);
	return true;
}

/* Takes a free tool id; returns -1 if there is none. */
static int take_tool(python_object *monitoring)
{
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (done(python.call(monitoring, "use_tool_id", "is", tools[i], "vigil")))
			return tools[i];
	return -1;
}

/* Registers the callback of an event; returns the event's bit, 0 on failure. */
static long hook(python_object *monitoring, python_object *events, int tool, size_t number)
{
	python_object *bit = python.attribute(events, callbacks[number].event), *function;
	long event = bit ? python.number(bit) : 0;

	if (!done(bit))
		return 0;
	function = python.make_function(&callbacks[number].method, NULL, NULL);
	if (!function)
		event = 0;
	else if (!done(python.call(monitoring, "register_callback", "ilO", tool, event, function)))
		event = 0;
	done(function);
	return event;
}

void python_monitor(void)
{
	python_object *monitoring = python.system("monitoring"), *events;
	long wanted = 0;
	int tool;

	none = dlsym(RTLD_DEFAULT, "_Py_NoneStruct");
	if (!none || !monitoring)
		return;
	disable = python.attribute(monitoring, "DISABLE");
	events = python.attribute(monitoring, "events");
	tool = disable && events ? take_tool(monitoring) : -1;
	for (size_t i = 0; tool >= 0 && i < ARRAY_SIZE(callbacks); i++)
		if (!callbacks[i].line || python_lines())
			wanted |= hook(monitoring, events, tool, i);
	if (tool < 0 || !done(python.call(monitoring, "set_events", "il", tool, wanted)))
		__atomic_fetch_or(&event_area->python,
				  EVENT_PYTHON_LINES_LOST | EVENT_PYTHON_FUNCTIONS_LOST,
				  __ATOMIC_RELAXED);
	done(events);
	python.clear_error();
}
