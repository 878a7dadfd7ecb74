/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of functions compiled with -finstrument-functions.
 *
 * They report both ends, also when an exception passes, but not when they are left
 * by longjmp. So each thread notes which are active and where on the stack, and a
 * jump ends those that it leaves (event-jumps.c).
 */
#include "agent/events/event-functions.h"

#include <signal.h>
#include <sys/mman.h>

AGENT_VISIBLE void __cyg_profile_func_enter(void *function, void *call);
AGENT_VISIBLE void __cyg_profile_func_exit(void *function, void *call);

/* Allocates memory for a thread's notes; returns NULL on failure. */
static COLD __attribute__((noinline)) struct event_noted *make_notes(struct event_lane *lane)
{
	sigset_t all, before;
	void *memory;
	int saved = errno;

	/* The first event creates the lane. */
	if (!lane->number)
		return NULL;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (!lane->noted) {
		memory = mmap(NULL, EVENT_NOTED * sizeof(struct event_noted), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		lane->noted = memory == MAP_FAILED ? NULL : memory;
		lane->noted_count = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return lane->noted;
}

/*
 * Notes a function, with its state: the entry is reserved by one instruction,
 * because of signal handlers. Returns NULL if there are too many, and it is only
 * counted.
 */
static inline struct event_noted *note(struct event_lane *lane, uint64_t function, uint64_t place)
{
	uint64_t at = 1;

#if defined(__x86_64__)
	__asm__ volatile("xaddq %0, %1" : "+r"(at), "+m"(lane->noted_count) : : "memory", "cc");
#else
	at = __atomic_fetch_add(&lane->noted_count, 1, __ATOMIC_RELAXED);
#endif
	if (UNLIKELY(at >= EVENT_NOTED))
		return NULL;
	lane->noted[at].function = function;
	__atomic_store_n(&lane->noted[at].place, place, __ATOMIC_RELAXED);
	return &lane->noted[at];
}

/* Drops the newest note, of count. */
static inline void drop_newest(struct event_lane *lane, uint64_t count)
{
	lane->noted[count - 1].function = 0;
	lane->noted[count - 1].place = 0;
	__atomic_store_n(&lane->noted_count, count - 1, __ATOMIC_RELAXED);
}

/* Drops all notes from an index on. */
static void forget(struct event_lane *lane, uint64_t from)
{
	uint64_t count;

	while ((count = lane->noted_count) > from)
		if (count <= EVENT_NOTED)
			drop_newest(lane, count);
		else
			__atomic_store_n(&lane->noted_count, count - 1, __ATOMIC_RELAXED);
}

/*
 * Handles the end of a function that is not the newest noted: those above it have
 * been left, or blocked.
 */
static __attribute__((noinline)) void forget_deeper(struct event_lane *lane, uint64_t function)
{
	for (uint64_t i = lane->noted_count; i-- > 0;)
		if (event_noted_function(lane->noted[i].function) == function && lane->noted[i].place) {
			forget(lane, i);
			return;
		}
}

static inline void forget_newest(struct event_lane *lane, uint64_t function)
{
	uint64_t count = lane->noted_count;

	if (count && count <= EVENT_NOTED && event_noted_function(lane->noted[count - 1].function) != function)
		forget_deeper(lane, function);
	else if (count)
		forget(lane, count - 1);
}

/* Returns whether the begin of the newest noted function has been written, as far as is known. */
static inline bool is_newest_written(const struct event_lane *lane)
{
	uint64_t count = lane->noted_count;

	if (count <= EVENT_NOTED)
		return count && event_noted_may_be_written(lane->noted[count - 1].function);
	return !lane->quiet || count <= lane->deep_written;
}

void event_functions_left(event_is_left *is_left, const void *jump)
{
	struct event_lane *lane = event_lane;
	uint64_t count;

	if (lane->noted_count > EVENT_NOTED)
		lane->noted_count = EVENT_NOTED;
	while ((count = lane->noted_count)) {
		struct event_noted newest = lane->noted[count - 1];
		bool newest_written;

		if (newest.place && !is_left(newest.place, jump))
			return;
		event_lane_settle(lane);
		newest_written = is_newest_written(lane);
		forget(lane, count - 1);
		if (newest_written && newest.place && event_has_monitor() && event_area->functions)
			event_write(EVENT_MARK_RETURN | event_pause_bit() | EVENT_VALUE(newest.function));
	}
}

/* Begins the first function in a pause. Gives the thread a lane if it has none. */
static COLD __attribute__((noinline)) void begin_pause(const void *function, uint64_t place)
{
	if (!event_lane->number)
		event_write(EVENT_MARK_TASK | EVENT_MARK_PAUSED);
	if (!event_lane->noted && !make_notes(event_lane))
		return;
	event_lane_defer(event_lane);
	note(event_lane, (uint64_t)function, place);
}

/* Begins a function in a pause. */
static inline void begin_in_pause(struct event_lane *lane, const void *function, uint64_t place)
{
	if (!event_has_monitor() || !event_function_passes(function))
		return;
	if (UNLIKELY(!lane->quiet || !lane->noted))
		begin_pause(function, place);
	else
		note(lane, (uint64_t)function, place);
}

/* Ends a function in a pause if it began before the pause, or is not the newest noted. */
static COLD __attribute__((noinline)) void end_before_pause(struct event_lane *lane, const void *function)
{

	if (!event_has_monitor() || !event_function_passes(function) || !lane->noted_count)
		return;
	if (is_newest_written(lane))
		event_write(EVENT_MARK_RETURN | EVENT_MARK_PAUSED | EVENT_VALUE(function));
	forget_newest(lane, (uint64_t)function);
}

/* Returns whether a function is the newest noted, of count, and began in the present pause. */
static inline bool is_noted_in_pause(const struct event_lane *lane, uint64_t count, const void *function)
{
	return lane->quiet && count && count <= EVENT_NOTED &&
	       lane->noted[count - 1].function == (uint64_t)function;
}

/* Ends a function in a pause: the monitor has its begin only if it began before. */
static inline void end_in_pause(struct event_lane *lane, const void *function)
{
	uint64_t count = lane->noted_count;

	if (LIKELY(is_noted_in_pause(lane, count, function)))
		drop_newest(lane, count);
	else
		end_before_pause(lane, function);
}

/* Notes the first function of a thread; its event has created the lane. */
static COLD __attribute__((noinline)) void note_first(uint64_t function, uint64_t place)
{
	if (make_notes(event_lane))
		note(event_lane, function | EVENT_NOTED_WRITTEN, place);
}

/*
 * A noted function may not have been written as begun, and may already be written
 * as ended, but never the reverse: a jump out of a signal handler in between can
 * only cause one end too many, which the monitor ignores.
 */

/* Begins a function, whatever the state. */
static __attribute__((noinline)) void begin_slowly(void *function, uint64_t place)
{
	struct event_lane *lane = event_lane;
	struct event_noted *noted;

	if (!event_active()) {
		begin_in_pause(lane, function, place);
		return;
	}
	if (!event_function_passes(function))
		return;
	noted = lane->noted ? note(lane, (uint64_t)function | EVENT_NOTED_WRITING, place) : NULL;
	if (noted) {
		event_function_write_begin(&noted->function, (uint64_t)function);
		return;
	}
	event_write(EVENT_MARK_ENTRY | EVENT_VALUE(function));
	if (UNLIKELY(!lane->noted))
		note_first((uint64_t)function, place);
}

/* Ends a function, whatever the state. */
static __attribute__((noinline)) void end_slowly(void *function)
{
	if (!event_active()) {
		end_in_pause(event_lane, function);
		return;
	}
	if (!event_function_passes(function))
		return;
	event_write(EVENT_MARK_RETURN | EVENT_VALUE(function));
	forget_newest(event_lane, (uint64_t)function);
}

/* Begins a function, the newest noted or too deep for that, which its short way cannot tally. */
static COLD __attribute__((noinline)) void begin_tallied_slowly(uint64_t mark)
{
	struct event_lane *lane = event_lane;
	uint64_t count = lane->noted_count;
	struct event_noted *noted = count && count <= EVENT_NOTED ? &lane->noted[count - 1] : NULL;

	event_function_begin(lane, noted ? &noted->function : NULL, EVENT_MARK_VALUE(mark), false);
}

static COLD __attribute__((noinline)) void end_tallied_slowly(uint64_t mark, uint64_t resumes)
{
	event_function_end(event_lane, EVENT_MARK_VALUE(mark), resumes, false);
}

/* Returns which function resumes after the newest noted, of count; 0: none, or one that is written. */
static inline uint64_t resumes_after(const struct event_lane *lane, uint64_t count)
{
	uint64_t below = count > 1 ? lane->noted[count - 2].function : 0;

	return below & EVENT_NOTED_WRITTEN ? 0 : event_noted_function(below);
}

/*
 * The short ways, which most calls take: without a frame, a saved register or a
 * function call but as the last thing done. Those of calls that are not collected are
 * the shortest: the rest costs little beside the reading of the cycle counter. What needs
 * registers that have to be saved is a function of its own, as all ways would save them.
 */

static __attribute__((noinline)) void begin_tallied(struct event_lane *lane, uint64_t function, uint64_t place)
{
	const uint64_t mark = EVENT_MARK_ENTRY | EVENT_VALUE(function);

	if (UNLIKELY(!note(lane, function, place) || !event_tally_put(lane, mark, 0, false)))
		begin_tallied_slowly(mark);
}

/* Ends a function, the newest noted, of count. */
static __attribute__((noinline)) void end_tallied(struct event_lane *lane, uint64_t function, uint64_t count)
{
	const uint64_t mark = EVENT_MARK_RETURN | EVENT_VALUE(function), resumes = resumes_after(lane, count);

	if (UNLIKELY(!event_note_take(&lane->noted[count - 1].function, function))) {
		end_slowly((void *)function);
		return;
	}
	drop_newest(lane, count);
	if (UNLIKELY(!event_tally_put(lane, mark, resumes, false)))
		end_tallied_slowly(mark, resumes);
}

void __cyg_profile_func_enter(void *function, void *call UNUSED)
{
	enum event_gate gate = event_area_gate();
	struct event_lane *lane;
	uint64_t place, now;

	if (LIKELY(gate == EVENT_GATE_FILTER) && LIKELY(event_function_is_blocked(function)))
		return;
	/* Above this function's frame and its return address. */
	place = (uint64_t)__builtin_dwarf_cfa();
	lane = event_lane;
	gate = event_gate_now(gate);
	if (UNLIKELY(gate == EVENT_GATE_PAUSED) && lane->quiet && lane->noted) {
		note(lane, (uint64_t)function, place);
		return;
	}
	if (UNLIKELY(gate == EVENT_GATE_ASK || gate == EVENT_GATE_PAUSED || !lane->noted)) {
		begin_slowly(function, place);
		return;
	}
	if (gate == EVENT_GATE_TALLY) {
		begin_tallied(lane, (uint64_t)function, place);
		return;
	}
	if (UNLIKELY(lane->quiet)) {
		begin_slowly(function, place);
		return;
	}
	note(lane, (uint64_t)function | EVENT_NOTED_WRITTEN, place);
	now = event_cycle_counter();
	if (UNLIKELY(!event_write_plain(lane, EVENT_MARK_ENTRY | EVENT_VALUE(function), now)))
		event_write_anchored(EVENT_MARK_ENTRY | EVENT_VALUE(function), now);
}

void __cyg_profile_func_exit(void *function, void *call UNUSED)
{
	enum event_gate gate = event_area_gate();
	struct event_lane *lane;
	uint64_t count, noted;

	if (LIKELY(gate == EVENT_GATE_FILTER) && LIKELY(event_function_is_blocked(function)))
		return;
	gate = event_gate_now(gate);
	lane = event_lane;
	count = lane->noted_count;
	if (UNLIKELY(gate == EVENT_GATE_ASK || count - 1 >= EVENT_NOTED)) {
		end_slowly(function);
		return;
	}
	noted = lane->noted[count - 1].function;
	if (gate == EVENT_GATE_TALLY && noted == (uint64_t)function) {
		end_tallied(lane, (uint64_t)function, count);
		return;
	}
	if (UNLIKELY(event_noted_function(noted) != (uint64_t)function ||
		     !event_end_plain(lane, gate, event_noted_may_be_written(noted), EVENT_MARK_RETURN | EVENT_VALUE(function)))) {
		end_slowly(function);
		return;
	}
	drop_newest(lane, count);
}
