/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files by path, as they are now, for those who show lines that events
 * name. A file is read when its first line is asked for. One that is not
 * there, is no regular file or is too large has no lines: a data set may name
 * anything.
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
		uint64_t changed; /* ns since 1970: when its content was changed last */
	} * files;
	size_t count, alloc;
};

void source_texts_init(struct source_texts *texts);
void source_texts_release(struct source_texts *texts);
/*
 * The path under which a source can be read: as compilers have named it, or for a relative name
 * below the folder of the program. "" and names that cannot be read are returned as they are.
 * Valid until the texts are released.
 */
const char *source_texts_find(struct source_texts *texts, const char *name, const char *folder);
/* A line of a source, from 1; "" when there is none. Valid until the texts are released. */
const char *source_texts_line(struct source_texts *texts, const char *path, uint64_t line);
/* All lines of a source, line 1 first, and how many there are; valid until the texts are released. */
char *const *source_texts_lines(struct source_texts *texts, const char *path, size_t *count);
/* How many lines a source has; 0 when it cannot be read. */
size_t source_texts_count(struct source_texts *texts, const char *path);
/* When a source was changed last, ns since 1970; 0 when it cannot be read. */
uint64_t source_texts_changed(struct source_texts *texts, const char *path);
/* When any file was changed last, ns since 1970; 0 when it is not there. */
uint64_t source_texts_file_changed(const char *path);

#endif
