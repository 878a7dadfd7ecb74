/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a function's begin is written where it cannot be tallied: once, wherever a
 * signal handler comes that writes what has begun. The code is executed one
 * instruction at a time, and the handler comes at each of them in turn.
 */
#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"
#include "agent/events/event-tally.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include <cmocka.h>

/* What would write into the data pool is recorded here. */
static void record(uint64_t mark);
static bool not_tallied(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls);
#define event_write(mark) record(mark)
#define event_tally_slowly(lane, mark, resumes, calls) not_tallied(lane, mark, resumes, calls)
#include "agent/events/event-functions.h"
#undef event_write
#undef event_tally_slowly

#define FUNCTION UINT64_C(0x401000)
/* Flag of the processor: a trap after each instruction. */
#define TRAP 0x100

static struct {
	uint64_t noted;
	/* As the monitor counts: functions active, and begins that count. */
	int active, begins;
	/* Instructions, and after how many of them the handler comes. */
	unsigned long steps, at;
	bool stepping;
} trial;

static void record(uint64_t mark)
{
	trial.active += (mark & 0xff) == EVENT_MARK_ENTRY ? 1 : -1;
	trial.begins += (mark & 0xff) == EVENT_MARK_ENTRY && !(mark & EVENT_MARK_PAUSED);
}

static bool not_tallied(struct event_lane *lane UNUSED, uint64_t mark UNUSED, uint64_t resumes UNUSED, bool calls UNUSED)
{
	return false;
}

/* What an event of a signal handler writes first (event-write.c put_all_begun). */
static void write_begun(void)
{
	if (!trial.noted || trial.noted & (EVENT_NOTED_WRITING | EVENT_NOTED_WRITTEN))
		return;
	event_noted_set(&trial.noted, EVENT_NOTED_WRITTEN);
	record(EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | EVENT_VALUE(FUNCTION));
}

#if defined(__x86_64__)
static void step(int number UNUSED, siginfo_t *info UNUSED, void *context)
{
	ucontext_t *interrupted = context;

	if (trial.steps++ == trial.at)
		write_begun();
	if (!trial.stepping)
		interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
}

static __attribute__((noinline)) void begin(void)
{
	event_function_begin(NULL, &trial.noted, FUNCTION, false);
}

/* Executes the begin of a function; the handler comes after a number of instructions. */
static void execute(unsigned long at)
{
	trial.noted = FUNCTION;
	trial.active = trial.begins = 0;
	trial.steps = 0;
	trial.at = at;
	trial.stepping = true;
	/* Below the red zone. */
	__asm__ volatile("sub $128, %%rsp\n pushfq\n orq %0, (%%rsp)\n popfq\n add $128, %%rsp" : : "i"(TRAP) : "memory", "cc");
	begin();
	trial.stepping = false;
	__asm__ volatile("nop");
}

static void a_begin_is_written_once_wherever_a_signal_comes(void **state UNUSED)
{
	struct sigaction action = { .sa_sigaction = step, .sa_flags = SA_SIGINFO }, before;
	unsigned long steps = 1;

	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	for (unsigned long at = 0; at < steps; at++) {
		execute(at);
		steps = trial.steps;
		assert_int_equal(trial.active, 1);
		assert_int_equal(trial.begins, 1);
		assert_true(trial.noted & EVENT_NOTED_WRITTEN);
	}
	/* The handler came at more places than a few. */
	assert_true(steps > 10);
	assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
}
#else
static void a_begin_is_written_once_wherever_a_signal_comes(void **state UNUSED)
{
	skip(); /* single steps are known for x86-64 only */
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_begin_is_written_once_wherever_a_signal_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
