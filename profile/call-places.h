/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The procedures that frames of a profile stand for: the frame's procedure and
 * those it was inlined into. One procedure is one place, whichever of its
 * addresses were sampled, so places can be compared by number. A procedure is
 * identified by module, section and name as in usage.h: the same name in two
 * sources is two places. Code without a name has one place per block of
 * `resolution` bytes; code of which only the object is known is one place.
 *
 * By line, each line of a procedure is a separate place.
 */
#ifndef VIGIL_PROFILE_CALL_PLACES_H
#define VIGIL_PROFILE_CALL_PLACES_H

#include "profile/profile.h"

/* Texts are strings of the profile (profile_text), 0: none. */
struct call_place {
	uint64_t module,
		section;      /* ".SYSTEM" and a pseudo-section if system; as in struct place */
	uint64_t real_module; /* base name of the object's path */
	uint64_t procedure;   /* 0: it has no name (call_place_label) */
	uint64_t start, size; /* of a block of code without a name; else 0 */
	uint64_t file;	      /* path of the source, from the first frame that has one */
	uint64_t other_file;  /* base name of the line's file if it is not the source that names
			       * the section; by line only */
	uint64_t line, text;  /* by line only, else 0 */
	uint64_t language;
	uint64_t object; /* id, from the first frame */
	bool system;	 /* library, kernel, unnamed memory */
	bool named;	 /* a data collector named it */
	bool vigil;	 /* vigil's own code in the step */
};

struct call_places {
	const struct profile *profile;
	struct keymap keys;
	struct call_place *items; /* by number; keys.count of them */
	size_t alloc;
	unsigned resolution;
	bool by_line;

	size_t *of_frames; /* the places of each frame, concatenated */
	size_t of_frame_count, of_frame_alloc;
	size_t *first; /* by frame: start in of_frames, SIZE_MAX: not asked for yet */
	size_t *many;  /* by frame: how many places */
};

/* resolution: bytes per block of code without names, 0: USAGE_RESOLUTION. */
void call_places_init(struct call_places *places, const struct profile *profile, bool by_line,
		      unsigned resolution);
void call_places_release(struct call_places *places);
/*
 * Returns the numbers of the places that a frame of the attribution stands for
 * (place_count: the unknown frame), from the outermost procedure to the innermost
 * inlined one; at least one. Each but the first was inlined into the one before
 * it. Valid until the next call.
 */
const size_t *call_places_of(struct call_places *places, size_t frame, size_t *count);
/* Appends the name of a place, "+12C0" for a block of code without a name. */
void call_place_label(const struct profile *profile, const struct call_place *place,
		      struct strbuf *sb);
/*
 * Returns below 0, 0 or above 0 as first sorts before, with or after second: by
 * module, section, name, line.
 */
int call_place_compare(const struct profile *profile, const struct call_place *first,
		       const struct call_place *second);

#endif
