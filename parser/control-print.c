/* SPDX-License-Identifier: Apache-2.0 */
/* Prints control statements in canonical form, and matches names with patterns. */
#include "common/compat.h"
#include "parser/control.h"
#include "common/pattern.h"

/* Maximum line length of a statement of the request form. */
#define PRINT_WIDTH 71

static void print_value(const struct control_value *value, struct strbuf *sb)
{
	if (!value->quoted) {
		strbuf_addstr(sb, value->text);
		return;
	}
	strbuf_addch(sb, '\'');
	for (const char *at = value->text; *at; at++) {
		if (*at == '\'')
			strbuf_addch(sb, '\'');
		strbuf_addch(sb, *at);
	}
	strbuf_addch(sb, '\'');
}

static void print_operand(const struct control_operand *operand, struct strbuf *sb)
{
	strbuf_addstr(sb, operand->keyword);
	if (!operand->values)
		return;
	if (operand->keyword[0])
		strbuf_addch(sb, '=');
	if (operand->is_list)
		strbuf_addch(sb, '(');
	for (const struct control_value *value = operand->values; value; value = value->next) {
		if (value != operand->values)
			strbuf_addch(sb, ',');
		print_value(value, sb);
	}
	if (operand->is_list)
		strbuf_addch(sb, ')');
}

/* Prints VERB operand,operand with continuation lines. */
static void print_request(const struct control_statement *statement, struct strbuf *sb)
{
	struct strbuf operand = STRBUF_INIT;
	size_t line = sb->length;

	strbuf_addstr(sb, statement->name);
	for (const struct control_operand *at = statement->operands; at; at = at->next) {
		strbuf_reset(&operand);
		print_operand(at, &operand);
		if (at == statement->operands) {
			strbuf_addch(sb, ' ');
		} else if (sb->length - line + operand.length + 2 > PRINT_WIDTH) {
			strbuf_addstr(sb, ",\n    ");
			line = sb->length - 4;
		} else {
			strbuf_addch(sb, ',');
		}
		strbuf_addbuf(sb, &operand);
	}
	strbuf_addch(sb, '\n');
	strbuf_release(&operand);
}

/* Prints a FUNCTION or FILTER and its pairs, one per line. */
static void print_head(const struct control_statement *statement, struct strbuf *sb)
{
	strbuf_addf(sb, "%s=%s\n", statement->verb == CONTROL_FUNCTION ? "FUNCTION" : "FILTER",
		    statement->name);
	for (const struct control_operand *at = statement->operands; at; at = at->next) {
		strbuf_addstr(sb, "  ");
		print_operand(at, sb);
		strbuf_addch(sb, '\n');
	}
}

/* Prints PDPSIZE=n, which is its own operand. */
static void print_pool(const struct control_statement *statement, struct strbuf *sb)
{
	print_operand(statement->operands, sb);
	strbuf_addch(sb, '\n');
}

/* Closes the open block and opens others up to the wanted one, including empty ones. */
static unsigned print_borders(unsigned open, unsigned *opened, unsigned wanted, struct strbuf *sb)
{
	if (open == wanted)
		return open;
	if (open)
		strbuf_addstr(sb, "END-PROFILER\n");
	while (*opened < wanted) {
		strbuf_addstr(sb, "PROFILER\n");
		if (++*opened < wanted)
			strbuf_addstr(sb, "END-PROFILER\n");
	}
	return wanted;
}

void control_print(const struct control_deck *deck, struct strbuf *sb)
{
	unsigned open = 0, opened = 0;

	for (const struct control_statement *statement = deck->statements; statement;
	     statement = statement->next) {
		open = print_borders(open, &opened, statement->block, sb);
		if (statement->verb == CONTROL_FUNCTION || statement->verb == CONTROL_FILTER)
			print_head(statement, sb);
		else if (statement->verb == CONTROL_PDPSIZE)
			print_pool(statement, sb);
		else if (statement->name[0])
			print_request(statement, sb);
	}
	open = print_borders(open, &opened, opened < deck->blocks ? deck->blocks : 0, sb);
	print_borders(open, &opened, 0, sb);
}

bool control_match(const char *pattern, const char *name)
{
	return pattern_matches(pattern, name, PATTERN_IGNORE_CASE | PATTERN_PERCENT);
}
