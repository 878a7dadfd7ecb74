/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs and scripts for IKJEFT01. */
#include "common/compat.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/job/abend.h"
#include "utilities/preload.h"
#include "utilities/tso/tso.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* exit status of a child that could not execute the program */
#define CHILD_FAILED 127

bool tso_search(struct tso *tso, const char *library, const char *name, struct program *program)
{
	bool found = false;

	*program = (struct program){ .kind = PROGRAM_MISSING };
	if (!catalog_member_valid(name))
		return false; /* a path must not leave the libraries */
	if (library)
		found = search_folder(program, library, name);
	if (!found && tso->programs)
		found = search_folders(program, tso->programs, name);
	if (!found)
		search_utilities(program, tso->utilities, name);
	search_end(program, tso->utilities);
	setenv(SEARCH_NAME_VARIABLE, name, 1);
	return program->kind != PROGRAM_MISSING;
}

/*
 * Opens the file of the first of these DDs that exists as a stream; without any
 * the stream stays. -1: it cannot be opened.
 */
static int open_stream(const char *first, const char *second, const char *third, int flags,
		       int stream)
{
	const char *path = utility_dd(first);
	int fd;

	if (!path && second)
		path = utility_dd(second);
	if (!path && third)
		path = utility_dd(third);
	RETURN_IF(!path, 0);
	fd = open(path, flags | O_NOCTTY | O_CLOEXEC, 0666);
	RETURN_IF(fd < 0, -1);
	return dup2(fd, stream) < 0 ? -1 : 1;
}

/* In the child: redirects the streams. A stream without a DD goes to SYSTSPRT. */
static int child_streams(const struct tso *tso, bool output)
{
	int print = fileno(tso->utility.print), result = 0;

	RETURN_IF(open_stream("SYSIN", "STDIN", NULL, O_RDONLY, STDIN_FILENO) < 0, -1);
	if (!output)
		result = open_stream("SYSOUT", "SYSPRINT", "STDOUT", O_WRONLY | O_APPEND | O_CREAT,
				     STDOUT_FILENO);
	RETURN_IF(result < 0 || (result == 0 && dup2(print, STDOUT_FILENO) < 0), -1);
	result =
		open_stream("SYSERR", "STDERR", NULL, O_WRONLY | O_APPEND | O_CREAT, STDERR_FILENO);
	return result < 0 || (result == 0 && dup2(STDOUT_FILENO, STDERR_FILENO) < 0) ? -1 : 0;
}

/* In the child: executes a script without "#!" as a shell would. */
static void exec_script(char *const *arguments)
{
	char **all = NULL;
	size_t count = 0, alloc = 0;

	GROW(all, 2, alloc);
	all[count++] = (char[]){ "sh" };
	for (; *arguments; arguments++) {
		GROW(all, count + 2, alloc);
		all[count++] = *arguments;
	}
	all[count] = NULL;
	execv("/bin/sh", all);
	free(all);
}

/* In the child: executes the program. */
static NORETURN void child(const struct tso *tso, const struct program *program,
			   char *const *arguments, const char *code_file, bool output)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)getpid());
	setenv("VIGIL_STEP_PID", number, 1);
	setenv("VIGIL_STEP_RC", code_file, 1);
	if (program->kind == PROGRAM_FILE)
		preload_pass_on();
	if (child_streams(tso, output) < 0) {
		utility_print_error("VIG5689S IKJEFT01: the streams of %s cannot be opened: %s",
			    program->path, strerror(errno));
		_exit(CHILD_FAILED);
	}
	execv(arguments[0], arguments);
	if (errno == ENOEXEC)
		exec_script(arguments);
	utility_print_error("VIG5689S IKJEFT01: %s cannot be executed: %s", program->path,
		    strerror(errno));
	_exit(CHILD_FAILED);
}

/* Reports that a program abended. */
static int abended(struct tso *tso, const struct program *program,
		   const struct step_outcome *outcome)
{
	const char *name = path_base(program->path);
	size_t length = strlen(name);
	bool user = outcome->abend[0] == 'U';

	if (program->kind == PROGRAM_MODULE && length > 3 && strcmp(name + length - 3, ".so") == 0)
		length -= 3;
	snprintf(tso->abend, sizeof(tso->abend), "%s", outcome->abend);
	tso_fail(tso, "IKJ56641I", 5686, "%.*s ENDED DUE TO ERROR", (int)length, name);
	utility_foreign_message(&tso->utility, "IKJ56640I", SEVERITY_INFO, 0, "%s ABEND CODE %s: %s",
		      user ? "USER" : "SYSTEM", outcome->abend + 1, outcome->reason.text);
	return TSO_FAILED;
}

/* Determines a program's code from how it ended, by the rules for steps. */
static int program_code(struct tso *tso, const struct program *program, struct outcome_facts *facts)
{
	struct step_outcome outcome = { .reason = STRBUF_INIT };
	int code;

	outcome_judge(&outcome, facts);
	code = outcome.abended ? abended(tso, program, &outcome) : (int)outcome.return_code;
	strbuf_release(&outcome.reason);
	return code;
}

/* Returns the size of a regular file; 0: it is none. */
static uint64_t file_size(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

/* Returns the file to which a program's standard error goes. */
static const char *error_file(const struct tso *tso, bool output, struct strbuf *path)
{
	static const char *const names[] = { "SYSERR", "STDERR", "SYSOUT", "SYSPRINT", "STDOUT" };
	char own[PROCFS_PATH_SIZE];

	for (size_t i = 0; i < (output ? 2 : ARRAY_SIZE(names)); i++)
		if (utility_dd(names[i]))
			return utility_dd(names[i]);
	strbuf_addstr(path, procfs_descriptor(own, PROCFS_SELF, "fd", fileno(tso->utility.print)));
	return path->text;
}

/* Starts a program and waits for its end. */
static int start(struct tso *tso, const struct program *program, char *const *arguments,
		 bool output)
{
	struct strbuf code_file = STRBUF_INIT, error_path = STRBUF_INIT;
	const char *folder = getenv("TMPDIR");
	struct outcome_facts facts = { .error_output = error_file(tso, output, &error_path) };
	pid_t pid;
	int code, fd;

	fflush(tso->utility.print);
	facts.error_start = file_size(facts.error_output);
	strbuf_addf(&code_file, "%s/rc.XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(code_file.text);
	facts.full_code = code_file.text;
	pid = fd < 0 ? -1 : fork();
	if (pid == 0)
		child(tso, program, arguments, code_file.text, output);
	if (pid > 0 && waitpid(pid, &facts.status, 0) == pid)
		code = program_code(tso, program, &facts);
	else
		code = tso_fail(tso, "IKJ56641I", 5689, "%s CANNOT BE STARTED: %s", program->path,
				strerror(errno));
	if (fd >= 0) {
		close(fd);
		unlink(code_file.text);
	}
	strbuf_release(&code_file);
	strbuf_release(&error_path);
	return code;
}

int tso_run(struct tso *tso, const struct program *program, const char *const *arguments,
	    bool output)
{
	char **all = NULL;
	size_t count = 0, alloc = 0;
	int code;

	if (program->kind == PROGRAM_NOT_EXECUTABLE) {
		snprintf(tso->abend, sizeof(tso->abend), "S306");
		return tso_fail(tso, "IKJ56641I", 5689, "%s MAY NOT BE EXECUTED: ABEND S306",
				program->path);
	}
	GROW(all, 3, alloc);
	if (program->driver)
		all[count++] = program->driver;
	all[count++] = program->path;
	for (; *arguments; arguments++) {
		GROW(all, count + 2, alloc);
		all[count++] = (char *)(uintptr_t)*arguments;
	}
	all[count] = NULL;
	code = start(tso, program, all, output);
	free(all);
	return code;
}

/* Runs program name with a parameter; searches library first. */
static int run_named(struct tso *tso, const char *library, const char *name, const char *parm)
{
	const char *arguments[] = { parm && *parm ? parm : NULL, NULL };
	struct program program;
	int code;

	if (!tso_search(tso, library, name, &program)) {
		snprintf(tso->abend, sizeof(tso->abend), "S806");
		return tso_fail(tso, "CSV003I", 5685, "REQUESTED MODULE %s NOT FOUND: ABEND S806",
				name);
	}
	code = tso_run(tso, &program, arguments, false);
	program_release(&program);
	return code;
}

/*
 * Determines the library and member that CALL names: 'A.B(C)', B(C) with prefix
 * and LOAD, or *(C).
 */
static int call_target(struct tso *tso, const struct tso_operand *target, struct strbuf *library,
		       struct strbuf *member)
{
	struct strbuf dsn = STRBUF_INIT, whole = STRBUF_INIT;
	struct tso_operand named = { .quoted = target->quoted, .value = target->value };
	int result;

	if (!target->quoted && strcmp(target->word, "*") == 0) {
		strbuf_addstr(member, target->value ? target->value : "");
		return 0;
	}
	strbuf_addf(&whole, "%s%s", target->word, target->quoted ? "" : ".LOAD");
	named.word = whole.text;
	result = tso_name(tso, &named, &dsn, member);
	if (result == 0)
		result = tso_path(tso, dsn.text, NULL, library);
	if (result == 0 && access(library->text, F_OK) < 0)
		result = -tso_missing(tso, dsn.text);
	if (member->length == 0)
		strbuf_addstr(member, "TEMPNAME");
	strbuf_release(&dsn);
	strbuf_release(&whole);
	return result < 0 ? -1 : 0;
}

/* Converts a program's name to upper case, as PGM= has it. */
static void upper(struct strbuf *text)
{
	for (size_t i = 0; i < text->length; i++)
		text->text[i] = (char)toupper((unsigned char)text->text[i]);
}

/* CALL 'library(program)' 'parameter' */
int tso_call(struct tso *tso, const char *verb, const char *text)
{
	struct tso_operands operands;
	struct strbuf library = STRBUF_INIT, member = STRBUF_INIT;
	int code = TSO_FAILED;
	size_t options = 1;

	(void)verb;
	RETURN_IF(tso_parse(tso, text, &operands) < 0, TSO_FAILED);
	options += operands.count > 1 && operands.items[1].quoted;
	if (operands.count == 0) {
		code = tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
	} else if (tso_operands_known(tso, &operands, options, "CAPS ASIS NOENVB PASSENVB") &&
		   call_target(tso, &operands.items[0], &library, &member) == 0) {
		upper(&member);
		code = run_named(tso, library.length ? library.text : NULL, member.text,
				 options > 1 ? operands.items[1].word : NULL);
	}
	strbuf_release(&library);
	strbuf_release(&member);
	tso_operands_release(&operands);
	return code;
}

/* Appends the folder of LIB('A.B'); if it does not exist, reports that and skips it. */
static void run_library(struct tso *tso, const struct tso_operand *lib, struct strbuf *path)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT;
	char *name = tso_unquote(lib->value ? lib->value : "");
	struct tso_operand named = { .word = name,
				     .quoted = lib->value && strchr(lib->value, '\'') };

	if (tso_name(tso, &named, &dsn, &member) == 0 && tso_path(tso, dsn.text, NULL, path) == 0 &&
	    access(path->text, F_OK) < 0) {
		utility_message(
			&tso->utility, SEVERITY_INFO, 5692,
			"library %s does not exist; searching for the program where the step's "
			"programs are",
			dsn.text);
		strbuf_reset(path);
	}
	free(name);
	strbuf_release(&dsn);
	strbuf_release(&member);
}

/* RUN PROGRAM(name) PLAN(name) LIB('library') PARMS('text') */
int tso_dsn_run(struct tso *tso, const char *verb, const char *text)
{
	struct tso_operands operands;
	const struct tso_operand *program, *lib, *parms;
	struct strbuf library = STRBUF_INIT, name = STRBUF_INIT;
	int code = TSO_FAILED;

	(void)verb;
	RETURN_IF(tso_parse(tso, text, &operands) < 0, TSO_FAILED);
	program = tso_operand(&operands, "PROGRAM PROG");
	lib = tso_operand(&operands, "LIB LIBRARY");
	parms = tso_operand(&operands, "PARMS PARM");
	if (!tso_operands_known(tso, &operands, 0, "PROGRAM PROG PLAN LIB LIBRARY PARMS PARM")) {
		code = TSO_FAILED;
	} else if (!program || !program->value) {
		code = tso_fail(tso, "IKJ56701I", 5683, "MISSING PROGRAM NAME");
	} else {
		char *parm = tso_unquote(parms && parms->value ? parms->value : "");
		char *unquoted = tso_unquote(program->value);

		if (lib)
			run_library(tso, lib, &library);
		strbuf_addstr(&name, unquoted);
		upper(&name);
		code = run_named(tso, library.length ? library.text : NULL, name.text, parm);
		free(parm);
		free(unquoted);
	}
	strbuf_release(&library);
	strbuf_release(&name);
	tso_operands_release(&operands);
	return code;
}

/* The words of a script's command line: those of its "#!" line, its path, its arguments. */
struct script {
	char *line, *text;
	const char **words; /* ends with NULL */
	size_t count, alloc;
};

static void add_word(struct script *script, const char *word)
{
	GROW(script->words, script->count + 2, script->alloc);
	script->words[script->count++] = word;
	script->words[script->count] = NULL;
}

static void add_words(struct script *script, char *text)
{
	char *word;

	while ((word = strsep(&text, " \t")))
		if (*word)
			add_word(script, word);
}

/* Returns the "#!" line of a file without these two characters; NULL: none. */
static char *interpreter_line(const char *path)
{
	char line[256] = "";
	FILE *file = fopen(path, "re");

	RETURN_IF(!file, NULL);
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\r\n")] = '\0';
	return strncmp(line, "#!", 2) == 0 ? xstrdup(line + 2) : NULL;
}

/* Runs a script, which need not be executable if its "#!" line names an interpreter. */
static int run_script(struct tso *tso, const char *path, const char *arguments)
{
	struct script script = { .line = interpreter_line(path), .text = xstrdup(arguments) };
	struct program program = { .kind = PROGRAM_FILE };
	int code;

	if (script.line) {
		add_words(&script, script.line);
		if (script.count > 0)
			add_word(&script, path);
	} else if (access(path, X_OK) == 0) {
		add_word(&script, path);
	}
	if (script.count > 0) {
		program.path = xstrdup(script.words[0]);
		add_words(&script, script.text);
		code = tso_run(tso, &program, script.words + 1, true);
		program_release(&program);
	} else {
		code = TSO_FAILED;
		utility_message(&tso->utility, SEVERITY_ERROR, 5690,
				"%s is not executable and does not begin with \"#!\"; CLISTs and "
				"REXX are not supported",
				path);
	}
	free(script.line);
	free(script.text);
	free(script.words);
	return code;
}

/* EXEC 'library(member)' 'arguments' */
int tso_exec(struct tso *tso, const char *verb, const char *text)
{
	struct tso_operands operands;
	struct strbuf path = STRBUF_INIT;
	int code = TSO_FAILED;
	bool arguments;

	(void)verb;
	RETURN_IF(tso_parse(tso, text, &operands) < 0, TSO_FAILED);
	arguments = operands.count > 1 && operands.items[1].quoted;
	if (operands.count == 0)
		tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
	else if (tso_operands_known(tso, &operands, arguments ? 2 : 1,
				    "EXEC CLIST LIST NOLIST PROMPT NOPROMPT"))
		code = tso_existing(tso, &operands.items[0], &path);
	if (code == 0)
		code = run_script(tso, path.text, arguments ? operands.items[1].word : "");
	strbuf_release(&path);
	tso_operands_release(&operands);
	return code;
}

/* Runs a shell command with its output on SYSTSPRT. */
int tso_shell(struct tso *tso, const char *verb, const char *text)
{
	const char *arguments[] = { "-c", text, NULL };
	struct program shell = { .kind = PROGRAM_FILE, .path = xstrdup("/bin/sh") };
	int code;

	(void)verb;
	code = tso_run(tso, &shell, arguments, true);
	program_release(&shell);
	return code;
}

/* Finds a member of a DD's libraries. */
static bool find_script(const char *ddname, const char *name, struct strbuf *path)
{
	const char *folders = utility_dd(ddname);
	char *copy, *rest, *folder;
	bool found = false;

	RETURN_IF(!folders || !catalog_member_valid(name), false);
	copy = xstrdup(folders);
	rest = copy;
	while (!found && (folder = strsep(&rest, ":"))) {
		strbuf_reset(path);
		strbuf_addf(path, "%s/%s", folder, name);
		found = access(path->text, F_OK) == 0;
	}
	free(copy);
	return found;
}

int tso_implicit(struct tso *tso, const char *name, const char *operands)
{
	const char *arguments[] = { *operands ? operands : NULL, NULL };
	struct strbuf path = STRBUF_INIT;
	struct program program = { .kind = PROGRAM_MISSING };
	int code = -1;

	if (*name != '%' && tso_search(tso, NULL, name, &program))
		code = tso_run(tso, &program, arguments, false);
	else if (find_script("SYSEXEC", name + (*name == '%'), &path) ||
		 find_script("SYSPROC", name + (*name == '%'), &path))
		code = run_script(tso, path.text, operands);
	program_release(&program);
	strbuf_release(&path);
	return code;
}
