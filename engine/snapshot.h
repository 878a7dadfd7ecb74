/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot: what the producers made at one tick, a record set for each
 * type that has records. It grows with the types of its registry; a record
 * set, once made, stays where it is until the snapshot is released.
 */
#ifndef VIGIL_ENGINE_SNAPSHOT_H
#define VIGIL_ENGINE_SNAPSHOT_H

#include "engine/registry.h"

struct snapshot {
	uint64_t sequence; /* from 1 */
	uint64_t time;	   /* ns monotonic, the end of the snapshot */
	uint64_t wall;	   /* the same moment as ns since 1970 UTC; 0 where a file does not tell */
	bool last;	   /* none follows in this operation */
	const struct registry *types;
	struct recordset **sets; /* by type id, NULL where there never were records; owned */
	size_t set_count;	 /* ids are below it */
	bool passed_over; /* it had records that nobody wants, and that were not read */
};

void snapshot_init(struct snapshot *snapshot, const struct registry *types);
void snapshot_release(struct snapshot *snapshot);
/* Forgets all records, keep the memory. */
void snapshot_clear(struct snapshot *snapshot);
/* The set of a type, made when there is none; the id is one of the registry's. */
struct recordset *snapshot_set(struct snapshot *snapshot, unsigned id);
/* The set of a type for one who reads; when there is none an empty one, which has no type. */
const struct recordset *snapshot_records(const struct snapshot *snapshot, unsigned id);
/* Returns whether there are no records at all. */
bool snapshot_is_empty(const struct snapshot *snapshot);

#endif
