/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The procedures that frames of a profile stand for: the frame's own, and those it was inlined
 * into. One procedure is one place, whichever of its addresses were seen, so that places can be
 * compared by their numbers. A procedure is told by module, section and name as in usage.h: two of
 * one name in two sources are two places. Code without a name is a place for each block of so many
 * bytes; code of which only the object is known is one place.
 *
 * By line, each line of a procedure is a place for itself.
 */
#ifndef VIGIL_PROFILE_CALL_PLACES_H
#define VIGIL_PROFILE_CALL_PLACES_H

#include "profile/profile.h"

/* Texts are strings of the profile (profile_text), 0 where there is none. */
struct call_place {
	uint64_t module,
		section;      /* ".SYSTEM" and a pseudo-section where system; as in struct place */
	uint64_t real_module; /* base name of the object's path */
	uint64_t procedure;   /* 0: it has no name (call_place_label) */
	uint64_t start, size; /* of a block of code without a name; else 0 */
	uint64_t file;	      /* path of the source; of the first frame seen that has one */
	uint64_t other_file;  /* its name, where it is not what the section is called by; by line
				 only */
	uint64_t line, text;  /* by line only, else 0 */
	uint64_t language;
	uint64_t object; /* id of the first frame's */
	bool system;	 /* library, kernel, unnamed memory */
	bool named;	 /* by a data collector */
	bool vigil;	 /* code of vigil's own in the step */
};

struct call_places {
	const struct profile *profile;
	struct keymap keys;
	struct call_place *items; /* by number, keys.count of them */
	size_t alloc;
	unsigned resolution;
	bool by_line;

	size_t *of_frames; /* for each frame, one after the other, what it stands for */
	size_t of_frame_count, of_frame_alloc;
	size_t *first; /* of each frame in of_frames, SIZE_MAX: not asked for yet */
	size_t *many;  /* how many there are */
};

/* resolution: bytes of a block of code without names, 0 for USAGE_RESOLUTION. */
void call_places_init(struct call_places *places, const struct profile *profile, bool by_line,
		      unsigned resolution);
void call_places_release(struct call_places *places);
/*
 * The numbers of the places that a frame of the attribution stands for (place_count: the unknown
 * one), from the outermost procedure to the one inlined deepest; at least one. Each but the first
 * was inlined into the one before it. Valid until the next is asked for.
 */
const size_t *call_places_of(struct call_places *places, size_t frame, size_t *count);
/* Append the name of a place, "+12C0" for a block of code without one. */
void call_place_label(const struct profile *profile, const struct call_place *place,
		      struct strbuf *sb);
/* Below 0, 0 or above 0 as one place first comes before another: by module, section, name, line. */
int call_place_compare(const struct profile *profile, const struct call_place *first,
		       const struct call_place *second);

#endif
