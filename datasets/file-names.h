/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the files of an indexed data set: the main file, and next to it one for
 * each alternate key.
 */
#ifndef VIGIL_DATASETS_FILE_NAMES_H
#define VIGIL_DATASETS_FILE_NAMES_H

#include "common/strbuf.h"

/* Appends the name of a file by its number, 0 for the main file: PATH, PATH.1, PATH.2, ... */
static inline void file_names_add(struct strbuf *sb, const char *path, unsigned number)
{
	strbuf_addstr(sb, path);
	if (number)
		strbuf_addf(sb, ".%u", number);
}

/* Replaces the content of sb with that name; returns its text. */
static inline const char *file_names_of(const char *path, unsigned number, struct strbuf *sb)
{
	strbuf_reset(sb);
	file_names_add(sb, path, number);
	return sb->text;
}

#endif
