/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by places (layout: coverage-area.h), in a measured program. A library
 * of its own, vigil-coverage.so, as it stands before functions that have to do
 * with signals, and is initialized before all others:
 *
 *	coverage-begin.c	begins all, with a process
 *	coverage-ask.c		finds the area, and asks for the places of objects
 *	coverage-look.c		sees which objects are mapped
 *	coverage-objects.c	the objects that are mapped now, and what is planted in them
 *	coverage-write.c	writes into the process's memory
 *	coverage-trap.c		what happens when a breakpoint is met
 *	coverage-rebind.c	statement events of COBOL are not told twice
 *	coverage-signals.c	SIGTRAP is never blocked, and the program's own still comes to it
 *
 * A breakpoint is planted, and taken away, by writing into the process's memory
 * through /proc/self/mem: a page of instructions is never writable meanwhile, and
 * is the process's own copy after. Where that file cannot be opened (a process
 * that has changed its user, or its root), the page is made writable and stays so.
 *
 * A place may be met by several threads at once: the first takes the breakpoint
 * away, each marks the place and goes on at it. That is right however often it is
 * done, also in a process that was forked meanwhile.
 *
 * Nothing of the C library and the loader is ever planted into: the handler calls
 * them. A program that reads its own instructions sees the breakpoints.
 */
#ifndef VIGIL_AGENT_COVERAGE_COVERAGE_AGENT_H
#define VIGIL_AGENT_COVERAGE_COVERAGE_AGENT_H

#include "agent/agent.h"
#include "agent/coverage-area.h"
#include "agent/coverage/coverage-processor.h"

#include <signal.h>

/* An object that is mapped. */
struct coverage_object {
	uint64_t base;	    /* address in memory - address in the object's terms */
	uint64_t low, high; /* its places lie from low to below high, in memory */
	uint64_t count;
	const uint64_t *addresses;
	const uint32_t *bytes;
	uint8_t *marks;
	uint64_t *tally;
	uint64_t swept; /* the tally when the last marked place was freed of its breakpoint */
	uint32_t entry; /* in the area */
	bool live;	/* it is mapped now */
	bool quiet;	/* its statement events are bound to the run time */
	bool seen;	/* by the look at all objects that goes on */
};

/* coverage-ask.c */

/* NULL: coverage is not collected. */
extern struct coverage_area *coverage_area;
/* By which START and PAUSE hold for the step; NULL: the area says it. Set when the process begins. */
struct transaction_area;
extern struct transaction_area *coverage_transactions;
/* Map the area of a path; false: there is none. */
bool coverage_find_area(const char *path);
/* Whether collecting goes on; not between a PAUSE and a START. */
bool coverage_active(void);
/* How often collecting was started. */
uint64_t coverage_starts(void);
/* The places of a file, as the monitor knows them; false: it is not covered. */
bool coverage_ask(const char *path, uint64_t start, struct coverage_object *object);

/* coverage-write.c */

/*
 * What a forked child finds cleared; a child of vfork has the memory of its parent, and its
 * descriptors. The process's own memory is kept open as a file: a program may close the descriptor,
 * or put another file in its place, so it is looked at before each use.
 */
struct coverage_process {
	uint64_t device, inode;
	uint64_t fd;	   /* + 1; 0 none */
	uint32_t visitors; /* threads that go through objects outside of the loader */
	uint32_t loading;  /* 1: the loader maps objects, or unmaps them */
};

extern struct coverage_process *coverage_process;
/* Make what belongs to one process alone. */
void coverage_process_begin(void);
/* Write bytes that may be read-only otherwise. */
void coverage_write_data(uint64_t address, const void *bytes, size_t size);
/* Write bytes over instructions; false: they cannot be written to. */
bool coverage_write(uint64_t address, const void *bytes, size_t size);

/* coverage-look.c: see which objects are mapped, and plant into those that are new. The loader's
 * lock is held, or the process has one thread. */
void coverage_look(void);
/* The same for the first time. */
void coverage_look_begin(void);

/* coverage-objects.c */

/* Take an object in that the loader has mapped at base. */
void coverage_object_add(const char *path, uint64_t base);
/* Begin a look at all objects, and end it: those that were not added since are gone. */
void coverage_objects_begin(void);
void coverage_objects_end(void);
/* Whether an object has places; its statement events then go to the run time alone. For
 * vigil-events.so. */
struct link_map;
AGENT_VISIBLE bool vigil_coverage_watches(const struct link_map *map);
/* coverage-rebind.c: bind an object's statement events to the run time. */
void coverage_rebind(const struct link_map *map);
/* The object and number of the place at an address; NULL: there is none. */
const struct coverage_object *coverage_find(uint64_t address, uint64_t *place);
/* Whether a breakpoint stands at an address. */
bool coverage_is_planted(uint64_t address);
/* Take away the breakpoint of a place, when it is there. */
void coverage_free(const struct coverage_object *object, uint64_t place);
/* Plant into all that is not marked. */
void coverage_plant_all(void);
/* Take away the breakpoints of places that others have marked. */
void coverage_sweep(void);
/* The loader begins to map or unmap objects, and has done so: nobody else goes through them
 * meanwhile. */
void coverage_loading(bool begins);

/* coverage-trap.c: where the loader tells that it has mapped or unmapped objects. */
void coverage_watch_loader(void);
void coverage_trap(int number, siginfo_t *info, void *context);

/* coverage-signals.c: let SIGTRAP come to trap. */
void coverage_signals_begin(void (*trap)(int number, siginfo_t *info, void *context));
/* Treat a SIGTRAP as the program would have it. */
void coverage_signal_of_program(int number, siginfo_t *info, void *context);

#endif
