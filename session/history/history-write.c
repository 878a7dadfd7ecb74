/* SPDX-License-Identifier: Apache-2.0 */
/* Writes jobs and their steps to the history. */
#include "common/compat.h"
#include "session/history/step-history-data.h"

#include <math.h>

/* Writes the row of a job, new or again; a history that was replaced meanwhile does not have it. */
static int put_job(struct history *history, struct history_job *job, struct error *err)
{
	struct database *database = &history->database;

	if (job->id) {
		RETURN_IF(database_execute(database, err,
				      "UPDATE job SET ending = ?, ended = ? WHERE id = ? AND "
				      "started = ? AND name = ?",
				      "tiiit", job->ending, (int64_t)job->ended, job->id,
				      (int64_t)job->started, job->name) < 0,
			  -1);
		RETURN_IF(sqlite3_changes(database->handle) == 1, 0);
	}
	RETURN_IF(database_execute(database, err,
			      "INSERT INTO job(name, number, submit, host, spool, ending, started, "
			      "ended) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
			      "ttttttii", job->name, job->number, job->submit, job->host,
			      job->spool, job->ending, (int64_t)job->started,
			      (int64_t)job->ended) < 0,
		  -1);
	job->id = sqlite3_last_insert_rowid(database->handle);
	return 0;
}

/* Binds the amounts of a step to a statement from a column on; unknown ones stay NULL. */
static void bind_figures(sqlite3_stmt *query, int column, const struct history_step *step)
{
	for (int i = 0; i < HISTORY_FIGURES; i++)
		if (step->figures[i] != HISTORY_UNKNOWN)
			sqlite3_bind_int64(query, column + i, (int64_t)step->figures[i]);
}

static int put_row(struct history *history, const struct history_job *job,
		   struct history_step *step, struct error *err)
{
	static const char sql[] =
		"INSERT INTO step(job_id, job, label, step, procstep, program, abend, code, "
		"started, ended, measured, samples, margin, finding, data_set, page, differs, "
		"change, nights, difference, elapsed, cpu, wait, calls, bytes, peak) "
		"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?)";
	static const char arguments[] = "ittttttiiiiirtttirit";
	struct database *database = &history->database;
	sqlite3_stmt *query = database_query(
		database, err, sql, arguments, job->id, step->job, step->label, step->step,
		step->procstep, step->program, step->abend, (int64_t)step->code,
		(int64_t)step->started, (int64_t)step->ended, (int64_t)step->measured,
		(int64_t)step->samples, step->margin, step->finding, step->data_set, step->page,
		(int64_t)step->differs, step->change, (int64_t)step->nights, step->difference);

	RETURN_IF(!query, -1);
	bind_figures(query, (int)sizeof(arguments), step);
	RETURN_IF(database_row(database, query, err) < 0, -1);
	step->job_id = job->id;
	step->id = sqlite3_last_insert_rowid(database->handle);
	return 0;
}

static int put_step(struct history *history, const struct history_job *job,
		    struct history_step *step, struct error *err)
{
	struct database *database = &history->database;

	RETURN_IF(put_row(history, job, step, err) < 0, -1);
	for (size_t i = 0; i < step->wait_count; i++)
		RETURN_IF(database_execute(database, err, "INSERT INTO wait VALUES(?, ?, ?, ?, ?)",
				      "iitii", step->id, (int64_t)i, step->waits[i].kind,
				      (int64_t)step->waits[i].time,
				      (int64_t)step->waits[i].margin) < 0,
			  -1);
	for (size_t i = 0; i < step->procedure_count; i++) {
		const struct history_procedure *one = &step->procedures[i];

		RETURN_IF(database_execute(database, err,
				      "INSERT INTO procedure VALUES(?, ?, ?, ?, ?, ?, ?)",
				      "iittiii", step->id, (int64_t)i, one->name, one->section,
				      (int64_t)one->samples, (int64_t)one->cpu,
				      (int64_t)one->margin) < 0,
			  -1);
	}
	return 0;
}

/* Writes the data sets that a job waited for and those that it had. */
static int put_data_sets(struct history *history, const struct history_job *job, struct error *err)
{
	struct database *database = &history->database;

	for (size_t i = 0; i < job->delay_count; i++) {
		const struct history_delay *one = &job->delays[i];

		RETURN_IF(database_execute(database, err,
				      "INSERT OR REPLACE INTO delay VALUES(?, ?, ?, ?, ?)", "iitii",
				      job->id, (int64_t)i, one->dsn, (int64_t)one->began,
				      (int64_t)one->ended) < 0,
			  -1);
	}
	for (size_t i = 0; i < job->hold_count; i++) {
		const struct history_hold *one = &job->holds[i];

		RETURN_IF(database_execute(database, err,
				      "INSERT OR REPLACE INTO hold VALUES(?, ?, ?, ?, ?)", "iitii",
				      job->id, (int64_t)i, one->dsn, (int64_t)one->exclusive,
				      (int64_t)one->released) < 0,
			  -1);
	}
	return 0;
}

/* Writes everything, within one transaction. */
static int put_all(struct history *history, struct history_job *job, struct history_step *steps,
		   size_t count, struct error *err)
{
	RETURN_IF(put_job(history, job, err) < 0, -1);
	for (size_t i = 0; i < count; i++)
		RETURN_IF(put_step(history, job, &steps[i], err) < 0, -1);
	RETURN_IF(put_data_sets(history, job, err) < 0, -1);
	return job->ended ? history_bound(history, err) : 0;
}

int history_save(struct history *history, struct history_job *job, struct history_step *steps,
		 size_t count, bool *locked, struct error *err)
{
	const int64_t id = job->id;
	int result = -1;

	if (database_begin(&history->database, err) == 0)
		result = database_end(&history->database,
				      put_all(history, job, steps, count, err), err);
	if (result < 0)
		job->id = id;
	if (locked)
		*locked = result < 0 && history->database.locked;
	return result;
}
