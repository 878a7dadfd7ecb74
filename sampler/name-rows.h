/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes rows of objects, of named places, and of the names of addresses. A
 * separate thread (namer.h) names addresses during the session, those with most
 * samples first, so that a session that is aborted has its names; the rest, and
 * addresses in memory without a file, are looked up at the end of the session.
 * Each frame is named once. Rows of early names are written many at once, because
 * a few in each snapshot take much more space in the data set.
 */
#ifndef VIGIL_SAMPLER_NAME_ROWS_H
#define VIGIL_SAMPLER_NAME_ROWS_H

#include "engine/engine.h"

struct name;
struct name_rows_finished;
struct named_places;
struct namer;
struct names;
struct object_list;
struct stacks;

/* The parts it uses; all borrowed. */
struct name_rows_parts {
	struct object_list *objects;
	const struct stacks *stacks;
	struct named_places *named_places;
	struct names *names; /* for the source lines of places */
	const char *cache;   /* folder of names kept for later sessions; NULL: none */
	bool anew;	     /* as for namer_new */
};

struct name_rows {
	struct name_rows_parts parts;
	uint32_t places_written; /* frames up to here have rows if they are places */
	unsigned char *used;  /* enum object_use, indexed by object id - 1 */
	size_t used_count, used_alloc, frames_marked;
	struct name_rows_frame *frames; /* indexed by frame id - 1 */
	size_t frame_count, frame_alloc;
	/* Frames that are named and have no rows yet; the levels of all of them, consecutively. */
	struct name_rows_finished *finished;
	struct name *levels;
	size_t finished_count, finished_alloc, level_count, level_alloc;
	uint64_t rows_at;	/* ns, time at which such rows were last made */
	uint32_t given; /* frames up to here were offered to the namer, or are not for it */
	struct namer *namer;
};

void name_rows_init(struct name_rows *rows, const struct name_rows_parts *parts);
void name_rows_release(struct name_rows *rows);
/*
 * Adds NAME rows of new places, and of the frames named meanwhile if they are many
 * or a second old; last: of all addresses that have none yet. The samples of the
 * snapshot must be in it already.
 */
void name_rows_names(struct name_rows *rows, struct engine *engine, const struct snapshot *snapshot,
		     struct recordset *set);
/* Adds the NAME rows of a frame: one for each of its levels. */
void name_rows_add(struct strmap *strings, struct recordset *set, uint64_t frame,
		   const struct name *levels, size_t count);
/* Returns the ns of CPU time that the naming thread has used. */
uint64_t name_rows_cpu(const struct name_rows *rows);
/*
 * Adds OBJECT rows of new objects; last: also again of those for which names were
 * found to be missing, so call it after the names.
 */
void name_rows_objects(struct name_rows *rows, struct engine *engine, bool last,
		       struct recordset *set);

#endif
