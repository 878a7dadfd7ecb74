/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the interpreter's functions by their names, and caches data of its programs' functions. */
#include "agent/agent-text.h"
#include "agent/event-program-area.h"
#include "agent/events/event-blocked.h"
#include "agent/events/event-names.h"
#include "agent/events/event-python-data.h"

#include <dlfcn.h>
#include <unistd.h>

struct python python;
unsigned python_minor;
ssize_t python_extra = -1;
_Thread_local bool python_internal __attribute__((tls_model("initial-exec")));

/* Minor version of the first supported Python 3. */
#define FIRST_MINOR 9

/* Versions that have a function: all supported ones, or those before or from 3.12. */
enum versions { ALL, BEFORE, FROM };

static const struct {
	const char *name;
	size_t at; /* offset in struct python */
	enum versions versions;
} functions[] = {
#define FUNCTION(member, name, versions) \
	{ \
		name, offsetof(struct python, member), versions \
	}
	FUNCTION(add_audit_hook, "PySys_AddAuditHook", ALL),
	FUNCTION(get_allocator, "PyMem_GetAllocator", ALL),
	FUNCTION(set_allocator, "PyMem_SetAllocator", ALL),
	FUNCTION(refer, "Py_IncRef", ALL),
	FUNCTION(drop, "Py_DecRef", ALL),
	FUNCTION(attribute, "PyObject_GetAttrString", ALL),
	FUNCTION(text, "PyUnicode_AsUTF8AndSize", ALL),
	FUNCTION(number, "PyLong_AsLong", ALL),
	FUNCTION(make_number, "PyLong_FromLong", ALL),
	FUNCTION(fetch_error, "PyErr_Fetch", ALL),
	FUNCTION(restore_error, "PyErr_Restore", ALL),
	FUNCTION(clear_error, "PyErr_Clear", ALL),
	FUNCTION(frame, "PyEval_GetFrame", ALL),
	FUNCTION(state, "PyThreadState_Get", ALL),
	FUNCTION(has_lock, "PyGILState_Check", ALL),
	FUNCTION(interpreter, "PyInterpreterState_Get", ALL),
	FUNCTION(interpreter_facts, "PyInterpreterState_GetDict", ALL),
	FUNCTION(get_item, "PyDict_GetItemString", ALL),
	FUNCTION(set_item, "PyDict_SetItemString", ALL),
	FUNCTION(code_of, "PyFrame_GetCode", BEFORE),
	FUNCTION(line_of, "PyFrame_GetLineNumber", BEFORE),
	FUNCTION(set_profile, "PyEval_SetProfile", BEFORE),
	FUNCTION(set_trace, "PyEval_SetTrace", BEFORE),
	FUNCTION(request_extra, "_PyEval_RequestCodeExtraIndex", BEFORE),
	FUNCTION(get_extra, "_PyCode_GetExtra", BEFORE),
	FUNCTION(set_extra, "_PyCode_SetExtra", BEFORE),
	FUNCTION(get_evaluation, "_PyInterpreterState_GetEvalFrameFunc", BEFORE),
	FUNCTION(set_evaluation, "_PyInterpreterState_SetEvalFrameFunc", BEFORE),
	FUNCTION(request_extra, "PyUnstable_Eval_RequestCodeExtraIndex", FROM),
	FUNCTION(get_extra, "PyUnstable_Code_GetExtra", FROM),
	FUNCTION(set_extra, "PyUnstable_Code_SetExtra", FROM),
	FUNCTION(system, "PySys_GetObject", FROM),
	FUNCTION(call, "PyObject_CallMethod", FROM),
	FUNCTION(make_function, "PyCFunction_NewEx", FROM),
#undef FUNCTION
};

/* Sets member, a pointer to a function, to the one with a name; returns false if there is none. */
static bool find(void *member, const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	memcpy(member, &found, sizeof(found));
	return found != NULL;
}

/* Returns the minor version of Python 3 in "3.11.2 (main, ..."; 0: it is another. */
static unsigned minor_of(const char *version)
{
	unsigned minor = 0;

	if (version[0] != '3' || version[1] != '.')
		return 0;
	for (version += 2; *version >= '0' && *version <= '9' && minor < 1000; version++)
		minor = minor * 10 + (unsigned)(*version - '0');
	return minor;
}

bool python_find(void)
{
	if (!find(&python.get_version, "Py_GetVersion"))
		return false;
	python_minor = minor_of(python.get_version());
	if (python_minor < FIRST_MINOR)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		enum versions here = python_minor < PYTHON_MONITORING ? BEFORE : FROM;

		if (functions[i].versions != ALL && functions[i].versions != here)
			continue;
		if (!find((char *)&python + functions[i].at, functions[i].name))
			return false;
	}
	return true;
}

/* Appends an attribute that is a text; ? if it cannot be shown. */
static void add_attribute(struct agent_text *text, python_object *code, const char *name)
{
	python_object *value = python.attribute(code, name);
	ssize_t length = 0;
	const char *found = value ? python.text(value, &length) : NULL;

	if (found && strlen(found) == (size_t)length)
		agent_text_add(text, found);
	else
		agent_text_add(text, "?");
	if (value)
		python.drop(value);
	python.clear_error();
}

static uint64_t number_of(python_object *code, const char *name)
{
	python_object *value = python.attribute(code, name);
	long number = value ? python.number(value) : 0;

	if (value)
		python.drop(value);
	python.clear_error();
	return number > 0 ? (uint64_t)number : 0;
}

/* Gets the path of the file that a code object was made from, or its placeholder: "<string>". */
static void put_file(struct agent_text *path, python_object *code)
{
	char name[PATH_MAX], folder[PATH_MAX];
	struct agent_text file = agent_text_in(name, sizeof(name));
	ssize_t length;

	add_attribute(&file, code, "co_filename");
	if (*name != '/' && *name != '<') {
		length = readlink("/proc/self/cwd", folder, sizeof(folder) - 1);
		folder[length > 0 ? length : 0] = '\0';
		agent_text_add(path, folder);
		agent_text_add(path, "/");
	}
	agent_text_add(path, name);
}

/* Returns whether a file belongs to the run time: modules of Python and installed packages. */
static bool is_run_time(const char *path)
{
	return strncmp(path, "<frozen", 7) == 0 || event_filter_python_folder(path);
}

/*
 * Builds the text that identifies a function to the monitor (event-program-area.h); *length: of the
 * text. Returns whether filters block it.
 */
static bool describe(python_object *code, char *text, size_t size, size_t *length)
{
	char path[PATH_MAX], name[EVENT_TEXT_MAX], line[24];
	struct agent_text file = agent_text_in(path, sizeof(path));
	struct agent_text called = agent_text_in(name, sizeof(name));
	struct agent_text first = agent_text_in(line, sizeof(line));
	bool module;

	add_attribute(&called, code, python_minor >= 11 ? "co_qualname" : "co_name");
	put_file(&file, code);
	module = strcmp(name, "<module>") == 0;
	if (module) {
		called = agent_text_in(name, sizeof(name));
		agent_text_add(&called, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	}
	agent_text_number(&first, module ? 0 : number_of(code, "co_firstlineno"), 1);
	*length = event_program_join(text, size, (const char *const[]){ name, "", path, line },
				     EVENT_PROGRAM_PARTS);
	return (!event_area->run_time && is_run_time(path)) || event_is_blocked(name, path);
}

/* Returns the word for a code object that was never seen. */
static uint64_t learn(python_object *code)
{
	char text[EVENT_TEXT_MAX + PATH_MAX];
	size_t length;
	python_object *type, *value, *trace;
	uint64_t known = PYTHON_KNOWN;
	int saved = errno;

	python.fetch_error(&type, &value, &trace);
	python_internal = true;
	if (describe(code, text, sizeof(text), &length))
		known |= PYTHON_BLOCKED;
	else
		known |= PYTHON_NUMBERED(event_name(text, length));
	if (python.set_extra(code, python_extra, (void *)(uintptr_t)known) < 0)
		python.clear_error();
	python_internal = false;
	python.restore_error(type, value, trace);
	errno = saved;
	return known;
}

uint64_t python_know(python_object *code)
{
	void *extra = NULL;

	if (python.get_extra(code, python_extra, &extra) == 0 && extra)
		return (uintptr_t)extra;
	return learn(code);
}
