/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan of functions: how the code of an object is patched so that its functions
 * report when they begin and end. The monitor makes it from the file
 * (events/patch-plan.h); the agent carries it out (event-patch.c). It holds for
 * any address at which the object is mapped.
 *
 * At a site a jump of five bytes leads to a stub, which has the instructions that
 * the jump replaced, relocated, and a call of the agent:
 *
 * 	entry	call, code                     and back to after the site
 * 	exit	code up to call_at, call, code that leaves the function
 * 	whole	call, code up to call_at, call, code that leaves the function
 *
 * When an exit calls the agent the stack is as at the function's entry: its return
 * address is on top. The stack itself is never changed, so code that walks it,
 * unwinds it (longjmp, exceptions, cancellation) or switches it (coroutines) is
 * not affected.
 */
#ifndef VIGIL_AGENT_EVENT_PATCH_AREA_H
#define VIGIL_AGENT_EVENT_PATCH_AREA_H

#include <stdint.h>

/* Length of the jump, bytes. */
#define EVENT_PATCH_LENGTH 5
#define EVENT_SITE_BYTES 20
#define EVENT_SITE_CODE 80
#define EVENT_SITE_FIXES 6

enum event_site_kind { EVENT_SITE_ENTRY, EVENT_SITE_EXIT, EVENT_SITE_WHOLE };
/* Maximum length, bytes, of the code that leaves. */
#define EVENT_SITE_LEAVING 8

/* Four position-dependent bytes of code: target less the end of their instruction. */
struct event_fix {
	uint8_t at, end; /* offsets in code */
	uint8_t wide;	 /* 1: eight bytes, the target's absolute address */
	uint8_t unused[5];
	uint64_t target; /* address in the object */
};

struct event_site {
	uint64_t address; /* address in the object */
	/*
	 * Identifies its function in events: EVENT_FUNCTION_NUMBER plus a number assigned
	 * by the monitor, or, if key_moves, an address in the object.
	 */
	uint64_t key;
	uint8_t kind; /* enum event_site_kind */
	uint8_t key_moves;
	uint8_t length;	     /* bytes that the jump replaces, now executed in the stub */
	uint8_t code_length; /* of code */
	uint8_t call_at;     /* offset in code of the call that reports the end */
	uint8_t fix_count;
	uint8_t unused[2];
	uint8_t bytes[EVENT_SITE_BYTES]; /* bytes expected at the site */
	uint8_t code[EVENT_SITE_CODE];	 /* without the call */
	uint8_t unused2[4];
	struct event_fix fixes[EVENT_SITE_FIXES];
};

struct event_plan {
	uint64_t size;
	uint64_t count;
	struct event_site sites[];
};

/* Marks an address in an event as a number assigned by the monitor. */
#define EVENT_FUNCTION_NUMBER UINT64_C(0x80000000000000)

#endif
