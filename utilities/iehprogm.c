/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEHPROGM: SCRATCH and RENAME of data sets and members, which IDCAMS executes as
 * DELETE and ALTER. CATLG and UNCATLG change nothing: the files themselves are the
 * catalogue.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"
#include "session/job/program-search.h"
#include "utilities/utility-statements.h"

#include <ctype.h>
#include <libgen.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* A statement's operands in upper case; NULL: not given. */
struct request {
	char *operation, *dsname, *newname, *member;
};

static void release(struct request *request)
{
	free(request->operation);
	free(request->dsname);
	free(request->newname);
	free(request->member);
}

/* Returns the next word, up to one of the characters of end, in upper case; *at moves behind it. */
static char *take(const char **at, const char *end)
{
	size_t length = strcspn(*at, end);
	char *word = xstrndup(*at, length);

	for (char *c = word; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	*at += length;
	return word;
}

static int fail(struct utility *utility, unsigned line, const char *what, const char *text)
{
	return utility_message(utility, SEVERITY_ERROR, 5670, "SYSIN line %u: %s %s", line, what,
			       text);
}

/* Reads KEYWORD=value at *at, which moves behind it. */
static int take_operand(struct utility *utility, const struct utility_statement *statement,
			const char **at, struct request *request)
{
	char *keyword = take(at, "=, "), *value = NULL, **place = NULL;
	int result = 0;

	if (**at == '=') {
		size_t list = *++*at == '(' ? strcspn(*at, ")") : 0;

		value = list ? xstrndup(*at, list + ((*at)[list] == ')')) : take(at, ", ");
		*at += list ? strlen(value) : 0;
	}
	if (strcmp(keyword, "DSNAME") == 0)
		place = &request->dsname;
	else if (strcmp(keyword, "NEWNAME") == 0)
		place = &request->newname;
	else if (strcmp(keyword, "MEMBER") == 0)
		place = &request->member;
	else if (strcmp(keyword, "VOL") != 0 && strcmp(keyword, "PURGE") != 0 &&
		 strcmp(keyword, "SYS") != 0)
		result = fail(utility, statement->line, "invalid operand:", keyword);
	if (place && value) {
		free(*place);
		*place = value;
		value = NULL;
	}
	free(value);
	free(keyword);
	return result;
}

/* Checks that a statement has the operands of its operation, and that the names are valid. */
static int check(struct utility *utility, const struct utility_statement *statement,
		 const struct request *request)
{
	bool rename = strcmp(request->operation, "RENAME") == 0;
	bool member_new = rename && request->member;

	if (!request->dsname || !catalog_name_valid(request->dsname))
		return fail(utility, statement->line, "DSNAME= is missing or not a name:",
			    request->dsname ? request->dsname : "");
	if (request->member && !catalog_member_valid(request->member))
		return fail(utility, statement->line, "is not a member name:", request->member);
	if (rename && (!request->newname || !(member_new ? catalog_member_valid(request->newname)
							 : catalog_name_valid(request->newname))))
		return fail(utility, statement->line, "NEWNAME= is missing or not a name:",
			    request->newname ? request->newname : "");
	return 0;
}

/* Parses a statement without its label. */
static int parse(struct utility *utility, const struct utility_statement *statement,
		 struct request *request)
{
	const char *at = statement->text;

	if (*at != ' ')
		at += strcspn(at, " ");
	at += strspn(at, " ");
	request->operation = take(&at, " ");
	at += strspn(at, " ");
	while (*at && *at != ' ') {
		RETURN_IF(take_operand(utility, statement, &at, request) < 0, -1);
		at += *at == ',';
	}
	return check(utility, statement, request);
}

/* Writes the IDCAMS command of a request; empty when there is nothing to do. */
static int translate(struct utility *utility, const struct utility_statement *statement,
		     const struct request *request, struct strbuf *cards)
{
	struct strbuf name = STRBUF_INIT, new_name = STRBUF_INIT;
	bool member = request->member != NULL;
	int result = 0;

	strbuf_addf(&name, "%s%s%s%s", request->dsname, member ? "(" : "",
		    member ? request->member : "", member ? ")" : "");
	if (request->newname)
		strbuf_addf(&new_name, "%s%s%s%s", member ? request->dsname : request->newname,
			    member ? "(" : "", member ? request->newname : "", member ? ")" : "");
	if (strcmp(request->operation, "SCRATCH") == 0)
		strbuf_addf(cards, " DELETE -\n  %s -\n  PURGE\n", name.text);
	else if (strcmp(request->operation, "RENAME") == 0)
		strbuf_addf(cards, " ALTER -\n  %s -\n  NEWNAME(%s)\n", name.text, new_name.text);
	else if (strcmp(request->operation, "CATLG") == 0 ||
		 strcmp(request->operation, "UNCATLG") == 0)
		utility_message(utility, SEVERITY_INFO, 5671,
				"%s of %s changes nothing: the files are the catalogue",
				request->operation, request->dsname);
	else
		result = fail(utility, statement->line,
			      "SCRATCH, RENAME, CATLG or UNCATLG was expected, not",
			      request->operation);
	strbuf_release(&name);
	strbuf_release(&new_name);
	return result;
}

/* Runs IDCAMS with these cards; its messages go where this program's go. */
static int run_idcams(const struct utility *utility, const struct strbuf *cards)
{
	const char *folder = getenv("TMPDIR");
	struct program program = { .kind = PROGRAM_MISSING };
	struct strbuf path = STRBUF_INIT;
	char self[PATH_MAX];
	int status = -1, fd;
	pid_t pid = -1;

	if (!procfs_program(PROCFS_SELF, self, sizeof(self)))
		self[0] = '\0';
	search_utilities(&program, dirname(self), "IDCAMS");
	strbuf_addf(&path, "%s/iehprogm.XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(path.text);
	if (fd >= 0 && program.path &&
	    write(fd, cards->text, cards->length) == (ssize_t)cards->length)
		pid = fork();
	if (pid == 0) {
		setenv("DD_SYSIN", path.text, 1);
		unsetenv("VIGIL_DCB_SYSIN");
		unsetenv("DD_SYSPRINT"); /* IDCAMS would truncate the listing */
		dup2(fileno(utility->print), STDOUT_FILENO);
		execl(program.path, program.path, (char *)NULL);
		_exit(SEVERITY_SEVERE);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid)
		status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (fd >= 0) {
		close(fd);
		unlink(path.text);
	}
	strbuf_release(&path);
	program_release(&program);
	return status;
}

/* Executes a statement. A failure is reported, and the next statement is executed. */
static void carry_out(struct utility *utility, const struct utility_statement *statement)
{
	struct strbuf cards = STRBUF_INIT;
	struct request request = { 0 };
	int code = 0;

	if (parse(utility, statement, &request) == 0 &&
	    translate(utility, statement, &request, &cards) == 0 && cards.length > 0) {
		fflush(utility->print);
		code = run_idcams(utility, &cards);
	}
	if (code != 0)
		utility_message(utility, SEVERITY_ERROR, 5672,
				"SYSIN line %u: %s of %s was not done", statement->line,
				request.operation, request.dsname);
	release(&request);
	strbuf_release(&cards);
}

int main(int argc, char **argv)
{
	struct utility utility = { .name = "IEHPROGM" };
	struct utility_statement *list;
	const char *parm;
	int result = utility_arguments(&utility, argc, argv, &parm);

	if (result != 0)
		return result < 0 ? SEVERITY_SEVERE : 0;
	utility_init(&utility, "IEHPROGM");
	list = utility_statements(&utility, "SYSIN");
	for (const struct utility_statement *one = list; one; one = one->next)
		carry_out(&utility, one);
	utility_statements_free(list);
	return utility_end(&utility);
}
