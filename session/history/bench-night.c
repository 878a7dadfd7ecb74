/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the time of a night's report: "bench-night [STEPS]". The history has 30
 * nights with this many steps in jobs of five; measured from opening it to the
 * last line.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "session/history/night-report.h"

#include <sqlite3.h>
#include <unistd.h>

#define RUNS 15
#define NIGHTS 30
/* 2026-11-10 22:00 UTC. */
#define EVENING UINT64_C(1794348000)

static int fail(const char *what)
{
	fprintf(stderr, "bench-night: %s\n", what);
	return 1;
}

/*
 * Fills the history: steps of a second each in jobs of five; every tenth job
 * waited for the previous one.
 */
static int fill(const char *folder, int steps)
{
	struct strbuf text = STRBUF_INIT;
	sqlite3 *database = NULL;
	int code;

	strbuf_addf(&text, "%s/history.db", folder);
	code = sqlite3_open(text.text, &database);
	strbuf_reset(&text);
	strbuf_addf(
		&text,
		"CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM n "
		"WHERE i + 1 < %d) SELECT i, (%" PRIu64 " + (i / %d) * 86400 + i %% %d) * 1000000000 AS at "
		"FROM n;"
		"INSERT INTO job(name, number, submit, host, spool, ending, started, ended) "
		"SELECT 'J' || (i / 5 %% 100), 'JOB' || i, i / 50, 'here', '/spool', 'ENDED', at, at + "
		"5000000000 FROM n WHERE i %% 5 = 0 ORDER BY i;"
		"INSERT INTO step(job_id, job, label, step, procstep, program, abend, code, started, ended, "
		"elapsed, cpu, wait, calls, bytes, peak, measured, samples, margin, finding, data_set, page, "
		"differs, change, nights, difference) SELECT i / 5 + 1, 'J' || (i / 5 %% 100), 'S' || i %% 5, "
		"'S' || i %% 5, '', 'PROGRAM', '', 0, at, at + 1000000000, 1000000000, 500000000, 500000000, "
		"100, 4096, 1048576, 1, 1000, 3.1, CASE i %% 7 WHEN 0 THEN '12.0 %% of the run time can be "
		"saved at most: reads a record at a time' ELSE '' END, '/spool/x.vprf', '/spool/x.html', "
		"i %% 50 = 0, 1.5, 30, CASE i %% 50 WHEN 0 THEN 'elapsed time 1.00 s, 0.50 s more' ELSE '' END "
		"FROM n ORDER BY i;"
		"INSERT INTO hold SELECT id, 0, 'DATA.SET' || id %% 50, 1, ended FROM job;"
		"INSERT INTO delay SELECT id, 0, 'DATA.SET' || (id - 1) %% 50, started - 1000000000, started "
		"FROM job WHERE id %% 10 = 0;",
		steps * NIGHTS, EVENING, steps, steps);
	if (code == SQLITE_OK)
		code = sqlite3_exec(database, text.text, NULL, NULL, NULL);
	sqlite3_close(database);
	strbuf_release(&text);
	return code == SQLITE_OK ? 0 : -1;
}

/* Reports the last night; returns its time in ns, 0 on failure. */
static uint64_t report(const char *folder, size_t steps, FILE *stream, struct error *err)
{
	const uint64_t start = clock_monotonic_ns();
	struct history *history = history_open(folder, false, HISTORY_PATIENCE, NULL, err);
	struct report_options options;
	struct night night = { 0 };
	uint64_t moment = 0, time = 0;

	report_options_init(&options);
	options.lines = 0;
	if (history && history_last(history, &moment, err) == 0 &&
	    night_init(&night, history, moment, err) == 0 && night.steps.count == steps &&
	    night_report(&night, &options, stream, err) == 0)
		time = clock_monotonic_ns() - start;
	night_release(&night);
	history_close(history);
	return time;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 1000;
	char folder[] = "/tmp/vigil-bench-night-XXXXXX";
	struct strbuf command = STRBUF_INIT;
	struct error err = ERROR_INIT;
	FILE *stream = fopen("/dev/null", "we");
	uint64_t times[RUNS];
	int status = 0;

	setenv("TZ", "UTC0", 1);
	if (!mkdtemp(folder) || !stream)
		return fail("no folder");
	history_close(history_open(folder, true, HISTORY_PATIENCE, NULL, &err));
	if (*error_text(&err) || fill(folder, steps) < 0)
		status = fail("the history cannot be made");
	for (int i = 0; i < RUNS && !status; i++)
		if ((times[i] = report(folder, (size_t)steps, stream, &err)) == 0)
			status = fail(*error_text(&err) ? error_text(&err) : "not all steps are there");
	if (!status) {
		qsort(times, RUNS, sizeof(*times), by_size);
		printf("%.4f s\n", (double)times[RUNS / 2] / (double)NSEC_PER_SEC);
	}
	fclose(stream);
	strbuf_addf(&command, "rm -rf %s", folder);
	if (system(command.text) != 0)
		status = 1;
	strbuf_release(&command);
	error_release(&err);
	return status;
}
