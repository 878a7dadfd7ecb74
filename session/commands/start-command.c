/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and starts the command to be measured. */
#include "common/compat.h"
#include "session/commands/start-command.h"
#include "common/xalloc.h"
#include "session/commands/signals.h"

#include <sys/stat.h>
#include <unistd.h>

/*
 * Checks whether one path is a program: 0, otherwise errno; *there: something
 * exists at the path.
 */
static int try_path(const char *path, bool *there)
{
	struct stat facts;

	*there = stat(path, &facts) == 0;
	if (!*there)
		return errno;
	if (S_ISDIR(facts.st_mode))
		return EISDIR;
	return access(path, X_OK) < 0 ? errno : 0;
}

/* Searches PATH as a shell does: folders that may not be searched count as empty. */
static int try_search_path(const char *program, char **found)
{
	const char *path = getenv("PATH");
	int answer = ENOENT;

	for (path = path ? path : "/bin:/usr/bin"; answer != 0; path++) {
		size_t length = strcspn(path, ":");
		struct strbuf full = STRBUF_INIT;
		bool there;
		int result;

		strbuf_add(&full, length ? path : ".", length ? length : 1);
		strbuf_addf(&full, "/%s", program);
		result = try_path(full.text, &there);
		if (result == 0)
			*found = strbuf_detach(&full, NULL);
		strbuf_release(&full);
		if (result == 0 || (there && result == EACCES))
			answer = result;
		path += length;
		if (!*path)
			break;
	}
	return answer;
}

int start_command_find(const char *program, char **path, struct error *err)
{
	bool there;
	int result = ENOENT;

	*path = NULL;
	if (strchr(program, '/')) {
		result = try_path(program, &there);
		if (result == 0)
			*path = xstrdup(program);
	} else if (*program) {
		result = try_search_path(program, path);
	}
	if (result == 0)
		return 0;
	error_set(err, "cannot run %s: %s", program, strerror(result));
	return result == ENOENT || result == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Arguments of the child. */
struct child {
	char **argv;
	const char *const *environment;
	const char *preload;
};

/* Runs in the child: waits at the gate, then executes the program. */
static void become(void *argument, int gate)
{
	const struct child *child = argument;

	gate_wait(gate, EXIT_NOT_EXECUTABLE);
	signals_restore();
	for (const char *const *item = child->environment; *item; item++)
		putenv((char *)(uintptr_t)*item);
	if (child->preload)
		setenv("LD_PRELOAD", child->preload, 1);
	execvp(child->argv[0], child->argv);
	gate_fail(gate, "exec", errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int start_command_begin(struct gate *gate, char **argv, const char *const *environment,
		  const char *preload, struct error *err)
{
	const char *own = getenv("LD_PRELOAD");
	struct strbuf libraries = STRBUF_INIT;
	struct child child = { argv, environment, NULL };
	int result;

	if (preload) {
		strbuf_addf(&libraries, "%s%s%s", preload, own && *own ? ":" : "", own ? own : "");
		child.preload = libraries.text;
	}
	result = gate_fork(gate, argv[0], become, &child, err);
	strbuf_release(&libraries);
	return result;
}
