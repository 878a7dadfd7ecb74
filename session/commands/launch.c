/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a command that is to be measured. */
#include "common/compat.h"
#include "session/commands/launch.h"
#include "session/commands/signals.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* How far one path is a program: 0 it is, otherwise errno; *there: something is at the path. */
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

/* Look in PATH as a shell does: folders that may not be searched count as empty. */
static int try_search_path(const char *program)
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
		strbuf_release(&full);
		if (result == 0 || (there && result == EACCES))
			answer = result;
		path += length;
		if (!*path)
			break;
	}
	return answer;
}

int launch_find(const char *program, struct error *err)
{
	bool there;
	int result = strchr(program, '/') ? try_path(program, &there) : try_search_path(program);

	if (!*program)
		result = ENOENT;
	if (result == 0)
		return 0;
	error_set(err, "%s cannot be run: %s", program, strerror(result));
	return result == ENOENT || result == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* The child: wait for the word, then become the program. */
static NORETURN void become(const struct launch *launch, int go, int failure, char **argv,
			    const char *environment)
{
	char word;
	int reason;

	close(launch->go);
	close(launch->failure);
	if (read(go, &word, 1) != 1)
		_exit(EXIT_NOT_EXECUTABLE);
	signals_restore();
	if (environment)
		putenv((char *)(uintptr_t)environment);
	execvp(argv[0], argv);
	reason = errno;
	if (write(failure, &reason, sizeof(reason)) < 0)
		_exit(EXIT_NOT_EXECUTABLE);
	_exit(reason == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int launch_prepare(struct launch *launch, char **argv, const char *environment, struct error *err)
{
	int go[2], failure[2];

	if (pipe2(go, O_CLOEXEC) < 0)
		return error_errno(err, "%s cannot be started", argv[0]);
	if (pipe2(failure, O_CLOEXEC) < 0) {
		error_errno(err, "%s cannot be started", argv[0]);
		close(go[0]);
		close(go[1]);
		return -1;
	}
	launch->go = go[1];
	launch->failure = failure[0];
	launch->pid = fork();
	if (launch->pid == 0)
		become(launch, go[0], failure[1], argv, environment);
	if (launch->pid < 0)
		error_errno(err, "%s cannot be started", argv[0]);
	close(go[0]);
	close(failure[1]);
	if (launch->pid < 0) {
		close(launch->go);
		close(launch->failure);
		return -1;
	}
	return 0;
}

int launch_go(struct launch *launch)
{
	int reason = 0;
	ssize_t got;

	if (write(launch->go, "", 1) != 1)
		reason = errno;
	close(launch->go);
	do {
		got = read(launch->failure, &reason, sizeof(reason));
	} while (got < 0 && errno == EINTR);
	close(launch->failure);
	return got == (ssize_t)sizeof(reason) ? reason : 0;
}
