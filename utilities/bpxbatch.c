/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BPXBATCH: replaces itself by a shell command (PARM='SH command') or a program
 * (PARM='PGM path arguments'). STDPARM may hold a parameter that is too long for
 * PARM. The DDs STDIN, STDOUT, STDERR and STDENV (NAME=value lines) are the
 * program's streams and environment.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/job/program-search.h"
#include "utilities/dd.h"
#include "utilities/preload.h"

#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

/* return code when nothing could be run */
#define CANNOT_RUN 127

static int fail(const char *what, const char *name)
{
	utility_print_error("VIG5520S BPXBATCH: %s %s: %s", what, name, strerror(errno));
	return CANNOT_RUN;
}

/* Redirects a stream to a DD's file; without the DD the step's stream stays. */
static int redirect(const char *ddname, int flags, int stream)
{
	const char *path = utility_dd(ddname);
	int fd;

	RETURN_IF(!path, 0);
	fd = open(path, flags | O_NOCTTY, 0666);
	RETURN_IF(fd < 0, fail("cannot open", path));
	RETURN_IF(dup2(fd, stream) < 0, fail("cannot use", path));
	if (fd != stream)
		close(fd);
	return 0;
}

static int redirect_all(void)
{
	int result = redirect("STDERR", O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);

	if (result == 0)
		result = redirect("STDIN", O_RDONLY, STDIN_FILENO);
	if (result == 0)
		result = redirect("STDOUT", O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
	return result;
}

/* Sets the variables that the lines of STDENV name, for the program. */
static int set_environment(struct utility *utility)
{
	struct source *source = dd_source(utility, "STDENV");

	RETURN_IF(!source, utility->worst ? CANNOT_RUN : 0);
	for (size_t i = 0; i < source->line_count; i++) {
		char *line = xstrdup(source->lines[i].text);
		char *equals = strchr(line, '=');

		if (equals && equals != line) {
			*equals = '\0';
			setenv(line, equals + 1, 1);
		}
		free(line);
	}
	source_free(source);
	return 0;
}

/*
 * Returns the lines of STDPARM, joined by blanks, to be used instead of PARM; NULL
 * without STDPARM.
 */
static char *read_parameter(struct utility *utility)
{
	struct source *source = dd_source(utility, "STDPARM");
	struct strbuf text = STRBUF_INIT;

	RETURN_IF(!source, NULL);
	for (size_t i = 0; i < source->line_count; i++) {
		strbuf_addf(&text, "%s%s", i ? " " : "", source->lines[i].text);
		strbuf_rtrim(&text);
	}
	source_free(source);
	return strbuf_detach(&text, NULL);
}

/* Executes "path argument argument". */
static int run_program(const char *text)
{
	char *line = xstrdup(text), *rest = line, *word;
	char **arguments = NULL;
	size_t count = 0, alloc = 0;
	int result = CANNOT_RUN;

	GROW(arguments, 1, alloc);
	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		GROW(arguments, count + 2, alloc);
		arguments[count++] = word;
	}
	arguments[count] = NULL;
	if (count > 0) {
		execv(arguments[0], arguments);
		result = fail("cannot run", arguments[0]);
	} else {
		fprintf(stderr, "VIG5521S BPXBATCH: PARM='PGM' names no program\n");
	}
	free(arguments);
	free(line);
	return result;
}

static int run_shell(const char *command)
{
	if (*command)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	else
		execl("/bin/sh", "sh", "-s", (char *)NULL);
	return fail("cannot run", "/bin/sh");
}

/* Returns the rest of a parameter after its first word; NULL when that is not word. */
static const char *after_word(const char *parameter, const char *word)
{
	size_t length = strlen(word);

	if (strncasecmp(parameter, word, length) != 0 ||
	    (parameter[length] && parameter[length] != ' '))
		return NULL;
	return parameter + length + strspn(parameter + length, " ");
}

/* Executes "SH command" or "PGM path arguments"; AOPBATCH omits PGM. */
static int run(const char *parameter)
{
	const char *name = getenv(SEARCH_NAME_VARIABLE);
	const char *rest = after_word(parameter, "SH");

	if (rest)
		return run_shell(rest);
	rest = after_word(parameter, "PGM");
	if (!rest && name && strcmp(name, "AOPBATCH") == 0)
		rest = parameter;
	if (rest)
		return run_program(rest);
	utility_print_error("VIG5522S BPXBATCH: PARM begins with neither SH nor PGM: %s", parameter);
	return CANNOT_RUN;
}

int main(int argc, char **argv)
{
	struct utility utility = { .name = "BPXBATCH", .print = stderr };
	const char *parm;
	char *parameter;
	int result = utility_arguments(&utility, argc, argv, &parm);

	if (result != 0)
		return result < 0 ? CANNOT_RUN : 0;
	result = redirect_all();
	if (result == 0)
		result = set_environment(&utility);
	if (result != 0)
		return result;
	preload_pass_on();
	parameter = parm ? xstrdup(parm) : read_parameter(&utility);
	if (utility.worst)
		result = CANNOT_RUN;
	else
		result = run(parameter && *parameter ? parameter + strspn(parameter, " ") : "SH");
	free(parameter);
	return result;
}
