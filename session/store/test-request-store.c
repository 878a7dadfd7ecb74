/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the request store: numbers, who finds what, concurrent use, dead
 * owners, effects of time.
 */
#include "common/compat.h"
#include "session/store/request-store.h"
#include "common/test-folder.h"
#include "session/store/test-statement.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Opens the store in the test's folder. */
static struct request_store *store_of(void **state)
{
	struct error err = ERROR_INIT;
	struct request_store *store = request_store_open(*state, true, 60000, &err);

	if (!store)
		fprintf(stderr, "%s\n", error_text(&err));
	assert_non_null(store);
	return store;
}

/* Carries out one statement; returns the result of the store's function. */
static int64_t carry_out(struct request_store *store, const char *text, struct error *err)
{
	struct test_statement parsed;
	const struct control_statement *one;
	uint64_t number = 0;
	int64_t result;

	test_statement_parse(&parsed, text);
	one = parsed.first;
	if (one->verb == CONTROL_ADD) {
		result = request_store_add(store, one, &number, err);
		result = result < 0 ? result : (int64_t)number;
	} else if (one->verb == CONTROL_CHANGE) {
		result = request_store_change(store, one->request.number, one, err);
	} else {
		number = one->request.number;
		result = request_store_do(store, one, &number, 1, err);
	}
	test_statement_release(&parsed);
	return result;
}

static uint64_t add(struct request_store *store, const char *operands)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int64_t number;

	strbuf_addf(&text, "ADD %s", operands);
	number = carry_out(store, text.text, &err);
	if (number < 0)
		fprintf(stderr, "%s\n", error_text(&err));
	assert_true(number > 0);
	strbuf_release(&text);
	return (uint64_t)number;
}

/* Claims a request for a step of a job with this number; returns the request's number, 0: none. */
static uint64_t claim_in(struct request_store *store, const char *number, const char *job,
			 const char *step, const char *program)
{
	const struct request_step wanted = { job, step, "", program, number, 0 };
	struct request_claim claim;
	struct error err = ERROR_INIT;
	int found = request_claim_take(store, &wanted, 0, &claim, &err);
	uint64_t result = claim.number;

	if (found < 0)
		fprintf(stderr, "%s\n", error_text(&err));
	assert_true(found >= 0);
	request_claim_release(&claim);
	return result;
}

static uint64_t claim(struct request_store *store, const char *job, const char *step,
		      const char *program)
{
	return claim_in(store, "JOB00001", job, step, program);
}

/* Ends the step of a claim, with a data set or without. */
static void end(struct request_store *store, uint64_t number, bool wide, const char *data_set)
{
	const struct request_step step = { "PAY", "CALC", "", "P", "JOB00001", 0 };
	const struct request_claim claimed = { .number = number, .until_job_ends = wide };
	struct error err = ERROR_INIT;

	assert_int_equal(request_claim_end(store, &claimed, &step, data_set,
					   data_set ? "was measured" : "was not measured", &err),
			 0);
}

/* Checks the state of a request, and the beginning of its last reason. */
static void assert_state(struct request_store *store, uint64_t number, const char *wanted)
{
	struct stored_requests list;
	struct error err = ERROR_INIT;

	assert_int_equal(request_store_list(store, NULL, number, true, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].state, wanted);
	assert_string_equal(list.items[0].events[list.items[0].event_count - 1].state, wanted);
	stored_requests_release(&list);
}

/* Changes the database without the store's functions. */
static void tamper(void **state, const char *sql)
{
	struct strbuf path = STRBUF_INIT;
	sqlite3 *database;

	strbuf_addf(&path, "%s/requests.db", (char *)*state);
	assert_int_equal(sqlite3_open(path.text, &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
	strbuf_release(&path);
}

static void numbers_are_never_given_twice(void **state)
{
	struct request_store *store = store_of(state);
	struct error err = ERROR_INIT;

	assert_int_equal(add(store, "PAY"), 1);
	assert_int_equal(add(store, "PAY"), 2);
	assert_int_equal(carry_out(store, "DELETE 2", &err), 1);
	request_store_close(store);
	store = store_of(state);
	assert_int_equal(add(store, "PAY"), 3);
	assert_int_equal(carry_out(store, "DELETE 2", &err), -1);
	request_store_close(store);
	error_release(&err);
}

static void a_step_finds_what_means_it(void **state)
{
	static const struct {
		const char *operands, *job, *step, *program;
		bool found;
	} table[] = {
		{ "PAY,STEP=CALC", "PAY", "CALC", "P", true },
		{ "PAY,STEP=CALC", "PAY", "CALC2", "P", false },
		{ "PAY,STEP=CALC", "PA", "CALC", "P", false },
		{ "PAY,STEP=CALC", "PAYX", "CALC", "P", false },
		{ "PAY", "PAY", "ANY", "P", true },
		{ "*", "PAY", "ANY", "P", true },
		{ "P*Y,STEP=*C", "PAY", "CALC", "P", true },
		{ "P*Y,STEP=*C", "PAY", "CALCC", "P", true },
		{ "P%Y,STEP=C%LC", "PAY", "CALC", "P", true },
		{ "P%Y,STEP=C%LC", "PAAY", "CALC", "P", false },
		{ "?AY", "PAY", "S", "P", true },
		{ "ABCDEFGH,STEP=ABCDEFGH,PROGRAM=ABCDEFGH", "ABCDEFGH", "ABCDEFGH", "ABCDEFGH",
		  true },
		{ "*,PROGRAM=ALONGPROGRAM", "PAY", "S", "ALONGPROGRAM", true },
		{ "*,PROGRAM=ALONGPROGRAM", "PAY", "S", "alongprogram", true },
		{ "*,PROGRAM=ALONGPROGRAM", "PAY", "S", "ALONGPROGRAN", false },
		{ "*,PROGRAM=ALONGPRO*", "PAY", "S", "ALONGPROGRAM", true },
		{ "*,PROGRAM='payroll'", "PAY", "S", "PAYROLL", true },
		{ "PAY,STEP=CALC.INNER", "PAY", "CALC", "P", false },
		{ "@#$,STEP=A", "@#$", "A", "", true },
		{ "@#$,STEP=A,PROGRAM=X", "@#$", "A", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct request_store *store = store_of(state);
		const uint64_t number = add(store, table[i].operands);
		struct error err = ERROR_INIT;

		if ((claim(store, table[i].job, table[i].step, table[i].program) == number) !=
		    table[i].found)
			fail_msg("%s and step %s of %s", table[i].operands, table[i].step,
				 table[i].job);
		request_claims_leave(store, "JOB00001", &err);
		assert_int_equal(carry_out(store, "DELETE 1", &err), 1);
		request_store_close(store);
		tamper(state, "DELETE FROM sqlite_sequence");
	}
}

static void the_oldest_holds_and_only_once(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t first = add(store, "PAY,STEP=CALC"), second = add(store, "*,STEP=CALC");

	assert_int_equal(claim(store, "PAY", "CALC", "P"), first);
	assert_state(store, first, "Active");
	assert_int_equal(claim_in(store, "JOB00002", "PAY", "CALC", "P"), second);
	assert_int_equal(claim_in(store, "JOB00003", "PAY", "CALC", "P"), 0);
	end(store, first, false, "/n/x.vprf");
	assert_state(store, first, "Completed");
	end(store, second, false, NULL);
	assert_state(store, second, "Failed");
	assert_int_equal(claim_in(store, "JOB00004", "PAY", "CALC", "P"), 0);
	request_store_close(store);
}

static void a_wildcard_measures_the_steps_of_one_job(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=C*");
	struct error err = ERROR_INIT;

	assert_int_equal(claim(store, "PAY", "C1", "P"), number);
	end(store, number, true, "/n/1.vprf");
	assert_int_equal(claim(store, "PAY", "D1", "P"), 0);
	assert_int_equal(claim(store, "PAY", "C2", "P"), number);
	assert_int_equal(claim_in(store, "JOB00002", "PAY", "C2", "P"), 0);
	end(store, number, true, NULL);
	assert_state(store, number, "Active");
	assert_int_equal(request_claims_leave(store, "JOB00001", &err), 0);
	assert_state(store, number, "Completed");
	request_store_close(store);
}

static void a_count_measures_that_many_runs(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC,COUNT=3");

	for (int run = 0; run < 3; run++) {
		assert_state(store, number, "Queued");
		assert_int_equal(claim(store, "PAY", "CALC", "P"), number);
		end(store, number, false, "/n/x.vprf");
	}
	assert_state(store, number, "Completed");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	request_store_close(store);
}

/* Pretends that this many seconds have passed. */
static void let_pass(void **state, int seconds)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(
		&sql,
		"UPDATE request SET start = start - %d, expires = expires - %d, given = given - %d",
		seconds, seconds, seconds);
	tamper(state, sql.text);
	strbuf_release(&sql);
}

/* CHANGE and RELEASE of a request that is due must not lose the current start. */
static void what_is_due_stays_due(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC,STARTTIME=12:00,COUNT=2");
	struct error err = ERROR_INIT;

	tamper(state, "UPDATE request SET start = unixepoch() - 100");
	assert_state(store, number, "Queued");
	assert_int_equal(carry_out(store, "CHANGE 1,SAMPLES=2000,WITHIN=60", &err), 0);
	assert_state(store, number, "Queued");
	assert_int_equal(carry_out(store, "HOLD 1", &err), 1);
	assert_int_equal(carry_out(store, "RELEASE 1", &err), 1);
	assert_state(store, number, "Queued");
	let_pass(state, 3400);
	assert_state(store, number, "Queued");
	let_pass(state, 200); /* 60 minutes after the start */
	assert_state(store, number, "Deferred");
	assert_int_equal(carry_out(store, "CHANGE 1,STARTTIME=13:00", &err), 0);
	assert_state(store, number, "Deferred");
	request_store_close(store);
}

static void what_is_deferred_waits_for_its_time(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC,STARTTIME=12:00,COUNT=2,WITHIN=60");

	assert_state(store, number, "Deferred");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	/* The clock of time(2) is up to 4 ms behind the one that SQLite reads. */
	tamper(state, "UPDATE request SET start = unixepoch() - 1, expires = unixepoch() + 3600");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), number);
	end(store, number, false, "/n/x.vprf");
	assert_state(store, number, "Deferred"); /* until tomorrow */
	tamper(state,
	       "UPDATE request SET start = unixepoch() - 7200, expires = unixepoch() - 3600");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	assert_state(store, number, "Deferred"); /* that start is lost */
	request_store_close(store);
}

static void who_waits_too_long_has_failed(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC,WITHIN=10");

	let_pass(state, 540);
	assert_state(store, number, "Queued");
	let_pass(state, 120);
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	assert_state(store, number, "Failed");
	request_store_close(store);
}

static void changes_keep_the_whole_request(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number =
		add(store, "PAY,STEP=CALC,DCC=STRBA,DCCPARM='it''s',LIMIT=2,TAGS=('a b')");
	struct stored_requests list;
	struct error err = ERROR_INIT;

	assert_int_equal(carry_out(store, "CHANGE 1,STEP=OTHER,NOLIMIT,SAMPLES=2000", &err), 0);
	assert_int_equal(request_store_list(store, NULL, number, false, &list, &err), 0);
	assert_string_equal(list.items[0].statement,
			    "ADD PAY,DCC=STRBA,DCCPARM='it''s',TAGS=('a b'),STEP=OTHER,NOLIMIT,\n"
			    "    SAMPLES=2000\n");
	stored_requests_release(&list);
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	assert_int_equal(claim(store, "PAY", "OTHER", "P"), number);
	assert_int_equal(carry_out(store, "CHANGE 1,SAMPLES=3000", &err), -1);
	assert_int_equal(carry_out(store, "DELETE 1", &err), -1);
	assert_int_equal(carry_out(store, "HOLD 1", &err), -1);
	request_store_close(store);
	error_release(&err);
}

static void held_requests_hold_for_nothing(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC");
	struct error err = ERROR_INIT;

	assert_int_equal(carry_out(store, "RELEASE 1", &err), -1);
	assert_int_equal(carry_out(store, "HOLD 1", &err), 1);
	assert_state(store, number, "Suspended");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0);
	assert_int_equal(carry_out(store, "RELEASE 1", &err), 1);
	assert_int_equal(claim(store, "PAY", "CALC", "P"), number);
	end(store, number, false, "/n/x.vprf");
	assert_int_equal(carry_out(store, "SUBMIT 1", &err), 1);
	assert_state(store, number, "Queued");
	request_store_close(store);
	error_release(&err);
}

static void others_may_not_change_it(void **state)
{
	struct request_store *store = store_of(state);
	struct error err = ERROR_INIT;
	struct strbuf sql = STRBUF_INIT;
	const uint64_t number = add(store, "PAY,STEP=CALC");

	strbuf_addf(&sql, "UPDATE request SET uid = %u, user = 'other'", (unsigned)getuid() + 1);
	tamper(state, sql.text);
	assert_int_equal(claim(store, "PAY", "CALC", "P"), 0); /* another user's job */
	if (getuid() != 0) {
		assert_int_equal(carry_out(store, "DELETE 1", &err), -1);
		assert_non_null(strstr(error_text(&err), "belongs to other"));
		assert_int_equal(carry_out(store, "HOLD 1", &err), -1);
		assert_int_equal(carry_out(store, "CHANGE 1,SAMPLES=2000", &err), -1);
		assert_state(store, number, "Queued");
	} else {
		assert_int_equal(carry_out(store, "DELETE 1", &err), 1);
	}
	request_store_close(store);
	strbuf_release(&sql);
	error_release(&err);
}

/* Runs a child; returns its pid. */
static pid_t child(void **state, void (*work)(void **state, int number), int number)
{
	pid_t pid = fork();

	if (pid == 0) {
		work(state, number);
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

#define CHILDREN 20
#define EACH 4

static void add_some(void **state, int number UNUSED)
{
	for (int i = 0; i < EACH; i++) {
		struct request_store *store = store_of(state);

		add(store, "PAY,STEP=CALC");
		request_store_close(store);
	}
}

/* Claims until no request is left, and writes each number to a separate file. */
static void take_some(void **state, int number)
{
	struct strbuf path = STRBUF_INIT;
	FILE *stream;
	uint64_t taken;

	strbuf_addf(&path, "%s/taken.%d", (char *)*state, number);
	stream = fopen(path.text, "we");
	do {
		struct request_store *store = store_of(state);
		const struct request_step step = { "PAY", "CALC", "", "P", "JOB00001", 0 };
		struct request_claim claimed;
		struct error err = ERROR_INIT;

		if (request_claim_take(store, &step, 0, &claimed, &err) < 0)
			_exit(1);
		taken = claimed.number;
		if (taken) {
			fprintf(stream, "%" PRIu64 "\n", taken);
			if (request_claim_end(store, &claimed, &step, "/n/x.vprf", "was measured",
					      &err) < 0)
				_exit(1);
		}
		request_claim_release(&claimed);
		request_store_close(store);
	} while (taken);
	fclose(stream);
	strbuf_release(&path);
}

static void wait_for_all(const pid_t *pids)
{
	for (int i = 0; i < CHILDREN; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

/* Checks that the children together have claimed each number once. */
static void assert_each_once(void **state, int count)
{
	int *seen = xcalloc((size_t)count + 1, sizeof(*seen)), all = 0, number;

	for (int i = 0; i < CHILDREN; i++) {
		struct strbuf path = STRBUF_INIT;
		FILE *stream;

		strbuf_addf(&path, "%s/taken.%d", (char *)*state, i);
		stream = fopen(path.text, "re");
		assert_non_null(stream);
		while (fscanf(stream, "%d", &number) == 1) {
			assert_in_range(number, 1, count);
			assert_int_equal(seen[number]++, 0);
			all++;
		}
		fclose(stream);
		strbuf_release(&path);
	}
	assert_int_equal(all, count);
	free(seen);
}

static void many_at_once_lose_and_double_nothing(void **state)
{
	pid_t pids[CHILDREN];
	struct request_store *store;
	struct stored_requests list;
	struct error err = ERROR_INIT;

	for (int i = 0; i < CHILDREN; i++)
		pids[i] = child(state, add_some, i);
	wait_for_all(pids);
	for (int i = 0; i < CHILDREN; i++)
		pids[i] = child(state, take_some, i);
	wait_for_all(pids);
	assert_each_once(state, CHILDREN * EACH);
	store = store_of(state);
	assert_int_equal(request_store_list(store, NULL, 0, false, &list, &err), 0);
	assert_int_equal(list.count, CHILDREN * EACH);
	for (size_t i = 0; i < list.count; i++)
		assert_string_equal(list.items[i].state, "Completed");
	stored_requests_release(&list);
	request_store_close(store);
}

/* Claims a request, reports that, and waits to be killed. */
static void claim_and_wait(void **state, int pipe_end)
{
	struct request_store *store = store_of(state);
	uint64_t number = claim(store, "PAY", "CALC", "P");

	request_store_close(store);
	if (write(pipe_end, &number, sizeof(number)) != sizeof(number))
		_exit(1);
	pause();
}

static void what_the_dead_held_is_put_back(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC");

	for (int i = 0; i < 3; i++) {
		uint64_t taken = 0;
		int ends[2], status;
		pid_t pid;

		assert_int_equal(pipe(ends), 0);
		pid = child(state, claim_and_wait, ends[1]);
		assert_int_equal(read(ends[0], &taken, sizeof(taken)), sizeof(taken));
		assert_int_equal(taken, number);
		assert_state(store, number, "Active");
		assert_int_equal(claim(store, "PAY", "CALC", "P"), 0); /* while its owner lives */
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		close(ends[0]);
		close(ends[1]);
		assert_state(store, number, i < 2 ? "Queued" : "Failed");
	}
	request_store_close(store);
}

static void the_lease_tells_of_other_hosts(void **state)
{
	struct request_store *store = store_of(state);
	const uint64_t number = add(store, "PAY,STEP=CALC");
	struct error err = ERROR_INIT;

	assert_int_equal(claim(store, "PAY", "CALC", "P"), number);
	tamper(state,
	       "UPDATE request SET owner_boot = 'another', owner_host = 'other', owner_pid = 1");
	assert_state(store, number, "Active");
	assert_int_equal(request_claim_renew(store, number, &err),
			 -1); /* this process does not own it */
	tamper(state, "UPDATE request SET lease = unixepoch() - 2");
	assert_int_equal(claim(store, "PAY", "CALC", "P"), number);
	tamper(state,
	       "UPDATE request SET lease = unixepoch() - 2"); /* here the owner is known to live */
	assert_state(store, number, "Active");
	assert_int_equal(request_claim_renew(store, number, &err), 0);
	request_store_close(store);
	error_release(&err);
}

static void no_more_than_so_many_at_once(void **state)
{
	struct request_store *store = store_of(state);
	struct error err = ERROR_INIT;

	for (int i = 0; i < 3; i++)
		add(store, "PAY,STEP=CALC");
	for (int i = 0; i < 3; i++) {
		const struct request_step step = { "PAY", "CALC", "", "P", "JOB00001", 0 };
		struct request_claim claimed;

		/* A different job each time, so that the first claim is not found again. */
		const struct request_step other = { step.job, step.step, "", "P",
						    i == 0   ? "JOB00001"
						    : i == 1 ? "JOB00002"
							     : "JOB00003",
						    0 };

		assert_int_equal(request_claim_take(store, &other, 2, &claimed, &err), i < 2);
		request_claim_release(&claimed);
	}
	request_store_close(store);
}

#define KILLS 25

/* Adds, changes and claims requests until it is killed; reports each number that was committed. */
static void work_until_killed(void **state, int pipe_end)
{
	struct error err = ERROR_INIT;
	char text[64];

	for (;;) {
		struct request_store *store = store_of(state);
		const uint64_t number = add(store, "PAY,STEP=CALC");
		uint64_t taken;

		if (write(pipe_end, &number, sizeof(number)) != sizeof(number))
			_exit(1);
		snprintf(text, sizeof(text), "CHANGE %" PRIu64 ",SAMPLES=2000", number);
		carry_out(store, text, &err);
		taken = claim(store, "PAY", "CALC", "P");
		if (taken)
			end(store, taken, false, "/n/x.vprf");
		request_store_close(store);
	}
}

/*
 * Checks that every reported request exists, and at most one more; returns their
 * number. Each state must be the last one of its history, and no request may
 * belong to a dead process.
 */
static uint64_t assert_whole(void **state, uint64_t last)
{
	struct request_store *store = store_of(state);
	struct stored_requests list;
	struct error err = ERROR_INIT;

	assert_int_equal(request_store_list(store, NULL, 0, true, &list, &err), 0);
	assert_true(list.count >= last && list.count <= last + 1);
	for (size_t i = 0; i < list.count; i++) {
		const struct stored_request *one = &list.items[i];

		assert_int_equal(one->number, i + 1);
		assert_string_equal(one->state, one->events[one->event_count - 1].state);
		assert_string_not_equal(one->state, "Active");
		assert_int_equal(one->session_count, strcmp(one->state, "Completed") == 0);
		assert_int_equal(one->measured, one->session_count);
	}
	last = list.count;
	stored_requests_release(&list);
	request_store_close(store);
	return last;
}

static void a_kill_at_any_moment_leaves_a_whole_store(void **state)
{
	uint64_t known = 0, number_read;
	unsigned seed = 1;

	for (int i = 0; i < KILLS; i++) {
		const struct timespec moment = { 0, (long)rand_r(&seed) % 40000000 };
		int ends[2], status;
		pid_t pid;

		assert_int_equal(pipe(ends), 0);
		pid = child(state, work_until_killed, ends[1]);
		close(ends[1]);
		if (i % 2 == 0) /* not before it has started */
			assert_int_equal(read(ends[0], &known, sizeof(known)), sizeof(known));
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		while (read(ends[0], &number_read, sizeof(number_read)) == sizeof(number_read))
			known = number_read;
		close(ends[0]);
		known = assert_whole(state, known);
	}
}

/* Checks why opening the store fails. */
static void assert_refused(void **state, const char *why)
{
	struct error err = ERROR_INIT;
	struct request_store *store = request_store_open(*state, false, 100, &err);

	if (store || !strstr(error_text(&err), why))
		fail_msg("expected '%s', not '%s'", why,
			 store ? "an open store" : error_text(&err));
	error_release(&err);
}

static void wrong_stores_are_refused(void **state)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_addf(&path, "%s/requests.db", (char *)*state);
	assert_null(request_store_open(*state, false, 100, &err));
	assert_string_equal(error_text(&err), ""); /* there is no store */
	request_store_close(store_of(state));
	assert_int_equal(chmod(*state, 0777), 0);
	assert_refused(state, "everybody can write to it");
	assert_int_equal(chmod(*state, 0700), 0);
	assert_int_equal(chmod(path.text, 0666), 0);
	assert_refused(state, "everybody can write to it");
	assert_int_equal(chmod(path.text, 0600), 0);
	tamper(state, "PRAGMA user_version = 7");
	assert_refused(state, "has format 7");
	tamper(state, "PRAGMA application_id = 1");
	assert_refused(state, "a database of another program");
	assert_int_equal(truncate(path.text, 5000), 0);
	assert_refused(state, "damaged");
	assert_int_equal(unlink(path.text), 0);
	assert_int_equal(symlink("/etc/passwd", path.text), 0);
	assert_refused(state, "is not a file");
	strbuf_release(&path);
}

static void a_locked_store_is_said(void **state)
{
	struct request_store *store = store_of(state);
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	sqlite3 *database;

	strbuf_addf(&path, "%s/requests.db", (char *)*state);
	assert_int_equal(sqlite3_open(path.text, &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	assert_refused(state, "locked by other processes");
	sqlite3_close(database);
	assert_int_equal(add(store, "PAY"), 1);
	request_store_close(store);
	strbuf_release(&path);
	error_release(&err);
}

#define STORE_TEST(test) cmocka_unit_test_setup_teardown(test, test_folder_make, test_folder_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(numbers_are_never_given_twice),
		STORE_TEST(a_step_finds_what_means_it),
		STORE_TEST(the_oldest_holds_and_only_once),
		STORE_TEST(a_wildcard_measures_the_steps_of_one_job),
		STORE_TEST(a_count_measures_that_many_runs),
		STORE_TEST(what_is_due_stays_due),
		STORE_TEST(what_is_deferred_waits_for_its_time),
		STORE_TEST(who_waits_too_long_has_failed),
		STORE_TEST(changes_keep_the_whole_request),
		STORE_TEST(held_requests_hold_for_nothing),
		STORE_TEST(others_may_not_change_it),
		STORE_TEST(many_at_once_lose_and_double_nothing),
		STORE_TEST(what_the_dead_held_is_put_back),
		STORE_TEST(the_lease_tells_of_other_hosts),
		STORE_TEST(no_more_than_so_many_at_once),
		STORE_TEST(a_kill_at_any_moment_leaves_a_whole_store),
		STORE_TEST(wrong_stores_are_refused),
		STORE_TEST(a_locked_store_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
