/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jumps of a program out of its functions: longjmp, and contexts that switch among
 * themselves (swapcontext).
 *
 * A longjmp leaves the functions whose frames are between the present stack
 * pointer and the one it will set, and those of the signal stack it comes from.
 * The target is read from the jump buffer in glibc's format, which is tested once
 * before main; if the format differs no jumps are reported.
 *
 * A handler that interrupted the writing of an event and leaves by a jump leaves a
 * slot that is reserved and never published, at which the reader would stop. Its
 * signal frame is found on the stack: the interrupted instruction shows that a
 * slot was reserved, a register shows which.
 *
 * A context has its own levels, as a thread has. It gets a number when it is left
 * for the first time; when one is left it is unknown which comes next, so a new
 * number is written, and the next context writes its own if it has one.
 */
#include "agent/agent-next.h"
#include "agent/events/event-frames.h"
#include "agent/events/event-functions.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GLIBC__)

/* Declared under names that no header declares differently. */
AGENT_VISIBLE NORETURN void event_longjmp(void *buffer, int value) __asm__("longjmp");
AGENT_VISIBLE NORETURN void event_plain_longjmp(void *buffer, int value) __asm__("_longjmp");
AGENT_VISIBLE NORETURN void event_siglongjmp(void *buffer, int value) __asm__("siglongjmp");
AGENT_VISIBLE NORETURN void event_checked_longjmp(void *buffer, int value) __asm__("__longjmp_chk");
AGENT_VISIBLE int event_swapcontext(ucontext_t *from, const ucontext_t *to) __asm__("swapcontext");
AGENT_VISIBLE int event_setcontext(const ucontext_t *to) __asm__("setcontext");

/* The next functions after this library's. */
static NORETURN void (*next_longjmp)(void *, int), (*next_plain)(void *, int);
static NORETURN void (*next_sig)(void *, int), (*next_checked)(void *, int);
static int (*next_swapcontext)(ucontext_t *, const ucontext_t *);
static int (*next_setcontext)(const ucontext_t *);
/* Jump buffers have the expected format. */
static bool known;
/* The address to which signal handlers return. */
static uint64_t restorer;
extern const int32_t __start_vigil_reserved[], __stop_vigil_reserved[];
extern const int32_t __start_vigil_published[], __stop_vigil_published[];
/* Number of contexts that have a number. */
static uint64_t contexts;

/* Index of the stack pointer in a jump buffer, and the number of bits by which it is rotated. */
#define WORD 6
#define ROTATION 17
/*
 * A signal frame begins with its handler's return address; number of words before
 * its registers; its size in bytes.
 */
#define FRAME_REGISTERS 6
#define FRAME_SIZE 256
/*
 * Bytes of a stack that are searched for signal frames: a limit of time where
 * handlers nest more deeply.
 */
#define SCANNED (UINT64_C(1) << 16)
/* Upper limit of a stack's size, bytes. */
#define STACK_SIZE_MAX (UINT64_C(1) << 32)

/* Returns the stack pointer that a jump will set. */
static uint64_t target_of(const void *buffer)
{
	uint64_t word, guard;

	memcpy(&word, (const uint64_t *)buffer + WORD, sizeof(word));
	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	return (word >> ROTATION | word << (64 - ROTATION)) ^ guard;
}

struct jump {
	uint64_t here, target;
	uint64_t signals, size; /* of the signal stack it comes from; 0: none */
};

static bool is_left(uint64_t place, const void *argument)
{
	const struct jump *jump = argument;

	if (jump->size && place - jump->signals < jump->size)
		return true;
	/* From a signal stack it is unknown how deep the other stack was. */
	return place < jump->target && (jump->size || place >= jump->here);
}

/* Returns whether place is a slot of the lane that was reserved and not published. */
static bool is_open(const struct event_lane *lane, uint64_t place)
{
	const struct event_area *area = event_area;
	uint64_t slots = (uint64_t)area + area->slots, chunk = (place - slots) / event_chunk_size;
	const struct event_chunk *owners =
		(const struct event_chunk *)((const char *)area + area->chunks);

	return place >= slots && chunk < area->chunk_count &&
	       place % sizeof(struct event_slot) == 0 && owners[chunk].owner == lane->number &&
	       (chunk != lane->chunk || place < lane->cursor) &&
	       !__atomic_load_n(&((const struct event_slot *)place)->mark, __ATOMIC_RELAXED);
}

/* Returns the last address in a table that is not above code, or the first above it; 0: none. */
static uint64_t nearest(const int32_t *from, const int32_t *to, uint64_t code, bool behind)
{
	uint64_t found = 0;

	for (; from < to; from++) {
		uint64_t place = (uint64_t)from + (uint64_t)(int64_t)*from;

		if (behind ? place > code && (!found || place < found)
			   : place <= code && place > found)
			found = place;
	}
	return found;
}

/* Returns whether code is between a reservation and its publication. */
static bool is_writing(uint64_t code)
{
	uint64_t reserved = nearest(__start_vigil_reserved, __stop_vigil_reserved, code, false);

	return reserved &&
	       code < nearest(__start_vigil_published, __stop_vigil_published, reserved, true);
}

/* Fills the slots left open by handlers between two stack addresses. */
static void fill_open(uint64_t from, uint64_t to)
{
	const struct event_lane *lane = event_lane;

	if (!restorer)
		return;
	if (to - from > SCANNED)
		to = from + SCANNED;
	for (uint64_t at = from & ~UINT64_C(7); at + FRAME_SIZE < to; at += sizeof(uint64_t)) {
		const uint64_t *frame = (const uint64_t *)at;

		if (*frame != restorer || !is_writing(frame[FRAME_REGISTERS + REG_RIP]))
			continue;
		for (int i = REG_R8; i < REG_RSP; i++) {
			uint64_t place = frame[FRAME_REGISTERS + i];

			if (is_open(lane, place))
				__atomic_store_n(&((struct event_slot *)place)->mark,
						 EVENT_MARK_VOID, __ATOMIC_RELEASE);
		}
	}
}

/* Reports a jump before it is made: the functions it leaves have ended. */
static void report_jump(const void *buffer)
{
	struct jump jump = { .here = (uint64_t)__builtin_frame_address(0) };
	stack_t signals;
	int saved = errno;

	if (!known || !event_lane->number)
		return;
	jump.target = target_of(buffer);
	if (syscall(SYS_sigaltstack, NULL, &signals) == 0 && signals.ss_flags & SS_ONSTACK &&
	    jump.target - (uint64_t)signals.ss_sp >= signals.ss_size) {
		jump.signals = (uint64_t)signals.ss_sp;
		jump.size = signals.ss_size;
	}
	if (jump.size)
		fill_open(jump.here, jump.signals + jump.size);
	else if (jump.target - jump.here < STACK_SIZE_MAX)
		fill_open(jump.here, jump.target);
	/* A jump to another stack leaves no function here: they resume some time. */
	if (jump.size || jump.target - jump.here < STACK_SIZE_MAX) {
		event_functions_left(is_left, &jump);
		event_frames_left(is_left, &jump);
	}
	errno = saved;
}

void event_longjmp(void *buffer, int value)
{
	report_jump(buffer);
	next_longjmp(buffer, value);
}

void event_plain_longjmp(void *buffer, int value)
{
	report_jump(buffer);
	next_plain(buffer, value);
}

void event_siglongjmp(void *buffer, int value)
{
	report_jump(buffer);
	next_sig(buffer, value);
}

void event_checked_longjmp(void *buffer, int value)
{
	report_jump(buffer);
	next_checked(buffer, value);
}

/*
 * Writes which context is on the processor, and records it. Never inlined: the
 * caller may continue in another thread.
 */
static __attribute__((noinline)) void write_context(uint64_t number)
{
	if (!event_has_monitor())
		return;
	event_write(EVENT_MARK_CONTEXT | event_pause_bit() | EVENT_VALUE(number));
	event_lane->context = number;
}

/* Leaves the context for one that is unknown here; returns the context's own number. */
static __attribute__((noinline)) uint64_t leave_context(void)
{
	uint64_t own = event_lane->context;

	write_context(__atomic_add_fetch(&contexts, 1, __ATOMIC_RELAXED));
	return own;
}

int event_swapcontext(ucontext_t *from, const ucontext_t *to)
{
	uint64_t own = leave_context();
	int result = next_swapcontext(from, to);

	write_context(own);
	return result;
}

int event_setcontext(const ucontext_t *to)
{
	uint64_t own = leave_context();
	int result = next_setcontext(to);

	write_context(own);
	return result;
}

/* Returns whether jump buffers have the expected format. */
static __attribute__((noinline)) bool is_known(void)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	jmp_buf buffer;

	if (_setjmp(buffer))
		return false;
	return here - target_of(buffer) < 4096;
}

/*
 * Finds the address to which the C library lets signal handlers return, with a
 * signal not in use yet.
 */
static void find_restorer(void)
{
	/* The kernel's layout; one word is more than the mask of all signals. */
	struct {
		uint64_t handler, flags, restorer, mask[2];
	} known_action = { 0 };
	struct sigaction ignore = { 0 }, before;

	ignore.sa_handler = SIG_IGN;
	if (sigaction(SIGRTMAX, &ignore, &before) ||
	    syscall(SYS_rt_sigaction, SIGRTMAX, NULL, &known_action, sizeof(uint64_t)))
		return;
	restorer = known_action.restorer;
	sigaction(SIGRTMAX, &before, NULL);
}

/* Runs before any handler may jump. */
__attribute__((constructor)) static void find_next(void)
{
	agent_next(&next_longjmp, "longjmp");
	agent_next(&next_plain, "_longjmp");
	agent_next(&next_sig, "siglongjmp");
	agent_next(&next_checked, "__longjmp_chk");
	agent_next(&next_swapcontext, "swapcontext");
	agent_next(&next_setcontext, "setcontext");
	known = is_known();
	find_restorer();
}

#endif
