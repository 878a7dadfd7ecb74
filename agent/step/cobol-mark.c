/* SPDX-License-Identifier: Apache-2.0 */
/* Marks an indexed file while it is open for update. */
#include "agent/step/cobol-mark.h"
#include "agent/file-own.h"
#include "agent/step-area.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MARK_LENGTH 256
#define FLAGS_FIELD 9	     /* field of /proc/PID/stat, counted from 1 */
#define STARTED_FIELD 22     /* clock ticks since boot */
#define PROCESS_EXITING 0x4U /* PF_EXITING of the kernel */
#define NSEC_PER_SEC 1000000000

/*
 * Appends the path of a file's mark, next to it. make: creates the folders.
 * Returns false if the path is too long.
 */
static bool append_mark_path(const char *path, bool make, struct agent_text *text)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (!slash || (size_t)(slash - path) >= sizeof(folder))
		return false;
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	agent_text_add(text, folder);
	agent_text_add(text, "/.vigil");
	if (make && !text->truncated)
		mkdir(text->text, 0777);
	agent_text_add(text, STEP_UPDATE_FOLDER);
	if (make && !text->truncated)
		mkdir(text->text, 0777);
	agent_text_add(text, slash);
	return !text->truncated;
}

void cobol_mark_set(const char *path, const char *who)
{
	char memory[PATH_MAX + 32];
	struct agent_text text = agent_text_in(memory, sizeof(memory));
	int saved = errno, fd;

	if (setxattr(path, STEP_UPDATE_ATTRIBUTE, who, strlen(who), 0) < 0 &&
	    append_mark_path(path, true, &text)) {
		fd = open(text.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd >= 0) {
			file_mark_internal(fd);
			if (agent_write(fd, who, strlen(who)) < 0)
				errno = saved; /* an empty mark counts, too */
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
	if (append_mark_path(path, false, &text))
		unlink(text.text);
	errno = saved;
}

/* Reads a small file; what does not fit is left out. Returns -1 if there is none. */
static int read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length = 0;

	if (fd < 0)
		return -1;
	file_mark_internal(fd);
	length = read(fd, text, size - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return 0;
}

/* Reads a decimal number; moves *at past it and the blank that follows. */
static uint64_t take_number(const char **at)
{
	uint64_t number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++)
		number = number * 10 + (uint64_t)(**at - '0');
	*at += **at == ' ';
	return number;
}

/*
 * Returns whether a process exists that had started by a time, ns since boot. A
 * zombie does not count: it closes no file any more.
 */
static bool is_running(uint64_t process, uint64_t moment)
{
	char path_memory[40], stat[1024];
	struct agent_text path = agent_text_in(path_memory, sizeof(path_memory));
	const char *at;
	uint64_t rate = (uint64_t)sysconf(_SC_CLK_TCK), flags = 0;

	agent_text_add(&path, "/proc/");
	agent_text_number(&path, process, 0);
	agent_text_add(&path, "/stat");
	if (read_text(path.text, stat, sizeof(stat)) < 0)
		return false;
	at = strrchr(stat, ')'); /* the end of field 2; the state follows */
	if (at && at[1] == ' ' && (at[2] == 'Z' || at[2] == 'X'))
		return false;
	for (int field = 2; at && field < STARTED_FIELD; field++) {
		at = strchr(at + 1, ' ');
		if (at && field + 1 == FLAGS_FIELD) {
			const char *number = at + 1;
			flags = take_number(&number);
		}
	}
	if (!at || rate == 0)
		return true;
	at++;
	return !(flags & PROCESS_EXITING) && take_number(&at) * (NSEC_PER_SEC / rate) <= moment;
}

bool cobol_mark_left(const char *path, struct agent_text *who)
{
	char memory[PATH_MAX + 32], mark[MARK_LENGTH];
	struct agent_text text = agent_text_in(memory, sizeof(memory));
	const char *at = mark;
	uint64_t process, moment;
	int saved = errno;
	ssize_t length = getxattr(path, STEP_UPDATE_ATTRIBUTE, mark, sizeof(mark) - 1);
	bool found = length >= 0;

	if (found)
		mark[length] = '\0';
	else
		found = access(path, F_OK) == 0 && append_mark_path(path, false, &text) &&
			read_text(text.text, mark, sizeof(mark)) == 0;
	if (found) {
		process = take_number(&at);
		moment = take_number(&at);
		found = !is_running(process, moment);
		agent_text_add(who, *at ? at : "a program");
	}
	errno = saved;
	return found;
}
