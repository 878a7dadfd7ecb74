/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the history: written data is read, concurrent use, refusals, removal
 * and its sums, nights, comparison with the last nights.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/history/last-nights.h"
#include "session/history/nights.h"
#include "session/history/step-trend.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY (24 * 3600 * NSEC_PER_SEC)
/* 2026-11-10 22:00 UTC. */
#define EVENING (UINT64_C(1794348000) * NSEC_PER_SEC)

/* Creates a new folder for each test. */
static int make_folder(void **state)
{
	char *folder = xstrdup("/tmp/vigil-test-history-XXXXXX");

	setenv("TZ", "UTC0", 1);
	*state = folder;
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	struct strbuf command = STRBUF_INIT;
	int result;

	strbuf_addf(&command, "rm -rf %s", (char *)*state);
	result = system(command.text);
	strbuf_release(&command);
	free(*state);
	return result;
}

static struct history *history_of(void **state)
{
	struct error err = ERROR_INIT;
	struct history *history = history_open(*state, true, 60000, NULL, &err);

	if (!history)
		fprintf(stderr, "%s\n", error_text(&err));
	assert_non_null(history);
	return history;
}

/* Returns a job that began at a moment. */
static struct history_job job_at(uint64_t started)
{
	return (struct history_job){ .name = xstrdup("PAY"),	  .number = xstrdup("JOB00001"),
				     .submit = xstrdup("here 1"), .host = xstrdup("here"),
				     .spool = xstrdup("/spool"),  .ending = xstrdup("ENDED"),
				     .started = started,	  .ended = started + NSEC_PER_SEC };
}

/* Returns a measured step with elapsed and CPU time in ns, one procedure and one kind of wait. */
static struct history_step step_at(uint64_t started, uint64_t elapsed, uint64_t cpu)
{
	struct history_step step = {
		.job = xstrdup("PAY"), .label = xstrdup("CALC"), .step = xstrdup("CALC"),
		.procstep = xstrdup(""), .program = xstrdup("PAYCALC"), .abend = xstrdup(""),
		.started = started, .ended = started + elapsed,
		.figures = { elapsed, cpu, elapsed - cpu, 100, 4096, 1 << 20 },
		.measured = true, .samples = 1000, .margin = 3.1,
		.finding = xstrdup("none"), .data_set = xstrdup("/x.vprf"), .page = xstrdup(""),
		.change = NAN, .difference = xstrdup(""),
	};

	GROW(step.waits, 1, step.wait_alloc);
	step.waits[step.wait_count++] =
		(struct history_wait){ xstrdup("FILE READ"), elapsed - cpu, 1000 };
	GROW(step.procedures, 1, step.procedure_alloc);
	step.procedures[step.procedure_count++] = (struct history_procedure){
		xstrdup("COMPUTE-TAX"), xstrdup("calc.cob"), 1000, cpu, cpu / 100
	};
	return step;
}

/* Saves a job with one step; elapsed 0: an abend. */
static void save(struct history *history, uint64_t started, uint64_t elapsed, uint64_t cpu)
{
	struct history_job job = job_at(started);
	struct history_step step = step_at(started, elapsed ? elapsed : NSEC_PER_MSEC, cpu);
	struct error err = ERROR_INIT;

	if (!elapsed) {
		free(step.abend);
		step.abend = xstrdup("S0C7");
	}
	assert_int_equal(history_save(history, &job, &step, 1, NULL, &err), 0);
	assert_true(job.id > 0 && step.id > 0 && step.job_id == job.id);
	history_job_release(&job);
	history_step_release(&step);
}

static void test_written_is_read(void **state)
{
	struct history *history = history_of(state);
	struct history_job job = job_at(EVENING);
	struct history_step steps[2] = { step_at(EVENING, 3 * NSEC_PER_SEC, NSEC_PER_SEC),
					 step_at(EVENING + NSEC_PER_SEC, NSEC_PER_SEC, 0) };
	struct history_jobs jobs = { 0 };
	struct history_steps read = { 0 };
	struct error err = ERROR_INIT;

	GROW(job.delays, 1, job.delay_alloc);
	job.delays[job.delay_count++] =
		(struct history_delay){ xstrdup("PAY.MASTER"), EVENING, EVENING + 5 };
	GROW(job.holds, 1, job.hold_alloc);
	job.holds[job.hold_count++] = (struct history_hold){ xstrdup("A'B;--"), true, EVENING + 9 };
	free(steps[1].label);
	steps[1].label = xstrdup("REORG.L\xff\x01");
	steps[1].figures[HISTORY_PEAK] = HISTORY_UNKNOWN;
	steps[1].margin = NAN;
	assert_int_equal(history_save(history, &job, steps, 2, NULL, &err), 0);
	/* Again at its end: no second row. */
	assert_int_equal(history_save(history, &job, NULL, 0, NULL, &err), 0);
	assert_int_equal(history_between(history, EVENING, EVENING + DAY, &jobs, &read, &err), 0);
	assert_int_equal(jobs.count, 1);
	assert_int_equal(jobs.items[0].delay_count, 1);
	assert_string_equal(jobs.items[0].delays[0].dsn, "PAY.MASTER");
	assert_true(jobs.items[0].delays[0].ended == EVENING + 5);
	assert_string_equal(jobs.items[0].holds[0].dsn, "A'B;--");
	assert_true(jobs.items[0].holds[0].exclusive);
	assert_int_equal(read.count, 2);
	assert_string_equal(read.items[1].label, "REORG.L\xff\x01");
	assert_true(read.items[1].figures[HISTORY_PEAK] == HISTORY_UNKNOWN);
	assert_true(isnan(read.items[1].margin));
	for (int i = 0; i < HISTORY_FIGURES; i++)
		assert_true(read.items[0].figures[i] == steps[0].figures[i]);
	assert_int_equal(history_details(history, &read.items[0], &err), 0);
	assert_int_equal(read.items[0].wait_count, 1);
	assert_string_equal(read.items[0].procedures[0].name, "COMPUTE-TAX");
	assert_int_equal(read.items[0].procedures[0].samples, 1000);
	history_jobs_release(&jobs);
	history_steps_release(&read);
	history_job_release(&job);
	for (int i = 0; i < 2; i++)
		history_step_release(&steps[i]);
	history_close(history);
}

/* Returns the totals of the only step. */
static struct history_total totals_of(struct history *history)
{
	struct history_totals totals = { 0 };
	struct history_total one;
	struct error err = ERROR_INIT;

	assert_int_equal(history_totals(history, NULL, NULL, &totals, &err), 0);
	assert_int_equal(totals.count, 1);
	one = totals.items[0];
	history_totals_release(&totals);
	return one;
}

static void test_bounds_keep_totals(void **state)
{
	struct history *history = history_of(state);
	const uint64_t now = clock_wall_ns();
	uint64_t days = 0, steps = 4;
	struct error err = ERROR_INIT;
	struct history_total total;
	struct history_jobs jobs = { 0 };
	struct history_steps left = { 0 };

	assert_int_equal(history_keep(history, &days, &steps, &err), 0);
	assert_int_equal(days, HISTORY_DAYS);
	for (uint64_t i = 10; i > 0; i--)
		save(history, now - i * DAY + DAY / 2, i == 10 ? 0 : i * NSEC_PER_SEC, 0);
	total = totals_of(history);
	assert_int_equal(total.runs, 10);
	assert_int_equal(total.kept, 4);
	assert_int_equal(total.abends, 1);
	assert_true(total.first == now - 10 * DAY + DAY / 2 && total.last == now - DAY + DAY / 2);
	assert_true(total.elapsed == 45 * NSEC_PER_SEC + NSEC_PER_MSEC);
	/* By age: steps that ended at most two and a half days ago stay. */
	days = 3;
	steps = 0;
	assert_int_equal(history_keep(history, &days, &steps, &err), 0);
	assert_int_equal(steps, 4);
	total = totals_of(history);
	assert_int_equal(total.kept, 3);
	assert_int_equal(total.runs, 10);
	assert_true(total.elapsed == 45 * NSEC_PER_SEC + NSEC_PER_MSEC);
	assert_int_equal(history_between(history, 0, now, &jobs, &left, &err), 0);
	assert_int_equal(left.count, total.kept);
	assert_true(jobs.count <= total.kept + 1);
	history_jobs_release(&jobs);
	history_steps_release(&left);
	history_close(history);
}

/* Four concurrent processes, two of which are killed midway: no step is stored partially. */
static void test_many_at_once(void **state)
{
	pid_t children[4];
	struct history *history;
	struct history_total total;
	struct history_steps steps = { 0 };
	struct error err = ERROR_INIT;

	history_close(history_of(state));
	for (int i = 0; i < 4; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			for (int j = 0; j < 25 || i >= 2; j++) {
				struct history *own = history_of(state);

				save(own, EVENING + (uint64_t)j, NSEC_PER_SEC, 0);
				history_close(own);
			}
			_exit(0);
		}
	}
	for (int i = 0; i < 2; i++) {
		int status;

		waitpid(children[i], &status, 0);
		assert_int_equal(status, 0);
	}
	for (int i = 2; i < 4; i++) {
		kill(children[i], SIGKILL);
		waitpid(children[i], NULL, 0);
	}
	history = history_of(state);
	total = totals_of(history);
	assert_true(total.runs >= 50);
	assert_int_equal(history_runs(history, "PAY", "CALC", UINT64_MAX, 100000, &steps, &err), 0);
	assert_int_equal(steps.count, total.runs);
	for (size_t i = 0; i < steps.count; i++) {
		assert_int_equal(history_details(history, &steps.items[i], &err), 0);
		assert_int_equal(steps.items[i].wait_count, 1);
		assert_int_equal(steps.items[i].procedure_count, 1);
	}
	history_steps_release(&steps);
	history_close(history);
}

/* Checks the message of a failed open, and whether it reports a lock. */
static void assert_refused(const char *folder, const char *why, bool locked_expected)
{
	struct error err = ERROR_INIT;
	bool locked = !locked_expected;

	assert_null(history_open(folder, true, 20, &locked, &err));
	if (!strstr(error_text(&err), why))
		fprintf(stderr, "not '%s': %s\n", why, error_text(&err));
	assert_non_null(strstr(error_text(&err), why));
	assert_int_equal(locked, locked_expected);
	error_release(&err);
}

static void change(void **state, const char *sql)
{
	struct strbuf path = STRBUF_INIT;
	sqlite3 *database;

	strbuf_addf(&path, "%s/history.db", (char *)*state);
	assert_int_equal(sqlite3_open(path.text, &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
	strbuf_release(&path);
}

static void test_refused(void **state)
{
	struct strbuf path = STRBUF_INIT;
	int fd;

	history_close(history_of(state));
	change(state, "PRAGMA user_version = 2");
	assert_refused(*state, "format 2", false);
	change(state, "PRAGMA application_id = 7");
	assert_refused(*state, "another program", false);
	strbuf_addf(&path, "%s/history.db", (char *)*state);
	fd = open(path.text, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "this is no database at all, is it", 33), 33);
	close(fd);
	assert_refused(*state, "damaged", false);
	unlink(path.text);
	assert_int_equal(chmod(*state, 0777), 0);
	assert_refused(*state, "is not used", false);
	assert_int_equal(chmod(*state, 0700), 0);
	assert_int_equal(symlink("/etc/passwd", path.text), 0);
	assert_refused(*state, "is not a file", false);
	strbuf_release(&path);
}

/* A process that finds it locked gets a message, and does not wait long. */
static void test_locked(void **state)
{
	struct history *history = history_of(state), *other;
	struct history_job job = job_at(EVENING);
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	sqlite3 *database;
	bool locked = false;

	strbuf_addf(&path, "%s/history.db", (char *)*state);
	assert_int_equal(sqlite3_open(path.text, &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	assert_refused(*state, "locked", true);
	sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
	other = history_open(*state, true, 20, NULL, &err);
	assert_non_null(other);
	sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	assert_int_equal(history_save(other, &job, NULL, 0, &locked, &err), -1);
	assert_true(locked);
	assert_true(job.id == 0);
	sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
	assert_int_equal(history_save(other, &job, NULL, 0, &locked, &err), 0);
	assert_false(locked);
	sqlite3_close(database);
	history_close(other);
	history_close(history);
	history_job_release(&job);
	error_release(&err);
	strbuf_release(&path);
}

static void test_nights(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;
	uint64_t moment = 0;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	/* 2026-10-25 03:30 CET, after the clock was set back: the night has 25 hours. */
	assert_true(night_parse("2026-10-24", &moment));
	assert_true(night_end(moment) - night_begin(moment) == 25 * 3600 * NSEC_PER_SEC);
	night_format(&sb, night_begin(moment) + 24 * 3600 * NSEC_PER_SEC);
	assert_string_equal(sb.text, "2026-10-24");
	strbuf_reset(&sb);
	night_format(&sb, night_end(moment));
	assert_string_equal(sb.text, "2026-10-25");
	assert_true(night_parse("2027-03-27", &moment));
	assert_true(night_end(moment) - night_begin(moment) == 23 * 3600 * NSEC_PER_SEC);
	assert_false(night_parse("2026-02-29", &moment));
	assert_false(night_parse("yesterday", &moment));
	assert_false(night_parse("2026-11-01x", &moment));
	strbuf_release(&sb);
	setenv("TZ", "UTC0", 1);
}

/* Compares a step with the history. */
static struct history_step compared(struct history *history, uint64_t elapsed, uint64_t cpu)
{
	struct history_step step = step_at(EVENING + 20 * DAY, elapsed, cpu);
	struct error err = ERROR_INIT;

	assert_int_equal(last_nights_compare(history, &step, &err), 0);
	return step;
}

static void test_tonight(void **state)
{
	struct history *history = history_of(state);
	struct history_step step;

	for (uint64_t night = 0; night < 4; night++)
		save(history, EVENING + night * DAY, (10 + night % 2) * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	/*
	 * Abends count neither as nights nor as values, and a second run of a night is no
	 * separate night.
	 */
	save(history, EVENING + 5 * DAY, 0, 0);
	save(history, EVENING + 3 * DAY + 1, 10 * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	step = compared(history, 900 * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	assert_int_equal(step.nights, 0);
	assert_int_equal(step.differs, 0);
	history_step_release(&step);
	for (uint64_t night = 6; night < 14; night++)
		save(history, EVENING + night * DAY, (10 + night % 2) * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	step = compared(history, 900 * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	assert_int_equal(step.nights, 12);
	assert_int_equal(step.differs, 1);
	assert_non_null(strstr(step.difference, "elapsed time 900.00 s"));
	assert_non_null(strstr(step.difference, "waits for FILE READ +"));
	assert_null(strstr(step.difference, "CPU time"));
	history_step_release(&step);
	/* Within the scatter, which is a second; CPU time has no scatter: one percent decides. */
	step = compared(history, 11500 * NSEC_PER_MSEC, 5 * NSEC_PER_SEC + 40 * NSEC_PER_MSEC);
	assert_int_equal(step.differs, 0);
	assert_true(fabs(step.change) > 1);
	history_step_release(&step);
	step = compared(history, 10 * NSEC_PER_SEC, 3 * NSEC_PER_SEC);
	assert_int_equal(step.differs, -1);
	assert_non_null(strstr(step.difference, "2.00 s less"));
	assert_non_null(strstr(step.difference, "procedure COMPUTE-TAX of calc.cob -2.00 s"));
	history_step_release(&step);
	history_close(history);
}

static void test_trend(void **state)
{
	struct history *history = history_of(state);
	struct strbuf line = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct step_trend trend;

	for (uint64_t night = 0; night < 10; night++)
		save(history, EVENING + night * DAY, (10 + night) * NSEC_PER_SEC, NSEC_PER_SEC);
	save(history, EVENING + 9 * DAY + 1, 100 * NSEC_PER_SEC, NSEC_PER_SEC);
	save(history, EVENING + 9 * DAY + 2, 0, 0);
	assert_int_equal(step_trend_init(&trend, history, "PAY", "CALC", "compute-tax", 4, &err), 0);
	assert_int_equal(trend.count, 4);
	assert_true(trend.points[0].amounts[HISTORY_ELAPSED] == 16.0 * (double)NSEC_PER_SEC);
	/* Three runs, one of them abended: median of the other two. */
	assert_int_equal(trend.points[3].run_count, 3);
	assert_int_equal(trend.points[3].abends, 1);
	assert_true(trend.points[3].amounts[HISTORY_ELAPSED] == 59.5 * (double)NSEC_PER_SEC);
	assert_true(trend.points[3].amounts[TREND_PROCEDURE_CPU] == (double)NSEC_PER_SEC);
	assert_string_equal(trend.points[3].last->abend, "S0C7");
	step_trend_draw(&trend, HISTORY_ELAPSED, 3, 21, &line);
	assert_string_equal(line.text, "      --------------x");
	strbuf_reset(&line);
	step_trend_draw(&trend, HISTORY_ELAPSED, 0, 21, &line);
	assert_string_equal(line.text, "     *:              ");
	strbuf_release(&line);
	step_trend_release(&trend);
	history_close(history);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)
	const struct CMUnitTest tests[] = {
		TEST(test_written_is_read), TEST(test_bounds_keep_totals),
		TEST(test_many_at_once),    TEST(test_refused),
		TEST(test_locked),	    cmocka_unit_test(test_nights),
		TEST(test_tonight),	    TEST(test_trend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
