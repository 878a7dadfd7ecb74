/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes folders, and replaces small files whole. */
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
		errno = why; /* why it could not be made, rather than that it is not there */
	free(copy);
	return made;
}

/* Opens the folder name in a folder, unless it is a link or leads up. */
static int open_next(int folder, const char *name)
{
	if (strcmp(name, "..") == 0) {
		errno = EXDEV;
		return -1;
	}
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Component by component, for kernels without openat2. */
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

	/* EAGAIN: something was renamed meanwhile, and the kernel cannot tell whether it mattered.
	 */
	for (int tries = 0; tries < 100 && fd < 0; tries++) {
		fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
		if (fd < 0 && errno != EAGAIN)
			break;
	}
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* EPERM: an old filter of a container */
		fd = open_by_steps(folder, path);
	return fd;
}

/* One removal: folders deeper than DEPTH_MAX are first moved to the top, so that descriptors
 * suffice. */
struct removal {
	int top;
	unsigned moved; /* folders so far */
};

#define DEPTH_MAX 64

static int remove_content(struct removal *removal, int folder, unsigned depth);

/* Removes a folder with all that is in it. */
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

/* Removes what a name in a folder stands for; a link is removed itself. */
static int remove_entry(struct removal *removal, int folder, const char *name, unsigned depth)
{
	if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
		return 0;
	RETURN_IF(errno != EISDIR && errno != EPERM, -1);
	return remove_folder(removal, folder, name, depth);
}

/* Removes all that is in a folder, and closes it. */
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
	/* Reading may pass over entries while others go. */
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

/* Cuts a path into the folder above, which is opened, and the last name. -1 with errno set. */
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

/* Opens a folder; from the component ".vigil" on, which is vigil's own, no link is followed. */
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
 * Gives a file without a name, behind fd, a name in a folder. What has the name
 * already is replaced by two system calls: between them the file is named next,
 * and what was left under that name by a process that was killed there goes with
 * the next one. -1 with errno set.
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
		/* Another process may replace it at the same time: one of them is the last. */
	} while ((errno == EEXIST || errno == ENOENT) && ++tries < NAME_TRIES);
	why = errno;
	unlinkat(folder, next, 0); /* where the name is a folder's nothing is left beside it */
	errno = why;
	return -1;
}

/*
 * Writes a file that has no name until it is whole, so that nothing is left of a
 * process that is killed meanwhile. false: the file system has no such files.
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
	/* Without /proc, or without hard links, there is no way to the name. */
	return *result == 0 || (why != ENOENT && why != EPERM);
}

/* Writes a file under another name, and rename it. -1 with errno set. */
static int write_aside(int folder, const char *name, const struct strbuf *text)
{
	struct strbuf next = STRBUF_INIT;
	int fd, result = -1, why;

	strbuf_addf(&next, ".%s.%d", name, (int)getpid());
	unlinkat(folder, next.text, 0); /* of a process of that number that is no more */
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
		result = write_aside(fd, name, text);
	why = errno;
	close(fd);
	errno = why;
	return result;
}

/*
 * Returns whether this process is the system's root, and not that of a user name
 * space of its own, where what belongs to the system belongs to nobody.
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
