/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the job runner's parts that need no process: names, conditions, locks, outcomes,
 * requests. */
#include "common/compat.h"
#include "common/test-folder.h"
#include "common/xalloc.h"
#include "session/job/abend.h"
#include "datasets/catalog.h"
#include "session/job/conditions.h"
#include "session/job/job.h"
#include "datasets/lock.h"
#include "session/job/measured.h"
#include "session/job/parm.h"
#include "session/job/process-tree.h"
#include "session/job/spool.h"
#include "session/job/step.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *in_folder(void **state, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", (char *)*state, name);
	return strbuf_detach(&path, NULL);
}

static void write_file(const char *path, const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
}

/* Returns a step that has only names. */
static struct plan_step step_named(const char *name, const char *procstep)
{
	return (struct plan_step){ .name = (char *)(uintptr_t)name,
				   .procstep = (char *)(uintptr_t)procstep };
}

static void test_conditions_name_steps(void **state UNUSED)
{
	struct plan_step first = step_named("RUN", "CALC"), second = step_named("CALC", "");
	struct plan_step next = step_named("NEXT", "");
	struct plan_job job = { 0 };
	struct plan_cond test = { .code = 4, .relation = REL_EQ, .step = (char[]){ "CALC" } };
	const struct plan_cond *hit;
	struct conditions conditions;

	next.conditions = &test;
	conditions_init(&conditions);
	/* A single name means the procedure's step, but an EXEC of that name is preferred. */
	conditions_add(&conditions, &(struct step_result){
					    .step = &first, .end = STEP_ENDED, .return_code = 4 });
	assert_int_equal(conditions_decide(&conditions, &job, &next, &hit), CONDITION_COND);
	assert_ptr_equal(hit, &test);
	conditions_add(&conditions, &(struct step_result){
					    .step = &second, .end = STEP_ENDED, .return_code = 0 });
	assert_int_equal(conditions_decide(&conditions, &job, &next, &hit), CONDITION_RUN);
	test.step = (char[]){ "RUN" };
	test.procstep = (char[]){ "CALC" };
	assert_int_equal(conditions_decide(&conditions, &job, &next, &hit), CONDITION_COND);
	/* A step that did not run satisfies no test. */
	test.relation = REL_GE;
	test.procstep = NULL;
	test.step = (char[]){ "ABSENT" };
	assert_int_equal(conditions_decide(&conditions, &job, &next, &hit), CONDITION_RUN);
	conditions_release(&conditions);
}

static void test_conditions_every_step(void **state UNUSED)
{
	struct plan_step first = step_named("A", ""), second = step_named("B", "");
	struct plan_step next = step_named("C", "");
	struct plan_cond test = { .code = 4, .relation = REL_LE };
	struct plan_job job = { 0 };
	struct conditions conditions;

	next.conditions = &test;
	conditions_init(&conditions);
	assert_int_equal(conditions_decide(&conditions, &job, &next, NULL), CONDITION_RUN);
	conditions_add(&conditions, &(struct step_result){
					    .step = &first, .end = STEP_ENDED, .return_code = 8 });
	conditions_add(&conditions, &(struct step_result){
					    .step = &second, .end = STEP_ENDED, .return_code = 0 });
	assert_int_equal(conditions_decide(&conditions, &job, &next, NULL), CONDITION_COND);
	assert_int_equal(conditions_highest(&conditions), 8);
	conditions_release(&conditions);
}

/* The truth table of EVEN and ONLY: abended or not, test satisfied or not. */
static void test_conditions_even_only(void **state UNUSED)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		bool abended = bits & 1, hit = bits & 2, even = bits & 4, only = bits & 8;
		struct plan_step before = step_named("A", ""), bad = step_named("B", "");
		struct plan_step next = step_named("C", "");
		struct plan_cond test = { .code = 4, .relation = hit ? REL_EQ : REL_NE };
		struct plan_job job = { 0 };
		struct conditions conditions;
		bool runs;

		if (even && only)
			continue;
		next.conditions = &test;
		next.even = even;
		next.only = only;
		conditions_init(&conditions);
		conditions_add(&conditions, &(struct step_result){ .step = &before,
								   .end = STEP_ENDED,
								   .return_code = 4 });
		if (abended)
			conditions_add(&conditions, &(struct step_result){ .step = &bad,
									   .end = STEP_ABENDED,
									   .abend = "S0C4" });
		runs = conditions_decide(&conditions, &job, &next, NULL) == CONDITION_RUN;
		if (hit)
			assert_false(runs);
		else if (even)
			assert_true(runs);
		else
			assert_int_equal(runs, only == abended);
		conditions_release(&conditions);
	}
}

/* Of two steps with the same name the later one is used. */
static void test_conditions_name_twice(void **state UNUSED)
{
	struct plan_step first = step_named("CALC", ""), second = step_named("CALC", "");
	struct plan_step next = step_named("NEXT", "");
	struct plan_job job = { 0 };
	struct plan_cond test = { .code = 4, .relation = REL_EQ, .step = (char[]){ "CALC" } };
	struct conditions conditions;

	next.conditions = &test;
	conditions_init(&conditions);
	conditions_add(&conditions, &(struct step_result){
					    .step = &first, .end = STEP_ENDED, .return_code = 4 });
	conditions_add(&conditions, &(struct step_result){
					    .step = &second, .end = STEP_ENDED, .return_code = 0 });
	assert_int_equal(conditions_decide(&conditions, &job, &next, NULL), CONDITION_RUN);
	test.code = 0;
	assert_int_equal(conditions_decide(&conditions, &job, &next, NULL), CONDITION_COND);
	conditions_release(&conditions);
}

/*
 * If no step is named, the latest of several abends counts, also for an IF around
 * the current step.
 */
static void test_conditions_after_abends(void **state UNUSED)
{
	struct plan_step first = step_named("A", ""), second = step_named("B", "");
	struct plan_step next = step_named("C", "");
	struct plan_expr code = { .kind = EXPR_ABENDCC,
				  .relation = REL_EQ,
				  .code = (char[]){ "U0012" } };
	struct plan_expr always = { .kind = EXPR_CONSTANT, .number = 1 };
	struct plan_guard outer = { .expr = &code, .if_number = 1, .wanted = true };
	struct plan_guard inner = {
		.expr = &always, .if_number = 2, .wanted = true, .outer = &outer
	};
	struct plan_job job = { 0 };

	for (unsigned latest = 0; latest < 2; latest++)
		for (unsigned nested = 0; nested < 2; nested++) {
			struct step_result results[] = {
				{ .step = &first, .end = STEP_ABENDED, .abend = "S0C7" },
				{ .step = &second, .end = STEP_ABENDED, .abend = "U0012" },
			};
			struct conditions conditions;

			next.guard = nested ? &inner : &outer;
			conditions_init(&conditions);
			conditions_add(&conditions, &results[!latest]);
			conditions_add(&conditions, &results[latest]);
			assert_int_equal(conditions_decide(&conditions, &job, &next, NULL),
					 latest ? CONDITION_RUN : CONDITION_IF);
			conditions_release(&conditions);
		}
}

/* Checks the PARM read from a file, whose records may have a fixed length. */
static void assert_parm(void **state, const char *recfm, unsigned lrecl, const char *content,
			const char *expected)
{
	char *path = in_folder(state, "parm");
	struct plan_dd dd = { .name = (char[]){ "IN" }, .kind = DD_PATH };
	struct allocation allocation = { .dd = &dd, .dsn = (char[]){ "" }, .path = path };
	struct plan_step step = { .parm_dd = (char[]){ "IN" } };
	struct error err = ERROR_INIT;
	char *parm;

	snprintf(allocation.attributes.recfm, sizeof(allocation.attributes.recfm), "%s", recfm);
	allocation.attributes.lrecl = lrecl;
	write_file(path, content);
	parm = parm_text(&step, &allocation, &err);
	if (expected)
		assert_string_equal(parm, expected);
	else
		assert_null(parm);
	free(parm);
	error_release(&err);
	free(path);
}

/* PARMDD: records without trailing blanks, and without the sequence numbers of 80-column cards. */
static void test_parm_dd(void **state)
{
	struct strbuf text = STRBUF_INIT;
	char card[100];

	assert_parm(state, "", 0, "A,B   \nC\r\n\n D", "A,BC D");
	assert_parm(state, "FB", 4, "A   B   CC", "ABCC");
	assert_parm(state, "VB", 4, "A   B   ", "A   B");
	snprintf(card, sizeof(card), "%-72s%08d", "A", 10);
	assert_parm(state, "", 0, card, "A");
	snprintf(card, sizeof(card), "%-72s%07dX", "A", 10);
	assert_int_equal(strlen(card), 80);
	assert_parm(state, "", 0, card, card);
	snprintf(card, sizeof(card), "%-72s%09d", "A", 10); /* 81 columns: not a card */
	assert_parm(state, "", 0, card, card);
	strbuf_addchars(&text, 'P', PARM_MAXIMUM);
	assert_parm(state, "", 0, text.text, text.text);
	strbuf_addch(&text, 'P');
	assert_parm(state, "", 0, text.text, NULL);
	strbuf_release(&text);
}

/* Returns whether an IF about step A is true after A ended like this. */
static bool if_holds(enum plan_expr_kind kind, enum step_end end, unsigned code)
{
	struct plan_step first = step_named("A", ""), next = step_named("B", "");
	struct plan_expr expr = { .kind = kind, .relation = REL_EQ, .step = (char[]){ "A" } };
	struct plan_guard guard = { .expr = &expr, .if_number = 1, .wanted = true };
	struct plan_job job = { 0 };
	struct conditions conditions;
	enum condition_decision decision;

	next.guard = &guard;
	next.even = true;
	conditions_init(&conditions);
	conditions_add(&conditions,
		       &(struct step_result){ .step = &first, .end = end, .return_code = code });
	decision = conditions_decide(&conditions, &job, &next, NULL);
	conditions_release(&conditions);
	return decision == CONDITION_RUN;
}

/* A step that did not run, or abended, has no code, not even 0. */
static void test_codes_of_steps_that_did_not_end(void **state UNUSED)
{
	struct plan_step first = step_named("A", ""), next = step_named("B", "");
	struct plan_cond test = { .code = 0, .relation = REL_EQ };
	struct plan_job job = { 0 };
	struct conditions conditions;

	assert_true(if_holds(EXPR_RC, STEP_ENDED, 0));
	assert_false(if_holds(EXPR_RC, STEP_ENDED, 4));
	assert_false(if_holds(EXPR_RC, STEP_NOT_RUN, 0));
	assert_false(if_holds(EXPR_RC, STEP_ABENDED, 0));
	assert_true(if_holds(EXPR_RUN, STEP_ENDED, 0));
	assert_false(if_holds(EXPR_RUN, STEP_NOT_RUN, 0));
	next.conditions = &test;
	conditions_init(&conditions);
	conditions_add(&conditions, &(struct step_result){ .step = &first, .end = STEP_NOT_RUN });
	assert_int_equal(conditions_decide(&conditions, &job, &next, NULL), CONDITION_RUN);
	conditions_release(&conditions);
}

static void test_abnormal_ends(void **state UNUSED)
{
	struct plan_step step = step_named("A", "");
	struct step_result result = { .step = &step, .end = STEP_ENDED, .return_code = 4095 };

	assert_false(conditions_abnormal(&result));
	step.abnormal_code_given = true;
	step.abnormal_code = 8;
	step.abnormal_relation = REL_GT;
	result.return_code = 8;
	assert_false(conditions_abnormal(&result));
	result.return_code = 9;
	assert_true(conditions_abnormal(&result));
	step.abnormal_relation = REL_GE;
	result.return_code = 8;
	assert_true(conditions_abnormal(&result));
	result.return_code = 7;
	assert_false(conditions_abnormal(&result));
	result.end = STEP_ABENDED;
	assert_true(conditions_abnormal(&result));
}

#define SECONDS(n) ((uint64_t)(n)*1000000000)

/* TIME of the step and of the job: what a step may use after others have used some. */
static void test_cpu_limits(void **state UNUSED)
{
	struct plan_step step = step_named("A", "");
	struct step_result result = {
		.step = &step, .end = STEP_ENDED, .user = SECONDS(3), .system = SECONDS(4)
	};
	struct plan_job job = { 0 };
	struct runner runner = { .plan = &job };
	uint64_t limit = 99;

	assert_int_equal(step_cpu_limit(&job, &step, SECONDS(50), &limit), 0);
	assert_int_equal(limit, 0);
	step.time_given = true;
	step.cpu_limit = 5;
	assert_int_equal(step_cpu_limit(&job, &step, SECONDS(50), &limit), 0);
	assert_int_equal(limit, 5);
	job.time_given = true;
	job.cpu_limit = 12;
	runner_use_cpu(&runner, &result);
	assert_int_equal(step_cpu_limit(&job, &step, runner.cpu_used, &limit), 0);
	assert_int_equal(limit, 5); /* 12 - 3 - 4 */
	step.cpu_limit = 6;
	assert_int_equal(step_cpu_limit(&job, &step, runner.cpu_used, &limit), 0);
	assert_int_equal(limit, 5);
	step.cpu_limit = 4;
	assert_int_equal(step_cpu_limit(&job, &step, runner.cpu_used, &limit), 0);
	assert_int_equal(limit, 4);
	runner_use_cpu(&runner, &result);
	assert_int_equal(step_cpu_limit(&job, &step, runner.cpu_used, &limit), -1);
	assert_int_equal(step_cpu_limit(&job, &step, SECONDS(12), &limit), -1);
	assert_int_equal(step_cpu_limit(&job, &step, SECONDS(12) - 1, &limit), 0);
	assert_int_equal(limit, 1);
	job.cpu_limit = 0; /* TIME=1440 */
	assert_int_equal(step_cpu_limit(&job, &step, SECONDS(500), &limit), 0);
	assert_int_equal(limit, 0);
}

static bool never_wait(void *argument, const char *dsn, unsigned round)
{
	snprintf(argument, 64, "%s %u", dsn, round);
	return false;
}

static void test_locks(void **state)
{
	struct lock_list first, second, third;
	struct error err = ERROR_INIT;
	char waited[64] = "";

	lock_list_init(&first);
	lock_list_init(&second);
	lock_list_init(&third);
	lock_list_add(&first, "A.B", true, 0);
	lock_list_add(&first, "C.D", false, 1);
	lock_list_add(&second, "C.D", false, 0);
	lock_list_add(&third, "A.B", false, 0);
	assert_int_equal(lock_list_open(&first, *state, &err), 0);
	assert_int_equal(lock_list_open(&second, *state, &err), 0);
	assert_int_equal(lock_list_open(&third, *state, &err), 0);
	assert_int_equal(lock_list_take(&first, never_wait, waited, &err), 0);
	/* Two jobs may share a data set; one held exclusively is not available. */
	assert_int_equal(lock_list_take(&second, never_wait, waited, &err), 0);
	assert_int_equal(lock_list_take(&third, never_wait, waited, &err), -1);
	assert_string_equal(waited, "A.B 0");
	assert_string_equal(error_text(&err), "");
	/* Released after the last step that needs it, not before. */
	lock_list_step_ended(&first, 0);
	assert_int_equal(lock_list_take(&third, never_wait, waited, &err), 0);
	lock_list_release(&first);
	lock_list_release(&second);
	lock_list_release(&third);
}

/* Checks the result of outcome_judge for a wait status and a text on standard error. */
static void judge(void **state, int status, const char *text, uint64_t limit, uint64_t used,
		  const char *expected)
{
	struct step_outcome outcome = { .reason = STRBUF_INIT };
	char *path = in_folder(state, "stderr");
	struct outcome_facts facts = {
		.status = status, .cpu_limit = limit, .cpu_used = used, .error_output = path
	};
	char result[32];

	write_file(path, text);
	outcome_judge(&outcome, &facts);
	if (outcome.abended)
		snprintf(result, sizeof(result), "%s", outcome.abend);
	else
		snprintf(result, sizeof(result), "%u", outcome.return_code);
	assert_string_equal(result, expected);
	assert_true(outcome.abended == (outcome.reason.length > 0));
	strbuf_release(&outcome.reason);
	free(path);
}

#define EXITED(code) ((code) << 8)
static void test_outcomes(void **state)
{
	judge(state, EXITED(0), "", 0, 0, "0");
	judge(state, EXITED(11), "", 0, 0, "11");
	judge(state, SIGSEGV, "", 0, 0, "S0C4");
	judge(state, SIGBUS, "", 0, 0, "S0C4");
	judge(state, SIGILL, "", 0, 0, "S0C1");
	judge(state, SIGFPE, "", 0, 0, "S0C9");
	judge(state, SIGXCPU, "", 1, SECONDS(1), "S322");
	judge(state, SIGKILL, "", 1, SECONDS(3), "S322");
	judge(state, SIGKILL, "", 1, 0, "S222");
	judge(state, SIGXFSZ, "", 0, 0, "SB37");
	judge(state, EXITED(128 + SIGXCPU), "", 2, SECONDS(2), "S322");
	judge(state, EXITED(128 + SIGXCPU), "", 0, SECONDS(2), "152");
	judge(state, EXITED(1), "libcob: x.cob:1: error: 'N' not numeric: 'A'\n", 0, 0, "S0C7");
	judge(state, EXITED(1), "out\nlibcob: x.cob:1: error: module 'X' not found\n", 0, 0,
	      "S806");
	judge(state, EXITED(11),
	      "libcob: error: attempt to reference unallocated memory (signal SIGSEGV)\n", 0, 0,
	      "S0C4");
	judge(state, EXITED(1), "libcob: x.cob:1: error: something new\n", 0, 0, "U4038");
	/* A warning, another program's text and exit status 0 are no abends. */
	judge(state, EXITED(1), "libcob: x.cob:1: warning: not numeric\n", 0, 0, "1");
	judge(state, EXITED(1), "say libcob: error: not numeric\n", 0, 0, "1");
	judge(state, EXITED(0), "libcob: error: not numeric\n", 0, 0, "0");
}

/* Text on standard error from before the step is ignored. */
static void test_old_error_lines(void **state)
{
	static const char old[] = "libcob: x.cob:1: error: 'N' not numeric: 'A'\n";
	struct step_outcome outcome = { .reason = STRBUF_INIT };
	char *path = in_folder(state, "stderr");
	struct outcome_facts facts = { .status = EXITED(1), .error_output = path };

	write_file(path, old);
	facts.error_start = strlen(old);
	outcome_judge(&outcome, &facts);
	assert_false(outcome.abended);
	assert_int_equal(outcome.return_code, 1);
	facts.error_start = 0;
	outcome_judge(&outcome, &facts);
	assert_true(outcome.abended);
	strbuf_release(&outcome.reason);
	free(path);
}

static void test_full_return_code(void **state)
{
	char *code = in_folder(state, "rc");
	struct outcome_facts facts = { .status = EXITED(232),
				       .error_output = "/dev/null",
				       .full_code = code };
	struct step_outcome outcome = { .reason = STRBUF_INIT };

	write_file(code, "1000\n");
	outcome_judge(&outcome, &facts);
	assert_int_equal(outcome.return_code, 1000);
	/* The lowest twelve bits of -4096 are 0, but the return code must not be 0. */
	facts.status = EXITED(0);
	write_file(code, "-4096\n");
	outcome_judge(&outcome, &facts);
	assert_int_equal(outcome.return_code, 4095);
	facts.status = EXITED(255);
	write_file(code, "-1\n");
	outcome_judge(&outcome, &facts);
	assert_int_equal(outcome.return_code, 4095);
	write_file(code, "1000\n");
	/* A file that does not match the exit status was written by another process. */
	facts.status = EXITED(1);
	outcome_judge(&outcome, &facts);
	assert_int_equal(outcome.return_code, 1);
	/* The program may write anything there; only an abend code makes an abend. */
	for (const char *const *text =
		     (const char *const[]){ " x", " ", "some words", "U why", "SUPERFLUOUS x",
					    NULL };
	     *text; text++) {
		write_file(code, *text);
		outcome_judge(&outcome, &facts);
		assert_false(outcome.abended);
		assert_int_equal(outcome.return_code, 1);
	}
	write_file(code, "U0012 the program's reason\n");
	outcome_judge(&outcome, &facts);
	assert_true(outcome.abended);
	assert_string_equal(outcome.abend, "U0012");
	assert_string_equal(outcome.reason.text, "the program's reason");
	strbuf_release(&outcome.reason);
	free(code);
}

static void test_spool(void **state)
{
	struct spool first, second;
	struct error err = ERROR_INIT;
	char *path;
	struct stat info;

	assert_int_equal(spool_open(&first, *state, "A", &err), 0);
	assert_int_equal(spool_open(&second, *state, "B", &err), 0);
	assert_int_equal(first.number + 1, second.number);
	path = spool_make_file(&first, "S.DD", &err);
	assert_non_null(path);
	assert_int_equal(stat(path, &info), 0);
	free(path);
	path = spool_make_file(&first, "S.DD", &err);
	assert_non_null(strstr(path, "/S.DD.2"));
	free(path);
	spool_close(&first);
	spool_close(&second);
	/* After the loss of the sequence file no number is assigned twice. */
	path = in_folder(state, ".sequence");
	assert_int_equal(unlink(path), 0);
	free(path);
	assert_int_equal(spool_open(&first, *state, "C", &err), 0);
	assert_int_equal(first.number, 3);
	spool_close(&first);
}

/* Root does not use a spool in which another user could put links. */
static void test_spool_of_others(void **state)
{
	struct spool spool;
	struct error err = ERROR_INIT;
	char *path = in_folder(state, "open");

	if (geteuid() != 0) {
		free(path);
		skip();
	}
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(chmod(path, 01777), 0);
	assert_int_equal(spool_open(&spool, path, "A", &err), -1);
	assert_non_null(strstr(error_text(&err), "is not used by root: everybody can write to it"));
	error_release(&err);
	assert_int_equal(rmdir(path), 0); /* nothing was created in it */
	free(path);
}

/* A whole job built by hand: one step without a program. */
static void test_job_without_program(void **state)
{
	struct plan_step step = { .name = (char[]){ "S1" },
				  .procstep = (char[]){ "" },
				  .procedure = (char[]){ "" },
				  .program = (char[]){ "NOSUCH" } };
	struct plan_job job = { .name = (char[]){ "J" }, .steps = &step, .step_count = 1 };
	char *spool = in_folder(state, "spool"), *root = in_folder(state, "root");
	const struct job_options options = { .spool = spool, .root = root };
	struct error err = ERROR_INIT;
	struct strbuf log = STRBUF_INIT;
	char *path = in_folder(state, "spool/JOB00001.J/JESMSGLG");

	assert_int_equal(job_run(&job, &options, &err), 100);
	assert_int_equal(strbuf_read_file(&log, path), 0);
	assert_non_null(strstr(log.text, "step S1 ended: ABEND S806"));
	assert_false(catalog_exists(root));
	strbuf_release(&log);
	free(path);
	free(spool);
	free(root);
}

/* Recorded processes of a system, one of which ended while they were listed. */
static void test_processes(void **state)
{
	const uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
	const struct process *payroll = NULL;
	struct processes processes;
	char root[PROCFS_ROOT_MAX];

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/procfs/linux-6.1", getenv("VIGIL_SOURCE"));
	procfs_set_root(root);
	processes_read(&processes);
	procfs_set_root(NULL);
	assert_int_equal(processes.count, 5);
	for (size_t i = 0; i < processes.count; i++) {
		assert_int_not_equal(processes.items[i].pid, 4799);
		if (processes.items[i].pid == 4711)
			payroll = &processes.items[i];
	}
	assert_non_null(payroll);
	assert_string_equal(payroll->name, "pay) S 1 (roll");
	assert_int_equal(payroll->cpu, (211 + 17 + 4801 + 907) * tick);
	assert_int_equal(processes_branch(&processes, 4721, 1), 4711);
	assert_int_equal(processes_branch(&processes, 4711, 1), 4711);
	assert_int_equal(processes_branch(&processes, 4721, 4711), 4721);
	assert_int_equal(processes_branch(&processes, 1, 4711), 0);
	assert_int_equal(processes_branch(&processes, 4799, 1), 0);
	processes_release(&processes);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_folder_make, test_folder_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conditions_name_steps),
		cmocka_unit_test(test_conditions_every_step),
		cmocka_unit_test(test_conditions_even_only),
		cmocka_unit_test(test_conditions_name_twice),
		cmocka_unit_test(test_conditions_after_abends),
		cmocka_unit_test_setup_teardown(test_parm_dd, test_folder_make, test_folder_drop),
		cmocka_unit_test(test_codes_of_steps_that_did_not_end),
		cmocka_unit_test(test_abnormal_ends),
		cmocka_unit_test(test_cpu_limits),
		cmocka_unit_test(test_processes),
		WITH_FOLDER(test_locks),
		WITH_FOLDER(test_outcomes),
		WITH_FOLDER(test_old_error_lines),
		WITH_FOLDER(test_full_return_code),
		WITH_FOLDER(test_spool),
		WITH_FOLDER(test_spool_of_others),
		WITH_FOLDER(test_job_without_program),
	};

	return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
