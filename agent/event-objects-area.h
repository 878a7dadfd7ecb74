/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent and the monitor agree on how the code of a step's objects
 * (executables and shared libraries) is patched: a second file in memory next to
 * the data pool, with a table of objects followed by plans.
 *
 * A process that has mapped an object looks for its file in the table. If it is
 * not there the process takes the next entry, fills it in, sets ASKED, writes a
 * byte into the bell (a pipe of the monitor, which then also reads the data pool)
 * and waits until the monitor has written its plans and set KNOWN. A plan holds for the file, wherever it is
 * mapped: so each file is requested once, and processes of the step that map it
 * later find the answer there.
 *
 * Descriptors are the monitor's: the agent opens them through the folder of the
 * data pool (/proc/PID/fd).
 */
#ifndef VIGIL_AGENT_EVENT_OBJECTS_AREA_H
#define VIGIL_AGENT_EVENT_OBJECTS_AREA_H

#include <stdint.h>

#define EVENT_OBJECTS_MAGIC UINT64_C(0x314a424f47495621)
#define EVENT_OBJECTS 1024

/* The kinds of plans. Each plan begins with its size in bytes (uint64_t), including that word. */
enum event_plan_kind {
	EVENT_PLAN_FUNCTIONS, /* struct event_plan of event-patch-area.h */
	EVENT_PLAN_COVERAGE,  /* statements to be reported once */
	EVENT_PLAN_COUNT
};

enum event_object_state {
	EVENT_OBJECT_FREE = 0,
	EVENT_OBJECT_ASKED = 1, /* the agent has filled it in */
	EVENT_OBJECT_KNOWN = 2, /* the monitor has answered */
};

struct event_object {
	uint32_t state; /* written last by either side */
	uint32_t pid;	/* the requesting process */
	uint64_t device, inode, changed; /* of the file; changed in ns */
	uint64_t start;			 /* address where the requesting process has mapped it */
	uint32_t path;			 /* number of a name in the data pool */
	uint32_t unused;
	uint64_t plans[EVENT_PLAN_COUNT]; /* offset of each in the file, a multiple of 4096; 0:
					   * none */
};

struct event_objects_area {
	uint64_t magic;
	uint64_t next;	   /* entries taken; if above EVENT_OBJECTS, the last ones got none */
	uint32_t answers;  /* a futex: changes with each answer */
	uint32_t unused;
	/*
	 * Sites of plans that processes did not patch, because other threads had begun; no
	 * near address was free; the code cannot be written; or it differs from the
	 * file's.
	 */
	uint64_t threads, far, locked, differ;
	uint64_t reserved;
	struct event_object objects[EVENT_OBJECTS];
};

#endif
