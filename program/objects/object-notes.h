/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of objects as notes (OUTSIDE_OBJECT, common/outside.h): what a recording
 * has of them, and how a session that is replayed gets them.
 *
 * A note is a struct object_seen, followed by the first OBJECT_SEEN_HEAD bytes of
 * the file (they contain the build id of nearly all files), or by all of it where
 * the source wants that. "" as a note: the file could not be opened.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_NOTES_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_NOTES_H

#include "common/compat.h"

#define OBJECT_SEEN_HEAD 4096

struct object_seen {
	uint64_t size; /* bytes of the file */
};

/*
 * Opens the file that the session's source knows: its content if it has it,
 * otherwise the file at path if it has the noted size and beginning. *fd: -1 if
 * there is none. Returns false if the source does not know.
 */
bool object_recall_file(const char *path, int *fd);
/* Notes a file that was opened; -1: it was not. */
void object_note_file(const char *path, int fd);
/* Returns a number that changes when the content of an open file is replaced; 0 if it is not available. */
uint64_t object_file_state(int fd);

#endif
