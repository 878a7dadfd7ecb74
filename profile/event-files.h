/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source file that each program of the events begins in, so that lines of
 * other files (headers, copybooks) can be distinguished from those of the
 * program's source.
 */
#ifndef VIGIL_PROFILE_EVENT_FILES_H
#define VIGIL_PROFILE_EVENT_FILES_H

#include "profile/profile.h"

struct event_files {
	struct keymap programs; /* program, library */
	uint64_t *files;	/* by program number: its file, 0 unknown */
	size_t alloc;
	bool several; /* some program has lines in more than one file */
};

void event_files_init(struct event_files *files, const struct profile *profile);
void event_files_release(struct event_files *files);
/* Returns the base name of a line's file if its program begins in another one; else "". */
const char *event_files_other(const struct event_files *files, const struct profile *profile,
			      uint64_t program, uint64_t library, uint64_t file);

#endif
