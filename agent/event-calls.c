/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of functions compiled with -pg, with -mfentry or without: stands before
 * what such a function calls at its beginning.
 *
 * That a function ends is not told. It has ended when another begins whose
 * return address does not lie below its own on the stack; its end is written
 * then. So calls and levels are exact, also after longjmp and exceptions, and
 * no return address is changed, which a debugger, the sampler and exceptions
 * need; but what a caller does between two calls counts for the first of them.
 */
#include "agent/event-functions.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>

#if defined(__x86_64__)

/* Calls of a thread that are known to be active at most; those above are not told. */
#define CALLS 8192

struct event_call {
	uint64_t place; /* of its return address */
	uint64_t function;
};

AGENT_VISIBLE void __fentry__(void);
AGENT_VISIBLE void mcount(void);
void event_call_begins(uint64_t function, uint64_t place);

/* What stands behind this library: the C library's own profiler. */
void (*event_next_fentry)(void), (*event_next_mcount)(void);

/* Memory for a thread's calls; NULL: there is none. */
static struct event_call *make_calls(struct event_lane *lane)
{
	sigset_t all, before;
	void *memory;
	int saved = errno;

	/* The lane comes with the first event. */
	if (!lane->number)
		return NULL;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	memory = mmap(NULL, CALLS * sizeof(struct event_call), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	lane->calls = memory == MAP_FAILED ? NULL : memory;
	lane->depth = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return lane->calls;
}

/* A function has begun. function: an address in it; place: where its return address is. */
void event_call_begins(uint64_t function, uint64_t place)
{
	struct event_lane *lane = event_lane;
	struct event_call *calls;

	if (!event_function_wanted((void *)function))
		return;
	calls = lane->calls;
	while (calls && lane->depth && calls[lane->depth - 1].place <= place)
		event_write(EVENT_MARK_RETURN | calls[--lane->depth].function << 8);
	event_write(EVENT_MARK_ENTRY | function << 8);
	lane = event_lane;
	calls = lane->calls ? lane->calls : make_calls(lane);
	if (calls && lane->depth < CALLS)
		calls[lane->depth++] = (struct event_call){ place, function };
}

/*
 * Neither may change a register: arguments are in them. The one is called before
 * the function has done anything, the other when its frame is set up.
 */
#define SAVE \
	"push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n" \
	"push %r10\n push %r11\n push %rbp\n mov %rsp, %rbp\n" \
	"lea -136(%rsp), %rsp\n and $-16, %rsp\n" \
	"movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n" \
	"movups %xmm3, 48(%rsp)\n movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n" \
	"movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
#define RESTORE \
	"movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n" \
	"movups 48(%rsp), %xmm3\n movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n" \
	"movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n" \
	"mov %rbp, %rsp\n pop %rbp\n pop %r11\n pop %r10\n" \
	"pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n"

/* 80(%rbp) is the return address into the function, 88 where the function's own stands. */
__asm__(".text\n"
	".globl __fentry__\n .type __fentry__, @function\n"
	"__fentry__:\n" SAVE
	"mov 80(%rbp), %rdi\n lea 88(%rbp), %rsi\n call event_call_begins\n" RESTORE
	"cmpq $0, event_next_fentry(%rip)\n je 1f\n jmp *event_next_fentry(%rip)\n"
	"1: ret\n .size __fentry__, .-__fentry__\n"
	".globl mcount\n .type mcount, @function\n"
	"mcount:\n" SAVE
	"mov 80(%rbp), %rdi\n mov (%rbp), %rsi\n add $8, %rsi\n call event_call_begins\n" RESTORE
	"cmpq $0, event_next_mcount(%rip)\n je 1f\n jmp *event_next_mcount(%rip)\n"
	"1: ret\n .size mcount, .-mcount\n");

/* A function of the C library, which stands behind this one. */
__attribute__((constructor)) static void find_next(void)
{
	void *found = dlsym(RTLD_NEXT, "__fentry__");

	memcpy(&event_next_fentry, &found, sizeof(found));
	found = dlsym(RTLD_NEXT, "mcount");
	memcpy(&event_next_mcount, &found, sizeof(found));
}

#endif
