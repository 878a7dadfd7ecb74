/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of objects, of named places, and of what the addresses mean. Names of
 * addresses are looked up at the end of the session; those in the step's own
 * files (not the system's libraries) that samples meet most are looked up as
 * they are found, at each snapshot within a hundredth of the time that has
 * passed, so that a session that is cut off has the names that matter. Each
 * frame is named once.
 */
#ifndef VIGIL_SAMPLER_NAME_ROWS_H
#define VIGIL_SAMPLER_NAME_ROWS_H

#include "engine/engine.h"

struct named_places;
struct names;
struct object_list;
struct stacks;

/* What it works on; all borrowed. */
struct name_rows_parts {
	struct object_list *objects;
	const struct stacks *stacks;
	struct named_places *named_places;
	struct names *names;
};

struct name_rows {
	struct name_rows_parts parts;
	uint32_t places_told; /* frames up to here have rows if they are places */
	unsigned char *used;  /* enum object_use by object id - 1 */
	size_t used_count, used_alloc, frames_marked;
	struct name_rows_frame *frames; /* by frame id - 1 */
	size_t frame_count, frame_alloc;
	uint64_t begun; /* ns monotonic, at the first snapshot */
	uint64_t spent; /* CPU time for names so far, ns */
};

void name_rows_init(struct name_rows *rows, const struct name_rows_parts *parts);
void name_rows_release(struct name_rows *rows);
/*
 * NAME rows of places that are new, and of the frames that most samples so far
 * were in; last: of all addresses that have none yet. The samples of the
 * snapshot must be in it already.
 */
void name_rows_names(struct name_rows *rows, struct engine *engine, const struct snapshot *snapshot,
		     struct recordset *set);
/* OBJECT rows of objects that are new; last: and of those whose names were found missing, so after
   the names. */
void name_rows_objects(struct name_rows *rows, struct engine *engine, bool last,
		       struct recordset *set);

#endif
