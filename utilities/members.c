/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, writes and copies members of libraries. */
#include "common/compat.h"
#include "utilities/members.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)

/* Returns the member to which a symbolic link is an alias; NULL: it is no alias. */
static char *alias_target(const char *path)
{
	char target[NAME_MAX + 1];
	ssize_t length = readlink(path, target, sizeof(target));

	if (length <= 0 || length > NAME_MAX || memchr(target, '/', (size_t)length))
		return NULL;
	return xstrndup(target, (size_t)length);
}

/* Adds a folder's entry if it is a member. */
static void add_entry(struct member_list *list, const char *folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct stat info;

	strbuf_addf(&path, "%s/%s", folder, name);
	if (stat(path.text, &info) == 0 && S_ISREG(info.st_mode)) {
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] = (struct member){ .name = xstrdup(name),
							      .folder = xstrdup(folder),
							      .target = alias_target(path.text) };
	}
	strbuf_release(&path);
}

static int read_folder(struct member_list *list, const char *folder,
		       const struct member_list *before, struct error *err)
{
	DIR *stream = opendir(folder);
	struct dirent *entry;

	RETURN_IF(!stream, error_errno(err, "cannot read library %s", folder));
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.' && !member_find(before, entry->d_name))
			add_entry(list, folder, entry->d_name);
	closedir(stream);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Merges another list into list; both are sorted. */
static void join(struct member_list *list, struct member_list *more)
{
	for (size_t i = 0; i < more->count; i++) {
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] = more->items[i];
	}
	free(more->items);
	if (list->count > 0)
		qsort(list->items, list->count, sizeof(*list->items), compare);
}

int member_list_read(struct member_list *list, const char *folders, struct error *err)
{
	char *copy = xstrdup(folders), *rest = copy, *folder;
	int result = 0;

	*list = (struct member_list){ 0 };
	while (result == 0 && (folder = strsep(&rest, ":"))) {
		struct member_list one = { 0 };

		result = read_folder(&one, folder, list, err);
		join(list, &one);
	}
	free(copy);
	if (result < 0)
		member_list_release(list);
	return result;
}

void member_list_release(struct member_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		free(list->items[i].folder);
		free(list->items[i].target);
	}
	free(list->items);
	*list = (struct member_list){ 0 };
}

struct member *member_find(const struct member_list *list, const char *name)
{
	struct member key = { .name = (char *)(uintptr_t)name };

	if (list->count == 0)
		return NULL;
	return bsearch(&key, list->items, list->count, sizeof(key), compare);
}

bool member_exists(const char *folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct stat info;
	bool there;

	strbuf_addf(&path, "%s/%s", folder, name);
	there = lstat(path.text, &info) == 0;
	strbuf_release(&path);
	return there;
}

int member_begin(struct member_draft *draft, const char *folder, const char *name,
		 struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	struct stat before;
	int fd;

	strbuf_addf(&path, "%s/.%s.XXXXXX", folder, name);
	draft->path = strbuf_detach(&path, NULL);
	strbuf_addf(&path, "%s/%s", folder, name);
	draft->final = strbuf_detach(&path, NULL);
	fd = mkstemp(draft->path);
	if (fd >= 0) {
		mode_t mask = umask(0), mode = 0666 & ~mask;

		umask(mask);
		if (stat(draft->final, &before) == 0)
			mode = before.st_mode & 0777;
		if (fchmod(fd, mode) == 0 && close(fd) == 0)
			return 0;
	}
	error_errno(err, "cannot create member %s in %s", name, folder);
	member_abandon(draft);
	return -1;
}

int member_commit(struct member_draft *draft, struct error *err)
{
	if (rename(draft->path, draft->final) < 0) {
		error_errno(err, "%s cannot be put in its place", draft->final);
		member_abandon(draft);
		return -1;
	}
	free(draft->path);
	free(draft->final);
	*draft = (struct member_draft){ 0 };
	return 0;
}

void member_abandon(struct member_draft *draft)
{
	if (draft->path)
		unlink(draft->path);
	free(draft->path);
	free(draft->final);
	*draft = (struct member_draft){ 0 };
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t now = write(fd, data, size);

		if (now < 0 && errno == EINTR)
			continue;
		RETURN_IF(now <= 0, -1);
		data += now;
		size -= (size_t)now;
	}
	return 0;
}

/* Copies content, mode and times between open files. */
static int copy_content(int from, int to)
{
	char *buffer = xmalloc(BUFFER_SIZE);
	struct stat info;
	ssize_t got;
	int result = fstat(from, &info);

	while (result == 0 && (got = read(from, buffer, BUFFER_SIZE)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		result = got < 0 ? -1 : write_all(to, buffer, (size_t)got);
	}
	if (result == 0) {
		struct timespec times[] = { info.st_atim, info.st_mtim };

		result = fchmod(to, info.st_mode & 0777) < 0 || futimens(to, times) < 0 ? -1 : 0;
	}
	free(buffer);
	return result;
}

int member_copy(const char *from, const char *folder, const char *name, struct error *err)
{
	int input = open(from, O_RDONLY | O_CLOEXEC), output, result;
	struct member_draft draft = { 0 };

	RETURN_IF(input < 0, error_errno(err, "%s cannot be read", from));
	if (member_begin(&draft, folder, name, err) < 0) {
		close(input);
		return -1;
	}
	output = open(draft.path, O_WRONLY | O_CLOEXEC);
	result = output < 0 ? -1 : copy_content(input, output);
	if (output >= 0 && close(output) < 0)
		result = -1;
	if (result < 0)
		error_errno(err, "cannot copy member %s", name);
	close(input);
	if (result == 0)
		return member_commit(&draft, err);
	member_abandon(&draft);
	return -1;
}

int member_alias(const char *folder, const char *alias, const char *name, struct error *err)
{
	struct member_draft draft = { 0 };

	RETURN_IF(member_begin(&draft, folder, alias, err) < 0, -1);
	if (unlink(draft.path) == 0 && symlink(name, draft.path) == 0)
		return member_commit(&draft, err);
	error_errno(err, "cannot create alias %s of %s", alias, name);
	member_abandon(&draft);
	return -1;
}
