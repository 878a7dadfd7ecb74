/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about running processes that shall be measured. */
#include "common/compat.h"
#include "session/measure/running.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/strbuf.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

char *running_program(pid_t pid)
{
	struct strbuf name = STRBUF_INIT;
	char path[PATH_MAX];

	if (procfs_program(pid, path, sizeof(path))) {
		procfs_strip_deleted(path);
		strbuf_addstr(&name, path_base(path));
	} else {
		if (strbuf_read_file(&name, procfs_process(path, pid, "comm")) == 0)
			strbuf_rtrim(&name);
		for (size_t i = 0; i < name.length; i++)
			if (name.text[i] == '/')
				name.text[i] = '_';
	}
	if (!name.length)
		strbuf_addf(&name, "%d", pid);
	return strbuf_detach(&name, NULL);
}

char *running_command(pid_t pid)
{
	struct strbuf line = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];

	if (strbuf_read_file(&line, procfs_living_process(path, pid, "cmdline")) == 0)
		for (size_t i = 0; i < line.length; i++)
			if (line.text[i] == '\0')
				line.text[i] = ' ';
	strbuf_rtrim(&line);
	return strbuf_detach(&line, NULL);
}

/* Returns why a process may not be observed: its users differ, or else the kernel protects it. */
static const char *why_not(pid_t pid)
{
	char path[PROCFS_PATH_SIZE], text[4096], *line;
	unsigned real, effective, saved;

	if (procfs_read(procfs_process(path, pid, "status"), text, sizeof(text)) < 0)
		return "it cannot be examined";
	line = strstr(text, "\nUid:");
	if (!line || sscanf(line, " Uid: %u %u %u", &real, &effective, &saved) != 3)
		return "it cannot be examined";
	if (real != geteuid() || effective != geteuid() || saved != geteuid())
		return "it belongs to another user";
	return "the kernel protects it, because its program is not readable, has more privileges "
	       "than its user, or requested protection (PR_SET_DUMPABLE)";
}

int running_check(pid_t pid, struct error *err)
{
	char path[PROCFS_PATH_SIZE];
	long process;
	int fd;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return error_set(err, "there is no process %d", pid);
	/* The kernel sometimes accepts the number of any thread as that of its process. */
	process = procfs_number(pid, "Tgid:");
	if (process > 0 && process != pid)
		return error_set(err,
				 "%d is a thread of process %ld, and a process is measured with "
				 "all its threads: vigil attach %ld",
				 pid, process, process);
	/* Needs the same right as reading a process's stack. */
	fd = open(procfs_living_process(path, pid, "maps"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err,
				 "cannot observe process %d: %s; this needs root, or the "
				 "capabilities CAP_PERFMON and CAP_SYS_PTRACE",
				 pid, why_not(pid));
	close(fd);
	return 0;
}
