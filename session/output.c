/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the output of a command to its target, whole or not at all. */
#include "common/compat.h"
#include "session/output.h"
#include "common/destination.h"
#include "common/path.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "engine/dataset.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Number of names that are tried for a temporary file. */
enum { NAMES_MAX = 100 };

/* The file that a signal would leave behind, and its folder; NULL: none. */
static const char *volatile incomplete_file;
static volatile int half_written_folder;

/* Signal handler: deletes the incomplete file, and ends the command by the signal. */
static void delete_incomplete(int number)
{
	const char *name = incomplete_file;

	if (name)
		unlinkat(half_written_folder, name, 0);
	raise(number);
}

/* Signals that end a command, and would leave an incomplete file. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Blocks these signals; old: the previous mask. */
static void hold_signals(sigset_t *old)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		sigaddset(&held, ends[i]);
	pthread_sigmask(SIG_BLOCK, &held, old);
}

/*
 * Handles signals while name is written in a folder; NULL: no longer. Ignored
 * signals stay ignored.
 */
static void watch_signals(int folder, const char *name)
{
	const struct sigaction action = { .sa_handler = delete_incomplete, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	half_written_folder = folder;
	incomplete_file = name;
	for (size_t i = 0; name && i < ARRAY_SIZE(ends); i++)
		if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

/*
 * Opens the folder that contains a path, so that the file goes there even if the
 * folder is moved.
 */
static int open_folder(const char *path)
{
	size_t length = (size_t)(path_base(path) - path);
	char *name = length ? xstrndup(path, length) : xstrdup(".");
	int folder = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(name);
	return folder;
}

/* Creates a file next to output->place; skips names that a killed process left there. */
static int create_temporary(struct output *output, mode_t mode)
{
	struct strbuf name = STRBUF_INIT;
	int fd = -1;

	for (unsigned attempt = 0; attempt < NAMES_MAX && fd < 0; attempt++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s.%d", output->place, getpid());
		if (attempt)
			strbuf_addf(&name, "-%u", attempt);
		strbuf_addstr(&name, ".part");
		fd = openat(output->folder, name.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		output->temporary = strbuf_detach(&name, NULL);
	strbuf_release(&name);
	return fd;
}

/* Opens a temporary file next to its final name, with the mode of a new file or of the old one. */
static FILE *open_temporary(struct output *output, const struct destination *place)
{
	FILE *stream = NULL;
	sigset_t signals;
	int fd;

	output->folder = open_folder(place->path);
	if (output->folder < 0)
		return NULL;
	output->place = xstrdup(path_base(place->path));
	hold_signals(&signals);
	fd = create_temporary(output, place->kind == DESTINATION_FILE ? place->mode : 0666);
	if (fd >= 0)
		watch_signals(output->folder, output->temporary);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	if (fd >= 0)
		stream = fdopen(fd, "w");
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* Opens a target that is written directly. */
static FILE *open_directly(const struct destination *place)
{
	int fd = destination_open(place);
	FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* Forgets the incomplete file. */
static void forget(struct output *output)
{
	watch_signals(-1, NULL);
	if (output->place)
		close(output->folder);
	free(output->temporary);
	free(output->place);
	output->temporary = NULL;
	output->place = NULL;
}

/* Returns -1 with the reason if there is a sample data set at path. */
static int refuse_data_set(const char *path, struct error *err)
{
	RETURN_IF(!dataset_is_at(path), 0);
	return error_set(err, "%s is a sample data set; printed output does not replace it", path);
}

/* Opens the stream to the destination of path. */
static int open_place(struct output *output, const struct destination *place, struct error *err)
{
	if (place->kind == DESTINATION_FOLDER)
		return error_set(err, "%s is a folder", output->path);
	if (place->kind == DESTINATION_FILE)
		RETURN_IF(refuse_data_set(place->path, err) < 0, -1);
	if (place->kind == DESTINATION_NEW || place->kind == DESTINATION_FILE)
		output->stream = open_temporary(output, place);
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

	*output = (struct output){ .kind = OUTPUT_WHOLE, .path = path };
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

/* Opens a file in place, and records its length. */
static int open_in_place(struct output *output, struct error *err)
{
	bool more = output->kind == OUTPUT_APPENDED;
	struct stat info;

	RETURN_IF(refuse_data_set(output->path, err) < 0, -1);
	output->stream = fopen(output->path, more ? "ae" : "we");
	RETURN_IF(!output->stream,
		  error_errno(err, output->kind == OUTPUT_IN_PLACE ? "cannot write %s" : "cannot open %s",
			      output->path));
	if (more && fstat(fileno(output->stream), &info) == 0)
		output->start = info.st_size;
	return 0;
}

int output_begin(struct output *output, const struct output_target *target, struct error *err)
{
	if (target->kind == OUTPUT_WHOLE)
		return output_open(output, target->path, err);
	*output = (struct output){ .kind = target->kind,
				   .path = target->path,
				   .stream = target->stream };
	return target->kind == OUTPUT_STREAM ? 0 : open_in_place(output, err);
}

/* Returns the name of an output for messages. */
static const char *name_of(const struct output *output)
{
	if (output->path)
		return output->path;
	return output->kind == OUTPUT_STREAM ? "the listing" : "standard output";
}

/* Renames the temporary file to its final name. */
static int put_in_place(const struct output *output)
{
	RETURN_IF(!output->temporary, 0);
	return renameat(output->folder, output->temporary, output->folder, output->place);
}

int output_commit(struct output *output, struct error *err)
{
	const char *name = name_of(output);
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
	if (failed || put_in_place(output) < 0) {
		error_errno(err, "cannot write %s", name);
		output_abandon(output);
		return -1;
	}
	forget(output);
	return 0;
}

/* Removes what was written incompletely, and keeps what was there before. */
static void undo_write(const struct output *output)
{
	struct stat info;

	if (stat(output->path, &info) < 0 || !S_ISREG(info.st_mode))
		return;
	if (output->kind == OUTPUT_ANEW)
		unlink(output->path);
	else if (truncate(output->path, output->start) < 0)
		errno = 0; /* the message already reports that it could not be written */
}

void output_abandon(struct output *output)
{
	if (output->path && output->stream)
		fclose(output->stream);
	if (output->temporary)
		unlinkat(output->folder, output->temporary, 0);
	if (output->kind == OUTPUT_ANEW || output->kind == OUTPUT_APPENDED)
		undo_write(output);
	forget(output);
	*output = (struct output){ .kind = output->kind, .path = output->path };
}

bool output_reader_gone(const struct output *output)
{
	struct pollfd poll_fd = { .fd = output->stream ? fileno(output->stream) : STDOUT_FILENO,
				  .events = POLLOUT };

	return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLERR) && !output->path;
}
