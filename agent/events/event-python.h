/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of functions, module bodies and lines of unmodified Python scripts:
 * CPython 3.9 and later, in the program itself or in a library it is linked with.
 * The agent is not linked with Python; it finds the functions it calls by name.
 *
 * The way in is an audit hook (PEP 578), which may be added before the interpreter
 * begins. The interpreter calls it, holding its lock, before it runs a script, a
 * command or a module: at that point functions are hooked. The script's
 * environment, path and modules are left alone, so that -I, -E, -S and virtual
 * environments make no difference.
 *
 * 	event-python.c			the hook
 * 	event-python-code.c		the interpreter's functions; data of a code object
 * 	event-python-monitoring.c	3.12 and later: sys.monitoring (PEP 669)
 * 	event-python-profile.c		before: the interpreter's slots for a profile
 * 					and a trace function
 *
 * A function begins (PS) when it is called and when a generator or coroutine
 * resumes; it ends (PT) when it returns, yields, or is left by an exception.
 *
 * Unlike the rest of the agent this runs only where the interpreter allows it,
 * never in a signal handler, and may call what the interpreter offers.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_PYTHON_H
#define VIGIL_AGENT_EVENTS_EVENT_PYTHON_H

/* Watches for scripts if there is an interpreter whose events are collected; call before main. */
void event_python_begin(void);

#endif
