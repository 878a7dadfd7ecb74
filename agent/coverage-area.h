/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory shared for coverage by places: which instructions of a step's objects
 * begin a statement, and which of them were executed.
 *
 * The coverage area is a file mapped by all processes of the step
 * (vigil-coverage.so) and by the monitor (events/coverage-server.h);
 * VIGIL_COVERAGE in the step's environment is its path. It is a table of the
 * objects that processes have mapped. A process looks an object up; if it is not
 * there the process adds it, and waits until the monitor has read its statements.
 * Entries are never freed.
 *
 * The places of an object are in a file of its own, whose path is in the entry: a
 * page with struct coverage_places, then the addresses and the bytes there,
 * read-only for programs, then, page-aligned, a mark for each place, which
 * programs set.
 *
 * A place has a breakpoint in a process from when the process plants it (when it
 * maps the object while coverage is collected, or at a START) until it is first
 * executed there. A marked place needs none in later processes.
 */
#ifndef VIGIL_AGENT_COVERAGE_AREA_H
#define VIGIL_AGENT_COVERAGE_AREA_H

#include <stdint.h>

#define COVERAGE_AREA_MAGIC UINT64_C(0x31564f4347495659)
#define COVERAGE_AREA_VERSION 2

/* Maximum number of objects of a step; more are not covered, and counted in lost. */
#define COVERAGE_OBJECTS 4096
#define COVERAGE_PATH 1024

enum coverage_entry_state {
	COVERAGE_ENTRY_FREE = 0,
	COVERAGE_ENTRY_CLAIMED = 1, /* a process is filling it in */
	COVERAGE_ENTRY_ASKED = 2,   /* it waits for the monitor */
	COVERAGE_ENTRY_PLACES = 3,  /* places is the path of the object's places */
	COVERAGE_ENTRY_NOTHING = 4, /* the object is not covered */
};

struct coverage_entry {
	uint64_t pid;			    /* process that added the entry */
	uint64_t start;			    /* address where that process has mapped it */
	uint64_t device, inode, size, time; /* of the file; time: its last change, ns */
	char path[COVERAGE_PATH];
	char places[64];
};

enum coverage_area_state {
	COVERAGE_AREA_OFF = 0, /* there is no monitor: nothing is planted or marked */
	COVERAGE_AREA_ON = 1,
};

struct coverage_area {
	uint64_t magic, version, size;
	uint32_t state;	 /* enum coverage_area_state */
	uint32_t bell;	 /* a futex: changes when an entry waits for the monitor */
	uint64_t active; /* 1 collecting; used if the step has no transaction area
			  * (transaction-area.h) */
	/* Statistics, changed by atomic additions. */
	uint64_t processes; /* process images that have found the area */
	uint64_t traced;    /* those of them traced by a debugger, where nothing is planted */
	uint64_t failed;    /* objects that could not be mapped or written to */
	uint64_t changed;   /* places whose bytes in memory differ from the file's */
	uint64_t lost;	    /* objects beyond the table */
	uint64_t monitor;   /* process id of the monitor, in its own namespace */
	uint64_t other_namespaces;	    /* process images that had objects in another loader namespace; these
			     * are not covered */
	uint32_t states[COVERAGE_OBJECTS]; /* enum coverage_entry_state, by entry; each a futex */
	struct coverage_entry entries[COVERAGE_OBJECTS];
};

#define COVERAGE_PLACES_MAGIC UINT64_C(0x31434c5047495659)

struct coverage_places {
	uint64_t magic, size;
	uint64_t count;
	uint64_t addresses; /* offset of the uint64_t addresses in the object, ascending */
	uint64_t bytes;	    /* offset of the file's bytes at each place, as many as a breakpoint
			     * takes, as uint32_t */
	uint64_t marks;	    /* offset of the uint8_t marks: 0, or COVERAGE_EXECUTED; page-aligned */
	uint64_t tally;	    /* offset of a uint64_t after the marks: how many are set; atomic */
};

#define COVERAGE_EXECUTED 1

/*
 * The processor's breakpoint instruction, and its size in bytes; 0 on processors
 * where nothing is planted.
 */
#if defined(__x86_64__)
#define COVERAGE_BREAK UINT32_C(0xcc)
#define COVERAGE_BREAK_SIZE 1
#elif defined(__aarch64__)
#define COVERAGE_BREAK UINT32_C(0xd4200000) /* brk #0 */
#define COVERAGE_BREAK_SIZE 4
#else
#define COVERAGE_BREAK 0
#define COVERAGE_BREAK_SIZE 0
#endif

/* Returns the first index to probe for an object, from its file. */
static inline uint64_t coverage_entry_first(uint64_t device, uint64_t inode)
{
	return ((device << 32 ^ inode) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % COVERAGE_OBJECTS;
}

#endif
