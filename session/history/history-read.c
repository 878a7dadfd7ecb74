/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the history. */
#include "common/compat.h"
#include "session/history/step-history-data.h"
#include "common/xalloc.h"

#include <math.h>

#define STEP_COLUMNS \
	"id, job_id, job, label, step, procstep, program, abend, code, started, ended, measured, " \
	"samples, margin, finding, data_set, page, differs, change, nights, difference, elapsed, " \
	"cpu, wait, calls, bytes, peak"

static uint64_t number_at(sqlite3_stmt *row, int column)
{
	return (uint64_t)sqlite3_column_int64(row, column);
}

/* Returns a number that may be unknown. */
static uint64_t optional_number_at(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL ? HISTORY_UNKNOWN
							       : number_at(row, column);
}

static double real_at(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
							       : sqlite3_column_double(row, column);
}

/* Reads a step from a row of STEP_COLUMNS. */
static void take_step(sqlite3_stmt *row, struct history_step *step)
{
	*step = (struct history_step){
		.id = sqlite3_column_int64(row, 0),
		.job_id = sqlite3_column_int64(row, 1),
		.job = database_text(row, 2),
		.label = database_text(row, 3),
		.step = database_text(row, 4),
		.procstep = database_text(row, 5),
		.program = database_text(row, 6),
		.abend = database_text(row, 7),
		.code = (unsigned)number_at(row, 8),
		.started = number_at(row, 9),
		.ended = number_at(row, 10),
		.measured = number_at(row, 11) != 0,
		.samples = number_at(row, 12),
		.margin = real_at(row, 13),
		.finding = database_text(row, 14),
		.data_set = database_text(row, 15),
		.page = database_text(row, 16),
		.differs = sqlite3_column_int(row, 17),
		.change = real_at(row, 18),
		.nights = (unsigned)number_at(row, 19),
		.difference = database_text(row, 20),
	};
	for (int i = 0; i < HISTORY_FIGURES; i++)
		step->figures[i] = optional_number_at(row, 21 + i);
}

/* Reads all steps that a query returns. */
static int take_steps(struct history *history, sqlite3_stmt *query, struct history_steps *steps,
		      struct error *err)
{
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(steps->items, steps->count + 1, steps->alloc);
		take_step(query, &steps->items[steps->count++]);
	}
	return result;
}

int history_runs(struct history *history, const char *job, const char *label, uint64_t before,
		 size_t most, struct history_steps *steps, struct error *err)
{
	return take_steps(history,
			  database_query(&history->database, err,
					 "SELECT " STEP_COLUMNS
					 " FROM step WHERE job = ? AND label = ? AND started < ? "
					 "ORDER BY started DESC LIMIT ?",
					 "ttii", job, label,
					 (int64_t)(before > INT64_MAX ? INT64_MAX : before),
					 (int64_t)most),
			  steps, err);
}

static int take_waits(struct history *history, struct history_step *step, struct error *err)
{
	sqlite3_stmt *query =
		database_query(&history->database, err,
			       "SELECT kind, time, margin FROM wait WHERE step = ? ORDER BY place",
			       "i", step->id);
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(step->waits, step->wait_count + 1, step->wait_alloc);
		step->waits[step->wait_count++] = (struct history_wait){
			database_text(query, 0), number_at(query, 1), number_at(query, 2)
		};
	}
	return result;
}

int history_details(struct history *history, struct history_step *step, struct error *err)
{
	sqlite3_stmt *query;
	int result;

	RETURN_IF(take_waits(history, step, err) < 0, -1);
	query = database_query(&history->database, err,
			       "SELECT name, section, samples, cpu, margin FROM procedure "
			       "WHERE step = ? ORDER BY place",
			       "i", step->id);
	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(step->procedures, step->procedure_count + 1, step->procedure_alloc);
		step->procedures[step->procedure_count++] = (struct history_procedure){
			database_text(query, 0), database_text(query, 1), number_at(query, 2),
			number_at(query, 3), number_at(query, 4)
		};
	}
	return result;
}

int history_totals(struct history *history, const char *job, const char *label,
		   struct history_totals *totals, struct error *err)
{
	sqlite3_stmt *query = database_query(
		&history->database, err,
		"SELECT job, label, sum(runs), sum(kept), sum(abends), min(first), max(last), "
		"total(elapsed), total(cpu), coalesce((SELECT program FROM step AS newest WHERE "
		"newest.job = runs.job AND newest.label = runs.label ORDER BY started DESC LIMIT 1), "
		"max(program)) FROM ("
		"SELECT job, label, count(*) AS runs, count(*) AS kept, sum(abend <> '') AS abends, "
		"min(started) AS first, max(started) AS last, total(elapsed) AS elapsed, "
		"total(cpu) AS cpu, '' AS program FROM step GROUP BY job, label UNION ALL "
		"SELECT job, label, runs, 0, abends, first, last, elapsed, cpu, program "
		"FROM gone) AS runs WHERE (?1 IS NULL OR job = ?1) AND (?2 IS NULL OR label = ?2) "
		"GROUP BY job, label ORDER BY job, label",
		"tt", job, label);
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(totals->items, totals->count + 1, totals->alloc);
		totals->items[totals->count++] = (struct history_total){
			.job = database_text(query, 0),
			.label = database_text(query, 1),
			.runs = number_at(query, 2),
			.kept = number_at(query, 3),
			.abends = number_at(query, 4),
			.first = number_at(query, 5),
			.last = number_at(query, 6),
			.elapsed = number_at(query, 7),
			.cpu = number_at(query, 8),
			.program = database_text(query, 9),
		};
	}
	return result;
}

static int take_delays(struct history *history, struct history_job *job, struct error *err)
{
	sqlite3_stmt *query = database_query(
		&history->database, err,
		"SELECT dsn, began, ended FROM delay WHERE job_id = ? ORDER BY place", "i", job->id);
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(job->delays, job->delay_count + 1, job->delay_alloc);
		job->delays[job->delay_count++] = (struct history_delay){
			database_text(query, 0), number_at(query, 1), number_at(query, 2)
		};
	}
	return result;
}

static int take_holds(struct history *history, struct history_job *job, struct error *err)
{
	sqlite3_stmt *query = database_query(
		&history->database, err,
		"SELECT dsn, exclusive, released FROM hold WHERE job_id = ? ORDER BY place", "i",
		job->id);
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(job->holds, job->hold_count + 1, job->hold_alloc);
		job->holds[job->hold_count++] = (struct history_hold){
			database_text(query, 0), number_at(query, 1) != 0, number_at(query, 2)
		};
	}
	return result;
}

/* Reads the jobs that began between two moments. */
static int take_jobs(struct history *history, uint64_t from, uint64_t to, struct history_jobs *jobs,
		     struct error *err)
{
	sqlite3_stmt *query =
		database_query(&history->database, err,
			       "SELECT id, name, number, submit, host, spool, ending, started, "
			       "ended FROM job WHERE started >= ? AND started < ? ORDER BY started, id",
			       "ii", (int64_t)from, (int64_t)to);
	int result;

	while ((result = database_row(&history->database, query, err)) > 0) {
		GROW(jobs->items, jobs->count + 1, jobs->alloc);
		jobs->items[jobs->count++] = (struct history_job){
			.id = sqlite3_column_int64(query, 0),
			.name = database_text(query, 1),
			.number = database_text(query, 2),
			.submit = database_text(query, 3),
			.host = database_text(query, 4),
			.spool = database_text(query, 5),
			.ending = database_text(query, 6),
			.started = number_at(query, 7),
			.ended = number_at(query, 8),
		};
	}
	return result;
}

int history_between(struct history *history, uint64_t from, uint64_t to, struct history_jobs *jobs,
		    struct history_steps *steps, struct error *err)
{
	RETURN_IF(take_jobs(history, from, to, jobs, err) < 0, -1);
	for (size_t i = 0; i < jobs->count; i++) {
		RETURN_IF(take_delays(history, &jobs->items[i], err) < 0, -1);
		RETURN_IF(take_holds(history, &jobs->items[i], err) < 0, -1);
	}
	return take_steps(history,
			  database_query(&history->database, err,
					 "SELECT " STEP_COLUMNS
					 " FROM step WHERE job_id IN (SELECT id FROM job WHERE "
					 "started >= ? AND started < ?) ORDER BY started, id",
					 "ii", (int64_t)from, (int64_t)to),
			  steps, err);
}

int history_last(struct history *history, uint64_t *moment, struct error *err)
{
	int64_t last;

	RETURN_IF(database_number(&history->database, &last, err, "SELECT max(started) FROM job",
				  "") < 0,
		  -1);
	*moment = (uint64_t)last;
	return 0;
}
