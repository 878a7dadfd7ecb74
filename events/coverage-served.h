/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object whose statements are covered, with the memory in which the programs
 * that have mapped it mark what they execute (agent/coverage-area.h). The monitor
 * owns this memory: marks stay, however a process ends.
 */
#ifndef VIGIL_EVENTS_COVERAGE_SERVED_H
#define VIGIL_EVENTS_COVERAGE_SERVED_H

#include "agent/coverage-area.h"
#include "events/coverage-plan.h"

/* Constant once it was made, except for the consumer's members. */
struct coverage_served {
	struct coverage_plan plan;
	char *places; /* struct coverage_places, shared with programs; NULL: nothing to watch */
	uint64_t places_size, marks,
		tally_at;    /* offsets in places as created: programs could change those stored
			      * there */
	struct object *file; /* owned by the server */
	uint64_t device, inode, size, time;
	uint64_t tally; /* consumer's: number of marks when they were last taken */
	uint64_t first; /* consumer's: number of the first statement, 0 none yet */
	uint64_t first_place, first_program; /* the same of places and programs */
	char path[64];			     /* of the file of places */
	int fd;
};

/* Makes the places of a plan that has some; returns false if there is no memory. */
bool coverage_served_make(struct coverage_served *served);
void coverage_served_free(struct coverage_served *served);
/* Returns whether a place was executed, by its index in the plan's addresses. */
bool coverage_served_executed(const struct coverage_served *served, uint32_t address);
/* Returns the number of marked places. */
uint64_t coverage_served_tally(const struct coverage_served *served);
/* Makes a file in memory with a sealed size; returns its descriptor, or -1. */
int coverage_make_file(const char *name, uint64_t size);
/* Maps all of it; returns NULL on failure. */
void *coverage_map_file(int fd, uint64_t size);

#endif
