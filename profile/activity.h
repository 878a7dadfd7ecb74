/* SPDX-License-Identifier: Apache-2.0 */
/* What each task did, or what was done on each file: sums, and their course through time. */
#ifndef VIGIL_PROFILE_ACTIVITY_H
#define VIGIL_PROFILE_ACTIVITY_H

#include "common/idmap.h"
#include "profile/timeline.h"

/* Amounts of an activity's timeline. */
enum activity_amount { ACTIVITY_BUSY, ACTIVITY_BUSY_SOLO, ACTIVITY_CHARGED };

/* Times in ns. */
struct activity_sum {
	uint64_t id;		  /* of the task or file */
	uint64_t busy, busy_solo; /* a task: on a processor; a file: waited for by at least one */
	uint64_t charged, charged_solo;
	uint64_t waits, total, bytes, calls; /* files only */
	struct timeline timeline;     /* enum activity_amount */
};

/* All zero is an empty table. */
struct activity_table {
	struct idmap index;
	struct activity_sum *items;
	size_t count, alloc;
};

void activity_release(struct activity_table *table);
/* The sums of an id, made when it is new; valid until the next is made. */
struct activity_sum *activity_put(struct activity_table *table, uint64_t id);
/* The sums of an id, NULL when it did nothing. */
const struct activity_sum *activity_find(const struct activity_table *table, uint64_t id);
/* The busiest, most busy first, then by id: at most so many, those that did nothing not at all. Returns how many. */
size_t activity_busiest(const struct activity_table *table, const struct activity_sum **busiest, size_t most);

#endif
