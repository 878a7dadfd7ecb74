/* SPDX-License-Identifier: Apache-2.0 */
/* Notes for vigil what the programs of a step do with their files. */
#include "agent/step/cobol-notes.h"
#include "agent/agent-text.h"
#include "agent/file-own.h"

#include <fcntl.h>
#include <unistd.h>

#define NOTES 64 /* distinct notes of a process that are remembered, to be written once */

/* Returns whether this process has written a line before. */
static bool noted(const char *line)
{
	static uint64_t known[NOTES];
	static size_t count;
	uint64_t hash = 1469598103934665603U;

	for (const char *at = line; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211U;
	for (size_t i = 0; i < count; i++)
		if (known[i] == hash)
			return true;
	if (count < NOTES)
		known[count++] = hash;
	return false;
}

void cobol_note(const char *path, const char *what, const char *more)
{
	const char *notes = getenv("VIGIL_STEP_FILES");
	char memory[PATH_MAX + 1200];
	struct agent_text line = agent_text_in(memory, sizeof(memory));
	int saved = errno, fd;

	agent_text_add(&line, path);
	agent_text_add(&line, "\t");
	agent_text_add(&line, what);
	agent_text_add(&line, "\t");
	agent_text_add(&line, more);
	agent_text_add(&line, "\n");
	if (!notes || line.truncated || noted(line.text))
		return;
	fd = open(notes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		file_mark_internal(fd);
		if (agent_write(fd, line.text, line.length) < 0)
			errno = 0; /* the note is lost */
		close(fd);
	}
	errno = saved;
}
