/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and removes folders, and replaces small files as a whole. */
#include "common/compat.h"
#include "datasets/folders.h"
#include "common/trust.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME_TRIES 100

int folders_make(const char *path)
{
	char *copy = xstrdup(path);
	int made = mkdir(copy, 0777), why;
	struct stat info;

	if (made < 0 && errno == ENOENT) {
		for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
			*at = '\0';
			mkdir(copy, 0777);
			*at = '/';
		}
		made = mkdir(copy, 0777);
	}
	why = errno;
	if (made < 0 && stat(copy, &info) == 0 && !S_ISDIR(info.st_mode))
		errno = ENOTDIR;
	else if (made < 0)
		made = access(copy, X_OK);
	if (made < 0 && why != EEXIST)
		errno = why; /* report why mkdir failed, not that the folder is missing */
	free(copy);
	return made;
}

/* Opens the folder name in a folder, unless it is a link or "..". */
static int open_next(int folder, const char *name)
{
	if (strcmp(name, "..") == 0) {
		errno = EXDEV;
		return -1;
	}
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Opens a path component by component, for kernels without openat2. */
static int open_by_steps(int folder, const char *path)
{
	char *copy = xstrdup(path), *rest = NULL;
	int at = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (char *name = strtok_r(copy, "/", &rest); name && at >= 0;
	     name = strtok_r(NULL, "/", &rest)) {
		int next = open_next(at, name), why = errno;

		close(at);
		errno = why;
		at = next;
	}
	free(copy);
	return at;
}

int folders_open_beneath(int folder, const char *path)
{
	struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	int fd = -1;

	/*
	 * EAGAIN: something was renamed meanwhile, and the kernel does not know whether it
	 * mattered.
	 */
	for (int tries = 0; tries < 100 && fd < 0; tries++) {
		fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
		if (fd < 0 && errno != EAGAIN)
			break;
	}
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* EPERM: an old seccomp filter of a
							    * container */
		fd = open_by_steps(folder, path);
	return fd;
}

/*
 * State of a removal. Folders deeper than DEPTH_MAX are first moved to the top, to
 * limit the number of open descriptors.
 */
struct removal {
	int top;
	unsigned moved; /* number of folders moved so far */
};

#define DEPTH_MAX 64

static int remove_content(struct removal *removal, int folder, unsigned depth);

/* Removes a folder with its content. */
static int remove_folder(struct removal *removal, int folder, const char *name, unsigned depth)
{
	int inside;

	if (depth >= DEPTH_MAX) {
		char moved[32];

		snprintf(moved, sizeof(moved), ".removed.%u", removal->moved++);
		return renameat(folder, name, removal->top, moved);
	}
	inside = open_next(folder, name);
	RETURN_IF(inside < 0, errno == ENOENT ? 0 : -1);
	RETURN_IF(remove_content(removal, inside, depth + 1) < 0, -1);
	return unlinkat(folder, name, AT_REMOVEDIR);
}

/* Removes an entry of a folder; a link is removed itself. */
static int remove_entry(struct removal *removal, int folder, const char *name, unsigned depth)
{
	if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
		return 0;
	RETURN_IF(errno != EISDIR && errno != EPERM, -1);
	return remove_folder(removal, folder, name, depth);
}

/* Removes the content of a folder, and closes it. */
static int remove_content(struct removal *removal, int folder, unsigned depth)
{
	DIR *entries = fdopendir(folder);
	struct dirent *entry;
	unsigned count = 1;
	int result = 0, why = 0;

	if (!entries) {
		close(folder);
		return -1;
	}
	/* readdir may skip entries while others are removed. */
	while (count > 0 && result == 0) {
		count = 0;
		rewinddir(entries);
		while ((entry = readdir(entries)) && result == 0) {
			if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
				continue;
			count++;
			result = remove_entry(removal, folder, entry->d_name, depth);
			why = errno;
		}
	}
	closedir(entries);
	errno = why;
	return result;
}

int folders_remove_at(int parent, const char *name)
{
	struct removal removal = { .top = -1 };
	int again, result, why;

	if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	if (errno == ENOTDIR)
		return unlinkat(parent, name, 0);
	removal.top = open_next(parent, name);
	RETURN_IF(removal.top < 0, -1);
	again = openat(removal.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	result = again < 0 ? -1 : remove_content(&removal, again, 0);
	if (result == 0)
		result = unlinkat(parent, name, AT_REMOVEDIR);
	why = errno;
	close(removal.top);
	errno = why;
	return result;
}

/* Splits a path into its parent folder, which is opened, and the last name. -1 with errno set. */
static int open_above(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *above;
	int fd;

	*name = slash ? slash + 1 : path;
	above = slash ? xstrndup(path, slash > path ? (size_t)(slash - path) : 1) : xstrdup(".");
	fd = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(above);
	return fd;
}

int folders_remove(const char *path)
{
	const char *name;
	int parent, result, why;

	if (rmdir(path) == 0 || errno == ENOENT)
		return 0;
	parent = open_above(path, &name);
	RETURN_IF(parent < 0, -1);
	result = folders_remove_at(parent, name);
	why = errno;
	close(parent);
	errno = why;
	return result;
}

/* Opens a folder; from the component ".vigil" on, which belongs to vigil, no link is followed. */
static int open_for_writing(const char *path)
{
	const char *own = strstr(path, "/.vigil");
	char *base = own ? xstrndup(path, (size_t)(own - path)) : xstrdup(path);
	int fd = open(*base ? base : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), inner, why;

	free(base);
	if (!own || fd < 0)
		return fd;
	inner = folders_open_beneath(fd, own + 1);
	why = errno;
	close(fd);
	errno = why;
	return inner;
}

/* Writes all of a text. -1 with errno set. */
static int write_all(int fd, const struct strbuf *text)
{
	int why = 0;

	for (size_t done = 0; done < text->length && !why;) {
		ssize_t now = write(fd, text->text + done, text->length - done);

		if (now < 0 && errno != EINTR)
			why = errno;
		done += now > 0 ? (size_t)now : 0;
	}
	errno = why;
	return why ? -1 : 0;
}

/*
 * Gives the unnamed file fd a name in a folder. An existing file is replaced with
 * two system calls, between which the new file is named next; a file that a
 * process killed there left under that name is removed by the next writer. -1 with
 * errno set.
 */
static int give_name(int fd, int folder, const char *name, const char *next)
{
	char path[PROCFS_PATH_SIZE];
	int tries = 0, why;

	procfs_descriptor(path, PROCFS_SELF, "fd", fd);
	if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	RETURN_IF(errno != EEXIST, -1);
	do {
		unlinkat(folder, next, 0);
		if (linkat(AT_FDCWD, path, folder, next, AT_SYMLINK_FOLLOW) == 0 &&
		    renameat(folder, next, folder, name) == 0)
			return 0;
		/* Another process may replace it at the same time; the last one wins. */
	} while ((errno == EEXIST || errno == ENOENT) && ++tries < NAME_TRIES);
	why = errno;
	unlinkat(folder, next, 0); /* if name is a folder, leave nothing next to it */
	errno = why;
	return -1;
}

/*
 * Writes a file that has no name until it is whole, so that a process that is
 * killed meanwhile leaves nothing. false: the file system does not support that.
 */
static bool write_without_name(int folder, const char *name, const struct strbuf *text, int *result)
{
	int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666), why;
	struct strbuf next = STRBUF_INIT;

	RETURN_IF(fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT), false);
	strbuf_addf(&next, ".%s.next", name);
	*result = fd < 0 ? -1 : write_all(fd, text);
	if (*result == 0)
		*result = give_name(fd, folder, name, next.text);
	why = errno;
	if (fd >= 0)
		close(fd);
	strbuf_release(&next);
	errno = why;
	/* Without /proc or hard links the file cannot get its name. */
	return *result == 0 || (why != ENOENT && why != EPERM);
}

/* Writes a file under a temporary name, and renames it. -1 with errno set. */
static int write_renamed(int folder, const char *name, const struct strbuf *text)
{
	struct strbuf next = STRBUF_INIT;
	int fd, result = -1, why;

	strbuf_addf(&next, ".%s.%d", name, (int)getpid());
	unlinkat(folder, next.text, 0); /* from a dead process with the same pid */
	fd = openat(folder, next.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd >= 0) {
		result = write_all(fd, text);
		if (close(fd) < 0)
			result = -1;
		if (result == 0)
			result = renameat(folder, next.text, folder, name);
	}
	why = errno;
	if (result < 0)
		unlinkat(folder, next.text, 0);
	strbuf_release(&next);
	errno = why;
	return result;
}

int folders_write_file(const char *folder, const char *name, const struct strbuf *text)
{
	int result, why, fd;

	RETURN_IF(folders_make(folder) < 0, -1);
	fd = open_for_writing(folder);
	RETURN_IF(fd < 0, -1);
	if (!write_without_name(fd, name, text, &result))
		result = write_renamed(fd, name, text);
	why = errno;
	close(fd);
	errno = why;
	return result;
}

/*
 * Returns whether this process is the system's root, and not that of a private
 * user namespace, in which files of the system appear to belong to no user.
 */
static bool is_root(void)
{
	char path[PROCFS_PATH_SIZE], text[64];
	unsigned inside, outside;

	if (geteuid() != 0)
		return false;
	if (procfs_read(procfs_process(path, PROCFS_SELF, "uid_map"), text, sizeof(text)) <= 0)
		return true;
	return sscanf(text, "%u %u", &inside, &outside) != 2 || outside == 0;
}

char *folders_refuse(const char *path)
{
	char *real, *why;

	RETURN_IF(!is_root(), NULL);
	real = realpath(path, NULL);
	RETURN_IF(!real, NULL);
	why = trust_refuse(real);
	free(real);
	return why;
}
