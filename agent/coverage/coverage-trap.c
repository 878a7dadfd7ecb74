/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the breakpoints that threads reach. */
#include "agent/coverage/coverage-agent.h"

#include <link.h>

static uint64_t loader;	      /* address where the loader reports changes; 0: none */
static uint32_t loader_bytes; /* the bytes that the breakpoint replaced */

void coverage_watch_loader(void)
{
	uint64_t address = _r_debug.r_brk;
	uint32_t planted = COVERAGE_BREAK;

	if (!address || !coverage_can_return((const unsigned char *)address))
		return;
	memcpy(&loader_bytes, (const void *)address, COVERAGE_BREAK_SIZE);
	loader = address;
	if (!coverage_write(address, &planted, COVERAGE_BREAK_SIZE))
		loader = 0;
}

/*
 * Called when the loader begins or ends mapping or unmapping objects; new ones
 * have not executed yet.
 */
static void on_loader_change(void)
{
	int saved = errno;

	if (_r_debug.r_state == RT_CONSISTENT) {
		coverage_scan();
		coverage_loading(false);
		coverage_plant_all();
	} else {
		coverage_loading(true);
	}
	errno = saved;
}

/* Marks a place as executed. */
static void mark(const struct coverage_object *object, uint64_t place)
{
	if (!__atomic_exchange_n(&object->marks[place], COVERAGE_EXECUTED, __ATOMIC_RELAXED))
		__atomic_fetch_add(object->tally, 1, __ATOMIC_RELAXED);
}

void coverage_trap(int number, siginfo_t *info, void *context)
{
	uint64_t address = coverage_place_of(context), place;
	const struct coverage_object *object;

	/* Sent by a process, not by the kernel. */
	if (info->si_code <= 0) {
		coverage_signal_of_program(number, info, context);
		return;
	}
	if (address == loader) {
		on_loader_change();
		coverage_return(context, address, loader_bytes);
		return;
	}
	object = coverage_find(address, &place);
	if (object && coverage_active())
		mark(object, place);
	if (!object || object->bytes[place] == COVERAGE_BREAK) {
		coverage_signal_of_program(number, info, context);
		return;
	}
	coverage_free(object, place);
	coverage_go_on_at(context, address);
	coverage_plant_all();
}
