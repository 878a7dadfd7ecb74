/* SPDX-License-Identifier: Apache-2.0 */
/* Removes steps that are too old or too many, and keeps their sums. */
#include "common/compat.h"
#include "session/history/step-history-data.h"
#include "common/clock.h"

#define DAY (24 * 3600 * (int64_t)NSEC_PER_SEC)

/* Returns free pages to the file system, up to this many at once. */
#define FREED "PRAGMA incremental_vacuum(2000)"

/* Adds the steps up to last to the sums of removed steps. */
static int sum_up(struct history *history, int64_t last, struct error *err)
{
	return database_execute(
		&history->database, err,
		"INSERT INTO gone SELECT job, label, count(*), sum(abend <> ''), min(started), "
		"max(started), total(elapsed), total(cpu), max(program) FROM step WHERE id <= ? "
		"GROUP BY job, label "
		"ON CONFLICT(job, label) DO UPDATE SET runs = runs + excluded.runs, "
		"abends = abends + excluded.abends, first = min(first, excluded.first), "
		"last = max(last, excluded.last), elapsed = elapsed + excluded.elapsed, "
		"cpu = cpu + excluded.cpu, program = excluded.program",
		"i", last);
}

/* Removes the steps up to last, and jobs without steps that began before a moment. */
static int remove_steps(struct history *history, int64_t last, int64_t before, struct error *err)
{
	static const char *const tables[] = {
		"DELETE FROM wait WHERE step <= ?",
		"DELETE FROM procedure WHERE step <= ?",
		"DELETE FROM step WHERE id <= ?",
	};
	static const char *const jobs[] = {
		"DELETE FROM delay WHERE job_id IN (SELECT id FROM job WHERE started < ?1 AND NOT "
		"EXISTS (SELECT 1 FROM step WHERE job_id = job.id))",
		"DELETE FROM hold WHERE job_id IN (SELECT id FROM job WHERE started < ?1 AND NOT "
		"EXISTS (SELECT 1 FROM step WHERE job_id = job.id))",
		"DELETE FROM job WHERE started < ?1 AND NOT "
		"EXISTS (SELECT 1 FROM step WHERE job_id = job.id)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		RETURN_IF(database_execute(&history->database, err, tables[i], "i", last) < 0, -1);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		RETURN_IF(database_execute(&history->database, err, jobs[i], "i", before) < 0, -1);
	return 0;
}

/* Finds the last step that exceeds the number kept, or is too old; 0: none. */
static int last_to_remove(struct history *history, int64_t *last, struct error *err)
{
	struct database *database = &history->database;
	int64_t days, young;

	RETURN_IF(database_number(database, last, err,
				  "SELECT max(id) - (SELECT steps FROM keep) FROM step", "") < 0,
		  -1);
	RETURN_IF(database_number(database, &days, err, "SELECT days FROM keep", "") < 0, -1);
	RETURN_IF(database_number(database, &young, err,
				  "SELECT coalesce((SELECT id FROM step WHERE ended >= ? ORDER BY id "
				  "LIMIT 1), (SELECT max(id) + 1 FROM step))",
				  "i", (int64_t)clock_wall_ns() - days * DAY) < 0,
		  -1);
	if (young - 1 > *last)
		*last = young - 1;
	return 0;
}

int history_bound(struct history *history, struct error *err)
{
	struct database *database = &history->database;
	int64_t last, ended;

	RETURN_IF(last_to_remove(history, &last, err) < 0, -1);
	RETURN_IF(database_number(database, &ended, err,
				  "SELECT max(ended) FROM step WHERE id <= ?", "i", last) < 0,
		  -1);
	RETURN_IF(ended == 0, 0); /* there are no such steps */
	RETURN_IF(sum_up(history, last, err) < 0, -1);
	return remove_steps(history, last, ended, err);
}

int history_keep(struct history *history, uint64_t *days, uint64_t *steps, struct error *err)
{
	struct database *database = &history->database;
	int64_t held_days = 0, held_steps = 0;
	int result = database_begin(database, err);

	RETURN_IF(result < 0, -1);
	if (*days)
		result = database_execute(database, err, "UPDATE keep SET days = ?", "i",
				     (int64_t)*days);
	if (result >= 0 && *steps)
		result = database_execute(database, err, "UPDATE keep SET steps = ?", "i",
				     (int64_t)*steps);
	if (result >= 0)
		result = history_bound(history, err);
	result = database_end(database, result, err);
	if (result >= 0)
		result = database_execute(database, err, FREED, "");
	if (result >= 0)
		result = database_number(database, &held_days, err, "SELECT days FROM keep", "");
	if (result >= 0)
		result = database_number(database, &held_steps, err, "SELECT steps FROM keep", "");
	*days = (uint64_t)held_days;
	*steps = (uint64_t)held_steps;
	return result < 0 ? -1 : 0;
}
