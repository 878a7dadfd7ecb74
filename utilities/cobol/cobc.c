/* SPDX-License-Identifier: Apache-2.0 */
/* Runs GnuCOBOL's compiler for IGYCRCTL and IEWL. */
#include "common/compat.h"
#include "utilities/cobol/cobc.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMPILER "cobc"
#define NOT_STARTED 127

/* In the child: executes the compiler, with both output streams into a pipe. */
static NORETURN void child(const char *const *arguments, const char *folder, int output)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (chdir(folder) == 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
	    dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
		execvp(COMPILER, (char *const *)(uintptr_t)arguments);
	_exit(NOT_STARTED);
}

int cobc_run(const char *const *arguments, const char *folder, struct strbuf *output, struct error *err)
{
	int pipes[2], status = 0, result;
	pid_t pid;

	RETURN_IF(pipe2(pipes, O_CLOEXEC) < 0, error_errno(err, "cannot create a pipe"));
	pid = fork();
	if (pid == 0)
		child(arguments, folder, pipes[1]);
	close(pipes[1]);
	result = pid < 0 ? error_errno(err, "cannot create a process") : 0;
	if (result == 0 && strbuf_read_fd(output, pipes[0]) < 0)
		result = error_errno(err, "cannot read the compiler's messages");
	close(pipes[0]);
	if (pid > 0 && waitpid(pid, &status, 0) < 0)
		result = error_errno(err, "cannot wait for the compiler");
	RETURN_IF(result < 0, -1);
	RETURN_IF(WIFSIGNALED(status),
		  error_set(err, "the compiler was ended by signal %s",
			    sigabbrev_np(WTERMSIG(status))));
	RETURN_IF(WEXITSTATUS(status) == NOT_STARTED,
		  error_set(err, "the compiler cobc cannot be started; it is in the package "
				 "gnucobol3 or gnucobol4"));
	return WEXITSTATUS(status);
}

char *cobc_make_folder(struct error *err)
{
	const char *parent = getenv("TMPDIR");
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/cobol.XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(path.text)) {
		error_errno(err, "cannot create the work folder %s", path.text);
		strbuf_release(&path);
		return NULL;
	}
	return strbuf_detach(&path, NULL);
}

void cobc_symbol(struct strbuf *sb, const char *program)
{
	if (isdigit((unsigned char)*program))
		strbuf_addf(sb, "_%02X", (unsigned char)*program++);
	for (; *program; program++) {
		if (isalnum((unsigned char)*program) || *program == '_')
			strbuf_addch(sb, *program);
		else if (*program == '-')
			strbuf_addstr(sb, "__");
		else
			strbuf_addf(sb, "_%02X", (unsigned char)*program);
	}
}

char *cobc_word(char **text, const char *separators)
{
	char *word = *text + strspn(*text, separators);

	*text = word + strcspn(word, separators);
	if (**text)
		*(*text)++ = '\0';
	return *word ? word : NULL;
}
