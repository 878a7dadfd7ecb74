/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raises the events of execution hooks: the calls that -finstrument-functions and
 * the trace options of GnuCOBOL insert into programs. They pass through code that
 * saves all registers and the return address in memory, where the handler can
 * change them.
 */
#include "agent/handler/handler.h"
#include "agent/agent-next.h"
#include "agent/cobol-runtime.h"

#include <pthread.h>

#ifdef __x86_64__

/* The layout that the code below creates on the stack. */
struct hook_frame {
	uint64_t registers[VIGIL_HANDLER_REGISTERS];
	uint64_t unused;
	uint64_t return_address;
};

enum hook {
	FUNCTION_ENTER,
	FUNCTION_EXIT,
	PROGRAM_ENTRY,
	PROGRAM_EXIT,
	SECTION,
	PARAGRAPH,
	VERB,
	STATEMENT,
	STOP_RUN,
	CALL_RETURN, /* detected at one of the others */
};

/* Programs nested deeper than this have no call return, nor an exit by STOP RUN. */
#define LEVELS 64

/* The active COBOL programs of a thread, as far as they are traced. */
struct programs {
	uint32_t depth;
	uint64_t calling;	 /* bit n: the program at depth n is in a CALL */
	uint64_t names[LEVELS];	 /* addresses of their names */
	uint64_t entries[LEVELS]; /* their entry points; 0: unknown */
};

static __thread struct programs programs;

static const struct {
	const char *next; /* the next function, of the C library or the COBOL run time */
	int32_t offset;
	uint32_t mask;
} hooks[] = {
	[FUNCTION_ENTER] = { "__cyg_profile_func_enter", VIGIL_HOOK_BLOCK_ENTRY,
			     VIGIL_MASK_BLOCK_ENTRY },
	[FUNCTION_EXIT] = { "__cyg_profile_func_exit", VIGIL_HOOK_EXIT, VIGIL_MASK_EXIT },
	[PROGRAM_ENTRY] = { "cob_trace_entry", VIGIL_HOOK_BLOCK_ENTRY, VIGIL_MASK_BLOCK_ENTRY },
	[PROGRAM_EXIT] = { "cob_trace_exit", VIGIL_HOOK_EXIT, VIGIL_MASK_EXIT },
	[SECTION] = { "cob_trace_sect", VIGIL_HOOK_LABEL, VIGIL_MASK_LABEL },
	[PARAGRAPH] = { "cob_trace_para", VIGIL_HOOK_LABEL, VIGIL_MASK_LABEL },
	[VERB] = { "cob_trace_stmt", VIGIL_HOOK_STATEMENT, VIGIL_MASK_STATEMENT },
	[STATEMENT] = { "cob_trace_statement", VIGIL_HOOK_STATEMENT, VIGIL_MASK_STATEMENT },
	[STOP_RUN] = { "cob_stop_run", VIGIL_HOOK_EXIT, VIGIL_MASK_EXIT },
	[CALL_RETURN] = { NULL, VIGIL_HOOK_CALL_RETURN, VIGIL_MASK_CALL_RETURN },
};

/* Returns the additional events at a COBOL statement: one hook may have several. */
static uint32_t more_events(const char *verb)
{
	if (verb && strcmp(verb, "CALL") == 0)
		return VIGIL_MASK_CALL_BEGIN | VIGIL_MASK_MULTIPLE;
	if (verb && strcmp(verb, "GO TO") == 0)
		return VIGIL_MASK_GOTO | VIGIL_MASK_MULTIPLE;
	return 0;
}

/* Returns the clock in the format of STCK: bit 51 is one microsecond, from 1900. */
static uint64_t stored_clock(void)
{
	const uint64_t epoch = UINT64_C(2208988800); /* seconds from 1900 to 1970 */
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	return ((((uint64_t)now.tv_sec + epoch) * 1000000) << 12) +
	       (((uint64_t)now.tv_nsec << 12) / 1000);
}

static uint64_t used_time(void)
{
	struct timespec used = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

/* Returns the entry point of the executing COBOL program; 0: unknown. */
static uint64_t entry_of_current(void)
{
	static struct cobol_global *(*get)(void);
	const struct cobol_global *global;

	agent_next(&get, "cob_get_global_ptr");
	global = get && cobol_known() ? get() : NULL;
	return global && global->current ? (uint64_t)(uintptr_t)global->current->entry : 0;
}

/* Returns the entry point of the function or program that contains a hook. */
static uint64_t entry_of(enum hook hook, uint64_t argument)
{
	if (hook <= FUNCTION_EXIT)
		return argument;
	return programs.depth && programs.depth <= LEVELS ? programs.entries[programs.depth - 1] : 0;
}

/* Raises a hook; argument: the function that the program has called, or a text. */
static void raise_hook(enum hook hook, struct hook_frame *frame, uint64_t argument)
{
	struct vigil_dsa dsa = { frame->registers[7], NULL }, *requestor = &dsa;
	int32_t offset = hooks[hook].offset, format = 0;
	uint32_t mask = hooks[hook].mask;
	uint64_t entry = entry_of(hook, argument), clock, used;
	struct handler_parameters parameters = { { &requestor, &offset, &format, frame->registers,
						   &frame->return_address, &entry, &clock, &used,
						   &mask } };

	if (hook <= FUNCTION_EXIT)
		dsa.name = handler_function_name(argument);
	else if (hook != STATEMENT)
		memcpy(&dsa.name, &argument, sizeof(dsa.name));
	if (hook == VERB)
		mask |= more_events(dsa.name);
	clock = stored_clock();
	used = used_time();
	if (!(mask & VIGIL_MASK_MULTIPLE))
		parameters.parm[8] = NULL;
	handler_event(mask & VIGIL_MASK_MULTIPLE ? VIGIL_MULTIPLE_HOOK : VIGIL_HOOK, &parameters);
}

/* Lets the run time do its part of the call. */
static void call_next(enum hook hook, uint64_t argument, uint64_t caller)
{
	static void (*next[ARRAY_SIZE(hooks)])(uint64_t, uint64_t);

	agent_next(&next[hook], hooks[hook].next);
	if (next[hook])
		next[hook](argument, caller);
}

static bool is_enabled(enum hook hook)
{
	return vigil_caa()->hooks[hooks[hook].offset / 4] == VIGIL_HOOK_ENABLED;
}

/* Returns the bit of the program at the present depth; 0 if it is too deep, or there is none. */
static uint64_t level_bit(void)
{
	return programs.depth && programs.depth <= LEVELS ? UINT64_C(1) << (programs.depth - 1) : 0;
}

/* Before a hook: detects that a program begins, or that one that had called another continues. */
static void follow_before(enum hook hook, struct hook_frame *frame)
{
	if (hook == PROGRAM_ENTRY) {
		programs.depth++;
		programs.calling &= ~level_bit();
		if (level_bit()) {
			programs.names[programs.depth - 1] = frame->registers[5];
			programs.entries[programs.depth - 1] = entry_of_current();
		}
	} else if (hook > PROGRAM_ENTRY && (programs.calling & level_bit())) {
		programs.calling &= ~level_bit();
		if (is_enabled(CALL_RETURN))
			raise_hook(CALL_RETURN, frame, programs.names[programs.depth - 1]);
	}
}

/* After a hook: detects a CALL, or the end of a called program. */
static void follow_after(enum hook hook, uint64_t argument)
{
	const char *verb = NULL;

	if (hook == VERB)
		memcpy(&verb, &argument, sizeof(verb));
	if (hook == PROGRAM_EXIT && programs.depth)
		programs.depth--;
	if (hook == PROGRAM_EXIT || (verb && strcmp(verb, "CALL") == 0))
		programs.calling |= level_bit();
}

__attribute__((used)) void handler_hook(unsigned hook, struct hook_frame *frame);
void handler_hook(unsigned hook, struct hook_frame *frame)
{
	uint64_t argument = frame->registers[5], caller = frame->registers[4]; /* rdi, rsi */

	if (handler_ready()) {
		follow_before(hook, frame);
		if (is_enabled(hook))
			raise_hook(hook, frame, frame->registers[5]);
		follow_after(hook, argument);
	}
	call_next(hook, argument, caller);
}

/*
 * The next cob_stop_run after the one here: reached by a jump, so that it sees the
 * original caller.
 */
__attribute__((used)) uint64_t handler_next_stop;

/* STOP RUN: leaves all programs, the innermost first. */
__attribute__((used)) void handler_stop_run(unsigned hook, struct hook_frame *frame);
void handler_stop_run(unsigned hook, struct hook_frame *frame)
{
	agent_next(&handler_next_stop, hooks[hook].next);
	for (; handler_ready() && programs.depth; programs.depth--)
		if (level_bit() && is_enabled(hook))
			raise_hook(hook, frame, programs.names[programs.depth - 1]);
}

/*
 * The frame is 136 bytes below the return address, and aligned. rsp itself is not
 * restored: the handler must not change it.
 */
#define HOOK(name, number) HOOK_TO(name, number, "handler_hook", "ret")
#define HOOK_TO(name, number, function, leave) \
	__asm__(".globl " name "\n.type " name ", @function\n" name ":\n" \
		"	.cfi_startproc\n	endbr64\n" \
		"	subq $136, %rsp\n	.cfi_adjust_cfa_offset 136\n" \
		"	movq %rax, 0(%rsp)\n	movq %rdx, 8(%rsp)\n	movq %rcx, 16(%rsp)\n" \
		"	movq %rbx, 24(%rsp)\n	movq %rsi, 32(%rsp)\n	movq %rdi, 40(%rsp)\n" \
		"	movq %rbp, 48(%rsp)\n	leaq 144(%rsp), %rax\n	movq %rax, 56(%rsp)\n" \
		"	movq %r8, 64(%rsp)\n	movq %r9, 72(%rsp)\n	movq %r10, 80(%rsp)\n" \
		"	movq %r11, 88(%rsp)\n	movq %r12, 96(%rsp)\n	movq %r13, 104(%rsp)\n" \
		"	movq %r14, 112(%rsp)\n	movq %r15, 120(%rsp)\n" \
		"	movl $" #number \
		", %edi\n	movq %rsp, %rsi\n	call " function "\n" \
		"	movq 0(%rsp), %rax\n	movq 8(%rsp), %rdx\n	movq 16(%rsp), %rcx\n" \
		"	movq 24(%rsp), %rbx\n	movq 32(%rsp), %rsi\n	movq 40(%rsp), %rdi\n" \
		"	movq 48(%rsp), %rbp\n	movq 64(%rsp), %r8\n	movq 72(%rsp), %r9\n" \
		"	movq 80(%rsp), %r10\n	movq 88(%rsp), %r11\n	movq 96(%rsp), %r12\n" \
		"	movq 104(%rsp), %r13\n	movq 112(%rsp), %r14\n	movq 120(%rsp), %r15\n" \
		"	addq $136, %rsp\n	.cfi_adjust_cfa_offset -136\n	" leave "\n" \
		"	.cfi_endproc\n.size " name ", . - " name "\n")

HOOK("__cyg_profile_func_enter", 0);
HOOK("__cyg_profile_func_exit", 1);
HOOK("cob_trace_entry", 2);
HOOK("cob_trace_exit", 3);
HOOK("cob_trace_sect", 4);
HOOK("cob_trace_para", 5);
HOOK("cob_trace_stmt", 6);
HOOK("cob_trace_statement", 7);
HOOK_TO("cob_stop_run", 8, "handler_stop_run", "jmp *handler_next_stop(%rip)");

#endif
