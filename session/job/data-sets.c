/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the data sets that a job is creating, and their staging folders. */
#include "common/compat.h"
#include "session/job/data-sets.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "datasets/folders.h"
#include "datasets/leftovers.h"

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

int data_set_path(struct runner *runner, const char *dsn, struct strbuf *path, struct error *err)
{
	const struct data_set *set = data_set_find(runner, dsn);
	struct catalog *catalog = set ? NULL : data_set_catalog(runner, err);
	struct strbuf target = STRBUF_INIT;
	unsigned key;

	if (set) {
		strbuf_addstr(path, set->path);
		return 0;
	}
	RETURN_IF(!catalog, -1);
	catalog_resolve(catalog, dsn, &target, &key);
	catalog_file(catalog, target.text, path);
	strbuf_release(&target);
	return 0;
}

/* Removes the staging folders of dead jobs: those that are not locked. */
static void remove_stale_stagings(const char *parent)
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
			folders_remove(path.text);
		if (fd >= 0)
			close(fd);
		strbuf_release(&path);
	}
	closedir(folder);
}

/*
 * Creates PARENT/.vigil and locks it against other jobs that create or clear
 * staging folders in it. -1 with errno set.
 */
static int lock_hidden(const char *path)
{
	int fd = -1;

	RETURN_IF(folders_make(path) < 0, -1);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	while (fd >= 0 && flock(fd, LOCK_EX) < 0)
		if (errno != EINTR)
			break;
	return fd;
}

/* Removes what dead jobs left next to the data sets of a folder. */
static void remove_dead_stagings(const char *parent)
{
	struct strbuf hidden = STRBUF_INIT;
	int lock;

	strbuf_addf(&hidden, "%s/.vigil", parent);
	if (access(hidden.text, W_OK) == 0) {
		lock = lock_hidden(hidden.text);
		if (lock >= 0) {
			remove_stale_stagings(hidden.text);
			close(lock);
		}
	}
	strbuf_release(&hidden);
}

struct catalog *data_set_catalog(struct runner *runner, struct error *err)
{
	const struct job_options *options = runner->options;

	if (runner->catalog.root)
		return &runner->catalog;
	if (folders_make(options->root) < 0) {
		error_errno(err, "cannot create the data set root %s", options->root);
		return NULL;
	}
	if (catalog_open(&runner->catalog, options->root, options->map, err) < 0)
		return NULL;
	leftovers_clear(&runner->catalog);
	remove_dead_stagings(runner->catalog.root);
	return &runner->catalog;
}

/* Creates and locks a folder that belongs to this job. -1 with errno set. */
static int make_locked_folder(const char *path)
{
	int fd;

	RETURN_IF(mkdir(path, 0777) < 0, -1);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Creates PARENT/.vigil/JOBnnnnn.pid, after removing what dead jobs left there. */
static struct staging *make_staging(struct runner *runner, const char *parent, struct error *err)
{
	struct staging *staging = xcalloc(1, sizeof(*staging));
	struct strbuf hidden = STRBUF_INIT, path = STRBUF_INIT;

	strbuf_addf(&hidden, "%s/.vigil", parent);
	strbuf_addf(&path, "%s/JOB%05u.%d", hidden.text, runner->spool.number, (int)getpid());
	staging->fd = -1;
	/* A job that ends removes an empty .vigil, possibly between our open and lock. */
	for (int tries = 0; tries < 10 && staging->fd < 0; tries++) {
		int lock = lock_hidden(hidden.text);

		if (lock < 0)
			break;
		remove_stale_stagings(hidden.text);
		staging->fd = make_locked_folder(path.text);
		close(lock);
		if (staging->fd < 0 && errno != ENOENT)
			break;
	}
	if (staging->fd < 0) {
		error_errno(err, "cannot create %s, where new data sets are made", path.text);
		free(staging);
		staging = NULL;
	} else {
		staging->parent = xstrdup(parent);
		staging->path = strbuf_detach(&path, NULL);
		staging->next = runner->stagings;
		runner->stagings = staging;
	}
	strbuf_release(&hidden);
	strbuf_release(&path);
	return staging;
}

const char *data_set_staging(struct runner *runner, const char *final, struct error *err)
{
	const char *slash = strrchr(final, '/');
	char *parent = xstrndup(final, slash > final ? (size_t)(slash - final) : 1);
	struct staging *staging = runner->stagings;

	while (staging && strcmp(staging->parent, parent) != 0)
		staging = staging->next;
	if (!staging)
		staging = make_staging(runner, parent, err);
	free(parent);
	return staging ? staging->path : NULL;
}

/* Renames a staging folder whose content must not be lost, so that no later job removes it. */
static void keep_staging(struct runner *runner, const struct staging *staging)
{
	struct strbuf kept = STRBUF_INIT;

	strbuf_addf(&kept, "%s.kept", staging->path);
	job_log_message(&runner->log, SEVERITY_WARNING, 5135,
			"data sets that could not be moved to their place are in %s",
			rename(staging->path, kept.text) == 0 ? kept.text : staging->path);
	strbuf_release(&kept);
}

void data_set_end_stagings(struct runner *runner)
{
	while (runner->stagings) {
		struct staging *staging = runner->stagings;
		struct strbuf hidden = STRBUF_INIT;

		if (!runner->keep_staging)
			folders_remove(staging->path);
		else if (rmdir(staging->path) < 0)
			keep_staging(runner, staging);
		strbuf_addf(&hidden, "%s/.vigil", staging->parent);
		rmdir(hidden.text); /* fails if something is in it */
		strbuf_release(&hidden);
		runner->stagings = staging->next;
		close(staging->fd);
		free(staging->parent);
		free(staging->path);
		free(staging);
	}
}

/* Copies with read and write, if the kernel cannot copy. */
static int copy_with_buffer(int from, int to)
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

int data_set_copy_file(const char *from, int to, struct error *err)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	ssize_t copied = 1;

	RETURN_IF(fd < 0, error_errno(err, "cannot read %s", from));
	while (copied > 0)
		copied = copy_file_range(fd, NULL, to, NULL, SSIZE_MAX / 2, 0);
	if (copied < 0 || lseek(fd, 0, SEEK_CUR) == 0)
		copied = copy_with_buffer(fd, to);
	if (copied < 0)
		error_errno(err, "cannot copy %s", from);
	close(fd);
	return copied < 0 ? -1 : 0;
}
