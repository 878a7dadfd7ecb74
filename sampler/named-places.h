/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules and places as data collectors name them: each distinct one is an object
 * or a frame (OBJECT_NAMED), so that stacks, samples and waits refer to it like to
 * any other. This part also provides their names for the NAME rows.
 *
 * Offsets of an object's frames are distances from the module's start, or, from
 * NAMED_PLACES_FIRST on, numbers of places.
 */
#ifndef VIGIL_SAMPLER_NAMED_PLACES_H
#define VIGIL_SAMPLER_NAMED_PLACES_H

#include "records/record-types.h"
#include "program/names/names.h"
#include "sampler/stacks.h"

#define NAMED_PLACES_FIRST FRAME_PLACES_FIRST

/* Each text may be "". */
struct named_place_text {
	const char *module, *section, *procedure, *file;
	uint64_t line;
};

struct named_places;

/* objects and stacks are borrowed while it lives; names are kept until the end. */
struct named_places *named_places_new(struct object_list *objects, struct stacks *stacks);
void named_places_free(struct named_places *places);
/*
 * Returns the frame at an offset from the start of a named module, of which
 * nothing more is known.
 */
uint32_t named_places_module(struct named_places *places, const char *module, uint64_t offset,
			     pid_t pid);
/* Returns the frame of a place; texts are copied. */
uint32_t named_places_frame(struct named_places *places, const struct named_place_text *text,
			    pid_t pid);
/* Returns the approximate number of bytes of memory that all names take. */
uint64_t named_places_size(const struct named_places *places);
/*
 * Gets the name of a frame of an OBJECT_NAMED object: fills levels[0] and returns
 * 1, or returns 0. names provides the source line if the file can be read.
 */
size_t named_places_resolve(struct named_places *places, struct names *names, uint32_t object,
			    uint64_t offset, struct name levels[NAMES_MAX_INLINE]);

#endif
