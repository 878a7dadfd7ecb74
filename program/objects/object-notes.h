/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of objects as notes (OUTSIDE_OBJECT, common/outside.h): what a recording
 * has of them, and how a session that is replayed gets them.
 *
 * A note is a struct object_seen, followed by the first OBJECT_SEEN_HEAD bytes of
 * the file (they contain the build id of nearly all files), or by all of it where
 * the source wants that. "" as a note: the file could not be opened. Where only the
 * beginning is noted, each part that the session reads is a note of its own
 * (OUTSIDE_OBJECT_PART), so that a replay needs no file.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_NOTES_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_NOTES_H

#include "common/compat.h"

#define OBJECT_SEEN_HEAD 4096
/* Parts are noted in pieces that end at multiples of this. */
#define OBJECT_PIECE 256

struct object_seen {
	uint64_t size; /* bytes of the file */
};

/*
 * Opens the file that the session's source knows: its content if it has it,
 * otherwise the file at path if it has the noted size and beginning, otherwise one
 * of this size without content, which stands in for it (*stands_in): only parts of
 * it can be recalled. *fd: -1 if there was none. Returns false if the source does
 * not know.
 */
bool object_recall_file(const char *path, int *fd, bool *stands_in);
/* Notes a file that was opened; -1: it was not. */
void object_note_file(const char *path, int fd);
/*
 * A part of a file: size bytes from position on; state is what object_file_state
 * returned when it was opened. Recalling copies the part; returns 1, 0 if it could
 * not be read, or -1 if the source does not have it. bytes NULL: it could not be
 * read. Nothing is noted where the source has whole files.
 */
int object_recall_part(const char *path, uint64_t state, uint64_t position, void *bytes, size_t size);
void object_note_part(const char *path, uint64_t state, uint64_t position, const void *bytes, size_t size);
/* Notes that a file is not there as it was. */
void object_note_missing(const char *path);
/*
 * Returns a number that changes when the content of an open file is replaced; 0 if
 * it is not available. key: of the file, its path, device and inode. *noted: the
 * number that was noted last, 0 at first; it is a note when it has changed.
 */
uint64_t object_file_state(int fd, uint64_t key, uint64_t *noted);

#endif
