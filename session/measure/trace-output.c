/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the lines of a trace without ever blocking on the reader. */
#include "common/compat.h"
#include "session/measure/trace-output.h"
#include "common/clock.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* Time that the end of the session waits for a slow reader. */
#define LAST_MS 1000

/*
 * Reopens a pipe as a separate open file, so that writes to it do not block; the
 * program's descriptors keep their flags.
 */
static int open_pipe(int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0 || !S_ISFIFO(status.st_mode))
		return -1;
	return open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

void trace_output_init(struct trace_output *output, bool wanted, const char *path)
{
	int pipe;

	*output = (struct trace_output){ .fd = wanted ? STDOUT_FILENO : -1, .own = path != NULL };
	strbuf_init(&output->waiting);
	error_init(&output->failure);
	if (!wanted)
		return;
	pipe = path ? -1 : open_pipe(STDOUT_FILENO);
	if (pipe >= 0) {
		output->fd = pipe;
		output->own = true;
	}
	if (!path)
		return;
	output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
			  0666);
	if (output->fd < 0)
		error_errno(&output->failure, "cannot open %s", path);
}

void trace_output_release(struct trace_output *output)
{
	if (output->own && output->fd >= 0)
		close(output->fd);
	output->fd = -1;
	strbuf_release(&output->waiting);
	error_release(&output->failure);
}

const char *trace_output_failure(const struct trace_output *output)
{
	return error_text(&output->failure);
}

/* Returns the bytes to write next: whole lines, as many as a pipe takes atomically. */
static size_t next_piece(const struct trace_output *output)
{
	const char *at = output->waiting.text + output->written, *end;
	size_t left = output->waiting.length - output->written, most = left;

	if (most > PIPE_BUF)
		most = PIPE_BUF;
	end = memrchr(at, '\n', most);
	if (!end) /* a single line that is longer */
		end = memchr(at, '\n', left);
	return end ? (size_t)(end + 1 - at) : left;
}

/* Returns whether a piece can be written without blocking, or within the timeout. */
static bool is_ready(const struct trace_output *output, int timeout_ms)
{
	struct pollfd poll_for = { .fd = output->fd, .events = POLLOUT };

	return poll(&poll_for, 1, timeout_ms) > 0;
}

/* Stops writing, and records the reason. */
static void give_up(struct trace_output *output)
{
	error_set(&output->failure, "cannot write the trace: %s", strerror(errno));
	if (output->own)
		close(output->fd);
	output->fd = -1;
	strbuf_reset(&output->waiting);
	output->written = 0;
}

/* Removes the written part. */
static void drop_written(struct trace_output *output)
{
	struct strbuf *waiting = &output->waiting;

	if (!output->written)
		return;
	memmove(waiting->text, waiting->text + output->written,
		waiting->length - output->written);
	strbuf_setlen(waiting, waiting->length - output->written);
	output->written = 0;
}

void trace_output_flush(struct trace_output *output, bool last)
{
	uint64_t until = clock_monotonic_ns() + LAST_MS * NSEC_PER_MSEC;

	while (output->fd >= 0 && output->written < output->waiting.length) {
		bool late = clock_monotonic_ns() > until;
		ssize_t done;

		if (!is_ready(output, last && !late ? 10 : 0)) {
			if (!last || late)
				break;
			continue;
		}
		done = write(output->fd, output->waiting.text + output->written,
			     next_piece(output));
		if (done < 0 && errno != EAGAIN && errno != EINTR) {
			give_up(output);
			return;
		}
		if (done < 0 && (!last || late))
			break;
		output->written += done > 0 ? (size_t)done : 0;
	}
	drop_written(output);
	if (last && output->fd >= 0 && output->waiting.length)
		error_set(&output->failure, "no process reads it");
}

void trace_output_line(void *argument, const char *line, size_t length)
{
	struct trace_output *output = argument;

	if (output->fd < 0)
		return;
	if (output->waiting.length - output->written + length > TRACE_OUTPUT_WAITING)
		trace_output_flush(output, false);
	if (output->waiting.length - output->written + length > TRACE_OUTPUT_WAITING) {
		output->lost++;
		return;
	}
	if (output->lost)
		strbuf_addf(&output->waiting,
			    "#EVT %" PRIu64 " events are omitted: the trace was not read in time\n",
			    output->lost);
	output->lost = 0;
	strbuf_add(&output->waiting, line, length);
}
