/* SPDX-License-Identifier: Apache-2.0 */
/* Reads run-time options of the Language Environment. */
#include "common/compat.h"
#include "parser/run-time-options.h"
#include "common/xalloc.h"

#include <ctype.h>

/* Other options of the Language Environment; each may be prefixed with NO. */
static const char *const others[] = {
	"ABPERC",	 "ABTERMENC",	  "AIXBLD",	"ALL31",	"ANYHEAP",
	"ARGPARSE",	 "AUTOTASK",	  "BELOWHEAP",	"CBLOPTS",	"CBLPSHPOP",
	"CBLQDA",	 "CEEDUMP",	  "CHECK",	"COUNTRY",	"DEBUG",
	"DEPTHCONDLMT",	 "DYNDUMP",	  "ENV",	"ENVAR",	"ERRCOUNT",
	"ERRUNIT",	 "EXECOPS",	  "FILEHIST",	"FILETAG",	"FLOW",
	"HEAP",		 "HEAP64",	  "HEAPCHK",	"HEAPPOOLS",	"HEAPPOOLS64",
	"HEAPZONES",	 "INFOMSGFILTER", "INQPCOPN",	"INTERRUPT",	"IOHEAP64",
	"LIBHEAP64",	 "LIBSTACK",	  "MSGFILE",	"MSGQ",		"NATLANG",
	"OCSTATUS",	 "PAGEFRAMESIZE", "PC",		"PLITASKCOUNT", "POSIX",
	"PRTUNIT",	 "PUNUNIT",	  "RDRUNIT",	"RECPAD",	"REDIR",
	"RPTOPTS",	 "RPTSTG",	  "RTEREUS",	"SIMVRD",	"STACK",
	"STACK64",	 "STORAGE",	  "TERMTHDACT", "THREADHEAP",	"THREADSTACK",
	"THREADSTACK64", "TRACE",	  "TRAP",	"UPSI",		"USRHDLR",
	"VCTRSAVE",	 "XPLINK",	  "XUFLOW"
};

/* A part of an option: text from start, length bytes. */
struct part {
	const char *start;
	size_t length;
};

static bool is(struct part part, const char *word)
{
	return strlen(word) == part.length && strncasecmp(part.start, word, part.length) == 0;
}

/* Returns whether an option is one of the Language Environment's. */
static bool is_option(struct part name)
{
	struct part positive = name;

	if (is(name, "PROFILE") || is(name, "TEST") || is(name, "NOTEST"))
		return true;
	if (name.length > 2 && strncasecmp(name.start, "NO", 2) == 0)
		positive = (struct part){ name.start + 2, name.length - 2 };
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (is(name, others[i]) || is(positive, others[i]))
			return true;
	return false;
}

/* Returns the end of a text in apostrophes or quotation marks at at; NULL: not closed. */
static const char *quoted_end(const char *at)
{
	const char *end = at;

	do {
		end = strchr(end + 1, *at);
		if (!end)
			return NULL;
		end++;
	} while (*end == *at); /* two represent one */
	return end;
}

/* Returns the end of operands that begin with '(' at at; NULL: not closed. */
static const char *operands_end(const char *at)
{
	int depth = 0;

	while (at && *at) {
		if (*at == '\'' || *at == '"') {
			at = quoted_end(at);
			continue;
		}
		depth += (*at == '(') - (*at == ')');
		at++;
		if (depth == 0)
			return at;
	}
	return NULL;
}

/*
 * Reads the next option from *at on: its name and its operands without the
 * parentheses (start NULL: none). 1: there is one; 0: the end, or the separator
 * between options and arguments; -1: operands are not closed.
 */
static int next_option(const char **at, struct part *name, struct part *operands)
{
	const char *end;

	*at += strspn(*at, ", \t\n");
	*name = (struct part){ *at, 0 };
	*operands = (struct part){ NULL, 0 };
	while (isalnum((unsigned char)(*at)[name->length]))
		name->length++;
	*at += name->length;
	if (name->length == 0)
		return 0;
	if (**at != '(')
		return 1;
	end = operands_end(*at);
	RETURN_IF(!end, -1);
	*operands = (struct part){ *at + 1, (size_t)(end - *at - 2) };
	*at = end;
	return 1;
}

/* Reads the string of PROFILE, with or without apostrophes or quotation marks. */
static int take_string(struct run_options *options, const char *at, const char *end,
		       struct error *err)
{
	char text[sizeof(options->string)] = "", quote = 0;
	size_t length = 0;

	if (at < end && (*at == '\'' || *at == '"'))
		quote = *at++;
	for (; at < end; at++) {
		if (quote && *at == quote && (at + 1 == end || *++at != quote))
			break;
		if (length == PROFILE_STRING_MAX)
			return error_set(err, "the string of PROFILE is longer than %d bytes",
					 PROFILE_STRING_MAX);
		text[length++] = (char)toupper((unsigned char)*at);
	}
	memcpy(options->string, text, sizeof(text));
	return 0;
}

/* Reads PROFILE(ON,'string'). */
static int take_profile(struct run_options *options, struct part operands, struct error *err)
{
	const char *end, *comma;
	struct part first = operands;

	if (!operands.start)
		return error_set(err, "PROFILE needs (ON,'string') or (OFF)");
	end = operands.start + operands.length;
	comma = memchr(operands.start, ',', operands.length);
	if (comma)
		first.length = (size_t)(comma - operands.start);
	while (first.length > 0 && first.start[first.length - 1] == ' ')
		first.length--;
	if (!is(first, "ON") && !is(first, "OFF"))
		return error_set(err, "PROFILE needs ON or OFF, not \"%.*s\"", (int)first.length,
				 first.start);
	options->string[0] = '\0';
	if (comma) {
		comma += 1 + strspn(comma + 1, " ");
		RETURN_IF(take_string(options, comma, end, err) < 0, -1);
	}
	options->profile = is(first, "ON");
	return 0;
}

int run_options_read(struct run_options *options, const char *text, struct error *err)
{
	struct part name, operands;
	const char *at = text;
	int found;

	while ((found = next_option(&at, &name, &operands)) > 0) {
		if (!is_option(name))
			return error_set(err, "%.*s is not a run-time option", (int)name.length,
					 name.start);
		if (is(name, "TEST") || is(name, "NOTEST"))
			options->test = is(name, "TEST");
		if (is(name, "PROFILE") && take_profile(options, operands, err) < 0)
			return -1;
	}
	if (found < 0)
		return error_set(err, "the operands of %.*s are not closed", (int)name.length,
				 name.start);
	return *at ? error_set(err, "\"%s\" is not a run-time option", at) : 0;
}

/* Returns whether a text begins with options that include PROFILE or TEST; sets *end after them. */
static bool begins_with_options(const char *text, const char **end)
{
	struct part name, operands;
	bool wanted = false;

	*end = text;
	while (next_option(end, &name, &operands) > 0) {
		if (!is_option(name))
			return false;
		wanted |= is(name, "PROFILE") || is(name, "TEST") || is(name, "NOTEST");
	}
	return wanted;
}

int run_options_parm(struct run_options *options, char *parm, struct error *err)
{
	const char *end;
	int result;

	if (begins_with_options(parm, &end) && *end == '/') {
		char *head = xstrndup(parm, (size_t)(end - parm));

		result = run_options_read(options, head, err);
		free(head);
		memmove(parm, end + 1, strlen(end + 1) + 1);
		return result;
	}
	for (char *slash = strchr(parm, '/'); slash; slash = strchr(slash + 1, '/'))
		if (begins_with_options(slash + 1, &end) && !*end) {
			result = run_options_read(options, slash + 1, err);
			*slash = '\0';
			return result;
		}
	return 0;
}
