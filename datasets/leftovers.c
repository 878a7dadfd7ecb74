/* SPDX-License-Identifier: Apache-2.0 */
/* Removes what killed programs left in the data set root. */
#include "common/compat.h"
#include "datasets/leftovers.h"
#include "common/xalloc.h"
#include "datasets/lock.h"
#include "datasets/replacing.h"

#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

#define PREFIX "__db."

/* Returns the data set of a file __db.NAME; NULL for other files. The caller frees it. */
static char *made_for(const char *name)
{
	size_t length = strlen(name);
	char *dsn;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return NULL;
	while (isdigit((unsigned char)name[length - 1]))
		length--;
	if (name[length - 1] != '.' || !name[length] ||
	    length == strlen(PREFIX)) /* not the number of an alternate key */
		length = strlen(name) + 1;
	dsn = xstrndup(name + strlen(PREFIX), length - 1 - strlen(PREFIX));
	if (catalog_name_valid(dsn))
		return dsn;
	free(dsn);
	return NULL;
}

/* Returns whether no process uses a data set; then the list holds its lock. */
static bool try_lock_unused(struct lock_list *locks, const char *root, const char *dsn)
{
	return lock_list_open(locks, root, NULL) == 0 && lock_list_try(locks, dsn, true, NULL) == 1;
}

void leftovers_clear(const struct catalog *catalog)
{
	DIR *folder = opendir(catalog->root);
	struct lock_list locks;
	struct dirent *entry;

	replacing_finish_all(catalog->root);
	lock_list_init(&locks);
	while (folder && (entry = readdir(folder))) {
		char *dsn = made_for(entry->d_name);

		if (dsn && try_lock_unused(&locks, catalog->root, dsn))
			unlinkat(dirfd(folder), entry->d_name, 0);
		free(dsn);
	}
	if (folder)
		closedir(folder);
	lock_list_release(&locks);
}
