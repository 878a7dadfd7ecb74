/* SPDX-License-Identifier: Apache-2.0 */
/* Marks an indexed file while it is open for update. */
#include "agent/cobol-mark.h"
#include "agent/agent-text.h"
#include "agent/step-area.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The path of the mark beside a file, without its folders when make is false; false: it is too
 * long. */
static bool beside(const char *path, bool make, struct agent_text *text)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (!slash || (size_t)(slash - path) >= sizeof(folder))
		return false;
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	agent_text_add(text, folder);
	agent_text_add(text, "/.vigil");
	if (make && !text->cut)
		mkdir(text->text, 0777);
	agent_text_add(text, STEP_UPDATE_FOLDER);
	if (make && !text->cut)
		mkdir(text->text, 0777);
	agent_text_add(text, slash);
	return !text->cut;
}

void cobol_mark_set(const char *path, const char *who)
{
	char memory[PATH_MAX + 32];
	struct agent_text text = agent_text_in(memory, sizeof(memory));
	int saved = errno, fd;

	if (setxattr(path, STEP_UPDATE_ATTRIBUTE, who, strlen(who), 0) < 0 &&
	    beside(path, true, &text)) {
		fd = open(text.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd >= 0) {
			if (agent_write(fd, who, strlen(who)) < 0)
				errno = saved; /* an empty mark is one too */
			close(fd);
		}
	}
	errno = saved;
}

void cobol_mark_clear(const char *path)
{
	char memory[PATH_MAX + 32];
	struct agent_text text = agent_text_in(memory, sizeof(memory));
	int saved = errno;

	removexattr(path, STEP_UPDATE_ATTRIBUTE);
	if (beside(path, false, &text))
		unlink(text.text);
	errno = saved;
}
