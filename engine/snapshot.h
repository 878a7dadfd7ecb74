/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot: what the producers made at one tick, a record set for each type that
 * has records. It grows with the types of its registry; a record set does not move
 * until the snapshot is released.
 */
#ifndef VIGIL_ENGINE_SNAPSHOT_H
#define VIGIL_ENGINE_SNAPSHOT_H

#include "engine/registry.h"

struct snapshot {
	uint64_t sequence; /* from 1 */
	uint64_t time;	   /* ns monotonic, the end of the snapshot */
	uint64_t wall;	   /* the same time as ns since 1970 UTC; 0 where a file does not have it */
	bool last;	   /* none follows in this operation */
	const struct registry *types;
	struct recordset **sets; /* by type id, NULL for types that never had records; owned */
	size_t set_count;	 /* ids are below it */
	bool passed_over; /* it had records that were skipped because they are not wanted */
};

void snapshot_init(struct snapshot *snapshot, const struct registry *types);
void snapshot_release(struct snapshot *snapshot);
/* Removes all records, keeps the memory. */
void snapshot_clear(struct snapshot *snapshot);
/* Returns the set of a type, creating it if necessary; id must be one of the registry's. */
struct recordset *snapshot_set(struct snapshot *snapshot, unsigned id);
/* Returns the set of a type for reading; if there is none, an empty set without a type. */
const struct recordset *snapshot_records(const struct snapshot *snapshot, unsigned id);
/* Returns whether there are no records at all. */
bool snapshot_is_empty(const struct snapshot *snapshot);

#endif
