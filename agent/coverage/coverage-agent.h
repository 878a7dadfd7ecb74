/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by places (layout: coverage-area.h) in a measured program. A separate
 * library, vigil-coverage.so, since it interposes on signal functions and is
 * initialized before all others:
 *
 * 	coverage-begin.c	begins coverage in a process
 * 	coverage-ask.c		finds the area, and requests the places of objects
 * 	coverage-look.c		finds which objects are mapped
 * 	coverage-objects.c	the mapped objects and the breakpoints in them
 * 	coverage-write.c	writes into the process's memory
 * 	coverage-trap.c		handles a breakpoint
 * 	coverage-rebind.c	keeps COBOL statement events from being reported twice
 * 	coverage-signals.c	keeps SIGTRAP unblocked, and passes the program's own on to it
 *
 * A breakpoint is planted, and removed, by writing into the process's memory
 * through /proc/self/mem: a page of code is never writable meanwhile, and is a
 * private copy afterwards. If that file cannot be opened (the process has changed
 * its user, or its root), the page is made writable and stays so.
 *
 * Several threads may reach a place at once: the first removes the breakpoint,
 * each marks the place and continues at it. This is correct however often it is
 * done, also in a process forked meanwhile.
 *
 * Nothing is planted into the C library and the loader: the handler calls them. A
 * program that reads its own code sees the breakpoints.
 */
#ifndef VIGIL_AGENT_COVERAGE_COVERAGE_AGENT_H
#define VIGIL_AGENT_COVERAGE_COVERAGE_AGENT_H

#include "agent/agent.h"
#include "agent/coverage-area.h"
#include "agent/coverage/coverage-processor.h"

#include <signal.h>

/* An object that is mapped. */
struct coverage_object {
	uint64_t base;	    /* address in memory - address in the object */
	uint64_t low, high; /* range of its places in memory, high excluded */
	uint64_t count;
	const uint64_t *addresses;
	const uint32_t *bytes;
	uint8_t *marks;
	uint64_t *tally;
	uint64_t swept; /* the tally when marked places were last freed of their breakpoints */
	uint32_t entry; /* index in the area */
	bool live;	/* it is mapped now */
	bool quiet;	/* its statement events are bound to the run time */
	bool seen;	/* by the scan of all objects in progress */
};

/* coverage-ask.c */

/* NULL: coverage is not collected. */
extern struct coverage_area *coverage_area;
/*
 * The area whose START and PAUSE apply to the step; NULL: the coverage area has
 * the state. Set when the process begins.
 */
struct transaction_area;
extern struct transaction_area *coverage_transactions;
/* Maps the area at a path; returns false if there is none. */
bool coverage_find_area(const char *path);
/* Returns whether collecting is active: not between a PAUSE and a START. */
bool coverage_active(void);
/* Returns how often collecting was started. */
uint64_t coverage_starts(void);
/* Gets the places of a file from the monitor; returns false if it is not covered. */
bool coverage_ask(const char *path, uint64_t start, struct coverage_object *object);

/* coverage-write.c */

/*
 * Data that a forked child finds cleared; a vfork child shares its parent's
 * memory, and has its descriptors. The process's memory is kept open as a file:
 * the program may close the descriptor, or replace it with another file, so it is
 * checked before each use.
 */
struct coverage_process {
	uint64_t device, inode;
	uint64_t fd;	   /* + 1; 0 none */
	uint32_t visitors; /* threads that use objects outside the loader */
	uint32_t loading;  /* 1: the loader is mapping or unmapping objects */
};

extern struct coverage_process *coverage_process;
/* Creates the data that belongs to one process alone. */
void coverage_process_begin(void);
/* Writes bytes to data that may be read-only. */
void coverage_write_data(uint64_t address, const void *bytes, size_t size);
/* Writes bytes over instructions; returns false if they cannot be written. */
bool coverage_write(uint64_t address, const void *bytes, size_t size);

/*
 * coverage-look.c: finds which objects are mapped, and plants into new ones. Call
 * with the loader's lock held, or while the process has one thread.
 */
void coverage_scan(void);
/* Does the same for the first time. */
void coverage_scan_begin(void);

/* coverage-objects.c */

/* Adds an object that the loader has mapped at base. */
void coverage_object_add(const char *path, uint64_t base);
/* Begin and end a scan of all objects: those not added since the beginning are gone. */
void coverage_objects_begin(void);
void coverage_objects_end(void);
/*
 * Returns whether an object has places; its statement events then go to the run
 * time only. For vigil-events.so.
 */
struct link_map;
AGENT_VISIBLE bool vigil_coverage_watches(const struct link_map *map);
/* coverage-rebind.c: binds an object's statement events to the run time. */
void coverage_rebind(const struct link_map *map);
/* Returns the object of the place at an address, and the place's number; NULL: there is none. */
const struct coverage_object *coverage_find(uint64_t address, uint64_t *place);
/* Returns whether there is a breakpoint at an address. */
bool coverage_is_planted(uint64_t address);
/* Removes the breakpoint of a place, if there is one. */
void coverage_free(const struct coverage_object *object, uint64_t place);
/* Plants at all places that are not marked. */
void coverage_plant_all(void);
/* Removes the breakpoints of places that other processes have marked. */
void coverage_sweep(void);
/*
 * Call before and after the loader maps or unmaps objects; keeps other threads
 * from using them meanwhile.
 */
void coverage_loading(bool begins);

/*
 * coverage-trap.c: sets the breakpoint at which the loader reports mapped and
 * unmapped objects; and the handler of all breakpoints.
 */
void coverage_watch_loader(void);
void coverage_trap(int number, siginfo_t *info, void *context);

/* coverage-signals.c: makes trap the handler of SIGTRAP. */
void coverage_signals_begin(void (*trap)(int number, siginfo_t *info, void *context));
/* Handles a SIGTRAP as the program requests. */
void coverage_signal_of_program(int number, siginfo_t *info, void *context);

#endif
