/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that stubs call, and the stacks that a program makes itself. */
#include "agent/agent-next.h"
#include "agent/events/event-frames.h"

#include <signal.h>
#include <ucontext.h>

void event_context_made(const ucontext_t *context);
AGENT_VISIBLE int sigaltstack(const stack_t *stack, stack_t *before);

/* The next functions after this library's. */
void (*event_next_makecontext)(void);
static int (*next_sigaltstack)(const stack_t *, stack_t *);

void event_context_made(const ucontext_t *context)
{
	event_frames_stack((uint64_t)context->uc_stack.ss_sp, context->uc_stack.ss_size, false);
}

int sigaltstack(const stack_t *stack, stack_t *before)
{
	int result = next_sigaltstack ? next_sigaltstack(stack, before) : -1;

	if (result == 0 && stack && !(stack->ss_flags & SS_DISABLE))
		event_frames_stack((uint64_t)stack->ss_sp, stack->ss_size, true);
	return result;
}

#if defined(__x86_64__)

AGENT_VISIBLE void makecontext(ucontext_t *context, void (*function)(void), int count, ...);

#define SAVE(register) "push %" register "\n .cfi_adjust_cfa_offset 8\n"
#define RESTORE(register) "pop %" register "\n .cfi_adjust_cfa_offset -8\n"
#define VISIBLE_FUNCTION(name) ".globl " name "\n .type " name ", @function\n" name ":\n"
#define FUNCTION(name) ".hidden " name "\n" VISIBLE_FUNCTION(name)
#define END(name) ".size " name ", .-" name "\n"

/*
 * 72(%rsp) is an address in the stub, and above it is the return address of the
 * function, the only one described to stack walkers: the stub has no unwind
 * information.
 */
__asm__(".text\n" FUNCTION("event_patch_enter")
	".cfi_startproc\n .cfi_adjust_cfa_offset 8\n" SAVE("rdi") SAVE("rsi")
	"mov 16(%rsp), %rdi\n mov -14(%rdi), %rdi\n lea 24(%rsp), %rsi\n"
	"call event_frame_begins\n" RESTORE("rsi") RESTORE("rdi")
	"ret\n .cfi_endproc\n" END("event_patch_enter")
	FUNCTION("event_patch_nothing")
	".cfi_startproc\n ret\n .cfi_endproc\n" END("event_patch_nothing")
	FUNCTION("event_patch_leave")
	".cfi_startproc\n .cfi_adjust_cfa_offset 8\n" SAVE("rdi") SAVE("rsi")
	"mov 16(%rsp), %rdi\n mov 8(%rdi), %rdi\n lea 24(%rsp), %rsi\n"
	"call event_frame_ends\n" RESTORE("rsi") RESTORE("rdi")
	"ret\n .cfi_endproc\n" END("event_patch_leave"));

/* It has any number of arguments, all of them integers. */
__asm__(".text\n" VISIBLE_FUNCTION("makecontext")
	"push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n"
	"call event_context_made\n"
	"pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n"
	"jmp *event_next_makecontext(%rip)\n" END("makecontext"));

#endif

__attribute__((constructor)) static void find_next(void)
{
	agent_next(&event_next_makecontext, "makecontext");
	agent_next(&next_sigaltstack, "sigaltstack");
}
