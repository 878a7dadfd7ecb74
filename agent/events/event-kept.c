/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets code without vector registers call code that uses them, and allocates the
 * memory for its notes.
 */
#include "agent/events/event-kept.h"
#include "agent/events/event-lane.h"
#include "agent/events/event-tally.h"

#include <signal.h>
#include <sys/mman.h>

/* Bytes of notes per thread: EVENT_CALLS_NOTED, two words each. */
#define NOTES_SIZE (EVENT_CALLS_NOTED * sizeof(struct event_call))

struct event_call *event_make_calls(struct event_lane *lane);
void event_by_clock(uint64_t mark);

void (*event_unpatch)(void);
uint32_t event_unpatched;
/* 1: the processor saves all its registers by xsave. */
uint32_t event_has_xsave;

/*
 * Allocates memory for a thread's notes; returns NULL on failure. A forked child
 * has that of its own thread only.
 */
struct event_call *event_make_calls(struct event_lane *lane)
{
	sigset_t all, before;
	void *memory;
	int saved = errno;

	/* The first event creates the lane. */
	if (!lane->number)
		return NULL;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (!lane->calls) {
		memory = mmap(NULL, NOTES_SIZE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (memory != MAP_FAILED) {
			madvise(memory, NOTES_SIZE, MADV_DONTFORK);
			lane->depth = 0;
			lane->calls = memory;
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return lane->calls;
}

void event_calls_share(struct event_call *calls, bool shared)
{
	int saved = errno;

	madvise(calls, NOTES_SIZE, shared ? MADV_DOFORK : MADV_DONTFORK);
	errno = saved;
}

void event_by_clock(uint64_t mark)
{
	event_write(mark);
}

#if defined(__x86_64__)

#include <cpuid.h>

#define FUNCTION(name) ".hidden " name "\n.globl " name "\n .type " name ", @function\n" name ":\n"
#define END(name) ".size " name ", .-" name "\n"

/*
 * Call functions that may change registers, and preserve all of them; only for the
 * slow paths, since this is expensive.
 */
__asm__(".text\n" FUNCTION("event_kept_anchored")
	".cfi_startproc\n push %r11\n .cfi_adjust_cfa_offset 8\n"
	"lea event_write_anchored(%rip), %r11\n jmp 0f\n .cfi_endproc\n" END("event_kept_anchored")
	FUNCTION("event_kept_by_clock")
	".cfi_startproc\n push %r11\n .cfi_adjust_cfa_offset 8\n"
	"lea event_by_clock(%rip), %r11\n jmp 0f\n .cfi_endproc\n" END("event_kept_by_clock")
	FUNCTION("event_kept_tally")
	".cfi_startproc\n push %r11\n .cfi_adjust_cfa_offset 8\n"
	"lea event_tally_slowly(%rip), %r11\n jmp 0f\n .cfi_endproc\n" END("event_kept_tally")
	FUNCTION("event_kept_unpatch")
	".cfi_startproc\n push %r11\n .cfi_adjust_cfa_offset 8\n"
	"mov event_unpatch(%rip), %r11\n jmp 0f\n .cfi_endproc\n" END("event_kept_unpatch")
	FUNCTION("event_kept_calls")
	".cfi_startproc\n push %r11\n .cfi_adjust_cfa_offset 8\n"
	"lea event_make_calls(%rip), %r11\n"
	"0:\n push %rbp\n .cfi_def_cfa_offset 24\n .cfi_offset %rbp, -24\n"
	"mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
	"push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n push %r10\n"
	"push %rax\n"
	"sub $2816, %rsp\n and $-64, %rsp\n"
	"cmpl $0, event_has_xsave(%rip)\n je 1f\n"
	"xor %eax, %eax\n mov %rax, 512(%rsp)\n mov %rax, 520(%rsp)\n mov %rax, 528(%rsp)\n"
	"mov %rax, 536(%rsp)\n mov %rax, 544(%rsp)\n mov %rax, 552(%rsp)\n"
	"mov %rax, 560(%rsp)\n mov %rax, 568(%rsp)\n"
	"mov $0xe7, %eax\n xor %edx, %edx\n xsave64 (%rsp)\n mov -16(%rbp), %rdx\n"
	"call *%r11\n mov %rax, -64(%rbp)\n"
	"mov $0xe7, %eax\n xor %edx, %edx\n xrstor64 (%rsp)\n jmp 2f\n"
	"1: fxsave64 (%rsp)\n call *%r11\n mov %rax, -64(%rbp)\n fxrstor64 (%rsp)\n"
	"2: mov -8(%rbp), %rcx\n mov -16(%rbp), %rdx\n mov -24(%rbp), %rsi\n"
	"mov -32(%rbp), %rdi\n mov -40(%rbp), %r8\n mov -48(%rbp), %r9\n"
	"mov -56(%rbp), %r10\n mov -64(%rbp), %rax\n"
	"leave\n .cfi_def_cfa %rsp, 16\n pop %r11\n .cfi_def_cfa_offset 8\n"
	"ret\n .cfi_endproc\n" END("event_kept_calls"));

__attribute__((constructor)) static void find_registers(void)
{
	unsigned a, b, c, d;

	event_has_xsave = __get_cpuid(1, &a, &b, &c, &d) && c & 1u << 27;
}

#else

KEEPS_REGISTERS void event_kept_by_clock(uint64_t mark)
{
	event_write(mark);
}

/* On other processors no source calls these. */

void event_kept_anchored(uint64_t mark, uint64_t now)
{
	event_write_anchored(mark, now);
}

bool event_kept_tally(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls)
{
	return event_tally_slowly(lane, mark, resumes, calls);
}

void event_kept_unpatch(void) {}

struct event_call *event_kept_calls(struct event_lane *lane)
{
	return event_make_calls(lane);
}

#endif
