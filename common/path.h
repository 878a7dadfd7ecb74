/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a path, by its text alone. */
#ifndef VIGIL_COMMON_PATH_H
#define VIGIL_COMMON_PATH_H

#include "common/compat.h"

/* The last part of a path: what follows its last slash, all of it when there is none. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Whether a path is that of a file which is told by its last part, perhaps with some of the folders
 * before it: "/src/pay/main.c" is that of "main.c" and of "pay/main.c".
 */
static inline bool path_is_of(const char *path, const char *file)
{
	size_t length = strlen(path), end = strlen(file);

	return length >= end && strcmp(path + length - end, file) == 0 &&
	       (length == end || path[length - end - 1] == '/');
}

#endif
