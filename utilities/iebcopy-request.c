/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the control statements of IEBCOPY. */
#include "common/compat.h"
#include "utilities/iebcopy-request.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"

#include <ctype.h>
#include <strings.h>

enum operation { COPY, COPYGRP, SELECT, EXCLUDE, OPERANDS, REFUSED, UNKNOWN };

static const struct operation_name {
	const char *name;
	enum operation operation;
} operation_names[] = {
	{ "COPY", COPY },	{ "C", COPY },		{ "COPYMOD", COPY },
	{ "CM", COPY },		{ "COPYGRP", COPYGRP }, { "COPYGROUP", COPYGRP },
	{ "CG", COPYGRP },	{ "SELECT", SELECT },	{ "S", SELECT },
	{ "EXCLUDE", EXCLUDE }, { "E", EXCLUDE },	{ "ALTERMOD", REFUSED },
	{ "INDEX", REFUSED },
};

/* State while the statements are read one after the other. */
struct reading {
	struct utility *utility;
	unsigned line;
	struct iebcopy_group *first, *last;
	bool failed;
};

static int fail(struct reading *reading, const char *format, ...) PRINTFLIKE(2, 3);

/* Reports an error: "SYSIN line 3: ..." */
static int fail(struct reading *reading, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	reading->failed = true;
	utility_message(reading->utility, SEVERITY_ERROR, 5650, "SYSIN line %u: %s", reading->line,
			text.text);
	strbuf_release(&text);
	return -1;
}

/* Reads a name at *at, converted to upper case; *at moves behind it. NULL after a message. */
static char *take_name(struct reading *reading, const char **at)
{
	size_t length = strcspn(*at, ",()");
	char *name = xstrndup(*at, length);

	for (char *c = name; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	if (!catalog_member_valid(name)) {
		fail(reading, "a name was expected before \"%s\"", *at);
		free(name);
		return NULL;
	}
	*at += length;
	return name;
}

/* Reads the rest of (NAME,NEW,R) behind NAME. */
static int parse_item_rest(struct reading *reading, const char **at, struct iebcopy_item *item,
		      bool renames)
{
	if (renames && **at == ',') {
		++*at;
		if (**at != ',' && **at != ')') {
			item->new_name = take_name(reading, at);
			RETURN_IF(!item->new_name, -1);
		}
	}
	if (**at == ',') {
		++*at;
		if (toupper((unsigned char)**at) != 'R')
			return fail(reading, "R was expected before \"%s\"", *at);
		++*at;
		item->replace = true;
	}
	if (**at != ')')
		return fail(reading, "\")\" was expected before \"%s\"", *at);
	++*at;
	return 0;
}

/* Reads an item of a list: NAME, or in parentheses with its new name and R. */
static int parse_item(struct reading *reading, const char **at, struct iebcopy_items *items,
		     bool renames)
{
	bool parts = **at == '(';
	struct iebcopy_item *item;

	*at += parts;
	GROW(items->items, items->count + 1, items->alloc);
	item = &items->items[items->count];
	*item = (struct iebcopy_item){ .name = take_name(reading, at) };
	RETURN_IF(!item->name, -1);
	items->count++;
	return parts ? parse_item_rest(reading, at, item, renames) : 0;
}

/* Handles (DD,R) without inner parentheses: the R belongs to the DD. */
static void join_replace(struct iebcopy_items *items)
{
	struct iebcopy_item *last = items->count > 1 ? &items->items[items->count - 1] : NULL;

	if (!last || strcmp(last->name, "R") != 0 || last->replace)
		return;
	free(last->name);
	items->count--;
	items->items[items->count - 1].replace = true;
}

/*
 * Reads a list of items, or a single one; *at moves behind it. renames: the items
 * are members, which may get new names.
 */
static int parse_list(struct reading *reading, const char **at, struct iebcopy_items *items,
		     bool renames)
{
	if (**at != '(')
		return parse_item(reading, at, items, renames);
	do {
		++*at;
		RETURN_IF(parse_item(reading, at, items, renames) < 0, -1);
	} while (**at == ',');
	if (**at != ')')
		return fail(reading, "\",\" or \")\" was expected before \"%s\"", *at);
	++*at;
	if (!renames)
		join_replace(items);
	return 0;
}

/*
 * Returns the group to which OUTDD, INDD and SELECT add; another INDD after SELECT
 * begins a new group.
 */
static struct iebcopy_group *add_group(struct reading *reading, bool aliases)
{
	struct iebcopy_group *group = xcalloc(1, sizeof(*group));

	group->line = reading->line;
	group->aliases = aliases;
	group->list = true;
	if (reading->last)
		reading->last->next = group;
	else
		reading->first = group;
	reading->last = group;
	return group;
}

/* Returns whether text begins with KEYWORD= or its abbreviation; *at moves behind it. */
static bool keyword(const char **at, const char *name)
{
	size_t length = strcspn(*at, "=");

	if ((*at)[length] != '=' || (length != 1 && length != strlen(name)) ||
	    strncasecmp(*at, name, length) != 0)
		return false;
	*at += length + 1;
	return true;
}

static int take_output(struct reading *reading, const char **at)
{
	struct iebcopy_group *group = reading->last;

	if (group->output)
		return fail(reading, "OUTDD is given twice");
	group->output = take_name(reading, at);
	return group->output ? 0 : -1;
}

static int take_input(struct reading *reading, const char **at)
{
	struct iebcopy_group *group = reading->last;

	if (group->selected.count || group->excluded.count) {
		const char *output = group->output;

		group = add_group(reading, group->aliases);
		group->output = output ? xstrdup(output) : NULL;
	}
	return parse_list(reading, at, &group->inputs, false);
}

/* Reads an operand of COPY. */
static int take_operand(struct reading *reading, const char **at)
{
	if (keyword(at, "OUTDD"))
		return take_output(reading, at);
	if (keyword(at, "INDD"))
		return take_input(reading, at);
	if (keyword(at, "LIST")) {
		reading->last->list = strncasecmp(*at, "NO", 2) != 0;
		if (reading->last->list && strncasecmp(*at, "YES", 3) != 0)
			return fail(reading, "YES or NO was expected before \"%s\"", *at);
		*at += reading->last->list ? 3 : 2;
		return 0;
	}
	if (strncasecmp(*at, "MAXBLK=", 7) == 0 || strncasecmp(*at, "MINBLK=", 7) == 0) {
		*at += strcspn(*at, ",");
		return 0; /* block sizes have no meaning here */
	}
	return fail(reading, "INDD=, OUTDD= or LIST= was expected before \"%s\"", *at);
}

static int take_operands(struct reading *reading, const char *at)
{
	while (*at) {
		RETURN_IF(take_operand(reading, &at) < 0, -1);
		if (*at && *at != ',')
			return fail(reading, "\",\" was expected before \"%s\"", at);
		at += *at == ',';
	}
	return 0;
}

/* Reads MEMBER= of SELECT or EXCLUDE. */
static int parse_members(struct reading *reading, const char *at, bool select)
{
	struct iebcopy_group *group = reading->last;
	struct iebcopy_items *items;

	if (!group)
		return fail(reading, "%s precedes the first COPY",
			    select ? "SELECT" : "EXCLUDE");
	items = select ? &group->selected : &group->excluded;
	if ((select ? &group->excluded : &group->selected)->count)
		return fail(reading, "SELECT and EXCLUDE cannot both be used for one copy");
	if (!keyword(&at, "MEMBER"))
		return fail(reading, "MEMBER= was expected before \"%s\"", at);
	RETURN_IF(parse_list(reading, &at, items, select) < 0, -1);
	return *at ? fail(reading, "the end was expected before \"%s\"", at) : 0;
}

static enum operation find_operation(const char *text, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(operation_names); i++)
		if (strlen(operation_names[i].name) == length &&
		    strncasecmp(operation_names[i].name, text, length) == 0)
			return operation_names[i].operation;
	return memchr(text, '=', length) ? OPERANDS : UNKNOWN;
}

/* Reads a statement: its operation and operands, without label and comment. */
static int parse_statement(struct reading *reading, enum operation operation, const char *operands)
{
	switch (operation) {
	case COPY:
	case COPYGRP:
		add_group(reading, operation == COPYGRP);
		return take_operands(reading, operands);
	case SELECT:
	case EXCLUDE:
		return parse_members(reading, operands, operation == SELECT);
	case OPERANDS:
		if (!reading->last)
			return fail(reading, "%s precedes the first COPY", operands);
		return take_operands(reading, operands);
	case REFUSED:
		return fail(reading, "ALTERMOD and INDEX are not supported");
	case UNKNOWN:
		break;
	}
	return fail(reading, "COPY, COPYGRP, COPYMOD, SELECT or EXCLUDE was expected");
}

/* Moves *text to its next word and returns the word's length. */
static size_t next_word(const char **text)
{
	*text += strspn(*text, " ");
	return strcspn(*text, " ");
}

/*
 * Joins a statement's operands: they end at a blank, and continue in the next
 * statement while they end with a comma. Returns the last statement used.
 */
static const struct utility_statement *join_operands(const struct utility_statement *one,
						     const char *operands, struct strbuf *text)
{
	for (;;) {
		size_t length = next_word(&operands);

		strbuf_add(text, operands, length);
		if (text->length == 0 || text->text[text->length - 1] != ',' || !one->next)
			return one;
		one = one->next;
		operands = one->text;
	}
}

/* Reads the statement at one. Returns the last statement that it used. */
static const struct utility_statement *read_statement(struct reading *reading,
						      const struct utility_statement *one)
{
	struct strbuf operands = STRBUF_INIT;
	const char *at = one->text;
	bool label = *at != ' ';
	size_t length = next_word(&at);
	enum operation operation = find_operation(at, length);

	reading->line = one->line;
	if (label && operation == UNKNOWN) {
		at += length;
		length = next_word(&at);
		operation = find_operation(at, length);
	}
	one = join_operands(one, operation == OPERANDS ? at : at + length, &operands);
	parse_statement(reading, operation, operands.text);
	strbuf_release(&operands);
	return one;
}

/* Makes the default request from PARM when SYSIN is empty: COPY OUTDD=SYSUT2,INDD=SYSUT1. */
static int make_statement(struct reading *reading, const char *parm)
{
	bool compress = strcasestr(parm, "COMPRESS"), replace = strcasestr(parm, "REPLACE");
	bool group = strcasestr(parm, "COPYG");

	return parse_statement(reading, group ? COPYGRP : COPY,
			      compress	? "OUTDD=SYSUT2,INDD=SYSUT2"
			      : replace ? "OUTDD=SYSUT2,INDD=((SYSUT1,R))"
					: "OUTDD=SYSUT2,INDD=SYSUT1");
}

/* Checks that each group has an input and an output. */
static void check_groups(struct reading *reading)
{
	for (struct iebcopy_group *group = reading->first; group; group = group->next) {
		reading->line = group->line;
		if (!group->output || group->inputs.count == 0)
			fail(reading, "%s is missing", group->output ? "INDD=" : "OUTDD=");
	}
}

struct iebcopy_group *iebcopy_request_read(struct utility *utility, const char *parm)
{
	struct reading reading = { .utility = utility };
	struct utility_statement *list = utility_statements(utility, "SYSIN");

	reading.failed = utility->worst > 0;
	for (const struct utility_statement *one = list; one; one = one->next)
		one = read_statement(&reading, one);
	if (!list && !reading.failed)
		make_statement(&reading, parm ? parm : "");
	if (!reading.failed)
		check_groups(&reading);
	utility_statements_free(list);
	if (!reading.failed)
		return reading.first;
	iebcopy_request_free(reading.first);
	return NULL;
}

static void free_items(struct iebcopy_items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		free(items->items[i].name);
		free(items->items[i].new_name);
	}
	free(items->items);
}

void iebcopy_request_free(struct iebcopy_group *list)
{
	while (list) {
		struct iebcopy_group *next = list->next;

		free_items(&list->inputs);
		free_items(&list->selected);
		free_items(&list->excluded);
		free(list->output);
		free(list);
		list = next;
	}
}
