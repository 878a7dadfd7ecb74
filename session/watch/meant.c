/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a process is the program that a request selects. */
#include "common/compat.h"
#include "session/watch/meant.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <unistd.h>

/* Returns whether a process has a matching name. */
static bool is_named(const char *pattern, pid_t pid)
{
	char path[PATH_MAX], name[PROCFS_NAME_SIZE], file[PROCFS_PATH_SIZE];

	if (procfs_program(pid, path, sizeof(path))) {
		procfs_strip_deleted(path);
		RETURN_IF(control_match(pattern, path_base(path)), true);
	}
	RETURN_IF(procfs_read(procfs_process(file, pid, "comm"), name, sizeof(name)) < 0, false);
	name[strcspn(name, "\n")] = '\0';
	return control_match(pattern, name);
}

/* Returns whether a process belongs to a user. */
static bool is_of(uid_t user, pid_t pid)
{
	const long owner = procfs_number(pid, "Uid:");

	return owner >= 0 && (uid_t)owner == user;
}

/* Returns whether the first length bytes of a path match. */
static bool part_matches(const char *pattern, const char *path, size_t length)
{
	char *part = xstrndup(path, length);
	const bool matches = control_match(pattern, part);

	free(part);
	return matches;
}

/* A unit without suffix is a service. */
static bool unit_matches(const char *unit, const char *name, size_t length)
{
	static const char suffix[] = ".service";
	const size_t without = length > sizeof(suffix) - 1 ? length - (sizeof(suffix) - 1) : 0;

	RETURN_IF(part_matches(unit, name, length), true);
	return without && !strchr(unit, '.') &&
	       strncmp(name + without, suffix, sizeof(suffix) - 1) == 0 &&
	       part_matches(unit, name, without);
}

bool request_selects_path(const struct control_request *request, const char *path)
{
	for (const char *at = path; *at == '/';) {
		const size_t length = strcspn(at + 1, "/");

		if (request->unit && unit_matches(request->unit, at + 1, length))
			return true;
		if (request->cgroup &&
		    part_matches(request->cgroup, path, (size_t)(at + 1 - path) + length))
			return true;
		at += 1 + length;
	}
	return false;
}

/* Returns whether a process is in a control group that the request selects. */
static bool is_in(const struct control_request *request, pid_t pid)
{
	char file[PROCFS_PATH_SIZE];
	struct strbuf text = STRBUF_INIT;
	char *rest;
	bool found = false;

	if (strbuf_read_file(&text, procfs_process(file, pid, "cgroup")) == 0)
		for (char *line = strtok_r(text.text, "\n", &rest); line && !found;
		     line = strtok_r(NULL, "\n", &rest)) {
			const char *path = strchr(line, '/');

			found = path && request_selects_path(request, path);
		}
	strbuf_release(&text);
	return found;
}

bool request_selects_process(const struct control_request *request, uid_t user, pid_t pid)
{
	const bool placed = request->pid || request->unit || request->cgroup;

	RETURN_IF(pid == getpid(), false);
	RETURN_IF(request->pid && request->pid != (uint64_t)pid, false);
	RETURN_IF((request->unit || request->cgroup) && !is_in(request, pid), false);
	RETURN_IF(request->program && !is_named(request->program, pid), false);
	return placed || user == 0 || is_of(user, pid);
}

bool process_start_time(pid_t pid, int64_t *second, uint64_t *ticks)
{
	const long a_second = sysconf(_SC_CLK_TCK);
	struct procfs_stat stat_of;
	uint64_t booted;

	RETURN_IF(!procfs_stat(pid, &stat_of) || a_second <= 0, false);
	RETURN_IF(stat_of.ending && !procfs_living(pid), false);
	*ticks = stat_of.start;
	/* In ns, and the wall clock first: the result is never later than the start. */
	booted = clock_wall_ns();
	booted -= clock_read_ns(CLOCK_BOOTTIME);
	*second = (int64_t)((booted + stat_of.start * (NSEC_PER_SEC / (uint64_t)a_second)) / NSEC_PER_SEC);
	return true;
}
