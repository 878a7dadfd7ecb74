/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes folders, and replaces small files whole. */
#include "common/compat.h"
#include "session/datasets/folders.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int remove_one(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
	(void)info;
	(void)walk;
	return flag == FTW_DP ? rmdir(path) : unlink(path);
}

int folders_remove(const char *path)
{
	if (rmdir(path) == 0 || errno == ENOENT)
		return 0;
	return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Write all of a text to a new file. -1 with errno set. */
static int write_new(const char *path, const struct strbuf *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666), why = 0;

	RETURN_IF(fd < 0, -1);
	for (size_t done = 0; done < text->length && !why;) {
		ssize_t now = write(fd, text->text + done, text->length - done);

		if (now < 0 && errno != EINTR)
			why = errno;
		done += now > 0 ? (size_t)now : 0;
	}
	if (close(fd) < 0 && !why)
		why = errno;
	errno = why;
	return why ? -1 : 0;
}

int folders_write_file(const char *folder, const char *name, const struct strbuf *text)
{
	struct strbuf path = STRBUF_INIT, next = STRBUF_INIT;
	int result, why;

	RETURN_IF(folders_make(folder) < 0, -1);
	strbuf_addf(&path, "%s/%s", folder, name);
	strbuf_addf(&next, "%s/.%s.%d", folder, name, (int)getpid());
	unlink(next.text); /* of a process of that number that is no more */
	result = write_new(next.text, text);
	if (result == 0)
		result = rename(next.text, path.text);
	why = errno;
	if (result < 0)
		unlink(next.text);
	strbuf_release(&path);
	strbuf_release(&next);
	errno = why;
	return result;
}
