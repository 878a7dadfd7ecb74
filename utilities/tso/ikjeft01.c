/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IKJEFT01, IKJEFT1A, IKJEFT1B: execute the TSO commands of PARM and SYSTSIN, with
 * their output on SYSTSPRT. The commands are in tso-*.c and copy.c.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "utilities/dd.h"
#include "utilities/preload.h"
#include "utilities/tso/tso.h"

#include <ctype.h>
#include <libgen.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CARD_COLUMNS 80
#define SEQUENCE_COLUMNS 8
/* Exit status after an abend, as of abort(), for callers that see only the status. */
#define ABEND_STATUS 134

/* DSN SYSTEM(name): begins the subcommands RUN and END. */
static int begin_dsn(struct tso *tso, const char *verb, const char *operands)
{
	(void)verb;
	(void)operands;
	tso->in_dsn = true;
	tso->dsn_code = 0;
	return 0;
}

static int end(struct tso *tso, const char *verb, const char *operands)
{
	(void)verb;
	(void)operands;
	tso->over = true;
	return 0;
}

/* PROFILE: handles PREFIX and NOPREFIX; the other operands are for terminals. */
static int profile(struct tso *tso, const char *verb, const char *operands)
{
	struct tso_operands parsed;
	const struct tso_operand *prefix;

	(void)verb;
	RETURN_IF(tso_parse(tso, operands, &parsed) < 0, TSO_FAILED);
	prefix = tso_operand(&parsed, "PREFIX PRE");
	if (tso_operand(&parsed, "NOPREFIX NOPRE"))
		tso->prefix[0] = '\0';
	else if (prefix && prefix->value)
		for (size_t i = 0; i < sizeof(tso->prefix); i++)
			tso->prefix[i] = i < 8 && i < strlen(prefix->value)
						 ? (char)toupper((unsigned char)prefix->value[i])
						 : '\0';
	if (parsed.count == 0)
		fprintf(tso->utility.print, "%s%s%s\n", *tso->prefix ? "PREFIX(" : "NOPREFIX",
			tso->prefix, *tso->prefix ? ")" : "");
	tso_operands_release(&parsed);
	return 0;
}

static int show_time(struct tso *tso, const char *verb, const char *operands)
{
	char clock[16], date[32];
	struct rusage own, children;
	time_t now = time(NULL);
	struct tm local;
	long cpu;

	(void)verb;
	(void)operands;
	localtime_r(&now, &local);
	strftime(clock, sizeof(clock), "%I:%M:%S %p", &local);
	strftime(date, sizeof(date), "%B %d,%Y", &local);
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	cpu = (long)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
		     children.ru_stime.tv_sec);
	for (char *at = date; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	utility_foreign_message(&tso->utility, "IKJ56650I", SEVERITY_INFO, 0,
		      "TIME-%s. CPU-%02ld:%02ld:%02ld %s", clock, cpu / 3600, cpu / 60 % 60,
		      cpu % 60, date);
	return 0;
}

/* Rejects a command that is recognized but not supported. */
static int refuse(struct tso *tso, const char *verb, const char *operands)
{
	(void)operands;
	utility_message(&tso->utility, SEVERITY_ERROR, 5691, "%s is not supported", verb);
	return TSO_FAILED;
}

static const struct command {
	const char *names;
	tso_function *function;
} commands[] = {
	{ "CALL", tso_call },
	{ "EXEC EX", tso_exec },
	{ "SH OSHELL", tso_shell },
	{ "ALLOCATE ALLOC", tso_allocate },
	{ "FREE UNALLOC", tso_free },
	{ "LISTDS LISTD", tso_listds },
	{ "DSN", begin_dsn },
	{ "ALTER DELETE DEL RENAME REN", tso_alter },
	{ "DEFINE DEF LISTCAT LISTC PRINT REPRO VERIFY BLDINDEX", tso_idcams },
	{ "PROFILE PROF", profile },
	{ "TIME", show_time },
	{ "SUBMIT SUB", tso_submit },
	{ "OCOPY", tso_ocopy },
	{ "OUTPUT RECEIVE TRANSMIT XMIT SEND", refuse },
	{ "END LOGOFF", end },
}, subcommands[] = {
	{ "RUN", tso_dsn_run },
	{ "BIND REBIND FREE DCLGEN SPUFI ABEND", refuse },
};

/* Returns the function of a command; NULL: not in the table. */
static tso_function *find(const struct command *table, size_t count, const char *verb)
{
	for (size_t i = 0; i < count; i++)
		if (tso_among(verb, table[i].names))
			return table[i].function;
	return NULL;
}

/* Ends a command: sets the step's code, and ends the session if the code requires it. */
static void end_command(struct tso *tso, int code)
{
	tso->code = code;
	if (*tso->abend || (tso->kind != TSO_01 && code != 0))
		tso->over = true;
}

/* Handles a command that is in no table: a program or script with this name. */
static int unknown(struct tso *tso, const char *verb, const char *operands)
{
	int code = tso_implicit(tso, verb, operands);

	if (code < 0)
		code = tso_fail(tso, "IKJ56500I", 5681, "COMMAND %s NOT FOUND", verb);
	return code;
}

/* Executes a subcommand of DSN; false: it is a TSO command. */
static bool subcommand(struct tso *tso, const char *verb, const char *operands)
{
	tso_function *function = find(subcommands, ARRAY_SIZE(subcommands), verb);

	if (strcmp(verb, "END") == 0) {
		tso->in_dsn = false;
		end_command(tso, tso->dsn_code);
		return true;
	}
	if (*verb == '-')
		function = refuse;
	if (!function)
		return false;
	tso->dsn_code = function(tso, verb, operands);
	if (*tso->abend)
		end_command(tso, tso->dsn_code);
	return true;
}

/* Executes a command line. */
static void carry_out(struct tso *tso, const char *line)
{
	const char *start = line + strspn(line, " ");
	size_t length = strcspn(start, " (,'");
	char *verb = xstrndup(start, length);
	const char *operands = start + length + strspn(start + length, " ");
	tso_function *function;

	for (char *at = verb; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	function = find(commands, ARRAY_SIZE(commands), verb);
	if (!(tso->in_dsn && subcommand(tso, verb, operands)))
		end_command(tso, (function ? function : unknown)(tso, verb, operands));
	free(verb);
}

/* A command while its lines are read. */
struct input {
	struct strbuf command;
	bool open;    /* the command continues on the next line */
	bool trimmed; /* leading blanks of the next line are dropped */
};

/* Returns whether a line is blank or only a comment. */
static bool nothing(const char *line, size_t length)
{
	size_t blanks = 0;

	while (blanks < length && line[blanks] == ' ')
		blanks++;
	return length - blanks < 2 ? blanks == length : strncmp(line + blanks, "/*", 2) == 0;
}

/* Echoes a line of input, and executes the command when it is complete. */
static void take_line(struct tso *tso, struct input *input, const char *line, size_t length)
{
	while (length > 0 && line[length - 1] == ' ')
		length--;
	if (!input->open && nothing(line, length))
		return;
	if (!input->open)
		fprintf(tso->utility.print, "%s\n", tso->in_dsn ? "DSN" : "READY");
	utility_echo(tso->utility.print, "", line, length, "");
	while (input->trimmed && length > 0 && *line == ' ') {
		line++;
		length--;
	}
	input->trimmed = length > 0 && line[length - 1] == '+';
	input->open = input->trimmed || (length > 0 && line[length - 1] == '-');
	strbuf_add(&input->command, line, length - input->open);
	if (input->open)
		return;
	carry_out(tso, input->command.text);
	strbuf_reset(&input->command);
}

/*
 * Returns the columns of a line that belong to the command: fixed-length records
 * and a step's cards end with a sequence number.
 */
static size_t command_columns(size_t length, size_t fixed)
{
	if (fixed > SEQUENCE_COLUMNS)
		return length < fixed - SEQUENCE_COLUMNS ? length : fixed - SEQUENCE_COLUMNS;
	if (getenv("VIGIL_STEP") && length <= CARD_COLUMNS &&
	    length > CARD_COLUMNS - SEQUENCE_COLUMNS)
		return CARD_COLUMNS - SEQUENCE_COLUMNS;
	return length;
}

/*
 * Reads the commands of SYSTSIN; when called from the shell without such a DD, of
 * standard input.
 */
static void read_commands(struct tso *tso, struct input *input)
{
	struct error err = ERROR_INIT;
	struct source *source;
	struct dd dd;
	size_t fixed = 0;

	if (dd_find(&dd, "SYSTSIN")) {
		fixed = dd.attributes.recfm[0] == 'F' ? dd.attributes.lrecl : 0;
		dd_release(&dd);
		source = dd_source(&tso->utility, "SYSTSIN");
	} else {
		source = source_read("-", &err);
	}
	error_release(&err);
	if (!source)
		end_command(tso, TSO_FAILED);
	for (size_t i = 0; source && i < source->line_count && !tso->over; i++) {
		const struct source_line *line = &source->lines[i];

		take_line(tso, input, line->text, command_columns(line->length, fixed));
	}
	source_free(source);
}

/* Executes all commands; that of PARM comes first. */
static void run_session(struct tso *tso, const char *parm)
{
	struct input input = { .command = STRBUF_INIT };

	if (parm && *parm)
		take_line(tso, &input, parm, strlen(parm));
	if (!tso->over && (utility_dd("SYSTSIN") || (!parm && !getenv("VIGIL_STEP"))))
		read_commands(tso, &input);
	if (input.command.length > 0 && !tso->over)
		carry_out(tso, input.command.text);
	if (tso->in_dsn && !tso->over)
		end_command(tso, tso->dsn_code);
	strbuf_release(&input.command);
}

/* Returns which of the three programs this is. */
static enum tso_kind program_kind(void)
{
	const char *name = getenv(SEARCH_NAME_VARIABLE);

	if (name && strcmp(name, "IKJEFT1A") == 0)
		return TSO_1A;
	return name && strcmp(name, "IKJEFT1B") == 0 ? TSO_1B : TSO_01;
}

/* Sets the prefix of data set names without apostrophes to the user's name. */
static void choose_prefix(struct tso *tso)
{
	const char *user = getenv("USER");

	for (size_t i = 0; user && user[i] && i < sizeof(tso->prefix) - 1; i++)
		tso->prefix[i] = (char)toupper((unsigned char)user[i]);
	if (!catalog_name_valid(tso->prefix))
		tso->prefix[0] = '\0';
}

static void begin(struct tso *tso)
{
	const char *print = utility_dd("SYSTSPRT");
	char self[PATH_MAX];

	if (print)
		tso->utility.print = utility_listing(print);
	if (!tso->utility.print)
		tso->utility.print = stdout;
	if (procfs_program(PROCFS_SELF, self, sizeof(self)))
		tso->utilities = xstrdup(dirname(self));
	tso->programs = getenv(SEARCH_VARIABLE);
	if (!tso->programs)
		tso->programs = utility_dd("STEPLIB");
	tso->kind = program_kind();
	choose_prefix(tso);
}

/*
 * Ends the step. After a system abend, IKJEFT1A and IKJEFT1B end with abend S04C.
 * After a user abend, IKJEFT1B does too, and IKJEFT1A returns the abend code as
 * its return code.
 */
static int finish(struct tso *tso)
{
	bool user = *tso->abend == 'U';
	char text[64];

	fprintf(tso->utility.print, "READY\nEND\n");
	if (*tso->abend && tso->kind == TSO_1A && user)
		tso->code = atoi(tso->abend + 1);
	if (*tso->abend && tso->kind != TSO_01 && !(tso->kind == TSO_1A && user)) {
		snprintf(text, sizeof(text), "S04C a command ended with abend %s", tso->abend);
		tso->code = ABEND_STATUS;
	} else {
		snprintf(text, sizeof(text), "%d", tso->code);
	}
	preload_store_code(text);
	if (fclose(tso->utility.print) != 0) {
		fprintf(stderr, "IKJEFT01: SYSTSPRT could not be written: %s\n", strerror(errno));
		return TSO_FAILED;
	}
	return tso->code;
}

int main(int argc, char **argv)
{
	struct tso tso = { .utility = { .name = "IKJEFT01" } };
	const char *parm;
	int result = utility_arguments(&tso.utility, argc, argv, &parm);

	if (result != 0)
		return result < 0 ? TSO_FAILED : 0;
	begin(&tso);
	run_session(&tso, parm);
	if (tso_free_all(&tso) != 0)
		tso.code = TSO_FAILED;
	tso_catalog_end(&tso);
	free(tso.utilities);
	return finish(&tso);
}
