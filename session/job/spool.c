/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and fills the spool folder of a job. */
#include "common/compat.h"
#include "session/job/spool.h"
#include "common/xalloc.h"
#include "session/job/remains.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE_LENGTH 128

/* Returns the highest job number among the folders of a spool. */
static unsigned highest_number(int parent)
{
	int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	unsigned highest = 0;
	struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(folder))) {
		unsigned long number;
		char *end;

		if (strncmp(entry->d_name, "JOB", 3) != 0)
			continue;
		number = strtoul(entry->d_name + 3, &end, 10);
		if (*end == '.' && number < UINT_MAX && number > highest)
			highest = (unsigned)number;
	}
	closedir(folder);
	return highest;
}

/* Closes the sequence file if open, so that others can take numbers; errno is preserved. */
static void close_sequence(int sequence)
{
	int kept = errno;

	if (sequence >= 0)
		close(sequence);
	errno = kept;
}

/*
 * Returns the next job number and writes it back to the sequence file, which stays
 * locked until the caller closes it. 0 with errno set on failure; then nothing is
 * open.
 */
static unsigned next_number(int parent, int *sequence)
{
	int fd = openat(parent, ".sequence", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	unsigned number = 0;
	char text[24] = "";
	ssize_t length;

	*sequence = -1;
	RETURN_IF(fd < 0, 0);
	while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
	length = pread(fd, text, sizeof(text) - 1, 0);
	if (length > 0)
		number = (unsigned)strtoul(text, NULL, 10);
	if (number == 0)
		number = highest_number(parent);
	number = number >= 9999999 ? 1 : number + 1;
	snprintf(text, sizeof(text), "%08u\n", number);
	*sequence = fd;
	if (pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text))
		return number;
	close_sequence(fd);
	*sequence = -1;
	return 0;
}

/*
 * Creates the job's folder under an unused number. The sequence stays locked until
 * the folder has a STATE (settled.h): the caller closes it; -1: not open.
 */
static int make_job_folder(struct spool *spool, const char *parent_path, int parent,
			   const char *job_name, int *sequence, struct error *err)
{
	struct strbuf name = STRBUF_INIT;
	int made = -1;

	*sequence = -1;
	for (int tries = 0; tries < 1000 && made < 0; tries++) {
		close_sequence(*sequence);
		spool->number = next_number(parent, sequence);
		if (spool->number == 0)
			break;
		strbuf_reset(&name);
		strbuf_addf(&name, "JOB%05u.%s", spool->number, job_name);
		made = mkdirat(parent, name.text, 0777);
		if (made < 0 && errno != EEXIST)
			break;
	}
	if (made < 0) {
		error_errno(err, "cannot create a job in spool %s", parent_path);
	} else {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", parent_path, name.text);
		spool->path = strbuf_detach(&path, NULL);
	}
	strbuf_release(&name);
	return made;
}

/*
 * Opens the new folder and creates what is always in it; the sequence is closed
 * once STATE exists.
 */
static int fill_job_folder(struct spool *spool, int parent, int sequence, struct error *err)
{
	struct strbuf work = STRBUF_INIT;
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;

	strbuf_addf(&work, "%s/work", spool->path);
	spool->work = strbuf_detach(&work, NULL);
	spool->folder = folders_open_beneath(parent, strrchr(spool->path, '/') + 1);
	if (spool->folder >= 0)
		spool->state = openat(spool->folder, "STATE", flags, 0666);
	close_sequence(sequence);
	if (spool->state < 0)
		return error_errno(err, "cannot fill the job's folder %s", spool->path);
	/*
	 * Another vigil that cleans up may hold it briefly; work is created later, so that
	 * vigil removes nothing.
	 */
	while (flock(spool->state, LOCK_EX) < 0 && errno == EINTR)
		;
	if (spool_set_state(spool, "READ", "", 0) < 0)
		return error_errno(err, "cannot write to the job's folder %s", spool->path);
	if (mkdirat(spool->folder, "work", 0700) < 0)
		return error_errno(err, "cannot fill the job's folder %s", spool->path);
	return 0;
}

/*
 * Opens the spool, created if missing, and returns its descriptor; absolute gets
 * its path without links. -1 with the reason.
 */
static int open_spool(const char *parent, char **absolute, struct error *err)
{
	int fd;
	char *why;

	*absolute = NULL;
	RETURN_IF(folders_make(parent) < 0,
		  error_errno(err, "cannot create the spool folder %s", parent));
	*absolute = realpath(parent, NULL);
	fd = *absolute ? open(*absolute, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0)
		error_errno(err, "cannot open the spool folder %s", parent);
	why = fd < 0 ? NULL : folders_refuse(*absolute);
	if (why) {
		error_set(err, "the spool folder %s is not used by root: %s", parent, why);
		close(fd);
		fd = -1;
	}
	free(why);
	if (fd < 0)
		free(*absolute);
	return fd;
}

int spool_open(struct spool *spool, const char *parent, const char *job_name, struct error *err)
{
	char *absolute;
	int fd, sequence, result;

	*spool = (struct spool){ .folder = -1, .state = -1 };
	fd = open_spool(parent, &absolute, err);
	RETURN_IF(fd < 0, -1);
	remains_clean(fd, absolute);
	result = make_job_folder(spool, absolute, fd, job_name, &sequence, err);
	if (result == 0)
		result = fill_job_folder(spool, fd, sequence, err);
	else
		close_sequence(sequence);
	close(fd);
	free(absolute);
	return result;
}

void spool_close(struct spool *spool)
{
	if (spool->folder >= 0)
		folders_remove_at(spool->folder, "work");
	if (spool->state >= 0)
		close(spool->state);
	if (spool->folder >= 0)
		close(spool->folder);
	free(spool->path);
	free(spool->work);
	*spool = (struct spool){ .folder = -1, .state = -1 };
}

int spool_set_state(struct spool *spool, const char *state, const char *step, long process)
{
	struct strbuf line = STRBUF_INIT;
	ssize_t written;

	strbuf_addf(&line, "%-8s", state); /* the guard overwrites these eight bytes */
	if (*step)
		strbuf_addf(&line, " STEP %s", step);
	if (process)
		strbuf_addf(&line, " PROCESS %ld", process);
	strbuf_addf(&line, " VIGIL %d", (int)getpid());
	/* One write of constant length: a reader never sees a mixture of two states. */
	if (line.length < STATE_LENGTH - 1)
		strbuf_pad_to(&line, STATE_LENGTH - 1);
	strbuf_setlen(&line, STATE_LENGTH - 1);
	strbuf_addch(&line, '\n');
	written = pwrite(spool->state, line.text, line.length, 0);
	strbuf_release(&line);
	return written == STATE_LENGTH ? 0 : -1;
}

int spool_write(struct spool *spool, const char *name, const struct strbuf *text, struct error *err)
{
	int fd = openat(spool->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0666);
	size_t done = 0;

	RETURN_IF(fd < 0, error_errno(err, "cannot create %s/%s", spool->path, name));
	while (done < text->length) {
		ssize_t now = write(fd, text->text + done, text->length - done);

		if (now <= 0) {
			error_errno(err, "cannot write %s/%s", spool->path, name);
			close(fd);
			return -1;
		}
		done += (size_t)now;
	}
	close(fd);
	return 0;
}

char *spool_make_file(struct spool *spool, const char *name, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	int fd = -1;

	for (unsigned count = 1; fd < 0 && count < 10000; count++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", spool->path, name);
		if (count > 1)
			strbuf_addf(&path, ".%u", count);
		fd = openat(spool->folder, strrchr(path.text, '/') + 1,
			    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		error_errno(err, "cannot create %s", path.text);
		strbuf_release(&path);
		return NULL;
	}
	close(fd);
	return strbuf_detach(&path, NULL);
}
