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

#if defined(__x86_64__)

AGENT_VISIBLE void __fentry__(void);
AGENT_VISIBLE void mcount(void);

/* The next functions: the C library's own profiler. */
void (*event_next_fentry)(void), (*event_next_mcount)(void);

/*
 * These functions must not change any register: arguments are in them. 16(%rsp) is
 * the return address into the function; above it, or above %rbp, is the function's
 * own.
 */
__asm__(".text\n"
	".globl __fentry__\n .type __fentry__, @function\n"
	"__fentry__:\n push %rdi\n push %rsi\n mov 16(%rsp), %rdi\n lea 24(%rsp), %rsi\n"
	"call event_frame_begins_if_passes\n pop %rsi\n pop %rdi\n"
	"cmpq $0, event_next_fentry(%rip)\n je 1f\n jmp *event_next_fentry(%rip)\n"
	"1: ret\n .size __fentry__, .-__fentry__\n"
	".globl mcount\n .type mcount, @function\n"
	"mcount:\n push %rdi\n push %rsi\n mov 16(%rsp), %rdi\n lea 8(%rbp), %rsi\n"
	"call event_frame_begins_if_passes\n pop %rsi\n pop %rdi\n"
	"cmpq $0, event_next_mcount(%rip)\n je 1f\n jmp *event_next_mcount(%rip)\n"
	"1: ret\n .size mcount, .-mcount\n");

/* Finds the C library's functions. */
__attribute__((constructor)) static void find_next(void)
{
	agent_next(&event_next_fentry, "__fentry__");
	agent_next(&event_next_mcount, "mcount");
}

#endif
