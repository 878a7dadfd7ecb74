/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the arguments of a utility that is called from the shell. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "datasets/signs.h"
#include "utilities/utility.h"

#include <ctype.h>

static const char help[] =
	"usage: %s [--dd NAME=PATH[,RECFM=x][,LRECL=n]]... [--root DIR] [--map FILE]\n"
	"       [--sign KIND] [PARM]\n"
	"  --dd NAME=PATH  the file of a DD, with its record format if the file has none itself\n"
	"  --root DIR      folder of the data sets that statements name; default VIGIL_ROOT\n"
	"  --map FILE      mapping file of data set names; default VIGIL_MAP\n"
	"  --sign KIND     signs of zoned numbers, ASCII or EBCDIC; default VIGIL_SIGN\n"
	"  --version       the version\n"
	"Control statements are read from standard input if there is no DD SYSIN;\n"
	"messages go to standard output if there is no DD SYSPRINT.\n"
	"vigil-utilities(7) describes the program.\n";

/*
 * Keywords that can follow a path. Those after the first two are written in the
 * form that attributes_parse reads.
 */
static const char *const keywords[] = { ",RECFM=", ",LRECL=", ",DSORG=",
					",MIN=",   ",KEY=",   ",BLKSIZE=" };

static int refuse(const struct utility *utility, const char *argument, const char *why)
{
	utility_print_error("%s: %s: %s", utility->name, argument, why);
	return -1;
}

/* Returns where the first keyword begins, or the end of the path when there is none. */
static const char *path_end(const char *path)
{
	for (const char *at = path; (at = strchr(at, ',')); at++)
		for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
			if (strncmp(at, keywords[i], strlen(keywords[i])) == 0)
				return at;
	return path + strlen(path);
}

/* Converts ",RECFM=FB,LRECL=80,KEY=5:0" to "FB,80,KEY=5:0". */
static void attribute_line(const char *at, struct strbuf *line)
{
	struct strbuf recfm = STRBUF_INIT, lrecl = STRBUF_INIT, rest = STRBUF_INIT;

	while (*at == ',') {
		size_t length = 1 + strcspn(at + 1, ",");

		if (strncmp(at, ",RECFM=", 7) == 0)
			strbuf_add(&recfm, at + 7, length - 7);
		else if (strncmp(at, ",LRECL=", 7) == 0)
			strbuf_add(&lrecl, at + 7, length - 7);
		else
			strbuf_add(&rest, at, length);
		at += length;
	}
	strbuf_addf(line, "%s,%s%s", recfm.text, lrecl.length ? lrecl.text : "0", rest.text);
	strbuf_release(&recfm);
	strbuf_release(&lrecl);
	strbuf_release(&rest);
}

/* Sets a DD's variable in the environment: PREFIXNAME=value. */
static void set_variable(const char *prefix, const char *name, const char *value)
{
	struct strbuf variable = STRBUF_INIT;

	strbuf_addf(&variable, "%s%s", prefix, name);
	setenv(variable.text, value, 1);
	strbuf_release(&variable);
}

/* Stores the first length characters of text, in upper case. false: they are no valid DD name. */
static bool dd_name(const char *text, size_t length, struct strbuf *name)
{
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("@#$", text[i]))
			return false;
		strbuf_addch(name, (char)toupper((unsigned char)text[i]));
	}
	return length > 0 && length <= 8 && !isdigit((unsigned char)*text);
}

/*
 * Handles --dd NAME=PATH[,RECFM=x]...: sets the environment as a step with this DD
 * would have it.
 */
static int take_dd(const struct utility *utility, const char *argument)
{
	size_t length = strcspn(argument, "=");
	const char *path = argument + length + (argument[length] == '=');
	const char *end = path_end(path);
	struct strbuf name = STRBUF_INIT, line = STRBUF_INIT;
	char *file = xstrndup(path, (size_t)(end - path));
	struct attributes attributes;
	int result = 0;

	attribute_line(end, &line);
	if (!dd_name(argument, length, &name) || !*file)
		result = refuse(utility, argument, "expected NAME=PATH after --dd");
	else if (*end && !attributes_parse(&attributes, line.text))
		result = refuse(utility, argument,
				"expected RECFM=x, LRECL=n, DSORG=x, KEY=length:offset after PATH");
	if (result == 0) {
		set_variable("DD_", name.text, file);
		if (*end)
			set_variable("VIGIL_DCB_", name.text, line.text);
	}
	free(file);
	strbuf_release(&name);
	strbuf_release(&line);
	return result;
}

/* Handles an option; rest is "=value", or "" when the value is the next argument. */
static int take_option(const struct utility *utility, const char *option, const char *rest,
		       const char *next)
{
	const char *value = *rest ? rest + 1 : next;

	if (!value || !*value)
		return refuse(utility, option, "a value must follow");
	if (strncmp(option, "--dd", 4) == 0)
		return take_dd(utility, value);
	if (strncmp(option, "--sign", 6) == 0)
		setenv(SIGNS_VARIABLE, value, 1);
	else
		setenv(option[2] == 'r' ? "VIGIL_ROOT" : "VIGIL_MAP", value, 1);
	return 0;
}

/*
 * If the argument is an option with a value, returns the position behind its name:
 * its end, or "=value". Otherwise NULL.
 */
static const char *valued_option(const char *argument)
{
	static const char *const names[] = { "--dd", "--root", "--map", "--sign" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(argument, names[i], length) == 0 &&
		    (argument[length] == '=' || !argument[length]))
			return argument + length;
	}
	return NULL;
}

/* Handles the argument at *next and its value. -1 after a message; 1: nothing is left to do. */
static int take_argument(struct utility *utility, char **argv, int *next, const char **parm)
{
	const char *argument = argv[(*next)++], *rest = valued_option(argument);

	if (strcmp(argument, "--help") == 0) {
		printf(help, program_invocation_short_name);
		return 1;
	}
	if (strcmp(argument, "--version") == 0) {
		printf("%s (vigil) %s\n", utility->name, PACKAGE_VERSION);
		return 1;
	}
	if (rest) {
		const char *following = argv[*next];

		*next += !*rest && following;
		return take_option(utility, argument, rest, following);
	}
	if (strncmp(argument, "--", 2) == 0)
		return refuse(utility, argument, "not an option; --help lists them");
	if (*parm)
		return refuse(utility, argument, "only one PARM can be given");
	*parm = argument;
	return 0;
}

/* Rejects an invalid rule of signs, whether it came from an option or from the environment. */
static int check_sign(const struct utility *utility)
{
	const char *said = getenv(SIGNS_VARIABLE);
	enum sign_kind kind;

	if (said && *said && !signs_parse(said, &kind))
		return refuse(utility, said, "the sign of zoned numbers is ASCII or EBCDIC");
	return 0;
}

int utility_arguments(struct utility *utility, int argc, char **argv, const char **parm)
{
	int result = 0;

	*parm = NULL;
	for (int next = 1; next < argc && result == 0;)
		result = take_argument(utility, argv, &next, parm);
	if (result == 0)
		result = check_sign(utility);
	if (utility->print == stdout)
		utility_init(utility, utility->name); /* again, for --dd SYSPRINT=... */
	return result;
}
