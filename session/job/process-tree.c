/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what processes there are. */
#include "common/compat.h"
#include "session/job/process-tree.h"
#include "common/clock.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <unistd.h>

/* Read /proc/PID/stat: "pid (name) state parent ...", the 14th to 17th are clock ticks. */
static bool read_process(const char *pid, struct process *process)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	const char *open_paren = NULL, *close_paren = NULL;
	unsigned long long ticks[4];
	bool known = false;
	int parent;

	strbuf_addf(&path, "/proc/%s/stat", pid);
	if (strbuf_read_file(&text, path.text) == 0) {
		open_paren = strchr(text.text, '(');
		close_paren = strrchr(text.text, ')');
	}
	if (open_paren && close_paren && close_paren - open_paren <= 17) {
		snprintf(process->name, sizeof(process->name), "%.*s",
			 (int)(close_paren - open_paren - 1), open_paren + 1);
		known = sscanf(close_paren + 2,
			       "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
			       &parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3]) == 5;
	}
	if (known) {
		process->parent = parent;
		process->cpu = (ticks[0] + ticks[1] + ticks[2] + ticks[3]) *
			       (NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK));
	}
	strbuf_release(&path);
	strbuf_release(&text);
	return known;
}

void processes_read(struct processes *processes)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	*processes = (struct processes){ 0 };
	while (folder && (entry = readdir(folder))) {
		struct process process = { .pid = (pid_t)strtol(entry->d_name, NULL, 10) };

		if (process.pid <= 0 || !read_process(entry->d_name, &process))
			continue;
		GROW(processes->items, processes->count + 1, processes->alloc);
		processes->items[processes->count++] = process;
	}
	if (folder)
		closedir(folder);
}

void processes_release(struct processes *processes)
{
	free(processes->items);
	*processes = (struct processes){ 0 };
}

/* The parent of a process, 0 when it is not known. */
static pid_t parent_of(const struct processes *processes, pid_t pid)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].pid == pid)
			return processes->items[i].parent;
	return 0;
}

pid_t processes_branch(const struct processes *processes, pid_t pid, pid_t ancestor)
{
	/* A process whose number was used again meanwhile must not make this endless. */
	for (size_t level = 0; pid > 0 && level < processes->count; level++) {
		pid_t parent = parent_of(processes, pid);

		if (parent == ancestor)
			return pid;
		pid = parent;
	}
	return 0;
}
