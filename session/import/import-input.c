/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a recording through a window; copies a pipe to a file first. */
#include "common/compat.h"
#include "session/import/import-input.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW (UINT64_C(1) << 18)

/* Writes all of a buffer. */
static bool write_fully(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		size -= (size_t)done;
	}
	return true;
}

/* Creates an unnamed file; -1 on an error. */
static int nameless_file(struct error *err)
{
	const char *folder = getenv("TMPDIR");
	struct strbuf path = STRBUF_INIT;
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		strbuf_addf(&path, "%s/vigil-import-XXXXXX", folder);
		fd = mkostemp(path.text, O_CLOEXEC);
		if (fd >= 0)
			unlink(path.text);
	}
	if (fd < 0)
		error_errno(err, "the input of a pipe cannot be stored in %s", folder);
	strbuf_release(&path);
	return fd;
}

/* Copies input without seek to a file; returns its descriptor, or -1. */
static int copy_pipe(int from, struct error *err)
{
	int fd = nameless_file(err);
	char *buffer = xmalloc(WINDOW);
	ssize_t got = 0;

	while (fd >= 0) {
		got = read(from, buffer, WINDOW);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if (!write_fully(fd, buffer, (size_t)got)) {
			error_errno(err, "the input of a pipe cannot be stored");
			close(fd);
			fd = -1;
		}
	}
	if (fd >= 0 && got < 0) {
		error_errno(err, "the pipe cannot be read");
		close(fd);
		fd = -1;
	}
	free(buffer);
	return fd;
}

/* Returns a descriptor with seek: fd, or a copy of its content, for which fd is closed. */
static int settle(int fd, struct stat *facts, struct error *err)
{
	int copy;

	if (fstat(fd, facts) < 0)
		return error_errno(err, "the recording cannot be read");
	if (S_ISDIR(facts->st_mode))
		return error_set(err, "it is a folder, from a recording with --threads or --dir; "
				      "record with \"perf record\" without these");
	if (S_ISREG(facts->st_mode))
		return fd;
	copy = copy_pipe(fd, err);
	if (copy < 0 || fstat(copy, facts) < 0)
		return -1;
	facts->st_mtim.tv_sec = 0;
	facts->st_mtim.tv_nsec = 0;
	close(fd);
	return copy;
}

int import_input_open(struct import_input *input, const char *path, struct error *err)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), settled;
	struct stat facts;

	memset(input, 0, sizeof(*input));
	input->fd = -1;
	if (fd < 0)
		return error_errno(err, "%s", standard ? "standard input" : path);
	settled = settle(fd, &facts, err);
	if (settled < 0) {
		close(fd);
		return error_prefix(err, "%s", standard ? "standard input" : path);
	}
	input->fd = settled;
	input->size = (uint64_t)facts.st_size;
	input->written = clock_timespec_ns(&facts.st_mtim);
	return 0;
}

void import_input_close(struct import_input *input)
{
	if (input->fd >= 0)
		close(input->fd);
	free(input->window);
	input->window = NULL;
	input->fd = -1;
}

/* Fills the window from place on, with at least size bytes if they exist. */
static void fill(struct import_input *input, uint64_t place, size_t size)
{
	size_t want = size > WINDOW ? size : (size_t)WINDOW;

	GROW(input->window, want, input->alloc);
	input->start = place;
	input->filled = 0;
	while (input->filled < want) {
		ssize_t got = pread(input->fd, input->window + input->filled, want - input->filled,
				    (off_t)(place + input->filled));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return;
		input->filled += (size_t)got;
	}
}

const unsigned char *import_input_some(struct import_input *input, uint64_t place, size_t size,
				     size_t *got)
{
	*got = 0;
	if (place > input->size)
		return NULL;
	if (size > input->size - place)
		size = (size_t)(input->size - place);
	if (place < input->start || place - input->start > input->filled ||
	    size > input->filled - (place - input->start))
		fill(input, place, size);
	*got = input->filled - (size_t)(place - input->start);
	if (*got > size)
		*got = size;
	return input->window ? input->window + (place - input->start) : NULL;
}

const unsigned char *import_input_at(struct import_input *input, uint64_t place, size_t size)
{
	const unsigned char *bytes;
	size_t got;

	if (size > input->size || place > input->size - size)
		return NULL;
	bytes = import_input_some(input, place, size, &got);
	return got == size ? bytes : NULL;
}
