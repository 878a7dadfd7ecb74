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

#endif
