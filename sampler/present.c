/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what processes and threads there are from /proc. */
#include "common/compat.h"
#include "sampler/present.h"
#include "common/strbuf.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

/* Read a small file below /proc; the text is cut at size. False when it cannot be. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	RETURN_IF(fd < 0, false);
	length = read(fd, text, size - 1);
	close(fd);
	RETURN_IF(length < 0, false);
	text[length] = '\0';
	return true;
}

char present_state(pid_t pid, pid_t tid)
{
	char path[64], text[512];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	RETURN_IF(!read_text(path, text, sizeof(text)), 0);
	at = strrchr(text, ')');
	return at && at[1] ? at[2] : 0;
}

void present_name(pid_t pid, pid_t tid, char *name, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	if (!read_text(path, name, size))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
}

long present_number(pid_t pid, const char *name)
{
	char path[64], text[4096];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	RETURN_IF(!read_text(path, text, sizeof(text)), -1);
	at = strstr(text, name);
	return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

bool present_program(pid_t pid, char *path, size_t size)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, path, size - 1);
	RETURN_IF(length <= 0, false);
	path[length] = '\0';
	return true;
}

void present_threads(pid_t pid, present_each each, void *argument)
{
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0)
			each(argument, pid, tid);
	}
	closedir(folder);
}

/* Pass on the children that one thread started. */
static void thread_children(pid_t pid, pid_t tid, present_each each, void *argument)
{
	struct strbuf text = STRBUF_INIT;
	char path[64];
	char *at, *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, tid);
	if (strbuf_read_file(&text, path) == 0) {
		for (at = text.text;; at = end) {
			pid_t child = (pid_t)strtol(at, &end, 10);

			if (end == at)
				break;
			each(argument, child, pid);
		}
	}
	strbuf_release(&text);
}

struct children_search {
	present_each each;
	void *argument;
};

/* present_each for the threads of a process: passes on their children. */
static void children_of_thread(void *argument, pid_t pid, pid_t tid)
{
	struct children_search *search = argument;

	thread_children(pid, tid, search->each, search->argument);
}

void present_children(pid_t pid, present_each each, void *argument)
{
	struct children_search search = { each, argument };

	present_threads(pid, children_of_thread, &search);
}
