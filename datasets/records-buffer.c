/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes files through large buffers. */
#include "common/compat.h"
#include "datasets/records-buffer.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)FOR_FUZZERS(1, 256) * 1024)

/* Opens a file; a name of one of the process's own streams gives that stream. */
static int open_file(const char *path, int flags, const char *own, int own_fd)
{
	if (strcmp(path, own) == 0)
		return fcntl(own_fd, F_DUPFD_CLOEXEC, 3);
	return open(path, flags | O_CLOEXEC, 0666);
}

int record_input_open(struct record_input *input, const char *path, struct error *err)
{
	struct stat info;

	*input = (struct record_input){ .path = xstrdup(path) };
	input->fd = open_file(path, O_RDONLY, "/dev/stdin", STDIN_FILENO);
	RETURN_IF(input->fd < 0, error_errno(err, "%s cannot be opened", path));
	RETURN_IF(fstat(input->fd, &info) == 0 && S_ISDIR(info.st_mode),
		  error_set(err, "%s is a folder; a member must be named", path));
	input->alloc = BUFFER_SIZE;
	input->data = xmalloc(input->alloc);
	return 0;
}

int record_input_more(struct record_input *input, struct error *err)
{
	size_t left = input->end - input->start;
	ssize_t got;

	if (input->start > 0)
		memmove(input->data, input->data + input->start, left);
	input->start = 0;
	input->end = left;
	if (left == input->alloc) {
		input->data = xreallocarray(input->data, input->alloc, 2);
		input->alloc *= 2;
	}
	do
		got = read(input->fd, input->data + left, input->alloc - left);
	while (got < 0 && errno == EINTR);
	RETURN_IF(got < 0, error_errno(err, "%s cannot be read", input->path));
	input->end += (size_t)got;
	return got > 0;
}

void record_input_release(struct record_input *input)
{
	if (input->fd >= 0)
		close(input->fd);
	free(input->path);
	free(input->data);
	*input = (struct record_input){ .fd = -1 };
}

int record_output_open(struct record_output *output, const char *path, bool append,
		       struct error *err)
{
	*output = (struct record_output){ .path = xstrdup(path) };
	output->fd = open_file(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC),
			       "/dev/stdout", STDOUT_FILENO);
	RETURN_IF(output->fd < 0, error_errno(err, "%s cannot be opened", path));
	output->alloc = BUFFER_SIZE;
	output->data = xmalloc(output->alloc);
	return 0;
}

static bool disk_full; /* per process, like its exit status */

/* Sets err to why a file cannot be written. Returns -1. */
static int cannot_write(const struct record_output *output, struct error *err)
{
	disk_full = disk_full || errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
	return error_errno(err, "%s cannot be written", output->path);
}

bool record_output_disk_full(void)
{
	return disk_full;
}

/* Writes the buffer. */
static int flush(struct record_output *output, struct error *err)
{
	for (size_t done = 0; done < output->length;) {
		ssize_t now = write(output->fd, output->data + done, output->length - done);

		if (now < 0 && errno == EINTR)
			continue;
		RETURN_IF(now <= 0, cannot_write(output, err));
		done += (size_t)now;
	}
	output->length = 0;
	return 0;
}

char *record_output_reserve(struct record_output *output, size_t size, struct error *err)
{
	char *room;

	if (size > output->alloc - output->length) {
		RETURN_IF(flush(output, err) < 0, NULL);
		GROW(output->data, size, output->alloc);
	}
	room = output->data + output->length;
	output->length += size;
	return room;
}

int record_output_close(struct record_output *output, struct error *err)
{
	int result = flush(output, err);

	if (close(output->fd) < 0 && result == 0)
		result = cannot_write(output, err);
	output->fd = -1;
	return result;
}

void record_output_release(struct record_output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	free(output->path);
	free(output->data);
	*output = (struct record_output){ .fd = -1 };
}
