/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the files of an indexed data set: its own, and beside it one for each alternate key. */
#ifndef VIGIL_DATASETS_FILE_NAMES_H
#define VIGIL_DATASETS_FILE_NAMES_H

#include "common/strbuf.h"

/* Appends the name of a file by its number, 0 the data set's own: PATH, PATH.1, PATH.2, ... */
static inline void file_names_add(struct strbuf *sb, const char *path, unsigned number)
{
	strbuf_addstr(sb, path);
	if (number)
		strbuf_addf(sb, ".%u", number);
}

/* Returns the same in place of what is in sb; its text. */
static inline const char *file_names_of(const char *path, unsigned number, struct strbuf *sb)
{
	strbuf_reset(sb);
	file_names_add(sb, path, number);
	return sb->text;
}

#endif
