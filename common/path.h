/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a path, by its text alone. */
#ifndef VIGIL_COMMON_PATH_H
#define VIGIL_COMMON_PATH_H

#include "common/compat.h"

/* Returns the last part of a path: the text after its last slash, or all of it. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Returns whether path can be that of a file given by its last part, perhaps with
 * some of the folders before it: "/src/pay/main.c" matches "main.c" and
 * "pay/main.c".
 */
static inline bool path_is_of(const char *path, const char *file)
{
	size_t length = strlen(path), end = strlen(file);

	return length >= end && strcmp(path + length - end, file) == 0 &&
	       (length == end || path[length - end - 1] == '/');
}

/*
 * Returns the length of path without one of these endings, the first that it has, if
 * anything but folders is left; otherwise the whole length.
 */
static inline size_t path_length_without(const char *path, const char *const *endings, size_t count)
{
	size_t length = strlen(path), base = strlen(path_base(path));

	for (size_t i = 0; i < count; i++) {
		size_t ending = strlen(endings[i]);

		if (base > ending && strcmp(path + length - ending, endings[i]) == 0)
			return length - ending;
	}
	return length;
}

#endif
