/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what a path of an output file refers to. */
#include "common/compat.h"
#include "common/destination.h"
#include "common/path.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel's limit on followed links. */
enum { LINKS_MAX = 40 };

/*
 * Returns whether the last part of a path is a link of /proc that leads to an open
 * file, not to a name.
 */
static bool is_descriptor(const char *path)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs system;
	bool found = fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;

	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * Returns the path that the link at path leads to: target itself, or target
 * relative to the link's folder.
 */
static char *link_target_path(const char *path, const char *target)
{
	struct strbuf joined = STRBUF_INIT;

	if (target[0] != '/')
		strbuf_add(&joined, path, (size_t)(path_base(path) - path));
	strbuf_addstr(&joined, target);
	return strbuf_detach(&joined, NULL);
}

/*
 * Follows the links at the end of destination->path; sets *open if the last one
 * leads to an open file.
 */
static int follow(struct destination *destination, bool *open)
{
	*open = false;
	for (unsigned links = 0; links <= LINKS_MAX; links++) {
		char target[PATH_MAX];
		ssize_t length = readlink(destination->path, target, sizeof(target) - 1);
		char *next;

		if (length < 0)
			return 0;
		*open = is_descriptor(destination->path);
		if (*open)
			return 0;
		target[length] = '\0';
		next = link_target_path(destination->path, target);
		free(destination->path);
		destination->path = next;
	}
	errno = ELOOP;
	return -1;
}

/* Returns the kind of an existing file. */
static enum destination_kind kind_of(mode_t mode, bool open)
{
	if (S_ISDIR(mode))
		return DESTINATION_FOLDER;
	if (!S_ISREG(mode))
		return DESTINATION_STREAM;
	return open ? DESTINATION_DESCRIPTOR : DESTINATION_FILE;
}

int destination_find(struct destination *destination, const char *path, struct error *err)
{
	struct stat facts;
	bool open;

	*destination = (struct destination){ .kind = DESTINATION_NEW, .path = xstrdup(path) };
	if (follow(destination, &open) < 0)
		return error_errno(err, "cannot write %s", path);
	if (stat(destination->path, &facts) < 0) {
		if (errno != ENOENT || open)
			return error_errno(err, "cannot write %s", path);
		return 0;
	}
	destination->kind = kind_of(facts.st_mode, open);
	if (destination->kind != DESTINATION_FILE)
		return 0;
	destination->mode = facts.st_mode & 0777;
	if (faccessat(AT_FDCWD, destination->path, W_OK, AT_EACCESS) < 0)
		return error_errno(err, "cannot replace %s", path);
	return 0;
}

/*
 * Returns the descriptor of this process that a path of /proc names, if the same
 * file is open there; else -1.
 */
static int self_descriptor(const char *path)
{
	const char *name = path_base(path);
	struct stat there, own;
	int fd;

	if (!*name || strlen(name) > 6 || name[strspn(name, "0123456789")])
		return -1;
	fd = atoi(name);
	if (stat(path, &there) < 0 || fstat(fd, &own) < 0)
		return -1;
	return there.st_dev == own.st_dev && there.st_ino == own.st_ino ? fd : -1;
}

int destination_of_file(struct destination *destination, const char *path, bool replace, struct error *err)
{
	RETURN_IF(destination_find(destination, path, err) < 0, -1);
	if (destination->kind != DESTINATION_NEW && destination->kind != DESTINATION_FILE)
		return error_set(err, "%s is not a regular file", path);
	if (destination->kind == DESTINATION_FILE && !replace)
		return error_set(err, "%s exists already; --replace was not given", path);
	return 0;
}

int destination_open(const struct destination *destination)
{
	int fd = is_descriptor(destination->path) ? self_descriptor(destination->path) : -1;

	if (fd >= 0)
		return fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return open(destination->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

void destination_release(struct destination *destination)
{
	free(destination->path);
	*destination = (struct destination){ .kind = DESTINATION_NEW };
}

bool destination_same(const char *path, const char *other)
{
	struct stat one, two;

	return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}
