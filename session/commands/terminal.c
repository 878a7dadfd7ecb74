/* SPDX-License-Identifier: Apache-2.0 */
/* Output to a terminal, and its pager. */
#include "common/compat.h"
#include "session/commands/terminal.h"

#include "common/strbuf.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGER_DEFAULT "less -FRSX"
/* Exit status of a shell that cannot run a command. */
#define CANNOT_RUN 126
#define NOT_FOUND 127

unsigned terminal_columns(int fd)
{
	struct winsize size = { 0 };

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

/* Returns whether a program is in PATH. */
static bool is_installed(const char *program)
{
	const char *path = getenv("PATH");
	bool found = false;

	for (path = path ? path : "/bin:/usr/bin"; *path && !found; path += *path == ':') {
		size_t length = strcspn(path, ":");
		struct strbuf file = STRBUF_INIT;

		strbuf_add(&file, path, length);
		strbuf_addf(&file, "/%s", program);
		found = length && access(file.text, X_OK) == 0;
		strbuf_release(&file);
		path += length;
	}
	return found;
}

/* Returns the command of the pager; NULL: none. */
static const char *pager_command(void)
{
	static const char *const variables[] = { "VIGIL_PAGER", "PAGER" };

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *command = getenv(variables[i]);

		if (command)
			return *command && strcmp(command, "cat") != 0 ? command : NULL;
	}
	return is_installed("less") ? PAGER_DEFAULT : NULL;
}

/* Returns whether both standard streams are the same terminal. */
static bool is_shared(void)
{
	struct stat out, err;

	return isatty(STDERR_FILENO) && fstat(STDOUT_FILENO, &out) == 0 &&
	       fstat(STDERR_FILENO, &err) == 0 && out.st_rdev == err.st_rdev;
}

/* Runs in the child: executes the pager. Sets the default options of less unless LESS is set. */
static void become(const char *command, int in)
{
	dup2(in, STDIN_FILENO);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", "FRSX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_FOUND);
}

void pager_begin(struct pager *pager)
{
	const char *command = pager_command();
	int ends[2];

	*pager = (struct pager){ .out = -1, .err = -1 };
	if (!command || pipe2(ends, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	fflush(stderr);
	pager->pid = fork();
	if (pager->pid == 0)
		become(command, ends[0]);
	close(ends[0]);
	if (pager->pid < 0) {
		pager->pid = 0;
		close(ends[1]);
		return;
	}
	pager->err = is_shared() ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
	pager->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(ends[1], STDOUT_FILENO);
	if (pager->err >= 0)
		dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	/* ^C belongs to the pager */
	pager->interrupt = signal(SIGINT, SIG_IGN);
}

bool pager_end(struct pager *pager)
{
	int status = 0;

	if (!pager->pid)
		return false;
	fflush(stdout);
	fflush(stderr);
	clearerr(stdout); /* a reader that quits early is no error */
	dup2(pager->out, STDOUT_FILENO);
	close(pager->out);
	if (pager->err >= 0) {
		dup2(pager->err, STDERR_FILENO);
		close(pager->err);
	}
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, pager->interrupt);
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != CANNOT_RUN && WEXITSTATUS(status) != NOT_FOUND);
}
