/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the files of an indexed data set together. */
#include "common/compat.h"
#include "datasets/replacing.h"
#include "common/path.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "datasets/file-names.h"
#include "datasets/folders.h"
#include "datasets/update-mark.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define FOLDER "/.vigil/replacing"
#define COUNT_FILE ".files" /* in the folder: the number of files the data set is to have */

/* A replacement in progress. */
struct replacement {
	const char *path; /* of the data set */
	const char *name; /* the last part of path */
	int parent;	  /* descriptor of the folder it is in */
	int folder;	  /* descriptor of the folder with the new files, locked */
};

/* Returns the folder of a data set, "/" for one directly below it. */
static char *parent_of(const char *path)
{
	const char *name = path_base(path);

	return name - path > 1 ? xstrndup(path, (size_t)(name - path) - 1) : xstrdup("/");
}

/* Takes the lock of a folder. -1: another process has it and wait is false, or an error. */
static int lock(int folder, bool wait)
{
	int result;

	do
		result = flock(folder, LOCK_EX | (wait ? 0 : LOCK_NB));
	while (result < 0 && errno == EINTR);
	return result;
}

/*
 * Reads how many files the data set is to have, and had before; false if the
 * folder does not say so.
 */
static bool read_counts(int folder, unsigned *count, unsigned *before)
{
	char text[32] = "";
	int fd = openat(folder, COUNT_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length;

	RETURN_IF(fd < 0, false);
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	return length > 0 && sscanf(text, "%u %u", count, before) == 2 && *count > 0;
}

/* Moves one file to its final path; a missing file was moved before. */
static int move(const struct replacement *now, unsigned number)
{
	struct strbuf name = STRBUF_INIT;
	int result;

	file_names_of(now->name, number, &name);
	result = renameat(now->folder, name.text, now->parent, name.text);
	strbuf_release(&name);
	return result < 0 && errno != ENOENT ? -1 : 0;
}

/* Removes files of alternate keys that the data set no longer has. */
static void remove_surplus(const struct replacement *now, unsigned count, unsigned before)
{
	struct strbuf name = STRBUF_INIT;

	for (; count < before; count++)
		unlinkat(now->parent, file_names_of(now->name, count, &name), 0);
	strbuf_release(&name);
}

/*
 * Moves all files, the data set's main file last. -1 with errno set: the remaining
 * files are moved later.
 */
static int move_all(const struct replacement *now)
{
	unsigned count, before;

	if (!read_counts(now->folder, &count, &before))
		return 0; /* everything was moved, and the folder about to be removed */
	for (unsigned number = 1; number < count; number++)
		RETURN_IF(move(now, number) < 0, -1);
	remove_surplus(now, count, before);
	RETURN_IF(move(now, 0) < 0, -1);
	update_mark_clear(now->path);
	unlinkat(now->folder, COUNT_FILE, 0);
	return 0;
}

/* Moves the files, and removes the folder. */
static int finish(const struct replacement *now)
{
	struct strbuf folder = STRBUF_INIT;
	char *parent;

	RETURN_IF(move_all(now) < 0, -1);
	parent = parent_of(now->path);
	strbuf_addf(&folder, "%s" FOLDER, parent);
	free(parent);
	strbuf_addf(&folder, "/%s", now->name);
	folders_remove(folder.text);
	strbuf_setlen(&folder, folder.length - strlen(now->name) - 1);
	rmdir(folder.text); /* fails if it is not empty */
	strbuf_setlen(&folder, folder.length - strlen("/replacing"));
	rmdir(folder.text);
	strbuf_release(&folder);
	return 0;
}

/* Forces a file of the folder to disk. */
static int force(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), result;

	RETURN_IF(fd < 0, -1);
	result = fdatasync(fd);
	close(fd);
	return result;
}

/* Forces the new files to disk, and records their number, new and before. */
static int prepare(const struct replacement *now, unsigned count, unsigned before)
{
	struct strbuf name = STRBUF_INIT;
	int result = 0, fd;
	bool written;

	for (unsigned number = 0; number < count && result == 0; number++)
		result = force(now->folder, file_names_of(now->name, number, &name));
	strbuf_release(&name);
	RETURN_IF(result < 0, -1);
	fd = openat(now->folder, COUNT_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		    0666);
	RETURN_IF(fd < 0, -1);
	written = dprintf(fd, "%u %u\n", count, before) > 0 && fsync(fd) == 0;
	RETURN_IF(close(fd) < 0 || !written, -1);
	return fsync(now->folder);
}

/* Renames the folder; from then on the data set has its new content. -1 with errno set. */
static int begin(const char *path, const char *folder)
{
	char *parent = parent_of(path);
	struct strbuf place = STRBUF_INIT;
	int result;

	strbuf_addf(&place, "%s" FOLDER, parent);
	result = folders_make(place.text);
	strbuf_addf(&place, "/%s", path_base(path));
	if (result == 0)
		result = rename(folder, place.text);
	strbuf_release(&place);
	free(parent);
	return result;
}

/* Opens the folders of a replacement whose files are in folder. -1 with errno set. */
static int open_replacement(struct replacement *now, const char *path, const char *folder)
{
	char *parent = parent_of(path);

	*now = (struct replacement){ .path = path, .name = path_base(path), .folder = -1 };
	now->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(parent);
	RETURN_IF(now->parent < 0, -1);
	now->folder = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
	return folder && now->folder < 0 ? -1 : 0;
}

static void close_replacement(const struct replacement *now)
{
	if (now->folder >= 0)
		close(now->folder);
	if (now->parent >= 0)
		close(now->parent);
}

int replacing_commit(const char *path, const char *folder, unsigned count, unsigned before,
		     struct error *err)
{
	struct replacement now;
	int result = open_replacement(&now, path, folder);

	if (result == 0)
		result = lock(now.folder, true);
	if (result == 0)
		result = prepare(&now, count, before);
	if (result == 0)
		result = begin(path, folder);
	if (result == 0)
		result = finish(&now);
	if (result < 0)
		error_errno(err, "cannot replace %s", path);
	close_replacement(&now);
	return result;
}

void replacing_finish(const char *path)
{
	struct strbuf inner = STRBUF_INIT;
	char *parent = parent_of(path);
	struct replacement now;

	strbuf_addf(&inner, "%s" FOLDER "/%s", parent, path_base(path));
	if (access(inner.text, F_OK) == 0 && open_replacement(&now, path, NULL) == 0) {
		now.folder = folders_open_beneath(now.parent, inner.text + strlen(parent) + 1);
		if (now.folder >= 0 && lock(now.folder, false) == 0 && finish(&now) < 0)
			errno = 0; /* the next one tries again */
		close_replacement(&now);
	}
	strbuf_release(&inner);
	free(parent);
}

void replacing_finish_all(const char *parent)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *entry;
	DIR *folder;

	strbuf_addf(&path, "%s" FOLDER, parent);
	folder = opendir(path.text);
	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", parent, entry->d_name);
		replacing_finish(path.text);
	}
	if (folder)
		closedir(folder);
	strbuf_release(&path);
}
