/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent and the monitor agree on what is done to the code of a step's
 * objects (executable and shared libraries): a second file in memory beside
 * the data pool, a table of objects and, behind it, plans.
 *
 * A process that has mapped an object looks for its file in the table. Where
 * it is not there it takes the next entry, fills it in, sets ASKED, writes a
 * byte into the bell (a pipe of the monitor) and waits until the monitor has
 * written its plans and set KNOWN. A plan holds for the file, wherever it is
 * mapped: so a file is asked for once, and each process of the step that has
 * it later finds the answer there.
 *
 * Descriptors are the monitor's: the agent opens them by the folder in which
 * the data pool stands (/proc/PID/fd).
 */
#ifndef VIGIL_AGENT_EVENT_OBJECTS_AREA_H
#define VIGIL_AGENT_EVENT_OBJECTS_AREA_H

#include <stdint.h>

#define EVENT_OBJECTS_MAGIC UINT64_C(0x314a424f47495621)
#define EVENT_OBJECTS 1024

/* What plans there are. Each begins with its size in bytes (uint64_t), itself included. */
enum event_plan_kind {
	EVENT_PLAN_FUNCTIONS, /* struct event_plan of event-patch-area.h */
	EVENT_PLAN_COVERAGE,  /* statements that are to be noticed once */
	EVENT_PLAN_COUNT
};

enum event_object_state {
	EVENT_OBJECT_FREE = 0,
	EVENT_OBJECT_ASKED = 1, /* the agent has filled it in */
	EVENT_OBJECT_KNOWN = 2, /* the monitor has answered */
};

struct event_object {
	uint32_t state; /* written last by either side */
	uint32_t pid;	/* who asks */
	uint64_t device, inode, changed; /* of the file; changed in ns */
	uint64_t start;			 /* where it is mapped in the process that asks */
	uint32_t path;			 /* name of the data pool */
	uint32_t unused;
	uint64_t plans[EVENT_PLAN_COUNT]; /* where each is in the file, a multiple of 4096; 0: none */
};

struct event_objects_area {
	uint64_t magic;
	uint64_t next;	   /* entries taken; more than EVENT_OBJECTS: the last ones got none */
	uint32_t answers;  /* a futex: changes with each answer */
	uint32_t unused;
	/* Sites of plans that processes did not patch: other threads had begun; nothing near is free;
	   code that cannot be written; code that is not that of the file. */
	uint64_t threads, far, locked, differ;
	uint64_t reserved;
	struct event_object objects[EVENT_OBJECTS];
};

#endif
