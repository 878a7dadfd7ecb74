/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the time of a step's look-up in the request store, from opening the
 * store to knowing that no request waits: "bench-store [REQUESTS]". The requests
 * are the worst case: a third for other steps of the same job, a third for other
 * programs of any job, the rest for other jobs.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/strbuf.h"
#include "session/store/request-store.h"

#include <sqlite3.h>
#include <unistd.h>

#define RUNS 200

static int fail(const char *what)
{
	fprintf(stderr, "bench-store: %s\n", what);
	return 1;
}

/* Creates one request as a user would, whose row is then multiplied. */
static int make_first(const char *folder, struct error *err)
{
	static const char text[] = "ADD PAY,STEP=S";
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("bench", text, strlen(text));
	struct control_deck *deck = control_parse(source, false, &diags);
	struct request_store *store = request_store_open(folder, true, STORE_PATIENCE, err);
	uint64_t number;
	int result = -1;

	control_check(deck, &diags);
	if (store)
		result = request_store_add(store, deck->statements, &number, err);
	request_store_close(store);
	control_free(deck);
	source_free(source);
	diag_list_release(&diags);
	return result;
}

/* Copies the request for many steps, programs and jobs. */
static int multiply(const char *folder, int count)
{
	struct strbuf text = STRBUF_INIT;
	sqlite3 *database = NULL;
	int code;

	strbuf_addf(&text, "%s/requests.db", folder);
	code = sqlite3_open(text.text, &database);
	strbuf_reset(&text);
	strbuf_addf(
		&text,
		"WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
		"INSERT INTO request(statement, state, job, step, program, job_key, step_key, "
		"program_key, uid, user, added, zone, given, within, wanted) "
		"SELECT statement, state, "
		"CASE i %% 3 WHEN 0 THEN 'PAY' WHEN 1 THEN '*' ELSE 'J' || i END, "
		"CASE i %% 3 WHEN 0 THEN 'T' || i WHEN 1 THEN '*' ELSE 'S' END, "
		"CASE i %% 3 WHEN 1 THEN 'P' || i END, "
		"CASE i %% 3 WHEN 0 THEN 'PAY' WHEN 1 THEN '' ELSE 'J' || i END, "
		"CASE i %% 3 WHEN 0 THEN 'T' || i WHEN 1 THEN '' ELSE 'S' END, "
		"CASE i %% 3 WHEN 1 THEN 'P' || i ELSE '' END, "
		"uid, user, added, zone, given, within, wanted FROM n, request WHERE number = 1;"
		"DELETE FROM request WHERE number = 1",
		count + 1);
	if (code == SQLITE_OK)
		code = sqlite3_exec(database, text.text, NULL, NULL, NULL);
	sqlite3_close(database);
	strbuf_release(&text);
	return code == SQLITE_OK ? 0 : -1;
}

/* Returns the ns that one look-up takes, 0 if it failed. */
static uint64_t look_up(const char *folder, struct error *err)
{
	const struct request_step step = { "PAY", "CALC", "", "PAYROLL", "JOB00001", 0 };
	const uint64_t begin = clock_monotonic_ns();
	struct request_store *store = request_store_open(folder, false, STORE_PATIENCE, err);
	struct request_claim claim;
	const int found = store ? request_claim_take(store, &step, 0, &claim, err) : -1;

	request_store_close(store);
	return found == 0 ? clock_monotonic_ns() - begin : 0;
}

static int compare(const void *one, const void *other)
{
	const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return a < b ? -1 : a > b;
}

int main(int argc, char **argv)
{
	const int count = argc > 1 ? atoi(argv[1]) : 10000;
	char folder[] = "/tmp/vigil-bench-store-XXXXXX";
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	uint64_t times[RUNS];

	if (!mkdtemp(folder) || make_first(folder, &err) < 0 || multiply(folder, count) < 0)
		return fail("the store cannot be made");
	for (int i = 0; i < RUNS; i++) {
		times[i] = look_up(folder, &err);
		if (!times[i])
			return fail(error_text(&err));
	}
	qsort(times, RUNS, sizeof(times[0]), compare);
	printf("%.2f ms (9 of 10 below %.2f ms)\n", (double)times[RUNS / 2] / 1e6,
	       (double)times[RUNS * 9 / 10] / 1e6);
	strbuf_addf(&path, "%s/requests.db", folder);
	unlink(path.text);
	rmdir(folder);
	strbuf_release(&path);
	return 0;
}
