/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the joining, parsing and checking of IDCAMS commands. */
#include "common/compat.h"
#include "utilities/idcams/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Source of the last parsed text; the commands parsed from it are valid until the next one. */
static struct source *source;
static struct idcams_command *commands;

static const struct idcams_command *parse_margins(const char *text, unsigned left, unsigned right)
{
	idcams_commands_free(commands);
	source_free(source);
	source = source_new("SYSIN", text, strlen(text));
	commands = idcams_parse(source, left, right);
	return commands;
}

static const struct idcams_command *parse(const char *text)
{
	return parse_margins(text, 1, 72);
}

/*
 * Expects the first diagnostic of a command: its number, and its location as line
 * * 100 + column.
 */
static void expect_diag(const struct idcams_command *command, unsigned number, unsigned place)
{
	assert_non_null(command);
	assert_true(command->diags.count > 0);
	assert_int_equal(command->diags.items[0].number, number);
	assert_int_equal(command->diags.items[0].location.line * 100 +
				 command->diags.items[0].location.column,
			 place);
}

static void test_continuation(void **state)
{
	const struct idcams_command *command = parse(
		" DELETE -\n  (ENTRY1 -\n  ENTR+\n    Y2) /* why */ -\n  PURGE\n SET MAXCC=0\n");
	const struct idcams_operand *names;

	(void)state;
	assert_int_equal(command->diags.count, 0);
	assert_int_equal(command->last_line, 5);
	names = command->operands->values;
	assert_string_equal(names->text, "ENTRY1");
	assert_string_equal(names->next->text, "ENTRY2");
	assert_int_equal(names->next->location.line, 3);
	assert_int_equal(names->next->location.column, 3);
	assert_non_null(idcams_find(command->operands, "PURGE"));
	assert_int_equal(command->next->kind, COMMAND_SET);
	/* A blank line ends a command even after a hyphen. */
	command = parse(" DELETE A.B -\n\n DELETE C.D\n");
	assert_int_equal(command->diags.count, 0);
	assert_int_equal(command->next->diags.count, 0);
}

static void test_margins(void **state)
{
	char line[128];
	const struct idcams_command *command;

	(void)state;
	memset(line, ' ', sizeof(line));
	memcpy(line + 1, "DELETE A.B", 10);
	memcpy(line + 72, "00010000\n", 10);
	command = parse(line);
	assert_int_equal(command->diags.count, 0);
	assert_null(command->operands->next);
	command = parse_margins("XX DELETE A.BYYY\n", 3, 13);
	assert_int_equal(command->diags.count, 0);
	assert_string_equal(command->operands->text, "A.B");
	command = parse(" DELETE A.B; DELETE C.D\n");
	assert_string_equal(command->next->operands->text, "C.D");
}

static void test_groups(void **state)
{
	const struct idcams_command *command =
		parse(" DEF CL (NAME(A.KSDS) KEYS (10,2) RECSZ(80 100) VOL(V1)) -\n"
		      " DATA(NAME(A.D) CISZ(4096))\n");
	const struct idcams_operand *cluster;

	(void)state;
	assert_int_equal(command->diags.count, 0);
	cluster = idcams_find(command->operands, "CLUSTER");
	assert_non_null(cluster);
	assert_string_equal(idcams_value(cluster->values, "NAME"), "A.KSDS");
	assert_int_equal(idcams_number(cluster->values, "KEYS", 0, 0), 10);
	assert_int_equal(idcams_number(cluster->values, "KEYS", 1, 0), 2);
	assert_int_equal(idcams_number(cluster->values, "RECORDSIZE", 1, 0), 100);
	assert_int_equal(idcams_number(cluster->values, "NOSUCH", 1, 7), 7);
	assert_string_equal(idcams_value(idcams_find(command->operands, "DATA")->values, "NAME"),
			    "A.D");
}

static void test_values(void **state)
{
	const struct idcams_command *command =
		parse(" PRINT IDS('a.b') FKEY(X'00C1') TOKEY('it''s; (1)') CHAR\n");
	const struct idcams_operand *value;

	(void)state;
	assert_int_equal(command->diags.count, 0);
	assert_string_equal(idcams_value(command->operands, "INDATASET"), "A.B");
	value = idcams_find(command->operands, "FROMKEY")->values;
	assert_int_equal(value->length, 2);
	assert_memory_equal(value->text, "\0\xc1", 2);
	assert_string_equal(idcams_value(command->operands, "TOKEY"), "it's; (1)");
}

static void test_conditions(void **state)
{
	static const struct {
		const char *text;
		enum idcams_relation relation;
	} cases[] = {
		{ "EQ 8", RELATION_EQ }, { "=8", RELATION_EQ },	  { "NE 8", RELATION_NE },
		{ "^=8", RELATION_NE },	 { "!= 8", RELATION_NE }, { "\xc2\xac=8", RELATION_NE },
		{ "<> 8", RELATION_NE }, { ">=8", RELATION_GE },  { "<= 8", RELATION_LE },
		{ "> 8", RELATION_GT },	 { "LT 8", RELATION_LT }, { "le 8", RELATION_LE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf text = STRBUF_INIT;
		const struct idcams_command *command;

		strbuf_addf(&text, " IF MAXCC %s THEN SET MAXCC=0\n", cases[i].text);
		command = parse(text.text);
		assert_int_equal(command->diags.count, 0);
		assert_int_equal(command->relation, cases[i].relation);
		assert_int_equal(command->code, 8);
		assert_true(command->maximum);
		assert_non_null(command->then);
		strbuf_release(&text);
	}
}

static void test_clauses(void **state)
{
	const struct idcams_command *command;

	(void)state;
	/* Without a hyphen the clause is null, and the SET is always executed. */
	command = parse(" IF LASTCC > 0 THEN\n   SET MAXCC = 0\n");
	assert_null(command->then);
	assert_int_equal(command->next->kind, COMMAND_SET);
	command = parse(" IF LASTCC > 0 THEN\n ELSE -\n DELETE A.B\n DELETE C.D\n");
	assert_null(command->then);
	assert_string_equal(command->otherwise->operands->text, "A.B");
	assert_string_equal(command->next->operands->text, "C.D");
	command = parse(" IF LASTCC=0 THEN -\n DELETE A.B -\n ELSE -\n DELETE C.D\n");
	assert_string_equal(command->then->operands->text, "A.B");
	assert_null(command->then->operands->next);
	assert_string_equal(command->otherwise->operands->text, "C.D");
	command = parse(" IF LASTCC=0 THEN DO\n DELETE A.B\n DELETE C.D\n END\n ELSE DO\n"
			" DELETE E.F\n END\n SET MAXCC=0\n");
	assert_string_equal(command->then->next->operands->text, "C.D");
	assert_string_equal(command->otherwise->operands->text, "E.F");
	assert_int_equal(command->next->kind, COMMAND_SET);
	/* ELSE belongs to the nearest IF without one. */
	command = parse(
		" IF MAXCC=0 THEN -\n IF LASTCC=0 THEN -\n SET MAXCC=1\n ELSE -\n SET MAXCC=2\n");
	assert_null(command->otherwise);
	assert_int_equal(command->then->then->code, 1);
	assert_int_equal(command->then->otherwise->code, 2);
	assert_null(command->next);
}

static void test_faults(void **state)
{
	(void)state;
	expect_diag(parse(" DELTE A.B\n"), 5600, 102);
	expect_diag(parse(" DELETE A.B FOO\n"), 5601, 113);
	expect_diag(parse(" DELETE A..B\n"), 5602, 109);
	expect_diag(parse(" PRINT IDS(A.B) COUNT(X)\n"), 5602, 123);
	expect_diag(parse(" PRINT IDS(A.B) FKEY(X'1')\n"), 5602, 122);
	expect_diag(parse(" DEF CL(NAME(A.B) -\n KEYS(1)\n"), 5603, 108);
	expect_diag(parse(" DELETE A.B)\n"), 5603, 112);
	expect_diag(parse(" PRINT IDS('A.B)\n"), 5603, 112);
	expect_diag(parse(" DELETE A.B /* PURGE\n"), 5603, 113);
	expect_diag(parse(" DELETE\n"), 5604, 102);
	expect_diag(parse(" DELETE A.B PURGE PRG\n"), 5605, 119);
	expect_diag(parse(" PRINT IDS(A.B) HEX CHAR\n"), 5605, 121);
	expect_diag(parse(" REPRO IDS(A.B) ODS(C.D) REUSE NRUS\n"), 5605, 132);
	expect_diag(parse(" DEF CL(NAME(A.B) LINEAR)\n"), 5606, 119);
	expect_diag(parse(" DELETE A.B/PASS\n"), 5608, 109);
	expect_diag(parse(" END\n"), 5609, 102);
	expect_diag(parse(" IF MAXCC=0 THEN DO\n DELETE A.B\n"), 5609, 102);
	expect_diag(parse(" SET MAXCC 0\n"), 5610, 112);
	expect_diag(parse(" SET MAXCC=0 1\n"), 5610, 114);
	expect_diag(parse(" IF MAXC=0 THEN SET MAXCC=0\n"), 5558, 105);
	expect_diag(parse(" EXPORT A.B\n"), 5559, 102);
	assert_int_equal(parse(" SET MAXCC=99\n")->code, 16);
}

static void test_nesting(void **state)
{
	struct strbuf text = STRBUF_INIT;
	const struct idcams_command *command;

	(void)state;
	for (int i = 0; i < 11; i++)
		strbuf_addstr(&text, " IF MAXCC=0 THEN -\n");
	command = parse(text.text);
	while (command->then)
		command = command->then;
	expect_diag(command, 5607, 1102);
	strbuf_reset(&text);
	strbuf_addstr(&text, " DELETE ");
	strbuf_addchars(&text, '(', 40);
	expect_diag(parse(text.text), 5607, 125);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_continuation), cmocka_unit_test(test_margins),
		cmocka_unit_test(test_groups),	     cmocka_unit_test(test_values),
		cmocka_unit_test(test_conditions),   cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_faults),	     cmocka_unit_test(test_nesting),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	parse("");
	idcams_commands_free(commands);
	source_free(source);
	return result;
}
