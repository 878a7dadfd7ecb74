/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a step whose request is in a store that is locked for a time. */
#include "common/compat.h"
#include "session/job/stored-step.h"
#include "common/clock.h"
#include "common/test-folder.h"
#include "session/store/test-statement.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>

#include <cmocka.h>

#define AREA "/tmp/the-area-of-the-session"

/* Adds a request for any step of job PAY; returns its number. */
static uint64_t add_request(struct request_store *store)
{
	struct test_statement add;
	struct error err = ERROR_INIT;
	uint64_t number = 0;

	test_statement_parse(&add, "ADD PAY,STEP=CALC");
	assert_int_equal(request_store_add(store, add.first, &number, &err), 0);
	test_statement_release(&add);
	return number;
}

/* Claims the request for a step of this process. */
static void claim(struct request_store *store, struct stored_step *stored)
{
	struct error err = ERROR_INIT;

	stored->step = (struct request_step){ "PAY", "CALC", "", "P", "JOB00001", 0 };
	assert_int_equal(request_claim_take(store, &stored->step, 0, &stored->claim, &err), 1);
	stored->renewed = clock_monotonic_ns();
}

/* Asserts that the store knows by which area the session is paused, or that it does not. */
static void assert_area(struct request_store *store, uint64_t number, const char *expected)
{
	struct error err = ERROR_INIT;
	char *area = NULL;
	const int sent = request_store_send(store, number, false, false, &area, &err);

	assert_int_equal(sent, expected ? 0 : -1);
	if (expected)
		assert_string_equal(area, expected);
	free(area);
	error_release(&err);
}

/* A store that is locked when the session opens gets its area a second later. */
static void test_area_after_lock(void **state)
{
	struct error err = ERROR_INIT;
	struct request_store *store = request_store_open(*state, true, 60000, &err);
	struct job_options options = { .requests = *state };
	struct runner runner = { .options = &options };
	struct stored_step stored = { .runner = &runner };
	struct strbuf path = STRBUF_INIT;
	uint64_t before;
	sqlite3 *other;

	assert_non_null(store);
	add_request(store);
	claim(store, &stored);
	strbuf_addf(&path, "%s/requests.db", (char *)*state);
	assert_int_equal(sqlite3_open(path.text, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);

	stored.area = AREA;
	before = clock_monotonic_ns();
	stored_step_serve(&stored);
	assert_false(stored.area_stored);
	assert_true(stored.store_area_at >= before + NSEC_PER_SEC);
	assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	assert_area(store, stored.claim.number, NULL);

	/* Before the second is over nothing is tried. */
	stored.store_area_at = UINT64_MAX;
	stored_step_serve(&stored);
	assert_false(stored.area_stored);
	stored.store_area_at = clock_monotonic_ns();
	stored_step_serve(&stored);
	assert_true(stored.area_stored);
	assert_area(store, stored.claim.number, AREA);

	request_claim_release(&stored.claim);
	request_store_close(store);
	strbuf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_area_after_lock, test_folder_make,
						test_folder_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
