/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of functions compiled with -pg, with or without -mfentry: interposes on
 * the function that they call when they begin. Their ends are reported by patched
 * exits (event-patch.c) where those can be patched; elsewhere a function counts as
 * ended when another begins or ends whose return address is not below its own on
 * the stack (event-frames.h), so what a caller does between two calls counts for
 * the first of them.
 */
#include "agent/agent-next.h"
#include "agent/events/event-frames.h"
#include "agent/events/event-functions.h"


#if defined(__x86_64__)

AGENT_VISIBLE void __fentry__(void);
AGENT_VISIBLE void mcount(void);
KEEPS_REGISTERS void event_call_begins(uint64_t function, uint64_t place);

/* The next functions: the C library's own profiler. */
void (*event_next_fentry)(void), (*event_next_mcount)(void);

/* Returns whether filters block a function; the call changes no vector register. */
KEEPS_REGISTERS __attribute__((noinline, cold)) static bool is_blocked(uint64_t function)
{
	return event_function_is_blocked((const void *)function);
}

/*
 * Reports that a function has begun. function: an address in it; place: the
 * address of its return address.
 */
KEEPS_REGISTERS void event_call_begins(uint64_t function, uint64_t place)
{
	const struct event_area *area = event_area;

	if (event_has_monitor() && area->functions &&
	    (!__atomic_load_n(&area->blocking, __ATOMIC_RELAXED) || !is_blocked(function)))
		event_frame_begins(function, place);
}

/*
 * These functions must not change any register: arguments are in them. 16(%rsp) is
 * the return address into the function; above it, or above %rbp, is the function's
 * own.
 */
__asm__(".text\n"
	".globl __fentry__\n .type __fentry__, @function\n"
	"__fentry__:\n push %rdi\n push %rsi\n mov 16(%rsp), %rdi\n lea 24(%rsp), %rsi\n"
	"call event_call_begins\n pop %rsi\n pop %rdi\n"
	"cmpq $0, event_next_fentry(%rip)\n je 1f\n jmp *event_next_fentry(%rip)\n"
	"1: ret\n .size __fentry__, .-__fentry__\n"
	".globl mcount\n .type mcount, @function\n"
	"mcount:\n push %rdi\n push %rsi\n mov 16(%rsp), %rdi\n lea 8(%rbp), %rsi\n"
	"call event_call_begins\n pop %rsi\n pop %rdi\n"
	"cmpq $0, event_next_mcount(%rip)\n je 1f\n jmp *event_next_mcount(%rip)\n"
	"1: ret\n .size mcount, .-mcount\n");

/* Finds the C library's functions. */
__attribute__((constructor)) static void find_next(void)
{
	agent_next(&event_next_fentry, "__fentry__");
	agent_next(&event_next_mcount, "mcount");
}

#endif
