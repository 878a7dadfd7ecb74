/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers up to which number all jobs of a spool are settled. */
#include "common/compat.h"
#include "session/job/settled.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_SIZE 32
#define TEXT_SIZE 24

static void file_name(char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, ".settled.%u", (unsigned)geteuid());
}

/* Returns the number at the start of a file; 0 if there is none. */
static unsigned number_in(int fd)
{
	char text[TEXT_SIZE] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* Returns the last number assigned; 0 if unknown. Waits while a number is being assigned. */
static unsigned last_number(int spool)
{
	int fd = openat(spool, ".sequence", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	unsigned number = 0;

	if (fd < 0)
		return 0;
	while (flock(fd, LOCK_SH) < 0)
		if (errno != EINTR) {
			close(fd);
			return 0;
		}
	number = number_in(fd);
	close(fd);
	return number;
}

/* Returns whether an open file is a regular one of this user; others must not influence it. */
static bool is_ours(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

void settled_begin(struct settled *settled, int spool)
{
	char name[NAME_SIZE];
	int fd;

	*settled = (struct settled){ .last = last_number(spool), .below = UINT_MAX };
	file_name(name);
	fd = openat(spool, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	if (is_ours(fd))
		settled->upto = number_in(fd);
	close(fd);
	if (settled->upto > settled->last)
		settled->upto = 0;
}

/* Returns the number in the name of a job's folder; UINT_MAX if it has none. */
static unsigned number_of(const char *name)
{
	char *end;
	unsigned long number = strtoul(name + strlen("JOB"), &end, 10);

	return *end == '.' && number > 0 && number < UINT_MAX ? (unsigned)number : UINT_MAX;
}

bool settled_is_made(const struct settled *settled, const char *name)
{
	return number_of(name) <= settled->last;
}

bool settled_has(const struct settled *settled, const char *name)
{
	return number_of(name) <= settled->upto;
}

void settled_keep_open(struct settled *settled, const char *name)
{
	unsigned number = number_of(name);

	if (number < settled->below)
		settled->below = number;
}

void settled_end(const struct settled *settled, int spool)
{
	unsigned upto = settled->below <= settled->last ? settled->below - 1 : settled->last;
	char name[NAME_SIZE], text[TEXT_SIZE];
	int fd;

	if (upto <= settled->upto)
		return;
	file_name(name);
	fd = openat(spool, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	if (fd < 0)
		return;
	/*
	 * All numbers have the same length, so a reader never sees a mixture of two. A
	 * failed write only costs time.
	 */
	snprintf(text, sizeof(text), "%010u\n", upto);
	if (is_ours(fd) && pwrite(fd, text, strlen(text), 0) < 0)
		errno = 0;
	close(fd);
}
