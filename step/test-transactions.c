/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions named by the step and by data collectors. */
#include "common/compat.h"
#include "step/transactions.h"
#include "records/record-types.h"
#include "common/clock.h"
#include "step/test-area.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define COLLECTOR 1
#define OTHER_COLLECTOR 2

/* Returns the name of the transaction in force for a thread. */
static const char *in_force(const struct transactions *transactions, pid_t tid)
{
	return transactions_name(transactions, transactions_of(transactions, tid));
}

/* Returns the row of a transaction at a time; all zero when there is none. */
static struct record_transaction row_of(struct transactions *transactions, const char *name,
					uint64_t time)
{
	uint64_t id = transactions_id(transactions, name);
	struct record_transaction row = { 0 };
	struct engine *engine = engine_new(&session_records);
	struct recordset rows;

	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	transactions_rows(transactions, engine, time, &rows);
	for (size_t i = 0; i < rows.count; i++) {
		const struct record_transaction *one = recordset_get(&rows, i);

		if (one->transaction == id)
			row = *one;
	}
	recordset_release(&rows);
	engine_free(engine);
	return row;
}

static void transactions_hold_until_the_next_change(void **state UNUSED)
{
	struct transactions *transactions;
	struct engine *engine = engine_new(&session_records);
	const struct record_transaction *row;
	struct test_area area;
	struct recordset rows;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	test_area_change(&area, 7, 100, "ORDER");
	test_area_change(&area, 8, 150, "BILL");
	test_area_change(&area, 7, 200, "BILL");
	test_area_change(&area, 7, 300, "");
	assert_int_equal(transactions_advance(transactions, 160, NULL), 200);
	assert_int_equal(transactions_of(transactions, 7), 1);
	assert_int_equal(transactions_of(transactions, 8), 2);
	assert_int_equal(transactions_of(transactions, 9), 0);
	assert_int_equal(transactions_advance(transactions, 400, NULL), UINT64_MAX);
	assert_int_equal(transactions_of(transactions, 7), 0);
	transactions_forget(transactions, 8, 450);
	transactions_rows(transactions, engine, 500, &rows);
	assert_int_equal(rows.count, 2);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->elapsed, 100);
	assert_int_equal(row->count, 1);
	row = recordset_get(&rows, 1);
	assert_int_equal(row->elapsed, 300 + 100);
	assert_int_equal(row->count, 2);
	assert_int_equal(transactions_missed(transactions), 0);
	recordset_release(&rows);
	engine_free(engine);
	transactions_free(transactions);
	test_area_drop(&area);
}

static void transactions_that_were_overwritten_are_counted(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	for (uint64_t i = 0; i < 101; i++)
		test_area_change(&area, 7, i, i % 2 ? "ODD" : "EVEN");
	transactions_advance(transactions, 1000, NULL);
	assert_int_equal(transactions_missed(transactions), 101 - 12);
	assert_int_not_equal(transactions_of(transactions, 7), 0);

	/* A writer killed between taking and publishing a ticket delays the reader only briefly. */
	area.area->next++;
	test_area_change(&area, 7, 2000, "LAST");
	transactions_advance(transactions, 3000, NULL);
	transactions_advance(transactions, 3000 + 2 * NSEC_PER_SEC, NULL);
	assert_int_equal(transactions_missed(transactions), 101 - 12 + 1);
	assert_int_equal(transactions_of(transactions, 7), 3);
	transactions_free(transactions);
	test_area_drop(&area);
}

/* In an area that the step has overwritten, nothing counts as missed. */
static void an_overwritten_area_is_left_alone(void **state UNUSED)
{
	static const uint64_t nexts[] = { UINT64_MAX, 0, UINT64_C(0x2020202020202020) };

	for (size_t i = 0; i < ARRAY_SIZE(nexts); i++) {
		struct transactions *transactions;
		struct test_area area;
		uint64_t when, found;

		test_area_make(&area, 16);
		transactions = transactions_new(&area.changes);
		test_area_change(&area, 7, 100, "WORK");
		transactions_advance(transactions, 200, NULL);
		assert_false(transactions_overwritten(transactions));
		area.area->next = nexts[i];
		assert_int_equal(transactions_advance(transactions, 300, NULL), UINT64_MAX);
		assert_true(transactions_overwritten(transactions));
		assert_int_equal(transactions_missed(transactions), 0);
		assert_int_equal(transactions_of(transactions, 7), 1);
		assert_false(transactions_pending(transactions, 7, 300, &when, &found));
		area.area->next = 1;
		test_area_change(&area, 7, 400, "OTHER");
		transactions_advance(transactions, 500, NULL);
		assert_int_equal(transactions_of(transactions, 7), 1);
		transactions_free(transactions);
		test_area_drop(&area);
	}
}

/* A ring filled exactly is read completely. */
static void a_full_area_is_read_whole(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	for (uint64_t i = 0; i < 16; i++)
		test_area_change(&area, (uint32_t)(100 + i), i, "WORK");
	transactions_advance(transactions, 1000, NULL);
	assert_int_equal(transactions_missed(transactions), 0);
	for (pid_t tid = 100; tid < 116; tid++)
		assert_int_equal(transactions_of(transactions, tid), 1);
	for (uint64_t i = 0; i < 17; i++)
		test_area_change(&area, (uint32_t)(200 + i), 2000 + i, "WORK");
	transactions_advance(transactions, 3000, NULL);
	assert_int_equal(transactions_missed(transactions), 5);
	transactions_free(transactions);
	test_area_drop(&area);
}

/*
 * A look is later than the records: its finding takes effect when the records have
 * reached its time.
 */
static void what_was_set_ahead_holds_from_its_time_on(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;
	uint64_t when, id;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	test_area_change(&area, 7, 300, "B");
	transactions_advance(transactions, 150, NULL);
	transactions_schedule(transactions, 7, 400, transactions_id(transactions, "B/SUB"), 1);
	transactions_schedule(transactions, 7, 200, transactions_id(transactions, "A/SUB"), 1);
	transactions_schedule(transactions, 8, 250, transactions_id(transactions, "ALONE"), 1);
	assert_string_equal(in_force(transactions, 7), "A");
	assert_true(transactions_pending(transactions, 7, 250, &when, &id));
	assert_string_equal(transactions_name(transactions, id), "A/SUB");
	assert_int_equal(when, 200);
	assert_true(transactions_pending(transactions, 7, 350, &when, &id));
	assert_string_equal(transactions_name(transactions, id), "B");
	assert_true(transactions_pending(transactions, 7, 400, &when, &id));
	assert_string_equal(transactions_name(transactions, id), "B/SUB");
	assert_int_equal(transactions_advance(transactions, 199, NULL), 200);
	assert_int_equal(transactions_advance(transactions, 200, NULL), 250);
	assert_string_equal(in_force(transactions, 7), "A/SUB");
	assert_string_equal(in_force(transactions, 8), "");
	assert_int_equal(transactions_advance(transactions, 399, NULL), 400);
	assert_string_equal(in_force(transactions, 7), "B");
	assert_string_equal(in_force(transactions, 8), "ALONE");
	assert_int_equal(transactions_advance(transactions, 500, NULL), UINT64_MAX);
	assert_string_equal(in_force(transactions, 7), "B/SUB");
	assert_int_equal(row_of(transactions, "A/SUB", 500).elapsed, 100);
	assert_int_equal(row_of(transactions, "B/SUB", 600).elapsed, 200);
	transactions_free(transactions);
	test_area_drop(&area);
}

static void nothing_is_set_ahead_for_who_is_gone_or_switched_off(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t order = transactions_id(transactions, "ORDER");

	transactions_schedule(transactions, 7, 200, order, COLLECTOR);
	transactions_schedule(transactions, 8, 200, order, COLLECTOR);
	transactions_schedule(transactions, 9, 200, order, OTHER_COLLECTOR);
	transactions_forget(transactions, 7, 100);
	transactions_withdraw(transactions, COLLECTOR, 100);
	transactions_advance(transactions, 1000, NULL);
	assert_int_equal(transactions_of(transactions, 7), 0);
	assert_int_equal(transactions_of(transactions, 8), 0);
	assert_int_equal(transactions_of(transactions, 9), order);
	transactions_free(transactions);
}

/*
 * Transactions named by the step are counted; those named by collectors are
 * counted as seen, too.
 */
static void what_collectors_saw_begin_is_told_apart(void **state UNUSED)
{
	struct transactions *transactions;
	struct record_transaction row;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	transactions_advance(transactions, 100, NULL);
	assert_false(transactions_is_sampled(transactions, 7));
	transactions_set(transactions, 7, 200, transactions_id(transactions, "B"), COLLECTOR);
	assert_false(transactions_is_sampled(transactions, 7));
	transactions_set(transactions, 7, 300, transactions_id(transactions, "A"), COLLECTOR);
	transactions_set(transactions, 8, 300, transactions_id(transactions, "C"), COLLECTOR);
	assert_true(transactions_is_sampled(transactions, 8));
	row = row_of(transactions, "A", 400);
	assert_int_equal(row.count, 2);
	assert_int_equal(row.seen, 1);
	transactions_withdraw(transactions, COLLECTOR, 500);
	assert_false(transactions_is_sampled(transactions, 8));
	transactions_free(transactions);
	test_area_drop(&area);
}

/* Lets a data collector name transactions from 100 on, one every hundred. */
static void set_in_turn(struct transactions *transactions, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		transactions_set(transactions, 7, 100 * (i + 1),
				 transactions_id(transactions, names[i]), COLLECTOR);
}

/* The unknown part between may have been the same transaction: COUNT stays a valid lower bound. */
static void the_unknown_neither_counts_nor_ends_the_one_before(void **state UNUSED)
{
	static const char *const names[] = { ".UNKNOWN QUERY",
					     "A",
					     ".UNKNOWN QUERY",
					     ".UNKNOWN",
					     "A",
					     ".UNKNOWN QUERY",
					     "B",
					     "A",
					     ".UNKNOWN QUERY",
					     "",
					     "A" };
	struct transactions *transactions = transactions_new(NULL);
	struct record_transaction row;

	set_in_turn(transactions, names, ARRAY_SIZE(names));
	assert_string_equal(in_force(transactions, 7), "A");
	row = row_of(transactions, "A", 1200);
	assert_int_equal(row.count, 3);
	assert_int_equal(row.elapsed, 400);
	transactions_free(transactions);
}

static void the_unknown_has_time_and_no_count(void **state UNUSED)
{
	static const char *const names[] = { "A", ".UNKNOWN QUERY", "B" };
	struct transactions *transactions = transactions_new(NULL);
	struct record_transaction row;

	set_in_turn(transactions, names, ARRAY_SIZE(names));
	row = row_of(transactions, ".UNKNOWN QUERY", 400);
	assert_int_equal(row.count, 0);
	assert_int_equal(row.seen, 1);
	assert_int_equal(row.elapsed, 100);
	transactions_free(transactions);
}

/* An entry moved into the slot of a thread that is gone is still found. */
static void threads_keep_theirs_when_others_are_gone(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t order = transactions_id(transactions, "ORDER");
	uint64_t bill = transactions_id(transactions, "BILL");

	transactions_set(transactions, 7, 100, order, 1);
	transactions_set(transactions, 8, 100, order, 1);
	transactions_set(transactions, 9, 100, bill, 1);
	transactions_forget(transactions, 7, 200);
	transactions_set(transactions, 10, 200, order, 1);
	assert_int_equal(transactions_of(transactions, 7), 0);
	assert_int_equal(transactions_of(transactions, 8), order);
	assert_int_equal(transactions_of(transactions, 9), bill);
	assert_int_equal(transactions_of(transactions, 10), order);
	transactions_forget(transactions, 10, 300);
	transactions_forget(transactions, 9, 300);
	assert_int_equal(transactions_of(transactions, 9), 0);
	assert_int_equal(transactions_of(transactions, 8), order);
	transactions_free(transactions);
}

static void the_last_change_up_to_a_time_is_found_before_it_is_taken_over(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;
	uint64_t when, id;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	test_area_change(&area, 8, 150, "OTHER");
	test_area_change(&area, 7, 200, "B");
	assert_false(transactions_pending(transactions, 7, 99, &when, &id));
	assert_true(transactions_pending(transactions, 7, 100, &when, &id));
	assert_int_equal(when, 100);
	assert_string_equal(transactions_name(transactions, id), "A");
	assert_true(transactions_pending(transactions, 7, 199, &when, &id));
	assert_string_equal(transactions_name(transactions, id), "A");
	assert_true(transactions_pending(transactions, 7, 200, &when, &id));
	assert_string_equal(transactions_name(transactions, id), "B");
	assert_false(transactions_pending(transactions, 9, 200, &when, &id));
	/* These calls have put none in force, and none is found once it is taken over. */
	assert_string_equal(in_force(transactions, 7), "");
	transactions_advance(transactions, 200, NULL);
	assert_string_equal(in_force(transactions, 7), "B");
	assert_false(transactions_pending(transactions, 7, 200, &when, &id));
	transactions_free(transactions);
	test_area_drop(&area);
}

static void pending_changes_are_found_though_others_were_overwritten(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;
	uint64_t when, id;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	for (uint64_t i = 0; i < 40; i++)
		test_area_change(&area, 7 + (uint32_t)i % 2, i, i % 2 ? "ODD" : "EVEN");
	assert_true(transactions_pending(transactions, 8, 100, &when, &id));
	assert_int_equal(when, 39);
	assert_string_equal(transactions_name(transactions, id), "ODD");
	assert_false(transactions_pending(transactions, 8, 24, &when, &id));
	transactions_free(transactions);
	test_area_drop(&area);
}

static void what_a_collector_named_holds_until_the_steps_next_change(void **state UNUSED)
{
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	test_area_change(&area, 7, 300, "B");
	transactions_advance(transactions, 200, NULL);
	transactions_set(transactions, 7, 200, transactions_id(transactions, "A/SUB"), COLLECTOR);
	assert_string_equal(in_force(transactions, 7), "A/SUB");
	transactions_advance(transactions, 400, NULL);
	assert_string_equal(in_force(transactions, 7), "B");
	assert_int_equal(row_of(transactions, "A/SUB", 400).elapsed, 100);
	transactions_free(transactions);
	test_area_drop(&area);
}

static void what_is_withdrawn_makes_room_for_the_steps_own(void **state UNUSED)
{
	struct record_transaction row;
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	transactions_advance(transactions, 100, NULL);
	transactions_set(transactions, 7, 200, transactions_id(transactions, "A/SUB"), COLLECTOR);
	transactions_set(transactions, 8, 200, transactions_id(transactions, "ALONE"), COLLECTOR);
	transactions_set(transactions, 9, 200, transactions_id(transactions, "STAYS"),
			 OTHER_COLLECTOR);
	transactions_withdraw(transactions, COLLECTOR, 500);
	assert_string_equal(in_force(transactions, 7), "A");
	assert_string_equal(in_force(transactions, 8), "");
	assert_string_equal(in_force(transactions, 9), "STAYS");
	row = row_of(transactions, "A/SUB", 1000);
	assert_int_equal(row.elapsed, 300);
	assert_int_equal(row.count, 1);
	transactions_free(transactions);
	test_area_drop(&area);
}

static void the_steps_own_goes_on_where_it_was_interrupted(void **state UNUSED)
{
	struct record_transaction row;
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	test_area_change(&area, 7, 100, "A");
	transactions_advance(transactions, 100, NULL);
	transactions_set(transactions, 7, 200, transactions_id(transactions, "A/SUB"), COLLECTOR);
	transactions_withdraw(transactions, COLLECTOR, 500);
	row = row_of(transactions, "A", 1000);
	assert_int_equal(row.elapsed, 100 + 500);
	/* Time already counted is not counted again. */
	transactions_set(transactions, 7, 1500, transactions_id(transactions, "A/SUB"), COLLECTOR);
	transactions_withdraw(transactions, COLLECTOR, 1200);
	row = row_of(transactions, "A", 2000);
	assert_int_equal(row.elapsed, 100 + 1000 + 500);
	assert_int_equal(row.count, 1);
	transactions_free(transactions);
	test_area_drop(&area);
}

/* Gets the rows of two transactions at 600. */
static void rows_of(struct transactions *transactions, const char *one,
		    struct record_transaction *row, const char *other,
		    struct record_transaction *other_row)
{
	uint64_t id = transactions_id(transactions, one);
	uint64_t other_id = transactions_id(transactions, other);
	struct engine *engine = engine_new(&session_records);
	struct recordset rows;

	*row = *other_row = (struct record_transaction){ 0 };
	recordset_init(&rows, &record_types[RECORD_TRANSACTION]);
	transactions_rows(transactions, engine, 600, &rows);
	for (size_t i = 0; i < rows.count; i++) {
		const struct record_transaction *at = recordset_get(&rows, i);

		/* A switch has no row. */
		assert_true(at->transaction == id || at->transaction == other_id);
		*(at->transaction == id ? row : other_row) = *at;
	}
	recordset_release(&rows);
	engine_free(engine);
}

static void switches_are_no_transactions(void **state UNUSED)
{
	struct record_transaction a, b;
	struct transactions *transactions;
	uint64_t when, id, switched;
	struct test_area area;

	test_area_make(&area, 16);
	transactions = transactions_new(&area.changes);
	assert_false(transactions_paused(transactions));
	test_area_change(&area, 7, 100, "A");
	test_area_change(&area, 7, 200, TRANSACTION_PAUSE);
	test_area_change(&area, 7, 300, "B");
	test_area_change(&area, 9, 350, TRANSACTION_START);
	test_area_change(&area, 7, 500, "");
	assert_true(transactions_pending(transactions, 7, 250, &when, &id));
	assert_int_equal(when, 100);
	/* The advance stops after each switch. */
	assert_int_equal(transactions_advance(transactions, 400, &switched), 200);
	assert_int_equal(switched, 200);
	assert_true(transactions_paused(transactions));
	assert_int_equal(transactions_advance(transactions, 320, &switched), 350);
	assert_int_equal(switched, 0);
	assert_string_equal(in_force(transactions, 7), "B");
	assert_true(transactions_paused(transactions));
	assert_int_equal(transactions_advance(transactions, 600, &switched), 350);
	assert_int_equal(switched, 350);
	assert_false(transactions_paused(transactions));
	assert_int_equal(transactions_advance(transactions, 600, &switched), UINT64_MAX);
	/* Time in a pause is credited to no transaction. */
	rows_of(transactions, "A", &a, "B", &b);
	assert_int_equal(a.elapsed, 100);
	assert_int_equal(a.count, 1);
	assert_int_equal(b.elapsed, 150);
	assert_int_equal(b.count, 1);
	transactions_free(transactions);
	test_area_drop(&area);
}

static void an_area_may_begin_paused(void **state UNUSED)
{
	struct record_transaction a, b;
	struct transactions *transactions;
	struct test_area area;

	test_area_make(&area, 16);
	area.area->collecting = TRANSACTION_COLLECTING_PAUSED;
	transactions = transactions_new(&area.changes);
	assert_true(transactions_paused(transactions));
	test_area_change(&area, 7, 100, "A");
	test_area_change(&area, 7, 200, "B");
	test_area_change(&area, 7, 300, TRANSACTION_START);
	transactions_advance(transactions, 400, NULL);
	assert_false(transactions_paused(transactions));
	rows_of(transactions, "A", &a, "B", &b);
	assert_int_equal(a.count, 0);
	assert_int_equal(b.count, 1);
	assert_int_equal(b.elapsed, 300);
	transactions_free(transactions);
	test_area_drop(&area);
}

/*
 * A sample at 100 is asked about at 120, when the program is already at a unit; a
 * look at 105 found it before that. The unit has begun once only.
 */
static void what_was_read_before_changes_nothing(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t unit = transactions_id(transactions, "UNIT"), next = transactions_id(transactions, "NEXT");
	struct record_transaction row;

	transactions_schedule(transactions, 7, 105, 0, 1);
	transactions_set_read(transactions, 7, 100, unit, 1, 120);
	transactions_advance(transactions, 110, NULL);
	assert_int_equal(transactions_of(transactions, 7), unit);
	transactions_set_read(transactions, 7, 130, unit, 1, 131);
	assert_int_equal(row_of(transactions, "UNIT", 140).count, 1);
	/* What is read later counts, whichever collector has named it. */
	transactions_set_read(transactions, 7, 132, next, 1, 133);
	transactions_set_read(transactions, 7, 134, unit, 1, 140);
	assert_int_equal(row_of(transactions, "UNIT", 150).count, 2);
	transactions_set_read(transactions, 7, 136, next, 2, 137);
	assert_int_equal(transactions_of(transactions, 7), next);
	/* A short one that is only seen so was in force all the same, once at least. */
	for (int i = 0; i < 2; i++)
		transactions_set_read(transactions, 7, 138, transactions_id(transactions, "SHORT"), 2, 136);
	assert_int_equal(transactions_of(transactions, 7), next);
	row = row_of(transactions, "SHORT", 150);
	assert_int_equal(row.count, 1);
	assert_int_equal(row.seen, 1);
	transactions_free(transactions);
}

/* A sample at 100 is asked about last of all, when what it executed is not known any more. */
static void the_unknown_passes_over_nothing(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t idle = transactions_id(transactions, ".IDLE"), query = transactions_id(transactions, "QUERY");
	uint64_t unknown = transactions_id(transactions, ".UNKNOWN QUERY");

	transactions_set_read(transactions, 7, 90, idle, 1, 95);
	transactions_set_read(transactions, 7, 100, unknown, 1, 150);
	transactions_set_read(transactions, 7, 110, query, 1, 120);
	assert_int_equal(transactions_of(transactions, 7), query);
	transactions_set_read(transactions, 7, 115, unknown, 1, 152);
	transactions_set_read(transactions, 7, 130, query, 1, 140);
	transactions_set_read(transactions, 7, 160, query, 1, 161);
	assert_int_equal(row_of(transactions, "QUERY", 170).count, 1);
	/* What was read before the last that is known is passed over still. */
	transactions_set_read(transactions, 7, 175, unknown, 1, 190);
	transactions_set_read(transactions, 7, 176, idle, 1, 160);
	assert_int_equal(transactions_of(transactions, 7), unknown);
	transactions_free(transactions);
}

/* One that began once, was passed over and counted; then it came into force: in all at least once. */
static void one_that_was_passed_over_is_not_counted_again(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t idle = transactions_id(transactions, ".IDLE"), query = transactions_id(transactions, "QUERY");

	transactions_set_read(transactions, 7, 100, idle, 1, 150);
	transactions_set_read(transactions, 7, 110, query, 1, 120);
	assert_int_equal(row_of(transactions, "QUERY", 115).count, 1);
	transactions_set_read(transactions, 7, 160, query, 1, 161);
	assert_int_equal(row_of(transactions, "QUERY", 170).count, 1);
	/* The next time it has begun again. */
	transactions_set_read(transactions, 7, 180, idle, 1, 181);
	transactions_set_read(transactions, 7, 190, query, 1, 191);
	assert_int_equal(row_of(transactions, "QUERY", 200).count, 2);
	transactions_free(transactions);
}

/* A thread other than the first execs: it continues under its process's number. */
static void a_thread_that_execs_takes_its_transaction_along(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t order = transactions_id(transactions, "ORDER");
	uint64_t bill = transactions_id(transactions, "BILL");

	transactions_set(transactions, 7, 100, order, COLLECTOR);
	transactions_set(transactions, 8, 100, bill, COLLECTOR);
	transactions_renumber(transactions, 8, 7, 300);
	assert_string_equal(in_force(transactions, 7), "BILL");
	assert_string_equal(in_force(transactions, 8), "");
	transactions_renumber(transactions, 9, 7, 500); /* thread 9 has named none */
	assert_string_equal(in_force(transactions, 7), "");
	assert_int_equal(row_of(transactions, "ORDER", 600).elapsed, 200);
	transactions_free(transactions);
	transactions = transactions_new(NULL);
	bill = transactions_id(transactions, "BILL");
	transactions_set(transactions, 8, 100, bill, COLLECTOR);
	transactions_renumber(transactions, 8, 7, 300);
	assert_int_equal(row_of(transactions, "BILL", 600).elapsed, 500);
	transactions_free(transactions);
}

/* The exec of a thread becomes known after the transaction that it named under its new number. */
static void what_a_thread_named_after_its_exec_stays(void **state UNUSED)
{
	struct transactions *transactions = transactions_new(NULL);
	uint64_t order = transactions_id(transactions, "ORDER");
	uint64_t bill = transactions_id(transactions, "BILL");

	transactions_set(transactions, 8, 100, order, COLLECTOR);
	transactions_set(transactions, 7, 400, bill, COLLECTOR);
	transactions_renumber(transactions, 8, 7, 300);
	assert_string_equal(in_force(transactions, 7), "BILL");
	assert_string_equal(in_force(transactions, 8), "");
	transactions_set(transactions, 9, 400, order, COLLECTOR);
	transactions_forget(transactions, 7, 500);
	assert_string_equal(in_force(transactions, 7), "");
	assert_string_equal(in_force(transactions, 9), "ORDER");
	assert_int_equal(row_of(transactions, "BILL", 550).elapsed, 100);
	assert_int_equal(row_of(transactions, "ORDER", 600).elapsed, 300 + 200);
	transactions_free(transactions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transactions_hold_until_the_next_change),
		cmocka_unit_test(switches_are_no_transactions),
		cmocka_unit_test(an_area_may_begin_paused),
		cmocka_unit_test(transactions_that_were_overwritten_are_counted),
		cmocka_unit_test(the_last_change_up_to_a_time_is_found_before_it_is_taken_over),
		cmocka_unit_test(pending_changes_are_found_though_others_were_overwritten),
		cmocka_unit_test(what_a_collector_named_holds_until_the_steps_next_change),
		cmocka_unit_test(what_is_withdrawn_makes_room_for_the_steps_own),
		cmocka_unit_test(the_steps_own_goes_on_where_it_was_interrupted),
		cmocka_unit_test(an_overwritten_area_is_left_alone),
		cmocka_unit_test(a_full_area_is_read_whole),
		cmocka_unit_test(the_unknown_neither_counts_nor_ends_the_one_before),
		cmocka_unit_test(the_unknown_has_time_and_no_count),
		cmocka_unit_test(threads_keep_theirs_when_others_are_gone),
		cmocka_unit_test(what_was_set_ahead_holds_from_its_time_on),
		cmocka_unit_test(nothing_is_set_ahead_for_who_is_gone_or_switched_off),
		cmocka_unit_test(what_collectors_saw_begin_is_told_apart),
		cmocka_unit_test(what_was_read_before_changes_nothing),
		cmocka_unit_test(the_unknown_passes_over_nothing),
		cmocka_unit_test(one_that_was_passed_over_is_not_counted_again),
		cmocka_unit_test(a_thread_that_execs_takes_its_transaction_along),
		cmocka_unit_test(what_a_thread_named_after_its_exec_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
