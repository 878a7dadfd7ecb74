/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of signals for which the program has a handler: the program's handler is
 * kept in a table, and a handler that reports the event and then calls the
 * program's is installed with the program's flags and mask.
 */
#include "agent/events/event-library.h"

#include <signal.h>

/* Number of signals on Linux, plus 1. */
#define SIGNALS 65

typedef void handler(int number, siginfo_t *info, void *context);
typedef int action_function(int, const struct sigaction *, struct sigaction *);
typedef void (*plain_handler)(int);
typedef plain_handler signal_function(int, plain_handler);

static action_function hooked_sigaction;
static signal_function hooked_signal, hooked_bsd_signal, hooked_sysv_signal, hooked_sysv;

enum { ACTION, SIGNAL, BSD, SYSV_SIGNAL, SYSV, FUNCTION_COUNT };

static struct event_hook hooks[] = {
	{ "sigaction", (void *)(uint64_t)hooked_sigaction, NULL },
	{ "signal", (void *)(uint64_t)hooked_signal, NULL },
	{ "bsd_signal", (void *)(uint64_t)hooked_bsd_signal, NULL },
	{ "sysv_signal", (void *)(uint64_t)hooked_sysv_signal, NULL },
	{ "__sysv_signal", (void *)(uint64_t)hooked_sysv, NULL },
};

static bool wanted(const struct event_area *area)
{
	return area->signals;
}

const struct event_hooks event_signal_hooks = { hooks, FUNCTION_COUNT, wanted };

#define REAL(type, function) ((type *)hooks[function].real)

/* The program's handler of each signal, with either set of parameters; NULL: none was seen. */
static handler *handlers[SIGNALS];

/* A handler without SA_SIGINFO is also called with all three arguments: it uses the first. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	handler *own = __atomic_load_n(&handlers[number], __ATOMIC_RELAXED);

	if (event_active())
		event_write(EVENT_MARK_SIGNAL | EVENT_VALUE(number));
	own(number, info, context);
}

static handler *handler_of(const struct sigaction *action)
{
	return action->sa_sigaction;
}

/* Returns whether a handler is a function of the program. */
static bool is_function(handler *own)
{
	uint64_t address = (uint64_t)own;

	return own != on_signal && address != (uint64_t)SIG_DFL && address != (uint64_t)SIG_IGN &&
	       address != (uint64_t)SIG_ERR;
}

static bool is_signal(int number)
{
	return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP;
}

/* Stores the program's handler of a signal; returns the one before. */
static handler *keep(int number, handler *own)
{
	return __atomic_exchange_n(&handlers[number], own, __ATOMIC_RELAXED);
}

static int hooked_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	action_function *real = REAL(action_function, ACTION);
	struct sigaction own;
	handler *was;
	int code;

	if (!is_signal(number))
		return real(number, action, before);
	was = __atomic_load_n(&handlers[number], __ATOMIC_RELAXED);
	if (action && is_function(handler_of(action))) {
		own = *action;
		keep(number, handler_of(action));
		own.sa_sigaction = on_signal;
		code = real(number, &own, before);
		if (code)
			keep(number, was);
	} else {
		code = real(number, action, before);
	}
	if (code == 0 && before && handler_of(before) == on_signal)
		before->sa_sigaction = was;
	return code;
}

static plain_handler install(int function, int number, plain_handler asked)
{
	signal_function *real = REAL(signal_function, function);
	handler *own = (handler *)(uint64_t)asked, *was;
	plain_handler before;

	if (!is_signal(number))
		return real(number, asked);
	was = __atomic_load_n(&handlers[number], __ATOMIC_RELAXED);
	if (is_function(own)) {
		keep(number, own);
		asked = (plain_handler)(uint64_t)on_signal;
	}
	before = real(number, asked);
	if (before == SIG_ERR)
		keep(number, was);
	return before == (plain_handler)(uint64_t)on_signal ? (plain_handler)(uint64_t)was : before;
}

static plain_handler hooked_signal(int number, plain_handler asked)
{
	return install(SIGNAL, number, asked);
}

static plain_handler hooked_bsd_signal(int number, plain_handler asked)
{
	return install(BSD, number, asked);
}

static plain_handler hooked_sysv_signal(int number, plain_handler asked)
{
	return install(SYSV_SIGNAL, number, asked);
}

static plain_handler hooked_sysv(int number, plain_handler asked)
{
	return install(SYSV, number, asked);
}
