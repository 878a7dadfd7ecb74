/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of event-python: the interpreter's functions, and how a function is reported. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_PYTHON_DATA_H
#define VIGIL_AGENT_EVENTS_EVENT_PYTHON_DATA_H

#include "agent/events/event-lane.h"
#include "agent/events/event-python.h"

#include <sys/types.h>

/* Opaque types of the interpreter. */
typedef struct python_object python_object;
struct python_state;
struct python_interpreter;

typedef int python_audit_hook(const char *event, python_object *arguments, void *data);
typedef int python_trace(python_object *self, python_object *frame, int what,
			 python_object *argument);
typedef python_object *python_evaluate(struct python_state *state, void *frame, int thrown);
typedef python_object *python_fast_call(python_object *self, python_object *const *arguments,
					ssize_t count);

/* PyMethodDef. */
struct python_method {
	const char *name;
	python_fast_call *function;
	int flags;
	const char *text;
};

/* PyMemAllocatorEx. */
struct python_allocator {
	void *context;
	void *(*malloc)(void *context, size_t size);
	void *(*calloc)(void *context, size_t count, size_t size);
	void *(*realloc)(void *context, void *memory, size_t size);
	void (*free)(void *context, void *memory);
};

/* Functions of the interpreter; event-python-code.c has their names there. */
struct python {
	const char *(*get_version)(void);
	int (*add_audit_hook)(python_audit_hook *hook, void *data);
	void (*get_allocator)(int domain, struct python_allocator *allocator);
	void (*set_allocator)(int domain, struct python_allocator *allocator);
	void (*refer)(python_object *object), (*drop)(python_object *object);
	python_object *(*attribute)(python_object *object, const char *name);
	const char *(*text)(python_object *object, ssize_t *length);
	long (*number)(python_object *object);
	python_object *(*make_number)(long number);
	void (*fetch_error)(python_object **type, python_object **value, python_object **trace);
	void (*restore_error)(python_object *type, python_object *value, python_object *trace);
	void (*clear_error)(void);
	python_object *(*frame)(void);
	python_object *(*code_of)(python_object *frame);
	int (*line_of)(python_object *frame);
	void (*set_profile)(python_trace *function, python_object *object);
	void (*set_trace)(python_trace *function, python_object *object);
	struct python_state *(*state)(void);
	int (*has_lock)(void);
	struct python_interpreter *(*interpreter)(void);
	python_object *(*interpreter_facts)(struct python_interpreter *interpreter);
	python_object *(*get_item)(python_object *map, const char *key);
	int (*set_item)(python_object *map, const char *key, python_object *value);
	ssize_t (*request_extra)(void (*end)(void *));
	int (*get_extra)(python_object *code, ssize_t index, void **extra);
	int (*set_extra)(python_object *code, ssize_t index, void *extra);
	/* Before 3.12. */
	python_evaluate *(*get_evaluation)(struct python_interpreter *interpreter);
	void (*set_evaluation)(struct python_interpreter *interpreter, python_evaluate *function);
	/* From 3.12 on. */
	python_object *(*system)(const char *name);
	python_object *(*call)(python_object *object, const char *name, const char *format, ...);
	python_object *(*make_function)(struct python_method *method, python_object *self,
					python_object *module);
};

extern struct python python;
/* The minor version. */
extern unsigned python_minor;
/* The first minor version with sys.monitoring. */
#define PYTHON_MONITORING 12
/* Index of the word that each code object has for the agent; -1: not requested yet. */
extern ssize_t python_extra;
/* The thread's present use of the interpreter is the agent's. */
extern _Thread_local bool python_internal __attribute__((tls_model("initial-exec")));

/* Finds the interpreter; returns false if there is none, or its version is not supported. */
bool python_find(void);

/* Cached data of a code object: a word that the interpreter keeps for it. */
#define PYTHON_KNOWN UINT64_C(1)
#define PYTHON_BLOCKED UINT64_C(2) /* by filters */
#define PYTHON_NUMBERED(number) ((uint64_t)(number) << 8)
#define PYTHON_NUMBER(word) ((word) >> 8)

/* Returns the word of a code object, computed at the first call. */
uint64_t python_know(python_object *code);

/* Returns whether lines are written, or counted. */
static inline bool python_lines(void)
{
	return event_area->statements != 0;
}

/* Reports that a function begins or ends, as given by mark. */
static inline void python_report(enum event_mark mark, uint64_t known)
{
	if (event_has_monitor())
		event_write(mark | event_pause_bit() | EVENT_VALUE(PYTHON_NUMBER(known)));
}

/* Reports that a line is executed. */
static inline void python_report_line(uint64_t known, uint64_t line)
{
	if (!event_active())
		return;
	if (event_area->statements == EVENT_AREA_COUNT)
		event_count((uint32_t)PYTHON_NUMBER(known));
	else
		event_write(EVENT_MARK_PYTHON_LINE | EVENT_SITE(line, PYTHON_NUMBER(known), 0));
}

/* Hooks the functions of the interpreter. */
void python_monitor(void);
/* Hooks the functions of this thread, and of threads it will create. */
void python_profile(void);
/* Hooks the threads that an interpreter's programs create; call once per interpreter. */
void python_profile_interpreter(void);
/* Call when the program is about to set its own profile function (trace: trace function). */
void python_profile_displaced(bool trace);

#endif
