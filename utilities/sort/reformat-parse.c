/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the reformatting of records. */
#include "common/compat.h"
#include "utilities/sort/reformat.h"
#include "common/xalloc.h"

void reformat_init(struct reformat *reformat)
{
	*reformat =
		(struct reformat){ .lines = { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } } };
}

static struct reformat_clause *add_clause(struct reformat *reformat)
{
	struct reformat_clause *clause;

	GROW(reformat->clauses, reformat->count + 1, reformat->alloc);
	clause = &reformat->clauses[reformat->count++];
	*clause = (struct reformat_clause){ 0 };
	strbuf_init(&clause->group.last);
	return clause;
}

static void group_release(struct group *group)
{
	condition_free(group->begin);
	condition_free(group->end);
	for (size_t i = 0; i < group->push_count; i++)
		strbuf_release(&group->pushes[i].bytes);
	free(group->pushes);
	strbuf_release(&group->last);
}

void reformat_release(struct reformat *reformat)
{
	for (size_t i = 0; i < reformat->count; i++) {
		struct reformat_clause *clause = &reformat->clauses[i];

		condition_free(clause->condition);
		item_list_release(&clause->items);
		for (size_t n = 0; n < clause->replacement_count; n++) {
			strbuf_release(&clause->replacements[n].find);
			strbuf_release(&clause->replacements[n].set);
		}
		free(clause->replacements);
		group_release(&clause->group);
	}
	free(reformat->clauses);
	item_lines_release(&reformat->lines[0]);
	item_lines_release(&reformat->lines[1]);
	reformat_init(reformat);
}

static struct replacement *add_replacement(struct reformat_clause *clause)
{
	struct replacement *replacement;

	GROW(clause->replacements, clause->replacement_count + 1, clause->replacement_alloc);
	replacement = &clause->replacements[clause->replacement_count++];
	strbuf_init(&replacement->find);
	strbuf_init(&replacement->set);
	return replacement;
}

/* Parses a constant that may be empty: C''. */
static void scan_any_text(struct scan *scan, struct strbuf *bytes)
{
	if (scan_at_bytes(scan) && scan->at[2] == '\'' && scan->at[3] != '\'')
		scan->at += 3;
	else
		scan_bytes(scan, bytes);
}

/* Parses IN=C'..' or IN=(C'..',C'..'). */
static void parse_finds(struct scan *scan, struct reformat_clause *clause)
{
	bool several = scan_accept(scan, '(');

	do
		scan_bytes(scan, &add_replacement(clause)->find);
	while (several && !scan->failed && scan_accept(scan, ','));
	if (several)
		scan_require(scan, ')');
}

/* Parses INOUT=(C'find',C'set',...). */
static void parse_pairs(struct scan *scan, struct reformat_clause *clause)
{
	scan_require(scan, '(');
	do {
		struct replacement *replacement = add_replacement(clause);

		scan_bytes(scan, &replacement->find);
		scan_require(scan, ',');
		scan_any_text(scan, &replacement->set);
	} while (!scan->failed && scan_accept(scan, ','));
	scan_require(scan, ')');
}

/* Parses FINDREP=(IN=,OUT= | INOUT=, DO=n, STARTPOS=n, ENDPOS=n). */
static void parse_findrep(struct scan *scan, struct reformat_clause *clause)
{
	struct strbuf set = STRBUF_INIT;
	bool out = false;

	clause->action = CLAUSE_FINDREP;
	scan_require(scan, '(');
	do {
		if (scan_keyword(scan, "IN", '='))
			parse_finds(scan, clause);
		else if (scan_keyword(scan, "OUT", '=')) {
			scan_any_text(scan, &set);
			out = true;
		} else if (scan_keyword(scan, "INOUT", '='))
			parse_pairs(scan, clause);
		else if (scan_keyword(scan, "DO", '='))
			clause->most = scan_number(scan, 1, 1000, "a number of replacements");
		else if (scan_keyword(scan, "STARTPOS", '='))
			clause->from = scan_number(scan, 1, FIELD_HIGHEST, "a position") - 1;
		else if (scan_keyword(scan, "ENDPOS", '='))
			clause->to = scan_number(scan, 1, FIELD_HIGHEST, "a position");
		else
			scan_expected(scan, "IN=, OUT=, INOUT=, DO=, STARTPOS= or ENDPOS=");
	} while (!scan->failed && scan_accept(scan, ','));
	scan_require(scan, ')');
	if (clause->replacement_count == 0)
		scan_expected(scan, "IN= or INOUT= before this");
	for (size_t i = 0; out && i < clause->replacement_count; i++)
		strbuf_addbuf(&clause->replacements[i].set, &set);
	strbuf_release(&set);
}

static void parse_push(struct scan *scan, struct group *group)
{
	struct group_push *push;

	GROW(group->pushes, group->push_count + 1, group->push_alloc);
	push = &group->pushes[group->push_count++];
	*push = (struct group_push){ .kind = PUSH_FIELD };
	strbuf_init(&push->bytes);
	push->column = scan_number(scan, 1, FIELD_HIGHEST, "a column") - 1;
	scan_require(scan, ':');
	if (scan_keyword(scan, "ID", '=') || scan_keyword(scan, "SEQ", '=')) {
		push->kind =
			scan->at[-2] == 'D' || scan->at[-2] == 'd' ? PUSH_NUMBER : PUSH_SEQUENCE;
		push->field.length = scan_number(scan, 1, 15, "a length");
	} else {
		field_scan(scan, &push->field);
		push->field.format = FORMAT_CH;
	}
}

/* Parses an operand after WHEN=GROUP. */
static bool parse_group_option(struct scan *scan, struct reformat_clause *clause)
{
	struct group *group = &clause->group;

	if (scan_keyword(scan, "BEGIN", '=') && !group->begin) {
		group->begin = condition_parse(scan, FORMAT_NONE);
	} else if (scan_keyword(scan, "END", '=') && !group->end) {
		group->end = condition_parse(scan, FORMAT_NONE);
	} else if (scan_keyword(scan, "RECORDS", '=')) {
		group->records = scan_number(scan, 1, 1000000000, "a number of records");
	} else if (scan_keyword(scan, "KEYBEGIN", '=')) {
		scan_require(scan, '(');
		field_scan(scan, &group->key);
		group->key.format = FORMAT_CH;
		scan_require(scan, ')');
	} else if (scan_keyword(scan, "PUSH", '=')) {
		scan_require(scan, '(');
		do
			parse_push(scan, group);
		while (!scan->failed && scan_accept(scan, ','));
		scan_require(scan, ')');
		clause->action = CLAUSE_PUSH;
	} else {
		return false;
	}
	return true;
}

/* Parses BUILD=, OVERLAY= or FINDREP= of a clause. */
static bool parse_action(struct scan *scan, struct reformat_clause *clause)
{
	if (scan_keyword(scan, "BUILD", '=')) {
		clause->action = CLAUSE_BUILD;
		item_list_parse(scan, &clause->items, false);
	} else if (scan_keyword(scan, "OVERLAY", '=')) {
		clause->action = CLAUSE_OVERLAY;
		item_list_parse(scan, &clause->items, false);
	} else if (scan_keyword(scan, "FINDREP", '=')) {
		parse_findrep(scan, clause);
	} else {
		return false;
	}
	return true;
}

/* Parses WHEN=INIT, NONE, ANY, GROUP or (condition). */
static void parse_when(struct scan *scan, struct reformat_clause *clause)
{
	const char *at = scan->at;

	if (scan_keyword(scan, "INIT", '\0')) {
		clause->when = CLAUSE_ALWAYS;
	} else if (scan_keyword(scan, "NONE", '\0')) {
		clause->when = CLAUSE_NONE;
	} else if (scan_keyword(scan, "GROUP", '\0')) {
		clause->when = CLAUSE_GROUP;
	} else if (scan_keyword(scan, "ANY", '\0')) {
		scan_unsupported(scan, at, "WHEN=ANY");
	} else if (*at == '(') {
		clause->when = CLAUSE_CONDITION;
		clause->condition = condition_parse(scan, FORMAT_NONE);
	} else {
		scan_expected(scan, "INIT, NONE, GROUP or a condition in parentheses");
	}
}

/* Parses IFTHEN=(WHEN=...,...). */
static void parse_clause(struct scan *scan, struct reformat_clause *clause)
{
	scan_require(scan, '(');
	if (scan_keyword(scan, "WHEN", '='))
		parse_when(scan, clause);
	else
		scan_expected(scan, "WHEN=");
	while (!scan->failed && scan_accept(scan, ',')) {
		const char *at = scan->at;

		if (clause->when == CLAUSE_GROUP && parse_group_option(scan, clause))
			continue;
		if (clause->when != CLAUSE_GROUP && clause->action == CLAUSE_NOTHING &&
		    parse_action(scan, clause))
			continue;
		if (clause->when == CLAUSE_CONDITION && scan_keyword(scan, "HIT", '=') &&
		    scan_keyword(scan, "NEXT", '\0'))
			clause->hit_next = true;
		else if (scan_keyword(scan, "PARSE", '\0'))
			scan_unsupported(scan, at, "PARSE");
		else
			scan_expected(
				scan,
				clause->when == CLAUSE_GROUP
					? "BEGIN=, END=, KEYBEGIN=, RECORDS= or PUSH="
					: "one of BUILD=, OVERLAY= and FINDREP=, or HIT=NEXT");
	}
	if (clause->action == CLAUSE_NOTHING && clause->when != CLAUSE_CONDITION)
		scan_expected(scan, clause->when == CLAUSE_GROUP ? "PUSH="
								 : "BUILD=, OVERLAY= or FINDREP=");
	scan_require(scan, ')');
}

/* Begins a clause: the whole record's reformatting, or one of several IFTHENs. */
static struct reformat_clause *begin_clause(struct scan *scan, struct reformat *reformat,
					    bool whole)
{
	if (reformat->whole || (whole && reformat->count > 0))
		scan_error_at(scan, scan->at - 1, 5541,
			      "ICE007A SYNTAX ERROR: BUILD, OVERLAY, FINDREP and IFTHEN exclude "
			      "each other");
	reformat->whole |= whole;
	return add_clause(reformat);
}

bool reformat_scan(struct scan *scan, struct reformat *reformat, const char *fields)
{
	const char *at = scan->at;

	if (scan_keyword(scan, "PARSE", '\0') || scan_keyword(scan, "IFTRAIL", '\0')) {
		scan_unsupported(scan, at, *at == 'P' || *at == 'p' ? "PARSE" : "IFTRAIL");
	} else if (scan_keyword(scan, "IFOUTLEN", '=')) {
		reformat->length = scan_number(scan, 1, FIELD_HIGHEST, "a length");
	} else if (scan_keyword(scan, "IFTHEN", '=')) {
		parse_clause(scan, begin_clause(scan, reformat, false));
	} else if (scan_keyword(scan, fields, '=')) {
		struct reformat_clause *clause = begin_clause(scan, reformat, true);

		clause->action = CLAUSE_BUILD;
		item_list_parse(scan, &clause->items, false);
	} else if (scan_peek_is(scan, "BUILD") || scan_peek_is(scan, "OVERLAY") ||
		   scan_peek_is(scan, "FINDREP")) {
		parse_action(scan, begin_clause(scan, reformat, true));
	} else {
		return false;
	}
	return true;
}
