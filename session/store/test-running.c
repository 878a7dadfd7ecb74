/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of requests for programs that vigil does not start: who gets them, what puts them back. */
#include "common/compat.h"
#include "common/test-folder.h"
#include "session/store/test-statement.h"
#include "session/store/request-store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct request_store *store_of(void **state)
{
	struct error err = ERROR_INIT;
	struct request_store *store = request_store_open(*state, true, 60000, &err);

	assert_non_null(store);
	return store;
}

static uint64_t add(struct request_store *store, const char *text)
{
	struct test_statement add;
	struct error err = ERROR_INIT;
	uint64_t number = 0;

	test_statement_parse(&add, text);
	assert_int_equal(request_store_add(store, add.first, &number, &err), 0);
	test_statement_release(&add);
	return number;
}

/* Returns a process of a program, with this pid. */
static struct request_step process(pid_t pid)
{
	return (struct request_step){ .job = "PAY",
				      .step = "",
				      .procstep = "",
				      .program = "payd",
				      .job_number = "vigil watch",
				      .process = pid };
}

/* Start of the processes: before all requests, even if the second changes. */
#define BEGAN 1000000000

/* Claims a request for a process; returns the result of running_claim. */
static int claim(struct request_store *store, uint64_t number, pid_t pid, unsigned at_most)
{
	const struct request_step subject = process(pid);
	struct request_claim claimed;
	struct error err = ERROR_INIT;
	const int result = running_claim(store, number, &subject, BEGAN, at_most, &claimed, &err);

	assert_true(result >= 0);
	request_claim_release(&claimed);
	return result;
}

/* Ends the session of a claimed process. */
static void end(struct request_store *store, uint64_t number, pid_t pid, bool interrupted)
{
	const struct request_claim claimed = { .number = number };
	const struct request_step subject = process(pid);
	struct error err = ERROR_INIT;

	assert_int_equal(interrupted ? running_claim_interrupted(store, &claimed, &subject,
								 "/x.vprf", &err)
				     : request_claim_end(store, &claimed, &subject, "/x.vprf",
							 "was measured", &err),
			 0);
}

static void assert_state(struct request_store *store, uint64_t number, const char *state,
			 const char *why)
{
	struct stored_requests list;
	struct error err = ERROR_INIT;
	const struct stored_request *one;

	assert_int_equal(request_store_list(store, NULL, number, true, &list, &err), 0);
	assert_int_equal(list.count, 1);
	one = &list.items[0];
	assert_string_equal(one->state, state);
	assert_non_null(strstr(one->events[one->event_count - 1].why, why));
	stored_requests_release(&list);
}

/* Checks the numbers of the waiting requests, as text. */
static void assert_waiting(struct request_store *store, const char *wanted)
{
	struct running_requests list;
	struct error err = ERROR_INIT;
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(running_requests_read(store, &list, &err), 0);
	for (size_t i = 0; i < list.count; i++)
		strbuf_addf(&text, "%" PRIu64 " ", list.items[i].number);
	assert_string_equal(text.length ? text.text : "", wanted);
	running_requests_release(&list);
	strbuf_release(&text);
}

static void no_step_finds_a_request_for_a_program(void **state)
{
	struct request_store *store = store_of(state);
	const struct request_step step = { "PAY", "S", "", "PAYD", "JOB00001", 0 };
	struct request_claim claimed;
	struct error err = ERROR_INIT;

	add(store, "ADD PAY,ACTIVE,PROGRAM=PAYD");
	assert_int_equal(request_claim_take(store, &step, 0, &claimed, &err), 0);
	add(store, "ADD PAY,STORE=YES");
	assert_waiting(store, "1 ");
	assert_int_equal(request_claim_take(store, &step, 0, &claimed, &err), 1);
	assert_int_equal(claimed.number, 2);
	request_claim_release(&claimed);
	assert_int_equal(claim(store, 2, 12, 0), 0);
	request_store_close(store);
}

static void a_request_is_claimed_once(void **state)
{
	struct request_store *store = store_of(state);

	add(store, "ADD A,ACTIVE,PROGRAM=PAYD");
	add(store, "ADD B,ACTIVE,PROGRAM=PAYD");
	assert_waiting(store, "1 2 ");
	assert_int_equal(claim(store, 1, 12, 1), 1);
	assert_int_equal(claim(store, 1, 13, 0), 0);
	assert_int_equal(claim(store, 2, 12, 1), 0); /* the limit of Active requests is reached */
	assert_waiting(store, "2 ");
	assert_state(store, 1, "Active", "process 12 (payd) was found");
	end(store, 1, 12, false);
	assert_state(store, 1, "Completed", "process 12 (payd) was measured");
	assert_int_equal(claim(store, 2, 12, 1), 1);
	request_store_close(store);
}

static void a_process_is_measured_once_for_a_start(void **state)
{
	struct request_store *store = store_of(state);

	add(store, "ADD A,ACTIVE,PROGRAM=PAYD,COUNT=3");
	assert_int_equal(claim(store, 1, 12, 0), 1);
	end(store, 1, 12, true); /* an interrupted request is claimed again */
	assert_state(store, 1, "Queued", "vigil watch was stopped");
	assert_int_equal(claim(store, 1, 12, 0), 1);
	end(store, 1, 12, false);
	assert_state(store, 1, "Queued", "was measured");
	assert_int_equal(claim(store, 1, 12, 0), RUNNING_MEASURED);
	assert_int_equal(claim(store, 1, 13, 0), 1);
	request_store_close(store);
}

static void what_cannot_be_measured_has_failed(void **state)
{
	struct request_store *store = store_of(state);
	struct error err = ERROR_INIT;

	add(store, "ADD A,ACTIVE,PID=12");
	add(store, "ADD B,ACTIVE,PID=12,STARTDAY=(MON,TUE,WED,THU,FRI,SAT,SUN)");
	add(store, "ADD C,ACTIVE,PID=12");
	assert_int_equal(running_refuse(store, 1, "it is not yours", &err), 0);
	assert_state(store, 1, "Failed", "it is not yours");
	assert_waiting(store, "3 ");
	assert_int_equal(claim(store, 3, 12, 0), 1);
	/* A request that does not wait is not changed. */
	assert_int_equal(running_refuse(store, 3, "late", &err), 0);
	assert_state(store, 3, "Active", "was found");
	assert_int_equal(running_refuse(store, 2, "early", &err), 0);
	assert_state(store, 2, "Deferred", "added");
	request_store_close(store);
}

static void time_tells_when_to_look_again(void **state)
{
	struct request_store *store = store_of(state);
	struct running_requests list;
	struct error err = ERROR_INIT;
	const int64_t now = time(NULL);

	add(store, "ADD A,ACTIVE,PROGRAM=X,WITHIN=10");
	assert_int_equal(running_requests_read(store, &list, &err), 0);
	assert_in_range(list.next, now + 600, now + 660);
	running_requests_release(&list);
	add(store, "ADD B,ACTIVE,PROGRAM=X");
	assert_int_equal(running_requests_read(store, &list, &err), 0);
	assert_in_range(list.next, now + 600, now + 660);
	assert_int_equal(list.count, 2);
	running_requests_release(&list);
	request_store_close(store);
}

/* Tests a process that claims a request and is killed. */
static void an_owner_that_dies_puts_its_request_back(void **state)
{
	struct request_store *store = store_of(state);

	add(store, "ADD A,ACTIVE,PROGRAM=PAYD");
	request_store_close(store);
	for (int i = 0; i < 3; i++) {
		const pid_t child = fork();

		if (child == 0) {
			store = store_of(state);
			_exit(claim(store, 1, 12, 0) == 1 ? 7 : 1);
		}
		int status;

		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(WEXITSTATUS(status), 7);
		store = store_of(state);
		assert_waiting(store, i < 2 ? "1 " : "");
		assert_state(store, 1, i < 2 ? "Queued" : "Failed", "ended before its step did");
		request_store_close(store);
	}
}

static void quit_needs_a_session(void **state)
{
	struct request_store *store = store_of(state);
	struct error err = ERROR_INIT;

	add(store, "ADD A,ACTIVE,PROGRAM=PAYD");
	assert_int_equal(request_store_quit(store, 1, &err), -1);
	assert_non_null(strstr(error_text(&err), "is not Active"));
	error_release(&err);
	assert_int_equal(request_store_quit(store, 9, &err), -1);
	error_release(&err);
	request_store_close(store);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_folder_make, test_folder_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(no_step_finds_a_request_for_a_program),
		WITH_FOLDER(a_request_is_claimed_once),
		WITH_FOLDER(a_process_is_measured_once_for_a_start),
		WITH_FOLDER(what_cannot_be_measured_has_failed),
		WITH_FOLDER(time_tells_when_to_look_again),
		WITH_FOLDER(an_owner_that_dies_puts_its_request_back),
		WITH_FOLDER(quit_needs_a_session),
	};

	return cmocka_run_group_tests_name("running", tests, NULL, NULL);
}
