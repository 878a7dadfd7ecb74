/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan of functions: how the code of an object is patched so that its
 * functions tell when they begin and end. The monitor makes it from the file
 * (events/patch-plan.h); the agent carries it out (event-patch.c). It holds for
 * any place where the object is mapped.
 *
 * At a site a jump of five bytes leads to a stub, which has the instructions
 * that stood there, rewritten for their new place, and a call of the agent:
 *
 *	entry	call, code                     and back behind the site
 *	exit	code up to call_at, call, code that leaves the function
 *	whole	call, code up to call_at, call, code that leaves the function
 *
 * When an exit calls the agent the stack is as at the function's entry: its
 * return address is on top. The stack itself is never changed, so nothing that
 * walks it, cuts it (longjmp, exceptions, cancellation) or changes it
 * (coroutines) needs to know.
 */
#ifndef VIGIL_AGENT_EVENT_PATCH_AREA_H
#define VIGIL_AGENT_EVENT_PATCH_AREA_H

#include <stdint.h>

/* The jump. */
#define EVENT_PATCH_LENGTH 5
#define EVENT_SITE_BYTES 20
#define EVENT_SITE_CODE 80
#define EVENT_SITE_FIXES 6

enum event_site_kind { EVENT_SITE_ENTRY, EVENT_SITE_EXIT, EVENT_SITE_WHOLE };
/* The code that leaves has no more bytes than that. */
#define EVENT_SITE_LEAVING 8

/* Four bytes of code that depend on where it is: target less the end of their instruction. */
struct event_fix {
	uint8_t at, end; /* in code */
	uint8_t wide;	 /* 1: eight bytes, the target's address itself */
	uint8_t unused[5];
	uint64_t target; /* in the object's terms */
};

struct event_site {
	uint64_t address; /* in the object's terms */
	/* What its function is called in events: EVENT_FUNCTION_NUMBER of a number of the
	   monitor's, or an address in the object's terms, as key_moves says. */
	uint64_t key;
	uint8_t kind; /* enum event_site_kind */
	uint8_t key_moves;
	uint8_t length;	     /* bytes that stood there and are executed elsewhere now */
	uint8_t code_length; /* of code */
	uint8_t call_at;     /* in code: where the agent is told of the end */
	uint8_t fix_count;
	uint8_t unused[2];
	uint8_t bytes[EVENT_SITE_BYTES]; /* what must stand there */
	uint8_t code[EVENT_SITE_CODE];	 /* without the call */
	uint8_t unused2[4];
	struct event_fix fixes[EVENT_SITE_FIXES];
};

struct event_plan {
	uint64_t size;
	uint64_t count;
	struct event_site sites[];
};

/* An address in an event that is a number of the monitor's. */
#define EVENT_FUNCTION_NUMBER UINT64_C(0x80000000000000)

#endif
