/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the last state of records that are reported only on change (metric-scan.h:
 * devices, controllers, parameters), for clients that need all of them at one
 * time. Zero-initialized it is empty. Text numbers are the engine's.
 */
#ifndef VIGIL_METRICS_PRESENT_H
#define VIGIL_METRICS_PRESENT_H

#include "engine/snapshot.h"

struct present_records {
	struct present_set **sets; /* by record type, NULL where there are none; owned */
	size_t count;
};

/* Returns whether records of a type are reported only on change. */
bool present_is_for(const struct record_type *type);
/* Updates the state from a snapshot. */
void present_take(struct present_records *records, const struct snapshot *snapshot);
/* Returns the present records of a type; NULL: none, or the type is not of that kind. */
const struct recordset *present_get(const struct present_records *records, unsigned type);
void present_release(struct present_records *records);

#endif
