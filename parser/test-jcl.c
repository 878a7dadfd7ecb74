/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the JCL parser: tables of decks (tests/jcl) and the plans of selected decks. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "parser/test-jcl-outcome.h"
#include "parser/test-jcl-plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Evaluates a deck given as text; it must give these messages, in the form of the tables. */
static struct outcome plan_of(const char *text, const char *messages)
{
	struct outcome made = outcome_of(text, strlen(text), true);
	struct strbuf sb = STRBUF_INIT;

	add_messages(&sb, &made.diags);
	assert_string_equal(sb.text, messages);
	strbuf_release(&sb);
	return made;
}

/*
 * Checks one row: the deck's messages, its canonical print and, if given, its
 * plan. Returns 1 if it is wrong.
 */
static unsigned check_row(const char *table, const struct source_line *row, unsigned line)
{
	const char *messages = memchr(row->text, '\t', row->length), *print, *plan;
	struct strbuf input = STRBUF_INIT, expected = STRBUF_INIT, got = STRBUF_INIT;
	struct outcome made;
	bool wrong;

	assert_non_null(messages);
	print = strchr(messages + 1, '\t');
	assert_non_null(print);
	add_unescaped(&input, row->text, (size_t)(messages - row->text));
	strbuf_add(&expected, messages + 1, (size_t)(print - messages - 1));
	strbuf_addch(&expected, '\n');
	plan = strchr(print + 1, '\t');
	add_unescaped(&expected, print + 1, plan ? (size_t)(plan - print - 1) : strlen(print + 1));
	if (plan)
		add_unescaped(&expected, plan + 1, strlen(plan + 1));
	made = outcome_of(input.text, input.length, true);
	add_messages(&got, &made.diags);
	strbuf_addch(&got, '\n');
	jcl_print(made.deck, &got);
	if (plan)
		plan_describe(&got, made.jobs);
	wrong = strcmp(got.text, expected.text) != 0 || !print_parses_equal(made.deck);
	if (wrong)
		print_message("# %s:%u: deck:\n%s# expected: %s# but got: %s", table, line,
			      input.text, expected.text, got.text);
	outcome_release(&made);
	strbuf_release(&input);
	strbuf_release(&expected);
	strbuf_release(&got);
	return wrong;
}

/*
 * Checks one row: the deck's messages and everything given to its steps. Returns 1
 * if it is wrong.
 */
static unsigned check_steps(const char *table, const struct source_line *row, unsigned line)
{
	const char *messages = memchr(row->text, '\t', row->length);
	struct strbuf input = STRBUF_INIT, expected = STRBUF_INIT, got = STRBUF_INIT;
	struct outcome made;
	bool wrong;

	assert_non_null(messages);
	add_unescaped(&input, row->text, (size_t)(messages - row->text));
	add_unescaped(&expected, messages + 1, strlen(messages + 1));
	made = outcome_of(input.text, input.length, true);
	add_messages(&got, &made.diags);
	strbuf_addch(&got, '\t');
	plan_describe_steps(&got, made.jobs);
	wrong = strcmp(got.text, expected.text) != 0;
	if (wrong)
		print_message("# %s:%u: deck:\n%s# expected: %s# but got: %s", table, line,
			      input.text, expected.text, got.text);
	outcome_release(&made);
	strbuf_release(&input);
	strbuf_release(&expected);
	strbuf_release(&got);
	return wrong;
}

/* Checks all rows of a table. */
static void check_rows(const char *name,
		       unsigned (*check)(const char *table, const struct source_line *row,
					 unsigned line))
{
	struct strbuf text = STRBUF_INIT;
	struct source *table;
	unsigned wrong = 0, rows = 0;

	assert_non_null(read_test_file(&text, name));
	table = source_new(name, text.text, text.length);
	for (size_t i = 0; i < table->line_count; i++) {
		if (table->lines[i].length == 0 || table->lines[i].text[0] == '#')
			continue;
		rows++;
		wrong += check(name, &table->lines[i], (unsigned)i + 1);
	}
	assert_int_not_equal(rows, 0);
	assert_int_equal(wrong, 0);
	source_free(table);
	strbuf_release(&text);
}

static void check_table(const char *name)
{
	check_rows(name, check_row);
}

static void table_of_steps(void **state UNUSED)
{
	check_rows("tests/jcl/steps.tsv", check_steps);
}

static void table_of_cards(void **state UNUSED)
{
	check_table("tests/jcl/cards.tsv");
}

static void table_of_operands(void **state UNUSED)
{
	check_table("tests/jcl/operands.tsv");
}

static void table_of_symbols(void **state UNUSED)
{
	check_table("tests/jcl/symbols.tsv");
}

static void table_of_statements(void **state UNUSED)
{
	check_table("tests/jcl/statements.tsv");
}

static void table_of_dds(void **state UNUSED)
{
	check_table("tests/jcl/dds.tsv");
}

static void table_of_procedures(void **state UNUSED)
{
	check_table("tests/jcl/procedures.tsv");
}

static void table_of_conditions(void **state UNUSED)
{
	check_table("tests/jcl/conditions.tsv");
}

/* The example deck gives no message, and its content is in the plan. */
static void payroll_example(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT;
	struct outcome made;
	const struct plan_step *step;
	const struct plan_dd *dd;

	assert_non_null(read_test_file(&text, "jcl-examples/payroll.jcl"));
	made = plan_of(text.text, "-");
	assert_non_null(made.jobs);
	assert_false(made.jobs->failed);
	assert_string_equal(made.jobs->name, "PAYROLL");
	assert_string_equal(made.jobs->account, "NIGHT,1");
	assert_string_equal(made.jobs->programmer, "VIGIL DEMO");
	assert_int_equal(made.jobs->message_class, 'X');
	assert_int_equal(made.jobs->step_count, 6);
	step = made.jobs->steps->next;
	assert_string_equal(step->name, "COMPGEN");
	assert_string_equal(step->program, "BPXBATCH");
	assert_string_equal(step->parm, "SH cobc -x -g -std=ibm -o \"$DD_LOAD\" \"$DD_SOURCE\"");
	assert_int_equal(step->dds->kind, DD_PATH);
	assert_string_equal(step->dds->path, "/decks/programs/paygen.cob");
	assert_true(step->dds->path_options_given);
	assert_int_equal(step->dds->path_options, O_RDONLY);
	dd = step->dds->next;
	assert_string_equal(dd->dsn, "&&LOADLIB");
	assert_string_equal(dd->member, "PAYGEN");
	assert_true(dd->temporary);
	assert_int_equal(dd->organization, DSORG_PO);
	assert_int_equal(dd->normal, DISP_PASS);
	assert_int_equal(dd->abnormal, DISP_DELETE);
	step = step->next->next->next;
	assert_string_equal(step->name, "CALC");
	assert_int_equal(step->conditions->code, 4);
	assert_int_equal(step->conditions->relation, REL_LT);
	assert_null(step->conditions->step);
	for (dd = step->dds; strcmp(dd->name, "VIGIL") != 0; dd = dd->next)
		assert_non_null(dd->next);
	assert_int_equal(dd->kind, DD_INSTREAM);
	assert_string_equal(dd->data, "  ADD PAYROLL,STEP=CALC,\n      SAMPLES=10000\n"
				      "  REPORT PAYROLL,STEP=CALC,LINES=60\n");
	assert_ptr_equal(dd->data_source, dd->location.source);
	assert_int_equal(dd->data_line, 42);
	outcome_release(&made);
	strbuf_release(&text);
}

static void message_shows_card_and_caret(void **state UNUSED)
{
	static const char text[] = "//A JOB\n//S EXEC PGM=X\n//D DD DSN=P.M,DISP=(NEU,KEEP)\n";
	struct outcome made = outcome_of(text, sizeof(text) - 1, true);
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(made.diags.count, 1);
	diag_format(&made.diags.items[0], &sb);
	assert_string_equal(sb.text, "deck:3:22: VIG1103E DISP status NEU is not known; expected "
				     "NEW, OLD, SHR or MOD\n"
				     "    //D DD DSN=P.M,DISP=(NEU,KEEP)\n"
				     "                         ^~~\n");
	assert_true(made.jobs->failed);
	strbuf_release(&sb);
	outcome_release(&made);
}

/* A message points to the card of the operand, across continuations. */
static void places_survive_continuation(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S EXEC PGM=X\n"
				      "//D DD DSN=P.M,        first\n"
				      "//*\n"
				      "//             DISP=(OLD,\n"
				      "//    KEPT)\n",
				      "VIG1104E:6:7");

	outcome_release(&made);
}

static void dispositions_have_their_defaults(void **state UNUSED)
{
	static const struct {
		const char *operand;
		enum disp_status status;
		enum disp_action normal, abnormal;
	} cases[] = {
		{ "", DISP_NEW, DISP_DELETE, DISP_DELETE },
		{ ",DISP=OLD", DISP_OLD, DISP_KEEP, DISP_KEEP },
		{ ",DISP=SHR", DISP_SHR, DISP_KEEP, DISP_KEEP },
		{ ",DISP=MOD", DISP_MOD, DISP_KEEP, DISP_KEEP },
		{ ",DISP=(,CATLG)", DISP_NEW, DISP_CATLG, DISP_CATLG },
		{ ",DISP=(,CATLG,DELETE)", DISP_NEW, DISP_CATLG, DISP_DELETE },
		{ ",DISP=(OLD,,DELETE)", DISP_OLD, DISP_KEEP, DISP_DELETE },
		{ ",DISP=(NEW,PASS)", DISP_NEW, DISP_PASS, DISP_DELETE },
		{ ",DISP=(OLD,PASS)", DISP_OLD, DISP_PASS, DISP_KEEP },
		{ ",DISP=(MOD,DELETE,DELETE)", DISP_MOD, DISP_DELETE, DISP_DELETE },
		{ ",DISP=(OLD,UNCATLG)", DISP_OLD, DISP_UNCATLG, DISP_UNCATLG },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf sb = STRBUF_INIT;
		struct outcome made;
		const struct plan_dd *dd;

		strbuf_addf(&sb, "//A JOB\n//S EXEC PGM=X\n//D DD DSN=P.M%s\n", cases[i].operand);
		made = plan_of(sb.text, "-");
		dd = made.jobs->steps->dds;
		assert_int_equal(dd->status, cases[i].status);
		assert_int_equal(dd->normal, cases[i].normal);
		assert_int_equal(dd->abnormal, cases[i].abnormal);
		assert_int_equal(dd->disp_given, cases[i].operand[0] != '\0');
		outcome_release(&made);
		strbuf_release(&sb);
	}
}

static void data_set_names_are_taken_apart(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S EXEC PGM=X\n"
				      "//A DD DSN=A.B(MEM),DISP=SHR\n"
				      "//B DD DSN=A.G(+1),DISP=(,CATLG)\n"
				      "//C DD DSN=A.G(-12),DISP=SHR\n"
				      "//D DD DSN=A.G(0),DISP=SHR\n"
				      "//E DD DSN=&&T,DISP=(,PASS)\n"
				      "//F DD DSN=NULLFILE\n"
				      "//G DD UNIT=SYSDA\n"
				      "//H DD DSN='Q.R',DISP=SHR\n"
				      "//I DD DSN=*.A,DISP=SHR\n",
				      "-");
	const struct plan_dd *dd = made.jobs->steps->dds;

	assert_string_equal(dd->dsn, "A.B");
	assert_string_equal(dd->member, "MEM");
	dd = dd->next;
	assert_true(dd->generation_given);
	assert_int_equal(dd->generation, 1);
	assert_null(dd->member);
	dd = dd->next;
	assert_int_equal(dd->generation, -12);
	dd = dd->next;
	assert_true(dd->generation_given);
	assert_int_equal(dd->generation, 0);
	dd = dd->next;
	assert_string_equal(dd->dsn, "&&T");
	assert_true(dd->temporary);
	dd = dd->next;
	assert_int_equal(dd->kind, DD_DUMMY);
	dd = dd->next;
	assert_string_equal(dd->dsn, "");
	assert_true(dd->temporary);
	dd = dd->next;
	assert_string_equal(dd->dsn, "Q.R");
	dd = dd->next;
	assert_string_equal(dd->dsn, "A.B");
	assert_string_equal(dd->member, "MEM");
	outcome_release(&made);
}

static void attributes_are_copied(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S1 EXEC PGM=X\n"
				      "//A DD DSN=A.B,DISP=(,CATLG),\n"
				      "// DCB=(RECFM=VB,LRECL=255,BLKSIZE=27998,DSORG=PS)\n"
				      "//S2 EXEC PGM=X\n"
				      "//B DD DSN=A.C,DISP=(,CATLG),DCB=*.S1.A\n"
				      "//C DD DSN=A.D,DISP=(,CATLG),DCB=(*.S1.A,LRECL=100)\n"
				      "//D DD DSN=A.E,DISP=(,CATLG),REFDD=*.C,RECFM=FB\n",
				      "-");
	const struct plan_dd *dd = made.jobs->steps->next->dds;

	assert_string_equal(dd->recfm, "VB");
	assert_int_equal(dd->lrecl, 255);
	assert_int_equal(dd->block_size, 27998);
	assert_int_equal(dd->organization, DSORG_PS);
	dd = dd->next;
	assert_string_equal(dd->recfm, "VB");
	assert_int_equal(dd->lrecl, 100);
	dd = dd->next;
	assert_string_equal(dd->recfm, "FB");
	assert_int_equal(dd->lrecl, 100);
	outcome_release(&made);
}

static void what_a_new_data_set_is_like_arrives(void **state UNUSED)
{
	static const char text[] =
		"//A JOB MEMLIMIT=2G,JOBRC=(STEP,S)\n"
		"//S EXEC PGM=X,PARMDD=H,ABDISPCC=(8,GE),MEMLIMIT=16M\n"
		"//A DD DSN=A.A,DISP=(,CATLG),SPACE=(TRK,(1,2,3)),AVGREC=K,\n"
		"//  RECORG=KS,KEYLEN=8,KEYOFF=4,LRECL=16383K\n"
		"//B DD DSN=A.B,DISP=(,CATLG),LIKE=A.MODEL,FREE=CLOSE,UNIT=AFF=A\n"
		"//C DD DSN=A.C,DISP=(,CATLG),DCB=(A.OTHER,LRECL=80)\n"
		"//D DD DSN=A.D,DISP=(,CATLG),REFDD=*.A\n"
		"//E DD DSN=A.E,DISP=(,CATLG),DCB=*.B\n"
		"//F DD DSN=A.F,DISP=(,CATLG),DCB=(RKP=2,KEYLEN=3),DSNTYPE=LIBRARY\n"
		"//G DD SYSOUT=$,OUTLIM=99\n"
		"//H DD *\nX\n";
	struct outcome made = outcome_of(text, sizeof(text) - 1, true);
	const struct plan_step *step = made.jobs->steps;
	const struct plan_dd *dd = step->dds;

	assert_false(made.jobs->failed);
	assert_true(made.jobs->memory_limit == UINT64_C(2) << 30);
	assert_int_equal(made.jobs->code_source, JOBRC_STEP);
	assert_string_equal(made.jobs->code_step, "S");
	assert_string_equal(step->parm_dd, "H");
	assert_true(step->abnormal_code_given && step->abnormal_code == 8);
	assert_int_equal(step->abnormal_relation, REL_GE);
	assert_true(step->memory_limit == UINT64_C(16) << 20);
	assert_string_equal(dd->space.unit, "TRK");
	assert_int_equal(dd->space.primary * 100 + dd->space.secondary * 10 + dd->space.directory,
			 123);
	assert_int_equal(dd->space.average, 'K');
	assert_int_equal(dd->organization, DSORG_PO);
	assert_int_equal(dd->record_organization, RECORG_KS);
	assert_int_equal(dd->key_length, 8);
	assert_true(dd->key_offset_given && dd->key_offset == 4);
	assert_int_equal(dd->lrecl, 16383 * 1024);
	dd = dd->next; /* B */
	assert_string_equal(dd->model, "A.MODEL");
	assert_true(dd->free_at_close);
	assert_string_equal(dd->unit_affinity, "A");
	dd = dd->next; /* C */
	assert_string_equal(dd->model, "A.OTHER");
	assert_int_equal(dd->lrecl, 80);
	dd = dd->next; /* D: as A, and attributes that A does not give are those of its data set */
	assert_string_equal(dd->model, "A.A");
	assert_int_equal(dd->key_length, 8);
	assert_int_equal(dd->record_organization, RECORG_KS);
	dd = dd->next; /* E */
	assert_string_equal(dd->model, "A.MODEL");
	dd = dd->next; /* F */
	assert_int_equal(dd->key_offset, 2);
	assert_int_equal(dd->organization, DSORG_PO);
	dd = dd->next; /* G */
	assert_int_equal(dd->sysout_class, 'A');
	assert_int_equal(dd->output_limit, 99);
	outcome_release(&made);
}

static void concatenations_keep_their_order(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n"
				      "//JOBLIB DD DSN=L.ONE,DISP=SHR\n"
				      "//       DD DSN=L.TWO,DISP=SHR\n"
				      "//S EXEC PGM=X\n"
				      "//IN DD DSN=A.B,DISP=SHR\n"
				      "//   DD *\ndata\n/*\n"
				      "//   DD PATH='/a/b c',PATHOPTS=ORDONLY,FILEDATA=TEXT\n"
				      "//OUT DD SYSOUT=(B,INTRDR)\n",
				      "-");
	const struct plan_dd *dd = made.jobs->joblib;

	assert_string_equal(dd->dsn, "L.ONE");
	assert_string_equal(dd->next_concat->dsn, "L.TWO");
	assert_null(dd->next);
	dd = made.jobs->steps->dds;
	assert_string_equal(dd->name, "IN");
	assert_string_equal(dd->next_concat->name, "IN");
	assert_string_equal(dd->next_concat->data, "data\n");
	assert_string_equal(dd->next_concat->next_concat->path, "/a/b c");
	assert_true(dd->next_concat->next_concat->filedata_text);
	assert_null(dd->next_concat->next_concat->next_concat);
	dd = dd->next;
	assert_string_equal(dd->name, "OUT");
	assert_int_equal(dd->sysout_class, 'B');
	assert_string_equal(dd->writer, "INTRDR");
	outcome_release(&made);
}

static void ddname_takes_the_later_definition(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S EXEC PGM=X\n"
				      "//IN DD DDNAME=REAL\n"
				      "//   DD DSN=A.B,DISP=SHR\n"
				      "//OUT DD SYSOUT=*\n"
				      "//REAL DD *\ndata\n/*\n",
				      "-");
	const struct plan_dd *dd = made.jobs->steps->dds;

	assert_string_equal(dd->name, "IN");
	assert_int_equal(dd->kind, DD_INSTREAM);
	assert_string_equal(dd->data, "data\n");
	assert_string_equal(dd->next_concat->dsn, "A.B");
	assert_string_equal(dd->next->name, "OUT");
	assert_null(dd->next->next);
	outcome_release(&made);
}

static void paths_have_options_and_modes(void **state UNUSED)
{
	struct outcome made =
		plan_of("//A JOB\n//S EXEC PGM=X\n"
			"//A DD PATH='/tmp/x',PATHOPTS=(OWRONLY,OCREAT,OTRUNC),\n"
			"//   PATHMODE=(SIRWXU,SIRGRP),PATHDISP=(KEEP,DELETE),FILEDATA=BINARY\n"
			"//B DD PATH=/dev/null\n//C DD PATH=/tmp/Data,PATHOPTS=ORDONLY\n",
			"-");
	const struct plan_dd *dd = made.jobs->steps->dds;

	assert_int_equal(dd->path_options, O_WRONLY | O_CREAT | O_TRUNC);
	assert_int_equal(dd->path_mode, 0740);
	assert_int_equal(dd->path_normal, DISP_KEEP);
	assert_int_equal(dd->path_abnormal, DISP_DELETE);
	assert_true(dd->filedata_given);
	assert_false(dd->filedata_text);
	assert_int_equal(dd->next->kind, DD_DUMMY);
	assert_string_equal(dd->next->next->path, "/tmp/Data");
	outcome_release(&made);
}

static void job_operands_arrive(void **state UNUSED)
{
	struct outcome made = plan_of("//NIGHT JOB (A1,'B 2'),'O''NEIL',CLASS=B,MSGCLASS=H,\n"
				      "// MSGLEVEL=(2,0),NOTIFY=&SYSUID,TIME=(1,30),REGION=64M,\n"
				      "// COND=((8,LE),(4,EQ)),RESTART=S2,TYPRUN=HOLD,USER=U1\n"
				      "//S1 EXEC PGM=X\n//S2 EXEC PGM=Y,TIME=NOLIMIT,REGION=0M\n",
				      "-");
	const struct plan_job *job = made.jobs;

	assert_string_equal(job->account, "A1,B 2");
	assert_string_equal(job->programmer, "O'NEIL");
	assert_int_equal(job->job_class, 'B');
	assert_int_equal(job->message_class, 'H');
	assert_int_equal(job->message_level[0], 2);
	assert_int_equal(job->message_level[1], 0);
	assert_string_equal(job->notify, "TESTER");
	assert_string_equal(job->user, "U1");
	assert_true(job->time_given);
	assert_int_equal(job->cpu_limit, 90);
	assert_int_equal(job->region, 64 << 20);
	assert_true(job->hold);
	assert_false(job->scan);
	assert_string_equal(job->restart_step, "S2");
	assert_int_equal(job->conditions->code, 8);
	assert_int_equal(job->conditions->relation, REL_LE);
	assert_int_equal(job->conditions->next->relation, REL_EQ);
	assert_true(job->steps->next->time_given);
	assert_int_equal(job->steps->next->cpu_limit, 0);
	outcome_release(&made);
}

static void exec_conditions_arrive(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S1 EXEC PGM=X\n//S2 EXEC PGM=X,COND=EVEN\n"
				      "//S3 EXEC PGM=X,COND=((8,GT,S1),(2,EQ),ONLY)\n"
				      "//S4 EXEC PGM=X,COND=(4095,NE)\n"
				      "//S5 EXEC PGM=X,COND=(0,LT,S2)\n",
				      "-");
	const struct plan_step *step = made.jobs->steps->next;

	assert_true(step->even);
	assert_null(step->conditions);
	step = step->next;
	assert_true(step->only);
	assert_string_equal(step->conditions->step, "S1");
	assert_int_equal(step->conditions->code, 8);
	assert_null(step->conditions->next->step);
	assert_null(step->conditions->next->next);
	step = step->next;
	assert_int_equal(step->conditions->code, 4095);
	assert_int_equal(step->conditions->relation, REL_NE);
	assert_string_equal(step->next->conditions->step, "S2");
	outcome_release(&made);
}

static void if_guards_the_steps_inside(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//S1 EXEC PGM=X\n"
				      "// IF (S1.RC > 4 | ABEND) & NOT S1.RUN=FALSE THEN\n"
				      "//S2 EXEC PGM=X\n"
				      "// IF ABENDCC = U12 THEN\n//S3 EXEC PGM=X\n// ENDIF\n"
				      "// ELSE\n//S4 EXEC PGM=X\n// ENDIF\n//S5 EXEC PGM=X\n",
				      "-");
	const struct plan_step *step = made.jobs->steps;
	const struct plan_expr *expr;

	assert_null(step->guard);
	step = step->next;
	assert_true(step->guard->wanted);
	assert_null(step->guard->outer);
	expr = step->guard->expr;
	assert_int_equal(expr->kind, EXPR_AND);
	assert_int_equal(expr->left->kind, EXPR_OR);
	assert_int_equal(expr->left->left->kind, EXPR_RC);
	assert_string_equal(expr->left->left->step, "S1");
	assert_int_equal(expr->left->left->relation, REL_GT);
	assert_int_equal(expr->left->left->number, 4);
	assert_int_equal(expr->left->right->kind, EXPR_ABEND);
	assert_int_equal(expr->right->kind, EXPR_NOT);
	assert_int_equal(expr->right->left->kind, EXPR_NOT);
	assert_int_equal(expr->right->left->left->kind, EXPR_RUN);
	assert_int_equal(step->next->guard->if_number, 2);
	assert_ptr_equal(step->next->guard->outer, step->guard);
	assert_string_equal(step->next->guard->expr->code, "U0012");
	step = step->next->next;
	assert_false(step->guard->wanted);
	assert_int_equal(step->guard->if_number, 1);
	assert_ptr_equal(step->guard->expr, expr);
	assert_null(step->next->guard);
	outcome_release(&made);
}

static void program_may_be_a_reference(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//LINK EXEC PGM=L\n"
				      "//SYSLMOD DD DSN=&&G(GO),DISP=(,PASS)\n"
				      "//GO EXEC PGM=*.LINK.SYSLMOD\n",
				      "-");
	const struct plan_step *step = made.jobs->steps;

	assert_string_equal(step->next->program, "GO");
	assert_ptr_equal(step->next->program_dd, step->dds);
	outcome_release(&made);
}

static void parm_is_put_together(void **state UNUSED)
{
	static const char *const cases[][2] = {
		{ "ABC", "ABC" },
		{ "'A b'", "A b" },
		{ "(A,'B C',D)", "A,B C,D" },
		{ "('A''B')", "A'B" },
		{ "'A&&B'", "A&B" },
		{ "''", "" },
		{ "'&INPUT&XXX'", "&INPUTVALUE" },
		{ "&XXX.1", "VALUE1" },
		{ "(A,(B,C))", "A,(B,C)" },
		{ "'SH a && b'", "SH a & b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf sb = STRBUF_INIT;
		struct outcome made;

		strbuf_addf(&sb, "//A JOB\n// SET XXX=VALUE\n//S EXEC PGM=X,PARM=%s\n",
			    cases[i][0]);
		made = plan_of(sb.text, "-");
		assert_string_equal(made.jobs->steps->parm, cases[i][1]);
		outcome_release(&made);
		strbuf_release(&sb);
	}
}

/* A symbol may hold commas, parentheses and whole operands. */
static void symbols_hold_whole_operands(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n// SET D2='DISP=(,CATLG',D3='),DSN=A.B'\n"
				      "//S EXEC PGM=X\n//D DD &D2&D3\n",
				      "-");
	const struct plan_dd *dd = made.jobs->steps->dds;

	assert_string_equal(dd->dsn, "A.B");
	assert_int_equal(dd->normal, DISP_CATLG);
	outcome_release(&made);
}

static void quote_in_deck_folder_is_harmless(void **state UNUSED)
{
	static const char text[] = "//A JOB\n//S EXEC PGM=X\n//D DD PATH='&SYSDECK/p'\n";
	struct jcl_options options = { .deck_folder = "/it's here" };
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("deck", text, sizeof(text) - 1);
	struct jcl_deck *deck = jcl_parse(source, &options, &diags);
	struct plan_job *jobs = jcl_evaluate(deck, &options, &diags);

	assert_int_equal(diags.count, 0);
	assert_string_equal(jobs->steps->dds->path, "/it's here/p");
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
	diag_list_release(&diags);
}

static void several_jobs_stand_in_one_deck(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n// SET X=Y\n//S EXEC PGM=P\n//\n"
				      "//B JOB\n//S EXEC PGM=P,PARM='&X'\n"
				      "//C JOB\n//T EXEC PGM=P\n",
				      "-");

	assert_string_equal(made.jobs->name, "A");
	assert_int_equal(made.jobs->first_line, 1);
	assert_int_equal(made.jobs->last_line, 4);
	assert_string_equal(made.jobs->next->steps->parm, "&X");
	assert_string_equal(made.jobs->next->next->steps->name, "T");
	assert_null(made.jobs->next->next->next);
	outcome_release(&made);
}

static void strict_refuses_what_a_mainframe_does(void **state UNUSED)
{
	static const char text[] = "//A job\n//S EXEC PGM=P\n";
	struct jcl_options options = { .strict = true };
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("deck", text, sizeof(text) - 1);
	struct jcl_deck *deck = jcl_parse(source, &options, &diags);
	struct plan_job *jobs = jcl_evaluate(deck, &options, &diags);

	assert_int_equal(diags.count, 1);
	assert_int_equal(diags.items[0].severity, SEVERITY_ERROR);
	assert_true(jobs->failed);
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
	diag_list_release(&diags);
}

/* Writes a member of a library below folder. */
static void member_write(const char *folder, const char *name, const char *text)
{
	struct strbuf path = STRBUF_INIT;
	FILE *stream;

	strbuf_addf(&path, "%s/%s", folder, name);
	stream = fopen(path.text, "w");
	assert_non_null(stream);
	assert_true(fputs(text, stream) >= 0);
	assert_int_equal(fclose(stream), 0);
	strbuf_release(&path);
}

static void member_remove(const char *folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", folder, name);
	assert_int_equal(remove(path.text), 0);
	strbuf_release(&path);
}

/* Procedures and members come from files; JCLLIB's libraries are searched first. */
static void procedures_come_from_libraries(void **state UNUSED)
{
	static const char text[] = "//A JOB\n//L JCLLIB ORDER=MY.LIB\n// INCLUDE MEMBER=SETS\n"
				   "//S1 EXEC PAYPROC,WHO=ALL\n//RUN.SYSIN DD *\nmine\n/*\n"
				   "//S2 EXEC PAYPROC,COND=(0,NE)\n"
				   "//S3 EXEC PGM=Z,COND=(4,LT,S2.RUN)\n";
	char folder[] = "/tmp/test-jcl-library.XXXXXX", library[64];
	const char *folders[] = { folder };
	struct jcl_options options = { .procedure_libraries = folders,
				       .procedure_library_count = 1 };
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("deck", text, sizeof(text) - 1);
	struct jcl_deck *deck;
	struct plan_job *jobs;
	const struct plan_step *step;

	assert_non_null(mkdtemp(folder));
	snprintf(library, sizeof(library), "%s/MY.LIB", folder);
	assert_int_equal(mkdir(library, 0700), 0);
	member_write(folder, "payproc.prc",
		     "//PAYPROC PROC WHO=NOBODY\n//RUN EXEC PGM=PAY,PARM='&WHO &FROM'\n"
		     "//SYSIN DD *\ntheirs\n/*\n// EXEC INNER\n");
	member_write(library, "INNER", "//IN EXEC PGM=INNER,COND=(4,LT,IN)\n");
	member_write(library, "SETS.jcl", "// SET FROM=LIBRARY\n");
	deck = jcl_parse(source, &options, &diags);
	jobs = jcl_evaluate(deck, &options, &diags);
	/* in neither call is IN an earlier step at the point where it tests itself */
	assert_int_equal(diags.count, 2);
	assert_int_equal(diags.items[0].number, 1085);
	assert_string_equal(diags.items[0].location.source->name + strlen(library), "/INNER");
	step = jobs->steps;
	assert_int_equal(jobs->step_count, 5);
	assert_string_equal(step->name, "S1");
	assert_string_equal(step->procstep, "RUN");
	assert_string_equal(step->procedure, "PAYPROC");
	assert_string_equal(step->parm, "ALL LIBRARY");
	assert_string_equal(step->dds->data, "mine\n");
	assert_null(step->dds->next);
	assert_string_equal(step->next->name, "S1");
	assert_string_equal(step->next->procstep, "IN");
	assert_string_equal(step->next->procedure, "INNER");
	step = step->next->next;
	assert_string_equal(step->name, "S2");
	assert_string_equal(step->parm, "NOBODY LIBRARY");
	assert_string_equal(step->dds->data, "theirs\n");
	assert_int_equal(step->conditions->relation, REL_NE);
	step = step->next->next;
	assert_string_equal(step->conditions->step, "S2");
	assert_string_equal(step->conditions->procstep, "RUN");
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
	diag_list_release(&diags);
	member_remove(folder, "payproc.prc");
	member_remove(library, "INNER");
	member_remove(library, "SETS.jcl");
	assert_int_equal(rmdir(library), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* Operands of an override replace, remove and displace those of the procedure. */
static void overrides_merge(void **state UNUSED)
{
	struct outcome made =
		plan_of("//A JOB\n//P PROC\n//G EXEC PGM=X,PARM=OLD\n"
			"//A DD DSN=A.A,DISP=SHR,DCB=(RECFM=FB,LRECL=80)\n"
			"//B DD DSN=B.B,DISP=SHR\n//  DD DSN=B.C,DISP=SHR\n"
			"//C DD DUMMY\n//D DD SYSOUT=A\n//H EXEC PGM=Y,PARM=OLD\n// PEND\n"
			"//S EXEC P,PARM=NEW\n"
			"//G.A DD DCB=LRECL=100,DISP=OLD\n"
			"//B DD\n//  DD DSN=NEW.C\n//  DD DSN=NEW.D,DISP=SHR\n"
			"//C DD DSN=C.C,DISP=SHR\n//D DD PATH='/d'\n//E DD DUMMY\n",
			"-");
	const struct plan_step *step = made.jobs->steps;
	const struct plan_dd *dd = step->dds;

	assert_string_equal(step->parm, "NEW");
	assert_null(step->next->parm);
	assert_string_equal(dd->dsn, "A.A");
	assert_int_equal(dd->status, DISP_OLD);
	assert_string_equal(dd->recfm, "FB");
	assert_int_equal(dd->lrecl, 100);
	dd = dd->next;
	assert_string_equal(dd->dsn, "B.B");
	assert_string_equal(dd->next_concat->dsn, "NEW.C");
	assert_int_equal(dd->next_concat->status, DISP_SHR);
	assert_string_equal(dd->next_concat->next_concat->dsn, "NEW.D");
	dd = dd->next;
	assert_int_equal(dd->kind, DD_DATASET);
	assert_string_equal(dd->dsn, "C.C");
	dd = dd->next;
	assert_int_equal(dd->kind, DD_PATH);
	assert_string_equal(dd->next->name, "E");
	assert_null(dd->next->next);
	assert_null(step->next->dds);
	outcome_release(&made);
}

/* Data after the call of a procedure are the SYSIN of its first step. */
static void data_behind_a_call_are_sysin(void **state UNUSED)
{
	struct outcome made = plan_of("//A JOB\n//P PROC\n//G EXEC PGM=X\n//SYSIN DD DUMMY\n"
				      "//H EXEC PGM=Y\n// PEND\n//S EXEC P\ndata\n/*\n",
				      "-");

	assert_string_equal(made.jobs->steps->dds->data, "data\n");
	assert_null(made.jobs->steps->next->dds);
	outcome_release(&made);
}

/* Symbols are substituted in in-stream data only if they are exported and requested. */
static void exported_symbols_reach_the_data(void **state UNUSED)
{
	struct outcome made =
		plan_of("//A JOB\n// EXPORT SYMLIST=(ONE,TWO)\n"
			"// SET ONE=1,TWO=2,THREE=3\n//S EXEC PGM=X\n"
			"//D DD *,SYMBOLS=JCLONLY\n&ONE.&TWO &THREE &SYSUID &&ONE\n/*\n"
			"//E DD *\n&ONE\n/*\n",
			"-");
	const struct plan_dd *dd = made.jobs->steps->dds;

	assert_string_equal(dd->data, "12 &THREE TESTER &&ONE\n");
	assert_string_equal(dd->next->data, "&ONE\n");
	outcome_release(&made);
}

/* The user's name is converted to a JCL name: no digit first, eight characters, up to a dot. */
static void the_users_name_is_made_to_fit(void **state UNUSED)
{
	static const char *const users[][2] = {
		{ "tester", "TESTER" },
		{ "1a2b", "A2B" },
		{ "a.b", "A" },
		{ "operator12345", "OPERATOR" },
		{ "a-b_c@d#e$", "ABC@D#E$" },
	};
	static const char deck[] = "//A JOB\n//S EXEC PGM=X,PARM='&SYSUID.'\n";

	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		const struct jcl_options options = { .user = users[i][0] };
		struct outcome made = outcome_with(deck, sizeof(deck) - 1, &options);

		assert_string_equal(made.jobs->steps->parm, users[i][1]);
		outcome_release(&made);
	}
}

/* Returns whether a deck of head, count lines and tail has errors. */
static bool fails(const char *head, const char *line, size_t count, const char *tail)
{
	struct strbuf deck = STRBUF_INIT;
	struct outcome made;
	bool failed;

	strbuf_addstr(&deck, head);
	while (count-- > 0)
		strbuf_addstr(&deck, line);
	strbuf_addstr(&deck, tail);
	made = outcome_of(deck.text, deck.length, true);
	failed = made.jobs->failed;
	outcome_release(&made);
	strbuf_release(&deck);
	return failed;
}

/* Limits of a step's DDs, of those after the call of a procedure, and of the operands of a call. */
static void limits_are_inclusive(void **state UNUSED)
{
	static const struct {
		const char *head, *line, *tail;
		size_t most;
	} cases[] = {
		{ "//A JOB\n//S EXEC PGM=X\n", "//D DD DUMMY\n", "", 3273 },
		{ "//A JOB\n//P PROC\n//G EXEC PGM=X\n// PEND\n//S EXEC P\n", "//D DD DUMMY\n", "",
		  3273 },
		{ "//A JOB\n//P PROC A=0\n//G EXEC PGM=X,PARM='&A'\n// PEND\n//S EXEC P",
		  ",\n//   A=1", "\n", 255 },
		{ "//A JOB\n// SET X='XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'\n//S EXEC PGM=X\n//D DD "
		  "DSN=A,"
		  "VOL=SER=(YYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY",
		  ",\n//   &X", ")\n", 510 }, /* 16384 characters */
		{ "//A JOB\n//S EXEC PGM=X,COND=((1,LT)", ",\n//   (1,LT)", ")\n", 7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_false(fails(cases[i].head, cases[i].line, cases[i].most, cases[i].tail));
		assert_true(fails(cases[i].head, cases[i].line, cases[i].most + 1, cases[i].tail));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_cards),
		cmocka_unit_test(table_of_operands),
		cmocka_unit_test(table_of_symbols),
		cmocka_unit_test(table_of_statements),
		cmocka_unit_test(table_of_dds),
		cmocka_unit_test(table_of_conditions),
		cmocka_unit_test(table_of_procedures),
		cmocka_unit_test(table_of_steps),
		cmocka_unit_test(payroll_example),
		cmocka_unit_test(message_shows_card_and_caret),
		cmocka_unit_test(places_survive_continuation),
		cmocka_unit_test(dispositions_have_their_defaults),
		cmocka_unit_test(data_set_names_are_taken_apart),
		cmocka_unit_test(attributes_are_copied),
		cmocka_unit_test(what_a_new_data_set_is_like_arrives),
		cmocka_unit_test(concatenations_keep_their_order),
		cmocka_unit_test(ddname_takes_the_later_definition),
		cmocka_unit_test(paths_have_options_and_modes),
		cmocka_unit_test(job_operands_arrive),
		cmocka_unit_test(exec_conditions_arrive),
		cmocka_unit_test(if_guards_the_steps_inside),
		cmocka_unit_test(program_may_be_a_reference),
		cmocka_unit_test(parm_is_put_together),
		cmocka_unit_test(symbols_hold_whole_operands),
		cmocka_unit_test(quote_in_deck_folder_is_harmless),
		cmocka_unit_test(several_jobs_stand_in_one_deck),
		cmocka_unit_test(procedures_come_from_libraries),
		cmocka_unit_test(overrides_merge),
		cmocka_unit_test(data_behind_a_call_are_sysin),
		cmocka_unit_test(exported_symbols_reach_the_data),
		cmocka_unit_test(strict_refuses_what_a_mainframe_does),
		cmocka_unit_test(the_users_name_is_made_to_fit),
		cmocka_unit_test(limits_are_inclusive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
