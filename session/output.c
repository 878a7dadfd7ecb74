/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a file whole or not at all. */
#include "common/compat.h"
#include "session/output.h"
#include "common/destination.h"
#include "engine/dataset.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* The name of the file that a signal would leave behind; NULL when there is none. */
static const char *volatile half_written;

/* A signal ends the command: take away what is half written, and end by the signal. */
static void take_away(int number)
{
	const char *name = half_written;

	if (name)
		unlink(name);
	raise(number);
}

/* Watch for signals while name is written; NULL: no longer. Ignored signals stay ignored. */
static void watch_signals(const char *name)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction action = { .sa_handler = take_away, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	half_written = name;
	for (size_t i = 0; name && i < ARRAY_SIZE(ends); i++)
		if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

/* Open a file beside its place with the mode that a new or the old file has; takes the place. */
static FILE *open_beside(struct output *output, struct destination *place)
{
	struct strbuf name = STRBUF_INIT;
	FILE *stream = NULL;
	int fd;

	output->place = place->path;
	place->path = NULL;
	strbuf_addf(&name, "%s.%d.part", output->place, getpid());
	output->temporary = strbuf_detach(&name, NULL);
	watch_signals(output->temporary);
	fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  place->kind == DESTINATION_FILE ? place->mode : 0666);
	if (fd >= 0)
		stream = fdopen(fd, "w");
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* Open what is written directly. */
static FILE *open_directly(const struct destination *place)
{
	int fd = destination_open(place);
	FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* Forget what is half written. */
static void forget(struct output *output)
{
	watch_signals(NULL);
	free(output->temporary);
	free(output->place);
	output->temporary = NULL;
	output->place = NULL;
}

int output_spares(const char *path, struct error *err)
{
	RETURN_IF(!dataset_is_at(path), 0);
	return error_set(err, "%s is a sample data set, which nothing that is printed replaces", path);
}

int output_open_in_place(struct output *output, const char *path, struct error *err)
{
	RETURN_IF(output_spares(path, err) < 0, -1);
	*output = (struct output){ .path = path, .stream = fopen(path, "we") };
	return output->stream ? 0 : error_errno(err, "cannot write %s", path);
}

/* Open the stream to where path leads. */
static int open_place(struct output *output, struct destination *place, struct error *err)
{
	if (place->kind == DESTINATION_FOLDER)
		return error_set(err, "%s is a folder", output->path);
	if (place->kind == DESTINATION_FILE)
		RETURN_IF(output_spares(place->path, err) < 0, -1);
	if (place->kind == DESTINATION_NEW || place->kind == DESTINATION_FILE)
		output->stream = open_beside(output, place);
	else
		output->stream = open_directly(place);
	if (output->stream)
		return 0;
	error_errno(err, "cannot write %s", output->path);
	forget(output);
	return -1;
}

int output_open(struct output *output, const char *path, struct error *err)
{
	struct destination place;
	int result;

	*output = (struct output){ .path = path };
	if (!path) {
		output->stream = stdout;
		return 0;
	}
	result = destination_find(&place, path, err);
	if (result == 0)
		result = open_place(output, &place, err);
	destination_release(&place);
	return result;
}

int output_commit(struct output *output, struct error *err)
{
	const char *name = output->path ? output->path : "standard output";
	bool failed = fflush(output->stream) != 0 || ferror(output->stream);

	if (failed) {
		error_errno(err, "cannot write %s", name);
		output_abandon(output);
		return -1;
	}
	if (!output->path)
		return 0;
	failed = fclose(output->stream) != 0;
	output->stream = NULL;
	if (failed || (output->temporary && rename(output->temporary, output->place) < 0)) {
		error_errno(err, "cannot write %s", name);
		output_abandon(output);
		return -1;
	}
	forget(output);
	return 0;
}

void output_abandon(struct output *output)
{
	if (output->path && output->stream)
		fclose(output->stream);
	if (output->temporary)
		unlink(output->temporary);
	forget(output);
	*output = (struct output){ .path = output->path };
}

bool output_reader_gone(const struct output *output)
{
	struct pollfd poll_fd = { .fd = output->stream ? fileno(output->stream) : STDOUT_FILENO,
				  .events = POLLOUT };

	return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLERR) && !output->path;
}
