/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory through which coverage by places is told: which instructions of a
 * step's objects begin a statement, and which of them were executed.
 *
 * The coverage area, a file mapped by all processes of the step (vigil-coverage.so)
 * and by the monitor (events/coverage-server.h); VIGIL_COVERAGE in the step's
 * environment is its path. It is a table of the objects that processes have
 * mapped. A process looks an object up; one that is not there it enters, and
 * waits until the monitor has read its statements. Entries are never freed.
 *
 * An object's places, a file of its own, whose path the entry gives: a page with
 * struct coverage_places, then the addresses and the bytes there, which programs
 * only read, then, from a page on, a mark for each place, which they set.
 *
 * A place has a breakpoint in a process from the time it plants it (when it maps
 * the object while coverage is collected, or at a START) until it is first
 * executed there. What is marked needs none in processes that come later.
 */
#ifndef VIGIL_AGENT_COVERAGE_AREA_H
#define VIGIL_AGENT_COVERAGE_AREA_H

#include <stdint.h>

#define COVERAGE_AREA_MAGIC UINT64_C(0x31564f4347495659)
#define COVERAGE_AREA_VERSION 2

/* Objects of a step at most; more are not covered, and counted in lost. */
#define COVERAGE_OBJECTS 4096
#define COVERAGE_PATH 1024

enum coverage_entry_state {
	COVERAGE_ENTRY_FREE = 0,
	COVERAGE_ENTRY_CLAIMED = 1, /* a process fills it in */
	COVERAGE_ENTRY_ASKED = 2,   /* it waits for the monitor */
	COVERAGE_ENTRY_PLACES = 3,  /* places is the path of its places */
	COVERAGE_ENTRY_NOTHING = 4, /* it is not covered */
};

struct coverage_entry {
	uint64_t pid;			    /* who has entered it */
	uint64_t start;			    /* where that process has mapped it */
	uint64_t device, inode, size, time; /* of the file; time of its last change, ns */
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
	uint64_t active; /* 1 collecting, where the step has no word of its own (transaction-area.h)
			  */
	/* Statistics, changed by atomic additions. */
	uint64_t processes; /* images of processes that have found the area */
	uint64_t traced;    /* of them those that a debugger traced: nothing is planted */
	uint64_t failed;    /* objects that could not be mapped or written to */
	uint64_t changed;   /* places with other bytes in memory than in the file */
	uint64_t lost;	    /* objects beyond the table */
	uint64_t monitor;   /* process id of the monitor, as it sees itself */
	uint64_t apart;	    /* images of processes that had objects in another namespace of the
			       loader: these are not covered */
	uint32_t states[COVERAGE_OBJECTS]; /* enum coverage_entry_state, by entry; each a futex */
	struct coverage_entry entries[COVERAGE_OBJECTS];
};

#define COVERAGE_PLACES_MAGIC UINT64_C(0x31434c5047495659)

struct coverage_places {
	uint64_t magic, size;
	uint64_t count;
	uint64_t addresses; /* where they begin: uint64_t, in the object's terms, in order */
	uint64_t bytes;	    /* uint32_t each: what stands there in the file, as much as a breakpoint
			       takes */
	uint64_t marks;	    /* uint8_t each: 0, or COVERAGE_EXECUTED; on a page of their own */
	uint64_t tally;	    /* uint64_t, behind the marks: how many are set; atomic */
};

#define COVERAGE_EXECUTED 1

/* The breakpoint of the processor, and its bytes; 0 where there is none and nothing is planted. */
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

/* Where to look for an object first, by its file. */
static inline uint64_t coverage_entry_first(uint64_t device, uint64_t inode)
{
	return ((device << 32 ^ inode) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % COVERAGE_OBJECTS;
}

#endif
