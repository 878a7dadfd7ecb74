/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks the interpreter of Python scripts when a script begins. */
#include "agent/events/event-python-data.h"

/* Key in an interpreter's dictionary that records that it was hooked. */
#define FACT "vigil.events"

/* Hooks an interpreter that was not seen before; returns false on failure. */
static bool hook_interpreter(python_object *facts)
{
	ssize_t index = python.request_extra(NULL);
	python_object *number;

	if (python_extra < 0)
		python_extra = index;
	number = python.make_number((long)index);
	if (!number)
		return false;
	if (python.set_item(facts, FACT, number) == 0 && index >= 0 && index == python_extra) {
		if (python_minor < PYTHON_MONITORING)
			python_profile_interpreter();
		else
			python_monitor();
	}
	python.drop(number);
	return true;
}

/* Called when a script begins: hooks its interpreter, unless that was done. */
static void begin_script(void)
{
	python_object *facts = python.interpreter_facts(python.interpreter()), *number;

	python_internal = true;
	number = facts ? python.get_item(facts, FACT) : NULL;
	if (!number && facts && hook_interpreter(facts))
		number = python.get_item(facts, FACT);
	if (number && python_extra >= 0 && python.number(number) == python_extra &&
	    python_minor < PYTHON_MONITORING)
		python_profile();
	python.clear_error();
	python_internal = false;
}

/*
 * The memory of the hook. The interpreter allocates it before its allocators are
 * chosen (-X dev, PYTHONMALLOC) and would free it with the allocators chosen
 * later: so it is taken from here, and no allocator sees it.
 */
static _Alignas(16) char hook_memory[64];
static bool hook_given;
static struct python_allocator allocator;

static void *take_memory(void *context, size_t size)
{
	if (hook_given || size > sizeof(hook_memory))
		return allocator.malloc(context, size);
	hook_given = true;
	return hook_memory;
}

static void give_back(void *context, void *memory)
{
	if (memory != hook_memory)
		allocator.free(context, memory);
}

/* Called when the hooks are about to be freed, by whatever allocator is current. */
static void keep_hook(void)
{
	struct python_allocator ours;

	python.get_allocator(0, &allocator);
	if (allocator.free == give_back)
		return;
	ours = allocator;
	ours.free = give_back;
	python.set_allocator(0, &ours);
}

static bool is_event(const char *event, const char *other)
{
	return strcmp(event, other) == 0;
}

/* The audit hook: the interpreter reports what it is about to do; it holds its lock. */
static int on_audit(const char *event, python_object *arguments UNUSED, void *data UNUSED)
{
	if (python_internal || !event_has_monitor())
		return 0;
	/* Code that is not called from Python: a script, a command, a text that a program runs. */
	if (is_event(event, "exec") ? !python.frame() : is_event(event, "cpython.run_module"))
		begin_script();
	else if (is_event(event, "cpython._PySys_ClearAuditHooks"))
		keep_hook();
	else if (python_minor >= PYTHON_MONITORING || python_extra < 0)
		return 0;
	else if (is_event(event, "sys.setprofile"))
		python_profile_displaced(false);
	else if (is_event(event, "sys.settrace"))
		python_profile_displaced(true);
	return 0;
}

void event_python_begin(void)
{
	struct python_allocator ours;

	if ((!event_area->functions && !event_area->statements) || !python_find())
		return;
	python.get_allocator(0, &allocator);
	ours = allocator;
	ours.malloc = take_memory;
	python.set_allocator(0, &ours);
	python.add_audit_hook(on_audit, NULL);
	python.set_allocator(0, &allocator);
}
