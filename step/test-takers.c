/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two consumers of a step's changes: the transactions (the leader) and the
 * transaction history (the past). The ring, the threads and the session have the
 * same effects on both.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "step/test-area.h"
#include "step/transaction-history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define SLOTS 16

/* Both consumers of one area. */
struct takers {
	struct test_area area;
	struct transactions *leader;
	struct transaction_history history;
	struct engine *engine;
};

static int begin(void **state)
{
	struct takers *takers = calloc(1, sizeof(*takers));

	test_area_make(&takers->area, SLOTS);
	takers->leader = transactions_new(&takers->area.changes);
	transaction_history_init(&takers->history, &takers->area.changes, takers->leader);
	takers->engine = engine_new(&session_records);
	*state = takers;
	return 0;
}

static int finish(void **state)
{
	struct takers *takers = *state;

	transaction_history_release(&takers->history);
	transactions_free(takers->leader);
	test_area_drop(&takers->area);
	engine_free(takers->engine);
	free(takers);
	return 0;
}

/* Lets both take all changes up to a time. */
static void take(struct takers *takers, uint64_t time)
{
	transactions_advance(takers->leader, time, NULL);
	transaction_history_advance(&takers->history, time);
}

/* Expects both to find a thread at a transaction. */
static void expect(struct takers *takers, pid_t tid, uint64_t time, const char *name)
{
	uint64_t past = transaction_history_at(&takers->history, tid, time);

	assert_string_equal(transactions_name(takers->leader, transactions_of(takers->leader, tid)),
			    name);
	assert_string_equal(transactions_name(takers->leader, past), name);
}

/* Returns the row of a transaction at a time, of those due; all zero when there is none. */
static struct record_transaction row_at(struct takers *takers, const char *name, uint64_t time)
{
	uint64_t id = transactions_id(takers->leader, name);
	struct record_transaction row = { 0 };
	struct recordset rows;

	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	transactions_rows(takers->leader, takers->engine, time, &rows);
	for (size_t i = 0; i < rows.count; i++) {
		const struct record_transaction *one = recordset_get(&rows, i);

		if (one->transaction == id)
			row = *one;
	}
	recordset_release(&rows);
	return row;
}

static void a_killed_writer_is_given_up_by_both(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	takers->area.area->next++; /* taken, and never published */
	test_area_change(&takers->area, 7, 200, "B");
	take(takers, 1000);
	expect(takers, 7, 300, "A");
	take(takers, 1000 + NSEC_PER_SEC - 1);
	expect(takers, 7, 300, "A");
	assert_int_equal(takers->history.cursor.missed, 0);
	take(takers, 1000 + NSEC_PER_SEC);
	expect(takers, 7, 300, "B");
	assert_int_equal(takers->history.cursor.missed, 1);
	assert_int_equal(transactions_missed(takers->leader), 1);
}

/* A slow writer is waited for, and its change is not lost. */
static void a_slow_writer_is_waited_for_by_both(void **state)
{
	struct takers *takers = *state;
	uint64_t ticket = takers->area.area->next++;
	struct transaction_change *slot = &takers->area.area->changes[ticket % SLOTS];

	test_area_change(&takers->area, 7, 200, "B");
	take(takers, 1000);
	expect(takers, 7, 300, "");
	slot->time = 150;
	slot->tid = 8;
	snprintf(slot->name, sizeof(slot->name), "SLOW");
	__atomic_store_n(&slot->sequence, ticket + 1, __ATOMIC_RELEASE);
	take(takers, 1000 + 2 * NSEC_PER_SEC);
	expect(takers, 7, 300, "B");
	expect(takers, 8, 300, "SLOW");
	assert_int_equal(takers->history.cursor.missed, 0);
	assert_int_equal(transactions_missed(takers->leader), 0);
}

static void what_was_lapped_is_missed_by_both(void **state)
{
	struct takers *takers = *state;

	for (uint64_t i = 0; i < 101; i++)
		test_area_change(&takers->area, 7, 1 + i, i % 2 ? "ODD" : "EVEN");
	take(takers, 1000);
	assert_int_equal(takers->history.cursor.missed, 101 - 12);
	assert_int_equal(transactions_missed(takers->leader), 101 - 12);
	expect(takers, 7, 1000, "EVEN");
}

static void an_overwritten_area_is_left_alone_by_both(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	take(takers, 200);
	takers->area.area->next = UINT64_MAX;
	take(takers, 300);
	assert_true(takers->history.cursor.overwritten);
	assert_true(transactions_overwritten(takers->leader));
	takers->area.area->next = 1;
	test_area_change(&takers->area, 7, 400, "B");
	take(takers, 500);
	expect(takers, 7, 500, "A");
	assert_int_equal(takers->history.cursor.missed, 0);
}

/* A pause counts for no transaction; what is named during it begins after it. */
static void a_pause_is_left_out(void **state)
{
	struct takers *takers = *state;
	struct record_transaction a, b;

	test_area_change(&takers->area, 7, 100, "A");
	test_area_change(&takers->area, 9, 200, TRANSACTION_PAUSE);
	test_area_change(&takers->area, 7, 300, "B");
	test_area_change(&takers->area, 9, 500, TRANSACTION_START);
	take(takers, 600);
	assert_int_equal(transaction_history_at(&takers->history, 7, 250),
			 transactions_id(takers->leader, "A"));
	expect(takers, 7, 600, "B");
	assert_int_equal(takers->history.pause_count, 1);
	assert_int_equal(takers->history.pauses[0], 200);
	assert_int_equal(takers->history.started, 500);
	a = row_at(takers, "A", 600);
	assert_int_equal(a.elapsed, 100);
	assert_int_equal(a.count, 1);
	b = row_at(takers, "B", 700);
	assert_int_equal(b.elapsed, 100 + 100);
	assert_int_equal(b.count, 1);
}

/* A thread's number is reused by a thread that has named nothing. */
static void a_number_that_is_used_again_begins_with_none(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	take(takers, 200);
	expect(takers, 7, 200, "A");
	transactions_forget(takers->leader, 7, 300);
	transaction_history_forget(&takers->history, 7, 300);
	expect(takers, 7, 400, "");
	assert_int_equal(takers->history.count, 0);
	test_area_change(&takers->area, 7, 500, "B");
	take(takers, 600);
	assert_int_equal(transaction_history_at(&takers->history, 7, 499), 0);
	expect(takers, 7, 600, "B");
	assert_int_equal(row_at(takers, "A", 700).elapsed, 200);
}

/* The same when the end is reported after the next thread has named a transaction. */
static void an_end_that_is_told_late_is_not_that_of_the_next_thread(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	take(takers, 200);
	test_area_change(&takers->area, 7, 500, "B");
	/* Reported before its time is reached: it takes effect between the two changes. */
	transactions_schedule_end(takers->leader, 7, 300);
	take(takers, 600);
	transaction_history_forget(&takers->history, 7, 300);
	assert_int_equal(transaction_history_at(&takers->history, 7, 400), 0);
	expect(takers, 7, 600, "B");
	assert_int_equal(row_at(takers, "A", 700).elapsed, 200);
	/* Reported after its time has passed. */
	transactions_schedule_end(takers->leader, 7, 450);
	transaction_history_forget(&takers->history, 7, 450);
	take(takers, 800);
	expect(takers, 7, 800, "B");
}

/*
 * A transaction in force at a snapshot, or at the last one, is credited with its
 * time up to there.
 */
static void an_end_inside_a_transaction_is_settled(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	take(takers, 200);
	assert_int_equal(row_at(takers, "A", 300).elapsed, 200);
	take(takers, 1000);
	expect(takers, 7, 1000, "A");
	assert_int_equal(row_at(takers, "A", 1000).elapsed, 900);
	assert_int_equal(row_at(takers, "A", 1000).elapsed, 0); /* reported already, and nothing
								 * new */
}

/* The history is ahead of the leader: each id it has returned gets one row. */
static void what_the_leader_has_not_come_to_has_a_row(void **state)
{
	struct takers *takers = *state;
	const struct record_transaction *row;
	struct recordset rows;

	test_area_change(&takers->area, 7, 100, "A");
	test_area_change(&takers->area, 7, 300, "B");
	transactions_advance(takers->leader, 200, NULL);
	transaction_history_advance(&takers->history, 200);
	assert_int_equal(transaction_history_at(&takers->history, 7, 150), 1);
	assert_int_equal(transaction_history_at(&takers->history, 7, 350), 2);
	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	transactions_rows(takers->leader, takers->engine, 200, &rows);
	transactions_wanted_rows(takers->leader, takers->engine, &rows);
	assert_int_equal(rows.count, 2);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->transaction, 1);
	row = recordset_get(&rows, 1);
	assert_int_equal(row->transaction, 2);
	assert_int_equal(row->count, 0);
	recordset_clear(&rows);
	transactions_wanted_rows(takers->leader, takers->engine, &rows);
	assert_int_equal(rows.count, 0);
	recordset_release(&rows);
}

/* A thread that is never asked about does not fill memory, and what is kept of it is right. */
static void the_past_has_bounds(void **state)
{
	struct takers *takers = *state;
	uint64_t time = 0;

	for (int i = 0; i < TRANSACTION_HISTORY_MAX / SLOTS * 3; i++) {
		for (int j = 0; j < SLOTS; j++, time++)
			test_area_change(&takers->area, 7, time + 1, time % 2 ? "ODD" : "EVEN");
		transaction_history_advance(&takers->history, time);
	}
	assert_in_range(transaction_history_kept(&takers->history, 7), TRANSACTION_HISTORY_MAX / 2,
			TRANSACTION_HISTORY_MAX);
	assert_int_equal(transaction_history_at(&takers->history, 7, 1), 0);
	for (uint64_t at = time - TRANSACTION_HISTORY_MAX / 2; at <= time; at++)
		assert_string_equal(
			transactions_name(takers->leader,
					  transaction_history_at(&takers->history, 7, at)),
			(at - 1) % 2 ? "ODD" : "EVEN");
	assert_int_equal(transaction_history_kept(&takers->history, 7), 1);
	assert_int_equal(takers->history.cursor.missed, 0);
}

/*
 * At the end of the session no change is published any more: a killed writer hides
 * no changes after it.
 */
static void at_the_end_nothing_is_waited_for(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	takers->area.area->next++;
	test_area_change(&takers->area, 7, 200, "B");
	take(takers, 1000);
	expect(takers, 7, 300, "A");
	transactions_last(takers->leader);
	transaction_history_last(&takers->history);
	take(takers, 1001);
	expect(takers, 7, 300, "B");
	assert_int_equal(takers->history.cursor.missed, 1);
	assert_int_equal(transactions_missed(takers->leader), 1);
}

/* The leader is notified before the writers lap it. */
static void who_is_late_is_told(void **state)
{
	struct takers *takers = *state;

	for (uint64_t i = 0; i < SLOTS / 2; i++)
		test_area_change(&takers->area, 7, 1 + i, "A");
	assert_false(transactions_are_late(takers->leader));
	test_area_change(&takers->area, 7, 100, "B");
	assert_true(transactions_are_late(takers->leader));
	take(takers, 200);
	assert_false(transactions_are_late(takers->leader));
}

/* A thread whose end is not reported: it is credited with no time after it was found to be gone. */
static bool nobody_is_there(pid_t tid UNUSED)
{
	return false;
}

static bool all_are_there(pid_t tid UNUSED)
{
	return true;
}

static void a_thread_that_is_gone_has_ended(void **state)
{
	struct takers *takers = *state;

	test_area_change(&takers->area, 7, 100, "A");
	take(takers, 200);
	transactions_end_gone(takers->leader, all_are_there, 250);
	assert_int_equal(row_at(takers, "A", 250).elapsed, 150);
	transactions_end_gone(takers->leader, nobody_is_there, 300);
	assert_int_equal(row_at(takers, "A", 500).elapsed, 200);
	expect(takers, 7, 500, "A"); /* its end may still be reported */
	transactions_end_gone(takers->leader, nobody_is_there, 600);
	assert_int_equal(transactions_of(takers->leader, 7), 0);
	assert_int_equal(row_at(takers, "A", 900).elapsed, 0); /* nothing new */
	/* Its number is reused, after a check that came too early to see that. */
	test_area_change(&takers->area, 7, 1000, "A");
	take(takers, 1100);
	transactions_end_gone(takers->leader, nobody_is_there, 1200);
	test_area_change(&takers->area, 7, 1300, "B");
	take(takers, 1400);
	assert_int_equal(row_at(takers, "B", 1500).elapsed, 200);
}

/* Expects the notes of a session, concatenated. */
static void expect_notes(struct takers *takers, const char *expected)
{
	struct snapshot snapshot;
	struct strbuf found = STRBUF_INIT;
	const struct recordset *notes;

	snapshot_init(&snapshot, engine_types(takers->engine));
	transactions_notes(takers->leader, takers->engine, &snapshot);
	transaction_history_notes(&takers->history, takers->engine, &snapshot);
	notes = snapshot_records(&snapshot, RECORD_NOTE);
	for (size_t i = 0; i < notes->count; i++) {
		const struct record_note *note = recordset_get(notes, i);

		strbuf_addf(&found, "%s\n", strmap_text(engine_strings(takers->engine), (uint32_t)note->text));
	}
	assert_string_equal(found.text, expected);
	strbuf_release(&found);
	snapshot_release(&snapshot);
}

#define LOST " changes of transactions were lost: they came too fast, or the process that made them was killed\n"

/* Each consumer reports what it missed; the same loss is reported once. */
static void what_was_missed_is_said(void **state)
{
	struct takers *takers = *state;

	expect_notes(takers, "");
	for (uint64_t i = 0; i < 20; i++)
		test_area_change(&takers->area, 7, 1 + i, "A");
	take(takers, 100);
	expect_notes(takers, "8" LOST);
	for (uint64_t i = 0; i < 20; i++)
		test_area_change(&takers->area, 7, 200 + i, "A");
	transaction_history_advance(&takers->history, 300);
	expect_notes(takers, "8" LOST "for the transactions of events, 16" LOST);
	takers->area.area->next = UINT64_MAX;
	transaction_history_advance(&takers->history, 400);
	expect_notes(takers, "8" LOST "for the transactions of events, 16" LOST TRANSACTION_AREA_OVERWRITTEN "\n");
	take(takers, 400);
	expect_notes(takers, "8" LOST TRANSACTION_AREA_OVERWRITTEN "\n" "for the transactions of events, 16" LOST);
}

/* A transaction learned elsewhere holds from its time on, also before changes already read. */
static void a_transaction_is_set_between_changes(void **state)
{
	struct takers *takers = *state;
	struct transaction_history *history = &takers->history;

	test_area_change(&takers->area, 7, 100, "A");
	test_area_change(&takers->area, 7, 300, "B");
	take(takers, 400);
	transaction_history_set(history, 7, 200, 0);
	assert_int_equal(transaction_history_at(history, 7, 150), transactions_id(takers->leader, "A"));
	assert_int_equal(transaction_history_at(history, 7, 200), 0);
	assert_int_equal(transaction_history_at(history, 7, 300), transactions_id(takers->leader, "B"));
}

static void what_is_no_area_is_refused(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-area-XXXXXX";
	struct error err = ERROR_INIT;
	struct changes changes;
	int fd = mkstemp(path);

	assert_int_equal(write(fd, "nonsense", 8), 8);
	close(fd);
	assert_int_equal(changes_init(&changes, path, &err), -1);
	assert_non_null(strstr(error_text(&err), " is not a transaction area"));
	assert_int_equal(truncate(path, 4096), 0);
	assert_int_equal(changes_init(&changes, path, &err), -1);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(changes_init(&changes, path, &err), -1);
	assert_non_null(strstr(error_text(&err), " is not a transaction area"));
	unlink(path);
	assert_int_equal(changes_init(&changes, path, &err), -1);
	assert_false(changes_paused(&changes));
	changes_release(&changes);
	error_release(&err);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)
	const struct CMUnitTest tests[] = {
		TEST(a_killed_writer_is_given_up_by_both),
		TEST(a_slow_writer_is_waited_for_by_both),
		TEST(what_was_lapped_is_missed_by_both),
		TEST(an_overwritten_area_is_left_alone_by_both),
		TEST(a_pause_is_left_out),
		TEST(a_number_that_is_used_again_begins_with_none),
		TEST(an_end_that_is_told_late_is_not_that_of_the_next_thread),
		TEST(an_end_inside_a_transaction_is_settled),
		TEST(what_the_leader_has_not_come_to_has_a_row),
		TEST(the_past_has_bounds),
		TEST(at_the_end_nothing_is_waited_for),
		TEST(who_is_late_is_told),
		TEST(a_thread_that_is_gone_has_ended),
		TEST(what_was_missed_is_said),
		TEST(a_transaction_is_set_between_changes),
		cmocka_unit_test(what_is_no_area_is_refused),
	};

	return cmocka_run_group_tests_name("takers", tests, NULL, NULL);
}
