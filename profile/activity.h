/* SPDX-License-Identifier: Apache-2.0 */
/* What each task did, or what was done on each file: totals, and their course over time. */
#ifndef VIGIL_PROFILE_ACTIVITY_H
#define VIGIL_PROFILE_ACTIVITY_H

#include "common/idmap.h"
#include "profile/timeline.h"

/* Amounts of an activity's timeline. */
enum activity_amount { ACTIVITY_BUSY, ACTIVITY_BUSY_SOLO, ACTIVITY_CHARGED };

/* Times in ns. */
struct activity_sum {
	uint64_t id;		  /* of the task or file */
	uint64_t busy, busy_solo; /* of a task: on a processor; of a file: at least one task
				   * waited for it */
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
/* Returns the sums of an id, adding them if they are new; valid until the next are added. */
struct activity_sum *activity_put(struct activity_table *table, uint64_t id);
/* Returns the sums of an id, NULL if it did nothing. */
const struct activity_sum *activity_find(const struct activity_table *table, uint64_t id);
/*
 * Fills busiest with at most `most` sums, busiest first, ties by id; sums without
 * activity are left out. Returns how many there are.
 */
size_t activity_busiest(const struct activity_table *table, const struct activity_sum **busiest, size_t most);

#endif
