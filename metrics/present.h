/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is told only when it changes (metric-scan.h: devices, controllers,
 * parameters), kept as it was told last, for who must have all of it at one
 * moment. Zeroes are one that is empty. Texts in what is kept are the engine's.
 */
#ifndef VIGIL_METRICS_PRESENT_H
#define VIGIL_METRICS_PRESENT_H

#include "engine/snapshot.h"

struct present_records {
	struct present_set **sets; /* by record type, NULL where there are none; owned */
	size_t count;
};

/* Returns whether records of a type are of that kind. */
bool present_is_for(const struct record_type *type);
/* Takes note of what a snapshot tells. */
void present_take(struct present_records *records, const struct snapshot *snapshot);
/* The records of a type that are there now; NULL: none, or the type is not of that kind. */
const struct recordset *present_get(const struct present_records *records, unsigned type);
void present_release(struct present_records *records);

#endif
