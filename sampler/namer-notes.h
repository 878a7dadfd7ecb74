/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as notes (OUTSIDE_NAME, common/outside.h): a recording has the names that a
 * session found, and not the files they were found in.
 *
 * A note has the number of levels plus 1, the note of the object plus 1 (0: none),
 * and for each level its numbers and texts; numbers as in varint.h, texts with
 * their length before them. "" as a note: nothing was named yet.
 */
#ifndef VIGIL_SAMPLER_NAMER_NOTES_H
#define VIGIL_SAMPLER_NAMER_NOTES_H

#include "common/strmap.h"
#include "program/names/names.h"

/* Returns the key of a frame's names. */
uint64_t namer_key(const struct object *object, uint64_t offset);
/* Notes the levels of a frame, and the note of its object (NULL: none). */
void namer_note(uint64_t key, const struct name *levels, size_t count, const char *why);
/* Notes that nothing was named yet. */
void namer_note_nothing(uint64_t key);

enum namer_recalled {
	NAMER_UNKNOWN, /* the session's source does not know: the name has to be found */
	NAMER_NOTHING, /* nothing was named yet */
	NAMER_NAMED,
};

/*
 * Takes the levels of the next frame (at most NAMES_MAX_INLINE), and the note of
 * its object; their texts are kept in texts.
 */
enum namer_recalled namer_recall(uint64_t key, struct strmap *texts, struct name *levels, size_t *count, const char **why);

#endif
