/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stubs for calls of functions of which only the names are known.
 *
 * A stub calls the function from its own frame, into which it copies what may be
 * arguments on the stack; so no return address is changed, and exceptions,
 * longjmp, debuggers and the sampler find frames as they expect them. A function
 * with more than ARGUMENTS bytes of arguments on the stack would not get all of
 * them. Functions that depend on their caller's frame are excluded by name.
 */
#include "agent/events/event-library.h"
#include "agent/events/event-names.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)

/*
 * Maximum number of functions with a stub, and bytes of a stub; the assembly has
 * the same numbers.
 */
#define STUBS 8192
#define STUB 16
/* Bytes copied, a multiple of 64. */
#define ARGUMENTS UINT64_C(512)
#define PAGE UINT64_C(4096)

struct call {
	uint64_t target;
	uint64_t before, after; /* marks */
};

/* How a call continues; bytes of arguments, 0: without a frame. */
struct call_in_progress {
	uint64_t target, bytes;
};

struct call_in_progress event_call_before(uint64_t number, uint64_t arguments);
void event_call_after(uint64_t number, uint64_t result);
extern const char event_stubs[];
/*
 * Which registers may hold arguments: 0 xmm, 1 ymm, 2 zmm; and 4: the processor
 * shows which are in use.
 */
uint32_t event_vectors;

static struct call calls[STUBS];
static uint32_t call_count;
static bool measuring; /* the cost of a call, before the program begins */
/* A page above arguments that was found readable. */
static _Thread_local uint64_t readable __attribute__((tls_model("initial-exec")));

/*
 * Returns whether memory can be read: by a system call that reads it, and then
 * rejects the request.
 */
static bool is_readable(uint64_t address)
{
	int saved = errno;
	bool found = syscall(SYS_rt_sigprocmask, ~0, address, NULL, 8) == 0 || errno != EFAULT;

	errno = saved;
	return found;
}

struct call_in_progress event_call_before(uint64_t number, uint64_t arguments)
{
	const struct call *call = &calls[number];
	uint64_t next = (arguments | (PAGE - 1)) + 1;
	struct call_in_progress call_in_progress = { call->target, ARGUMENTS };

	if (!event_active() && !measuring) {
		call_in_progress.bytes = 0;
		return call_in_progress;
	}
	/* At the upper end of a stack there may be no memory above. */
	if (next < arguments + ARGUMENTS && next != readable) {
		if (is_readable(next))
			readable = next;
		else
			call_in_progress.bytes = (next - arguments) & ~UINT64_C(15);
	}
	/* A frame is needed even without arguments. */
	if (!call_in_progress.bytes)
		call_in_progress.bytes = 16;
	event_write(call->before);
	return call_in_progress;
}

void event_call_after(uint64_t number, uint64_t result)
{
	if (!event_active() && !measuring)
		return;
	event_write(calls[number].after | EVENT_NUMBER(result));
	event_lane->own += event_area->call_cost;
}

/* Finds out which registers may hold arguments. */
static void see_vectors(void)
{
	unsigned a, b, c, d;

	__builtin_cpu_init();
	event_vectors = __builtin_cpu_supports("avx512f") ? 2
			: __builtin_cpu_supports("avx")	  ? 1
							  : 0;
	if (event_vectors && __get_cpuid_count(13, 1, &a, &b, &c, &d) && a & 4)
		event_vectors |= 4;
}

static void do_nothing(void)
{
}

/* Calls per trial, and the number of trials. */
#define MEASURED 64
_Static_assert(4 * MEASURED * sizeof(struct event_slot) <= EVENT_CHUNK_SIZE_SMALL, "fits a chunk");
#define MEASUREMENTS 8

/* Calls a function through the first stub. */
static void call_nothing(void)
{
	const char *first = event_stubs;
	void (*stub)(void);

	memcpy(&stub, &first, sizeof(first));
	for (int i = 0; i < MEASURED; i++)
		stub();
}

void event_calls_measure(void)
{
	static struct event_slot slots[4 * MEASURED];
	uint64_t best, plain;

	see_vectors();
	calls[0] = (struct call){ (uint64_t)do_nothing, EVENT_MARK_VOID, EVENT_MARK_VOID };
	measuring = true;
	best = event_lane_try(call_nothing, slots, sizeof(slots), MEASUREMENTS) / MEASURED;
	measuring = false;
	/* The two plain events of each call are accounted for separately. */
	plain = 2 * __atomic_load_n(&event_area->cost, __ATOMIC_RELAXED) / 256;
	__atomic_store_n(&event_area->call_cost, best > plain ? best - plain : 0, __ATOMIC_RELAXED);
}

/*
 * Returns whether a function would not work, or not return, if called from another
 * frame, or is the compiler's own.
 */
static bool is_special(const char *name)
{
	static const char *const names[] = {
		"*setjmp",	  "*sigsetjmp",	    "*vfork",	  "*fork",
		"*fork1",	  "*clone",	    "clone3",	  "getcontext",
		"setcontext",	  "swapcontext",    "savectx",	  "syscall",
		"__libc_start_*", "__tls_get_addr", "_Unwind_*",  "__cxa_*",
		"__gxx_*",	  "__gcc_*",	    "__gmon_*",	  "*mcount",
		"__fentry__",	  "__cyg_profile*", "cob_trace*", "__stack_chk_fail",
		"dlopen",	  "dlmopen",	    "dlsym",	  "dlvsym",
		"dladdr*",	  "dlinfo",	    "_ITM_*",	  "__register_frame*",
		"__morestack*",	  "__builtin_*",    "*longjmp*",  "__libc_single_*",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (event_pattern_matches(names[i], name))
			return true;
	return false;
}

/*
 * Returns whether a pattern matches the file of a library, with or without what
 * follows its name.
 */
static bool library_matches(const char *pattern, const char *file)
{
	char name[EVENT_PATTERN];
	const char *end = strstr(file, ".so");

	if (!*pattern || event_pattern_matches(pattern, file))
		return true;
	if (!end || end - file >= (long)sizeof(name))
		return false;
	memcpy(name, file, (size_t)(end - file));
	name[end - file] = '\0';
	return event_pattern_matches(pattern, name);
}

/* Returns whether calls of a function are collected. */
static bool is_wanted(const char *library, const char *name)
{
	bool wanted = false;

	for (uint64_t i = 0; i < event_area->call_count && i < EVENT_CALLS; i++) {
		struct event_call_area *one = &event_area->calls[i];

		if (!event_pattern_matches(one->function, name) ||
		    !library_matches(one->library, library) || is_special(name))
			continue;
		__atomic_fetch_add(&one->found, 1, __ATOMIC_RELAXED);
		wanted = true;
	}
	return wanted;
}

uint64_t event_library_stub(const char *library, const char *name, uint64_t target)
{
	uint64_t function, file;
	uint32_t number = 0;

	if (!is_wanted(library, name))
		return 0;
	function = event_name(name, strlen(name));
	file = event_name(library, strlen(library));
	while (number < call_count &&
	       (calls[number].target != target ||
		calls[number].before != (EVENT_MARK_CALL | EVENT_CALL(function, file))))
		number++;
	if (number == STUBS) {
		__atomic_fetch_add(&event_area->calls_left, 1, __ATOMIC_RELAXED);
		return 0;
	}
	if (number == call_count) {
		calls[number] = (struct call){ target, EVENT_MARK_CALL | EVENT_CALL(function, file),
					       EVENT_MARK_CALL_DONE | EVENT_VALUE(function) };
		call_count++;
	}
	return (uint64_t)event_stubs + (uint64_t)number * STUB;
}

/*
 * The common code of the stubs, with the stub's number in r11. Below the frame
 * pointer are: -8 the function to call, -16 the address of the saved registers,
 * -24 the number. Registers are saved at r10: 8 words from 0 on, 8 vectors from 64
 * on.
 */
#define SAVE(instruction, register, number) \
	instruction " %" register #number ", 64+64*" #number "(%r10)\n"
#define LOAD(instruction, register, number) \
	instruction " 64+64*" #number "(%r10), %" register #number "\n"
#define ALL(MOVE, instruction, register) \
	MOVE(instruction, register, 0) \
	MOVE(instruction, register, 1) \
	MOVE(instruction, register, 2) MOVE(instruction, register, 3) \
		MOVE(instruction, register, 4) MOVE(instruction, register, 5) \
			MOVE(instruction, register, 6) MOVE(instruction, register, 7)
#define TWO(MOVE, instruction, register) \
	MOVE(instruction, register, 0) MOVE(instruction, register, 1)
/*
 * Determines which of them are in use, at -32: restoring more would slow down the
 * code that follows.
 */
#define DECIDE \
	"mov event_vectors(%rip), %eax\n test $4, %eax\n jz 11f\n mov $1, %ecx\n xgetbv\n" \
	"mov %eax, %ecx\n mov $2, %eax\n test $0x40, %ecx\n jnz 11f\n" \
	"mov %ecx, %eax\n shr $2, %eax\n and $1, %eax\n" \
	"11: and $3, %eax\n mov %eax, -32(%rbp)\n"
#define VECTORS(MOVE, WHICH) \
	"cmpl $1, -32(%rbp)\n ja 13f\n je 12f\n" WHICH( \
		MOVE, "movups", "xmm") "jmp 14f\n" \
				       "12:\n" WHICH(MOVE, "vmovups", \
						     "ymm") "jmp 14f\n" \
							    "13:\n" WHICH(MOVE, "vmovups", \
									  "zmm") "14:\n"
#define RESTORE_ALL \
	VECTORS(LOAD, ALL) \
	"mov (%r10), %rax\n mov 8(%r10), %rdi\n mov 16(%r10), %rsi\n mov 24(%r10), %rdx\n" \
	"mov 32(%r10), %rcx\n mov 40(%r10), %r8\n mov 48(%r10), %r9\n mov 56(%r10), %r10\n"

__asm__(".text\n .p2align 6\n"
	".type event_call, @function\n"
	"event_call:\n .cfi_startproc\n"
	"push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
	"mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
	"sub $640, %rsp\n and $-64, %rsp\n mov %r10, 56(%rsp)\n mov %rsp, %r10\n"
	"mov %rax, (%r10)\n mov %rdi, 8(%r10)\n mov %rsi, 16(%r10)\n mov %rdx, 24(%r10)\n"
	"mov %rcx, 32(%r10)\n mov %r8, 40(%r10)\n mov %r9, 48(%r10)\n" DECIDE VECTORS(
		SAVE,
		ALL) "mov %r10, -16(%rbp)\n mov %r11, -24(%rbp)\n"
		     "mov %r11, %rdi\n lea 16(%rbp), %rsi\n call event_call_before\n"
		     "mov -16(%rbp), %r10\n mov %rax, -8(%rbp)\n test %rdx, %rdx\n jz 6f\n"
		     /* Arguments keep their alignment. */
		     "sub %rdx, %rsp\n lea 16(%rbp), %rcx\n and $63, %ecx\n add $-64, %rsp\n and "
		     "$-64, %rsp\n"
		     "add %rcx, %rsp\n"
		     "xor %ecx, %ecx\n"
		     "5: movups 16(%rbp,%rcx), %xmm0\n movups %xmm0, (%rsp,%rcx)\n add $16, %rcx\n"
		     "cmp %rdx, %rcx\n jb 5b\n" RESTORE_ALL "call *-8(%rbp)\n"
		     "mov -16(%rbp), %r10\n mov %r10, %rsp\n mov %rax, (%r10)\n mov %rdx, "
		     "8(%r10)\n" DECIDE VECTORS(
			     SAVE,
			     TWO) "mov -24(%rbp), %rdi\n mov (%r10), %rsi\n call event_call_after\n"
				  "mov -16(%rbp), %r10\n" VECTORS(
					  LOAD,
					  TWO) "mov (%r10), %rax\n mov 8(%r10), %rdx\n"
					       "leave\n .cfi_remember_state\n .cfi_def_cfa %rsp, "
					       "8\n ret\n"
					       /*
					        * Without a frame: as if it had been called
					        * directly.
					        */
					       ".cfi_restore_state\n"
					       "6: mov -8(%rbp), %r11\n" RESTORE_ALL
					       "leave\n .cfi_def_cfa %rsp, 8\n jmp *%r11\n"
					       ".cfi_endproc\n .size event_call, .-event_call\n"
					       ".globl event_stubs\n .hidden event_stubs\n "
					       ".p2align 6\n"
					       "event_stubs:\n .cfi_startproc\n"
					       ".set event_number, 0\n"
					       ".rept 8192\n .p2align 4\n endbr64\n movl "
					       "$event_number, %r11d\n jmp event_call\n"
					       ".set event_number, event_number+1\n .endr\n"
					       ".cfi_endproc\n");

#else

uint64_t event_library_stub(const char *library UNUSED, const char *name UNUSED,
			    uint64_t target UNUSED)
{
	return 0;
}

void event_calls_measure(void)
{
}

#endif
