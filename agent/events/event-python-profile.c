/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of Python before 3.12, through the two slots of an interpreter's thread:
 * one for a profile function, which is called for calls, and one for a trace
 * function, which is called for lines as well.
 *
 * The slots also belong to the script (cProfile, coverage, debuggers), whose use
 * of them must work. So the agent is in the slot for profile functions, or in that
 * for trace functions if lines are collected; when the script takes that slot, the
 * agent moves to the other; when it takes both, the thread is no longer reported,
 * and the session notes that.
 *
 * A new thread is found by the first frame that it evaluates. 3.11 calls Python
 * functions faster, and to any depth, while frame evaluation is not hooked: there
 * it is hooked only from pthread_create until the new thread was seen, which may
 * last if the thread never runs Python code.
 */
#include "agent/agent-next.h"
#include "agent/events/event-python-data.h"
#include "agent/events/event-threads.h"

#include <pthread.h>

AGENT_VISIBLE int pthread_create(pthread_t *id, const pthread_attr_t *attributes,
				 void *(*start)(void *), void *argument);

/* The kinds of calls of a trace function. */
enum { WRITTEN_CALL = 0, WRITTEN_LINE = 2, WRITTEN_RETURN = 3 };

enum slot { NOWHERE, PROFILE, TRACE };

/* A thread of the interpreter. */
struct thread {
	struct python_state *state; /* NULL: not seen yet */
	enum slot slot;		    /* that the agent is in */
	bool profiles, traces;	    /* the script has taken the slot */
};

static _Thread_local struct thread thread __attribute__((tls_model("initial-exec")));

/*
 * The previous function that evaluates frames. The data below is protected by the
 * interpreter's lock.
 */
static python_evaluate *next_evaluation;
static uint64_t awaited; /* threads created and not yet seen */

/* The minor version where frame evaluation is not hooked all the time. */
#define FASTER_ALONE 11

static int (*next_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int on_event(python_object *self UNUSED, python_object *frame, int what,
		    python_object *argument UNUSED)
{
	python_object *code;
	uint64_t known;

	if (what != WRITTEN_CALL && what != WRITTEN_RETURN && (what != WRITTEN_LINE || !python_lines()))
		return 0;
	code = python.code_of(frame);
	known = python_know(code);
	python.drop(code);
	if (known & PYTHON_BLOCKED)
		return 0;
	if (what == WRITTEN_LINE)
		python_report_line(known, (uint64_t)python.line_of(frame));
	else
		python_report(what == WRITTEN_CALL ? EVENT_MARK_PYTHON : EVENT_MARK_PYTHON_END, known);
	return 0;
}

/* Records what cannot be reported any more. */
static void record_loss(uint64_t lost)
{
	__atomic_fetch_or(&event_area->python, lost, __ATOMIC_RELAXED);
}

/* Moves to the better of the slots that the script has left. */
static void choose_slot(void)
{
	enum slot before = thread.slot;
	bool own = python_internal;

	if (!thread.traces && (python_lines() || thread.profiles))
		thread.slot = TRACE;
	else
		thread.slot = thread.profiles ? NOWHERE : PROFILE;
	if (python_lines() && thread.slot != TRACE)
		record_loss(EVENT_PYTHON_LINES_LOST);
	if (thread.slot == NOWHERE)
		record_loss(EVENT_PYTHON_FUNCTIONS_LOST);
	if (thread.slot == before)
		return;
	python_internal = true;
	if (thread.slot == TRACE)
		python.set_trace(on_event, NULL);
	else if (thread.slot == PROFILE)
		python.set_profile(on_event, NULL);
	python_internal = own;
}

void python_profile(void)
{
	struct python_state *state = python.state();

	if (thread.state == state)
		return;
	thread = (struct thread){ .state = state };
	choose_slot();
}

void python_profile_displaced(bool trace)
{
	if (thread.state != python.state())
		thread = (struct thread){ .state = python.state() };
	if (trace)
		thread.traces = true;
	else
		thread.profiles = true;
	choose_slot();
}

/* Interposes on the evaluation of frames: the first frame of a thread shows the thread. */
static python_object *first_frame(struct python_state *state, void *frame, int thrown)
{
	python_evaluate *next = next_evaluation;

	if (thread.state != state) {
		struct python_interpreter *interpreter = python.interpreter();

		python_profile();
		if (awaited)
			awaited--;
		if (!awaited && python_minor >= FASTER_ALONE &&
		    python.get_evaluation(interpreter) == first_frame)
			python.set_evaluation(interpreter, next);
	}
	return next(state, frame, thrown);
}

static void watch_frames(void)
{
	struct python_interpreter *interpreter = python.interpreter();
	python_evaluate *before = python.get_evaluation(interpreter);

	if (before == first_frame)
		return;
	next_evaluation = before;
	python.set_evaluation(interpreter, first_frame);
}

void python_profile_interpreter(void)
{
	if (python_minor < FASTER_ALONE)
		watch_frames();
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
		   void *argument)
{
	/* A thread of the interpreter that holds its lock creates another. */
	bool watch = thread.state && python_minor == FASTER_ALONE && python.has_lock();
	bool event_made = event_thread_made(&start, &argument);
	int result;

	agent_next(&next_create, "pthread_create");
	if (watch) {
		awaited++;
		watch_frames();
	}
	result = next_create(id, attributes, start, argument);
	if (event_made && result)
		event_thread_failed(argument);
	if (watch && result)
		awaited--;
	return result;
}
