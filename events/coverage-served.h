/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object whose statements are covered, with the memory in which the programs
 * that have mapped it mark what they execute (agent/coverage-area.h). It is
 * memory of the monitor's: what was marked stays, however a process ends.
 */
#ifndef VIGIL_EVENTS_COVERAGE_SERVED_H
#define VIGIL_EVENTS_COVERAGE_SERVED_H

#include "agent/coverage-area.h"
#include "events/coverage-plan.h"

/* Not changed any more once it was made, but by its taker. */
struct coverage_served {
	struct coverage_plan plan;
	char *places; /* struct coverage_places, shared with programs; NULL: nothing to watch */
	uint64_t places_size, marks,
		tally_at;    /* of it, as they were made: programs could change what stands there */
	struct object *file; /* the server's */
	uint64_t device, inode, size, time;
	uint64_t tally; /* the taker's: marks when they were taken last */
	uint64_t first; /* the taker's: number of the first statement, 0 not yet */
	uint64_t first_place, first_program; /* the same of the places and programs */
	char path[64];			     /* of the places */
	int fd;
};

/* Make the places of a plan that has some; false: there is no memory. */
bool coverage_served_make(struct coverage_served *served);
void coverage_served_free(struct coverage_served *served);
/* Whether a place was executed, by its number among the plan's addresses. */
bool coverage_served_executed(const struct coverage_served *served, uint32_t address);
/* How many are marked. */
uint64_t coverage_served_tally(const struct coverage_served *served);
/* A file in memory only, of a size that cannot be changed; its descriptor, or -1. */
int coverage_make_file(const char *name, uint64_t size);
/* Map it whole; NULL when that cannot be. */
void *coverage_map_file(int fd, uint64_t size);

#endif
