/* SPDX-License-Identifier: Apache-2.0 */
/* Copies streams of monitor data, and reports problems of their files. */
#include "common/compat.h"
#include "session/collection/monitor-files.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAMAGE_SHOWN 20

void monitor_files_damaged(void *argument, uint64_t offset, const char *text)
{
	struct monitor_damage *damage = argument;

	if (damage->count++ < DAMAGE_SHOWN)
		message_sink_emit(damage->sink, SEVERITY_WARNING, 3660, "%s, byte %" PRIu64 ": %s",
				 damage->path, offset, text);
}

int monitor_files_read(const struct monitor_damage *damage, const struct monitor_input *input)
{
	int status = damage->count ? (int)SEVERITY_WARNING : EXIT_SUCCESS;

	if (damage->count > DAMAGE_SHOWN)
		status = message_sink_emit(damage->sink, SEVERITY_WARNING, 3661,
					  "%s: %" PRIu64 " more places are damaged", damage->path,
					  damage->count - DAMAGE_SHOWN);
	if (input->application && !input->application_complete)
		status =
			message_sink_emit(damage->sink, SEVERITY_WARNING, 3662,
					 "%s does not contain everything that vigil "
					 "collected", damage->path);
	return status;
}

int monitor_files_written(struct monitor_output *output, const struct message_sink *sink)
{
	int status = EXIT_SUCCESS;

	if (output->collisions)
		status = message_sink_emit(
			sink, SEVERITY_WARNING, 3663,
			"%zu users and devices have short names that differ from the rule; %s",
			output->collisions, output->collided.text);
	if (output->left_out)
		status = message_sink_emit(sink, SEVERITY_WARNING, 3664,
					  "%zu devices are in no list: no number is left",
					  output->left_out);
	strbuf_release(&output->collided);
	return status;
}

/* Copies a stream to an unnamed file; returns its descriptor, or -1 with errno. */
static int copy(int from)
{
	const char *folder = getenv("TMPDIR");
	FILE *file = NULL;
	char buffer[65536];
	ssize_t got;
	int to = open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (to < 0) {
		file = tmpfile();
		to = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
		if (file)
			fclose(file);
	}
	while (to >= 0 && (got = read(from, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		for (ssize_t done = 0, put; got > 0 && done < got; done += put) {
			put = write(to, buffer + done, (size_t)(got - done));
			if (put <= 0)
				got = -1;
		}
		if (got < 0) {
			close(to);
			return -1;
		}
	}
	return to;
}

int monitor_files_place(const char *path, const struct message_sink *sink, char **place)
{
	bool standard = strcmp(path, "-") == 0;
	struct strbuf name = STRBUF_INIT;
	struct stat file;
	int from, to;

	if (!standard &&
	    (stat(path, &file) < 0 || S_ISREG(file.st_mode) || S_ISDIR(file.st_mode))) {
		*place = xstrdup(path);
		return EXIT_SUCCESS;
	}
	from = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	to = from < 0 ? -1 : copy(from);
	if (to < 0)
		return message_sink_emit(sink, SEVERITY_ERROR, 30, "cannot read %s: %s", path,
					strerror(errno));
	if (!standard)
		close(from);
	strbuf_addf(&name, "/proc/self/fd/%d", to);
	*place = strbuf_detach(&name, NULL);
	return EXIT_SUCCESS;
}
