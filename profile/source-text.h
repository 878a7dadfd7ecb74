/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files by path, in their current state, for readers that show lines that
 * events name. A file is read when its first line is requested. A file that is
 * missing, not regular or too large has no lines: a data set may name anything.
 */
#ifndef VIGIL_PROFILE_SOURCE_TEXT_H
#define VIGIL_PROFILE_SOURCE_TEXT_H

#include "common/strmap.h"

struct source_texts {
	struct strmap paths; /* path of file i is string i */
	struct source_file {
		char *content; /* each line ended by NUL */
		char **lines;
		size_t count, alloc;
		uint64_t changed; /* ns since 1970: last modification of its content */
	} * files;
	size_t count, alloc;
};

void source_texts_init(struct source_texts *texts);
void source_texts_release(struct source_texts *texts);
/*
 * Returns the path under which a source can be read: as compilers named it, or for
 * a relative name below the program's folder. "" and names that cannot be read are
 * returned unchanged. Valid until the texts are released.
 */
const char *source_texts_find(struct source_texts *texts, const char *name, const char *folder);
/*
 * Returns a line of a source, counted from 1; "" if there is none. Valid until the
 * texts are released.
 */
const char *source_texts_line(struct source_texts *texts, const char *path, uint64_t line);
/*
 * Returns all lines of a source, line 1 first, and their number; valid until the
 * texts are released.
 */
char *const *source_texts_lines(struct source_texts *texts, const char *path, size_t *count);
/* Returns the number of lines of a source; 0 if it cannot be read. */
size_t source_texts_count(struct source_texts *texts, const char *path);
/* Returns when a source was last modified, ns since 1970; 0 if it cannot be read. */
uint64_t source_texts_changed(struct source_texts *texts, const char *path);
/* Returns when any file was last modified, ns since 1970; 0 if it does not exist. */
uint64_t source_texts_file_changed(const char *path);

#endif
