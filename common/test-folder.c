/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a folder for a unit test, and removes it. */
#include "common/compat.h"
#include "common/test-folder.h"
#include "common/xalloc.h"

#include <ftw.h>
#include <stdlib.h>

int test_folder_make(void **state)
{
	char *folder = xstrdup("/tmp/vigil-test-XXXXXX");

	*state = folder;
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_one(const char *path, const struct stat *facts UNUSED, int kind UNUSED,
		    struct FTW *walk UNUSED)
{
	return remove(path);
}

int test_folder_drop(void **state)
{
	const int result = nftw(*state, drop_one, 16, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return result == 0 ? 0 : -1;
}
