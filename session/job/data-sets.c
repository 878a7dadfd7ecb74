/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the data sets that a job is making, and the folder they are made in. */
#include "common/compat.h"
#include "session/job/allocate.h"
#include "common/xalloc.h"
#include "session/job/catalog.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct data_set *data_set_find(const struct runner *runner, const char *dsn)
{
	for (struct data_set *set = runner->data_sets; set; set = set->next)
		if (strcmp(set->dsn, dsn) == 0)
			return set;
	return NULL;
}

struct data_set *data_set_add(struct runner *runner, const char *dsn, const char *path,
			      const char *final)
{
	struct data_set *set = xcalloc(1, sizeof(*set));

	set->dsn = xstrdup(dsn);
	set->path = xstrdup(path);
	set->final = final ? xstrdup(final) : NULL;
	set->next = runner->data_sets;
	runner->data_sets = set;
	return set;
}

void data_set_drop(struct runner *runner, struct data_set *set)
{
	struct data_set **at = &runner->data_sets;

	while (*at != set)
		at = &(*at)->next;
	*at = set->next;
	free(set->dsn);
	free(set->path);
	free(set->final);
	free(set);
}

const char *data_set_root(struct runner *runner, struct error *err)
{
	if (runner->root)
		return runner->root;
	if (make_folders(runner->options->root) < 0) {
		error_errno(err, "the data set root %s cannot be made", runner->options->root);
		return NULL;
	}
	runner->root = realpath(runner->options->root, NULL);
	if (!runner->root)
		error_errno(err, "the data set root %s cannot be used", runner->options->root);
	return runner->root;
}

/* Remove the staging folders of jobs that are no more: those nobody holds a lock on. */
static void clear_stale(const char *parent)
{
	DIR *folder = opendir(parent);
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		struct strbuf path = STRBUF_INIT;
		int fd;

		if (strncmp(entry->d_name, "JOB", 3) != 0 || strstr(entry->d_name, ".kept"))
			continue;
		strbuf_addf(&path, "%s/%s", parent, entry->d_name);
		fd = open(path.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			remove_tree(path.text);
		if (fd >= 0)
			close(fd);
		strbuf_release(&path);
	}
	closedir(folder);
}

/* Make and lock ROOT/.vigil/JOBnnnnn.pid. */
static int make_staging(struct runner *runner, const char *root, struct error *err)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/.vigil", root);
	clear_stale(path.text);
	strbuf_addf(&path, "/JOB%05u.%d", runner->spool.number, (int)getpid());
	if (mkdir(path.text, 0777) == 0)
		runner->staging_fd = open(path.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (runner->staging_fd < 0 || flock(runner->staging_fd, LOCK_EX | LOCK_NB) < 0) {
		error_errno(err, "%s, where new data sets are made, cannot be made", path.text);
		strbuf_release(&path);
		return -1;
	}
	runner->staging = strbuf_detach(&path, NULL);
	return 0;
}

const char *data_set_staging(struct runner *runner, struct error *err)
{
	const char *root = data_set_root(runner, err);

	if (!root || runner->staging)
		return runner->staging;
	if (lock_list_open(&runner->locks, root, err) < 0)
		return NULL;
	lock_root(&runner->locks, true);
	make_staging(runner, root, err);
	lock_root(&runner->locks, false);
	return runner->staging;
}

/* Copy with read and write, where the kernel cannot copy by itself. */
static int copy_by_hand(int from, int to)
{
	size_t size = 256 * 1024;
	char *buffer = xmalloc(size);
	ssize_t got, result = 0;

	while (result >= 0 && (got = read(from, buffer, size)) != 0) {
		if (got < 0)
			result = -1;
		for (ssize_t done = 0; result >= 0 && done < got; done += result)
			result = write(to, buffer + done, (size_t)(got - done));
	}
	free(buffer);
	return result < 0 ? -1 : 0;
}

int copy_file(const char *from, int to, struct error *err)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	ssize_t copied = 1;

	RETURN_IF(fd < 0, error_errno(err, "%s cannot be read", from));
	while (copied > 0)
		copied = copy_file_range(fd, NULL, to, NULL, SSIZE_MAX / 2, 0);
	if (copied < 0 || lseek(fd, 0, SEEK_CUR) == 0)
		copied = copy_by_hand(fd, to);
	if (copied < 0)
		error_errno(err, "%s cannot be copied", from);
	close(fd);
	return copied < 0 ? -1 : 0;
}
