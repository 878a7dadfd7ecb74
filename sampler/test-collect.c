/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: exact, limit:240 */
/*
 * Tests data collectors through the sampler; the names of the tests are the rules of
 * include/vigil/collector.h. What collectors were given is read from their log. The programs run
 * until the event under test has happened (session.enough): how soon vigil and a collector get a
 * processor determines the duration of a test, not its result.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/collect.h"
#include "sampler/test-trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static bool was_called(const struct trial *trial)
{
	return trial->call_count >= 40;
}

/* Returns the number of calls for a task in a state. */
static size_t calls_in(const struct trial *trial, unsigned state)
{
	size_t count = 0;

	for (size_t i = 0; i < trial->call_count; i++)
		count += trial->calls[i].state == state;
	return count;
}

/* A call that was interrupted by the session's end is in the row, and not in the log. */
static void assert_counted(uint64_t in_row, size_t in_log, const struct record_collector *row)
{
	assert_in_range(in_row, in_log, in_log + row->late);
}

/*
 * Returns the number of tasks that were executing when the collector was asked, at most 8; their
 * tids go to tids.
 */
static size_t tasks_called(const struct trial *trial, long *tids)
{
	size_t count = 0;

	for (size_t i = 0; i < trial->call_count; i++) {
		const struct call *call = &trial->calls[i];
		size_t known = 0;

		while (known < count && tids[known] != call->tid)
			known++;
		if (known == count && count < 8 && call->state == VIGIL_EXECUTING)
			tids[count++] = call->tid;
	}
	return count;
}

static bool four_tasks_were_called(const struct trial *trial)
{
	long tids[8];

	return tasks_called(trial, tids) >= 4;
}

static void it_is_called_once_for_each_task_that_executes(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial.enough = four_tasks_were_called;
	trial_measure(&trial, "busy", "4", "20", trial.enough_file, NULL);
	for (size_t i = 0; i < trial.call_count; i++)
		for (size_t k = i + 1; k < trial.call_count; k++)
			assert_false(trial.calls[k].tid == trial.calls[i].tid &&
				     trial.calls[k].time == trial.calls[i].time);
	assert_true(trial.came);
	row = trial_row(&trial, 1);
	assert_counted(row.calls, trial.call_count, &row);
	trial_finish(&trial);
}

/*
 * Returns the number of calls of the second collector right after one of the first for the same
 * task; *seen: those of them that saw the first one's answer.
 */
static size_t pairs_called(const struct trial *trial, size_t *seen)
{
	size_t pairs = 0;

	*seen = 0;
	for (size_t i = 0; i + 1 < trial->call_count; i++) {
		const struct call *first = &trial->calls[i], *second = first + 1;

		if (first->time != second->time)
			continue;
		pairs++;
		*seen += strcmp(first->name, "SECO") != 0 && strcmp(second->module, "FIRST") == 0;
	}
	return pairs;
}

static bool second_has_seen(const struct trial *trial)
{
	size_t seen;

	pairs_called(trial, &seen);
	return seen >= 20;
}

static void they_are_called_in_the_order_given_and_see_what_others_said(void **state UNUSED)
{
	struct trial trial;
	size_t pairs, seen;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=FIRST transaction=ONE");
	trial_add(&trial, "tests/collectors/rules-second.so", "")->name = "STRBSECO";
	trial_measure_until(&trial, second_has_seen);
	for (size_t i = 0; i + 1 < trial.call_count; i++) {
		const struct call *first = &trial.calls[i], *second = first + 1;

		if (first->time != second->time)
			continue;
		/*
		 * The second does not see an answer of the first that is too late; it may be in
		 * the log after it.
		 */
		if (strcmp(first->name, "SECO") == 0) {
			assert_string_not_equal(first->module, "FIRST");
			continue;
		}
		assert_string_equal(second->name, "SECO");
		if (strcmp(second->module, "FIRST") != 0)
			continue;
		assert_string_equal(second->transaction, "ONE");
		assert_int_equal(second->base, first->address / 4096 * 4096);
		assert_int_equal(second->size, 4096);
	}
	pairs = pairs_called(&trial, &seen);
	assert_true(seen + trial_row(&trial, 1).late >= pairs);
	trial_finish(&trial);
}

/* Returns whether there were calls for samples in the program's module. */
static bool own_was_called(const struct trial *trial)
{
	size_t count = 0;

	for (size_t i = 0; i < trial->call_count; i++)
		count += strcmp(trial->calls[i].module, "shares") == 0;
	return count >= 20;
}

/*
 * A sample in the exec itself, before all others, belongs to the image that is being replaced,
 * which is unknown.
 */
static void it_is_given_the_module_that_vigil_knows(void **state UNUSED)
{
	uint64_t unknown = 0, known = UINT64_MAX;
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure_until(&trial, own_was_called);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (strcmp(call->module, "-") == 0) {
			unknown = call->time > unknown ? call->time : unknown;
			continue;
		}
		known = call->time < known ? call->time : known;
		assert_true(call->base <= call->address);
		assert_true(call->address < call->base + call->size);
		assert_int_equal(call->address, call->rip);
	}
	assert_true(unknown < known && known < UINT64_MAX);
	trial_finish(&trial);
}

static bool one_was_executing(const struct trial *trial)
{
	return calls_in(trial, VIGIL_EXECUTING) > 0;
}

static void the_module_may_be_known_though_base_and_size_are_zero(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.privilege = PRIVILEGE_PROC;
	trial_add_rules(&trial, "");
	trial_measure_until(&trial, one_was_executing);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (call->state != VIGIL_EXECUTING)
			continue;
		assert_string_equal(call->module, "shares");
		assert_int_equal(call->base, 0);
		assert_int_equal(call->size, 0);
		assert_int_equal(call->address, 0);
		assert_int_equal(call->frames, 0);
	}
	trial_finish(&trial);
}

static bool lang_is_shown(const struct trial *trial)
{
	return trial_samples(trial, "LANG") > 0 &&
	       session_samples_in(&trial->session, "statement") > 0;
}

static void places_and_transactions_are_taken_without_kernel_records(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.privilege = PRIVILEGE_PROC;
	trial_add_rules(&trial, "module=LANG place=statement transaction=WORK");
	trial_measure_until(&trial, lang_is_shown);
	assert_int_equal(session_samples_in(&trial.session, "statement"),
			 session_samples_in(&trial.session, "around"));
	assert_string_equal(trial_transaction(&trial, 1), "WORK");
	trial_finish(&trial);
}

static bool mine_is_shown(const struct trial *trial)
{
	return trial_samples(trial, "MINE") >= 20;
}

static void a_module_whose_range_holds_the_address_is_taken(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE");
	trial_measure_until(&trial, mine_is_shown);
	row = trial_row(&trial, 1);
	assert_true(row.answers + row.late >= row.calls);
	assert_int_equal(row.outside, 0);
	trial_finish(&trial);
}

static bool some_were_outside(const struct trial *trial)
{
	return trial_row(trial, 1).outside >= 20;
}

/* Returns whether some calls were dropped, and there are samples of the program itself. */
static bool some_were_dropped(const struct trial *trial)
{
	return some_were_outside(trial) && session_samples_in(&trial->session, "half") > 0;
}

static void a_module_whose_range_does_not_hold_the_address_is_dropped(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE range=beside");
	trial_measure_until(&trial, some_were_dropped);
	row = trial_row(&trial, 1);
	assert_int_equal(row.answers, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	trial_finish(&trial);
}

static bool abcmod_is_shown(const struct trial *trial)
{
	return trial_samples(trial, "ABCMOD") >= 20;
}

static void base_0_and_the_largest_size_force_a_module_of_a_pseudo_section(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=ABCMOD range=forced");
	trial_measure_until(&trial, abcmod_is_shown);
	assert_int_equal(trial_row(&trial, 1).outside, 0);
	trial_finish(&trial);
}

static void they_do_not_force_any_other_module(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=XYZMOD range=forced");
	trial_measure_until(&trial, some_were_outside);
	assert_int_equal(trial_samples(&trial, "XYZMOD"), 0);
	trial_finish(&trial);
}

static bool sections_are_told(const struct trial *trial)
{
	return trial->session.rows[RECORD_PSEUDO_SECTION].count >= 3;
}

static void pseudo_sections_are_told_with_a_period_and_a_name_may_recur(void **state UNUSED)
{
	static const char *const wanted[][2] = { { ".GROUP", "ABC" },
						 { ".OTHER", "DEF" },
						 { ".GROUP", "GHI" } };
	struct trial trial;
	const struct recordset *set = &trial.session.rows[RECORD_PSEUDO_SECTION];

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure_until(&trial, sections_are_told);
	assert_int_equal(set->count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct record_pseudo_section *row = recordset_get(set, i);

		assert_int_equal(row->collector, 1);
		assert_string_equal(session_text(&trial.session, row->section), wanted[i][0]);
		assert_string_equal(session_text(&trial.session, row->prefix), wanted[i][1]);
	}
	trial_finish(&trial);
}

/* Returns what the nth call (from 1) of "transaction=LAST every=40" names. */
static const char *said(const struct call *call, size_t number)
{
	switch (number / 40 % 3) {
	case 0:
		return "LAST";
	case 1:
		return call->transaction;
	default:
		return "-";
	}
}

/*
 * Returns whether each third of "every=40" has samples with the name that the previous call gave
 * in time.
 */
static bool all_three_were_said(const struct trial *trial)
{
	size_t seen[3] = { 0 };

	for (size_t i = 0; i + 1 < trial->call_count; i++) {
		const struct call *call = &trial->calls[i];

		if (call->state == VIGIL_EXECUTING && trial_sample(trial, call->time) &&
		    strcmp(trial->calls[i + 1].transaction, said(call, i + 1)) == 0)
			seen[(i + 1) / 40 % 3]++;
	}
	return seen[0] > 0 && seen[1] > 0 && seen[2] > 0;
}

/*
 * Returns whether a call is for a later time than all calls before it. The records of
 * another processor may be read late: such a call has the name of its own time.
 */
static bool is_in_order(const struct trial *trial, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (trial->calls[i].time >= trial->calls[number].time)
			return false;
	return true;
}

/* Returns the name that rows have for a transaction in the words of the test's collector. */
static const char *in_rows(const char *transaction)
{
	return strcmp(transaction, "-") == 0 ? "" : transaction;
}

static void a_transaction_stays_until_it_is_replaced_or_reset(void **state UNUSED)
{
	struct trial trial;
	size_t kept = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "transaction=LAST every=40");
	trial_measure_until(&trial, all_three_were_said);
	for (size_t i = 0; i + 1 < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];
		const char *now = trial.calls[i + 1].transaction, *wanted = said(call, i + 1);
		const struct record_sample *row = trial_sample(&trial, call->time);

		if (!is_in_order(&trial, i) || !is_in_order(&trial, i + 1))
			continue;
		/* The name given by the call is in force before the next, or the earlier one if it came too late. */
		assert_true(strcmp(now, wanted) == 0 || strcmp(now, call->transaction) == 0);
		kept += strcmp(now, wanted) != 0;
		if (!row || call->state != VIGIL_EXECUTING)
			continue;
		/* It also holds for the sample after the call, unless the answer came too late for this one. */
		if (strcmp(trial_transaction(&trial, row->transaction), in_rows(now)) != 0) {
			assert_string_equal(trial_transaction(&trial, row->transaction), in_rows(call->transaction));
			kept++;
		}
	}
	assert_true(kept <= trial_row(&trial, 1).late);
	trial_finish(&trial);
}

static bool transaction_is_known(const struct trial *trial)
{
	return trial->session.rows[RECORD_TRANSACTION].count > 0 && was_called(trial);
}

static void a_transaction_counts_when_it_changes(void **state UNUSED)
{
	struct trial trial;
	const struct recordset *set = &trial.session.rows[RECORD_TRANSACTION];
	const struct record_transaction *row;

	trial_begin(&trial);
	trial_add_rules(&trial, "transaction=SAME");
	trial_measure_until(&trial, transaction_is_known);
	row = recordset_get(set, set->count - 1);
	assert_int_equal(row->count, 1);
	trial_finish(&trial);
}

static bool names_are_known(const struct trial *trial)
{
	return transaction_is_known(trial) && *session_attribute(&trial->session, ATTR_SUBSYSTEM);
}

static void transaction_and_subsystem_are_taken_though_the_module_is_dropped(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE range=beside transaction=KEPT id=PAYROLL");
	trial_measure_until(&trial, names_are_known);
	assert_string_equal(trial_transaction(&trial, 1), "KEPT");
	assert_string_equal(session_attribute(&trial.session, ATTR_SUBSYSTEM), "PAYROLL");
	trial_finish(&trial);
}

static void the_text_for_subsystem_is_zero_before_each_call_and_the_last_stays(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	/* One of the first answers comes in time. */
	trial_add_rules(&trial, "id=PAYROLL first=20");
	trial_measure_until(&trial, was_called);
	for (size_t i = 0; i < trial.call_count; i++)
		assert_string_equal(trial.calls[i].id, "-");
	assert_string_equal(session_attribute(&trial.session, ATTR_SUBSYSTEM), "PAYROLL");
	trial_finish(&trial);
}

static void the_work_area_does_not_survive_and_the_anchor_does(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure_until(&trial, was_called);
	for (size_t i = 0; i < trial.call_count; i++) {
		assert_int_equal(trial.calls[i].work, 0);
		assert_int_equal(trial.calls[i].anchor, i);
	}
	trial_finish(&trial);
}

static bool one_was_waiting(const struct trial *trial)
{
	return calls_in(trial, VIGIL_WAITING) > 0;
}

static void a_wait_is_looked_at_once_its_collector_is_loaded(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	/* The first program is another one: its collectors are loaded while the step runs. */
	trial.session.config.subject = "";
	trial_add_rules(&trial, "");
	trial.enough = one_was_waiting;
	trial_measure(&trial, "waits", "sleep", "1000", trial.enough_file, NULL);
	assert_true(trial.came);
	trial_finish(&trial);
}

static void its_list_of_programs_is_looked_at_when_it_was_found(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-list.so", "")->origin = COLLECTOR_FOUND;
	trial_measure(&trial, "shares", "200", NULL);
	assert_int_equal(trial.call_count, 0);
	assert_string_equal(trial_problem(&trial),
			    "no program of the step is in its list of programs");
	trial_finish(&trial);
}

static void its_list_of_programs_is_not_looked_at_when_it_is_named(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-list.so", "");
	trial_measure_until(&trial, was_called);
	trial_finish(&trial);
}

static void a_mapprogram_name_in_the_list_has_it_called(void **state UNUSED)
{
	static const char *const names[] = { "SOMETHING", "otherprg" };
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.map_programs = names;
	trial.session.config.map_program_count = 2;
	trial_add(&trial, "tests/collectors/rules-list.so", "")->origin = COLLECTOR_FOUND;
	trial_measure_until(&trial, was_called);
	trial_finish(&trial);
}

static void the_name_of_the_steps_program_in_the_list_has_it_called(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.subject = "OTHERPRG";
	trial_add(&trial, "tests/collectors/rules-list.so", "")->origin = COLLECTOR_FOUND;
	trial_measure_until(&trial, was_called);
	trial_finish(&trial);
}

static void five_asterisks_in_the_list_have_it_called_always(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-always.so", "")->origin = COLLECTOR_FOUND;
	trial_measure_until(&trial, was_called);
	trial_finish(&trial);
}

static void changes_to_address_and_task_are_ignored(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "meddle module=MINE");
	trial_add(&trial, "tests/collectors/rules-second.so", "");
	trial_measure_until(&trial, mine_is_shown);
	assert_int_equal(trial_row(&trial, 1).outside, 0);
	for (size_t i = 0; i < trial.call_count; i++)
		assert_int_equal(trial.calls[i].address, trial.calls[i].rip);
	trial_finish(&trial);
}

/*
 * Returns whether there are calls for samples in memory without a name, and samples that are shown
 * there.
 */
static bool nameless_is_shown(const struct trial *trial)
{
	const struct recordset *set = &trial->session.rows[RECORD_SAMPLE];
	size_t nameless = 0, anonymous = 0;

	for (size_t i = 0; i < trial->call_count; i++)
		nameless += strcmp(trial->calls[i].module, "-") == 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);
		const char *path;

		anonymous += trial_object(trial, row->stack, &path) == OBJECT_ANONYMOUS;
	}
	return nameless >= 20 && anonymous >= 20;
}

static void what_nobody_identifies_stays_where_its_address_lies(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial.enough = nameless_is_shown;
	trial_measure(&trial, "private", "100", trial.enough_file, NULL);
	assert_true(trial.came);
	trial_finish(&trial);
}

static bool loaded_is_shown(const struct trial *trial)
{
	return trial_samples(trial, "LOADED") >= 20;
}

static void what_vigil_cannot_identify_a_collector_can(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LOADED unknown");
	trial.enough = loaded_is_shown;
	trial_measure(&trial, "private", "100", trial.enough_file, NULL);
	assert_true(trial.came);
	trial_finish(&trial);
}

/* Returns whether it was asked, by its row: a collector that is not for a program writes no log. */
static bool was_asked(const struct trial *trial)
{
	return trial_row(trial, 1).calls >= 40;
}

static void an_answer_that_is_not_its_own_is_not_looked_at(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "programs=another module=MINE");
	trial_measure_until(&trial, was_asked);
	row = trial_row(&trial, 1);
	assert_int_equal(row.answers, 0);
	assert_int_equal(row.torn, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	trial_finish(&trial);
}

static bool some_were_torn(const struct trial *trial)
{
	return trial_row(trial, 1).torn >= 20;
}

static void an_answer_it_rejects_itself_is_counted_as_torn(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=torn module=MINE");
	trial_measure_until(&trial, some_were_torn);
	row = trial_row(&trial, 1);
	assert_true(row.torn + row.late >= row.calls);
	assert_int_equal(row.answers, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	trial_finish(&trial);
}

/* Returns whether there are samples in half() whose stack continues with the collector's places. */
static bool places_are_inside(const struct trial *trial)
{
	const struct session *session = &trial->session;
	size_t inside = 0;

	for (size_t i = 0; i < session->rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		inside += session_on_stack(session, row->stack, "statement") &&
			  session_on_stack(session, row->stack, "half");
	}
	return inside >= 20;
}

static void places_replace_the_frames_from_their_level_outwards(void **state UNUSED)
{
	struct trial trial;
	const struct session *session = &trial.session;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement level=1");
	trial_measure_until(&trial, places_are_inside);
	for (size_t i = 0; i < session->rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		if (!session_on_stack(session, row->stack, "statement"))
			continue;
		assert_true(session_on_stack(session, row->stack, "around"));
		assert_false(session_on_stack(session, row->stack, "main"));
	}
	trial_finish(&trial);
}

static bool statement_is_shown(const struct trial *trial)
{
	return session_samples_in(&trial->session, "statement") >= 20;
}

/*
 * Counts the samples with places of a collector whose stacks are truncated (cut), and the others
 * (whole).
 */
static void count_cut(const char *words, size_t *truncated, size_t *whole)
{
	struct trial trial;
	const struct session *session = &trial.session;

	*truncated = *whole = 0;
	trial_begin(&trial);
	trial_add_rules(&trial, words);
	trial_measure_until(&trial, statement_is_shown);
	for (size_t i = 0; i < session->rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		if (session_on_stack(session, row->stack, "statement"))
			++*(row->flags & SAMPLE_CUT ? truncated : whole);
	}
	trial_finish(&trial);
}

static void a_stack_whose_outer_places_are_cut_is_cut_not_broken(void **state UNUSED)
{
	size_t truncated, whole;

	count_cut("module=LANG place=statement long=10", &truncated, &whole);
	assert_true(whole >= 20);
	assert_int_equal(truncated, 0);
	count_cut("module=LANG place=statement long=40", &truncated, &whole);
	assert_true(truncated >= 20);
	assert_int_equal(whole, 0);
}

static void a_level_that_the_stack_does_not_have_is_outside(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement level=100");
	trial_measure_until(&trial, some_were_outside);
	assert_int_equal(session_samples_in(&trial.session, "statement"), 0);
	trial_finish(&trial);
}

/* Returns whether the collector named naps, and was asked about a wait. */
static bool naps_are_named(const struct trial *trial)
{
	const struct session *session = &trial->session;
	uint64_t named = 0;

	for (size_t i = 0; i < session->rows[RECORD_WAIT].count; i++) {
		const struct record_wait *row = recordset_get(&session->rows[RECORD_WAIT], i);

		if (row->reason == WAIT_SLEEP && row->transaction &&
		    session_on_stack(session, row->stack, "statement"))
			named += row->total;
	}
	return named >= 250 * NSEC_PER_MSEC && calls_in(trial, VIGIL_WAITING) > 0;
}

static void it_is_called_for_waits_too(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement transaction=NAP");
	trial.enough = naps_are_named;
	trial_measure(&trial, "waits", "sleep", "300", trial.enough_file, NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (call->state != VIGIL_WAITING)
			continue;
		assert_int_equal(call->flags, VIGIL_IN_KERNEL | VIGIL_WHOLE);
		assert_int_equal(call->known, 1u << 16 | 1u << 7);
		assert_int_equal(call->rsp, call->stack_at);
		assert_true(call->frames > 0 && call->stack > 0);
	}
	assert_true(trial.came);
	trial_finish(&trial);
}

/* Returns whether there was a call after the end of the pause. */
static bool went_on(const struct trial *trial)
{
	const struct session *session = &trial->session;

	return session->paused_until && trial->call_count &&
	       trial->calls[trial->call_count - 1].time > session->paused_until;
}

/*
 * Suspends a session for a while, and checks that calls came before and after, and none meanwhile;
 * returns their number. until: the program runs until one came after.
 */
static size_t calls_around_a_pause(enum privilege privilege, enum vigil_task_state state,
				   bool until, const char *program, const char *how,
				   const char *many, const char *long_time)
{
	struct trial trial;
	size_t around;

	trial_begin(&trial);
	trial.session.config.privilege = privilege;
	trial.session.pause_from = 40 * NSEC_PER_MSEC;
	trial.session.pause_until = 120 * NSEC_PER_MSEC;
	trial_add_rules(&trial, "");
	trial.enough = until ? went_on : NULL;
	trial_measure(&trial, program, how, until ? trial.enough_file : many, long_time, NULL);
	assert_true(trial.session.paused_until > trial.session.paused_from);
	for (size_t i = 0; i < trial.call_count; i++)
		assert_false(trial.calls[i].time > trial.session.paused_from &&
			     trial.calls[i].time < trial.session.paused_until);
	around = calls_in(&trial, state);
	trial_finish(&trial);
	return around;
}

/* As in wait-looks.c. */
#define ASK_TRIES 8
#define ASK_PAUSE (5 * NSEC_PER_MSEC)

/*
 * Returns whether there were enough looks at one nap: five, each after a pause twice as long as
 * the one before, or a few more on a busy machine. So one bad moment does not decide the whole
 * wait.
 */
static bool was_asked_again(const struct trial *trial)
{
	uint64_t pause = ASK_PAUSE, last = 0;

	for (size_t i = 0; i < trial->call_count; i++) {
		const struct call *call = &trial->calls[i];

		if (call->state != VIGIL_WAITING)
			continue;
		if (last && call->time >= last + pause && call->time < last + 16 * pause)
			pause *= 2;
		else
			pause = ASK_PAUSE;
		if (pause == ASK_PAUSE << 5)
			return true;
		last = call->time;
	}
	return false;
}

static void it_is_asked_again_about_a_wait_that_it_could_not_tell_of(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=torn");
	trial.enough = was_asked_again;
	trial_measure(&trial, "waits", "sleep", "1000", trial.enough_file, NULL);
	assert_true(trial.came);
	/* It is not asked forever. */
	assert_true(calls_in(&trial, VIGIL_WAITING) <=
		    ASK_TRIES * session_waits(&trial.session, 0, NULL).count);
	row = trial_row(&trial, 1);
	/* On a busy machine an answer may be too late, and is counted as late. */
	assert_true(row.torn > 0);
	assert_true(row.calls <= row.torn + row.late);
	assert_int_equal(row.answers, 0);
	trial_finish(&trial);
}

static void it_is_not_called_while_the_session_is_suspended(void **state UNUSED)
{
	assert_true(calls_around_a_pause(PRIVILEGE_AUTO, VIGIL_EXECUTING, true, "shares", "100",
					 NULL, NULL) > 0);
	assert_true(calls_around_a_pause(PRIVILEGE_PROC, VIGIL_EXECUTING, true, "shares", "100",
					 NULL, NULL) > 0);
	/* Threads that begin waits all the time. */
	assert_true(calls_around_a_pause(PRIVILEGE_AUTO, VIGIL_WAITING, false, "tasks", "threads",
					 "600", "300") > 0);
}

/* Returns the number of calls for a program. */
static size_t calls_of(const struct trial *trial, const char *program)
{
	size_t count = 0;

	for (size_t i = 0; i < trial->call_count; i++)
		count += strcmp(trial->calls[i].program, program) == 0;
	return count;
}

/*
 * Each of the two programs waits for this once: returns whether the first, and then the second was
 * seen.
 */
static bool the_next_was_called(const struct trial *trial)
{
	static bool first_is_gone;

	if (!first_is_gone)
		return first_is_gone = calls_of(trial, "tasks") > 0;
	return calls_of(trial, "shares") >= 20;
}

static void the_generation_is_another_one_after_an_exec(void **state UNUSED)
{
	struct trial trial;
	uint64_t first = 0, second = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial.enough = the_next_was_called;
	trial_measure(&trial, "tasks", "until", trial.enough_file, "tests/programs/shares", "100",
		      trial.enough_file, NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];
		uint64_t *generation = strcmp(call->program, "tasks") == 0 ? &first : &second;

		assert_true(*generation == 0 || *generation == call->generation);
		*generation = call->generation;
	}
	assert_true(first != 0 && second != 0);
	assert_true(first != second);
	trial_finish(&trial);
}

/* Returns the number of calls for tasks that were held. */
static size_t held_calls(const struct trial *trial)
{
	size_t held = 0;

	for (size_t i = 0; i < trial->call_count; i++)
		held += (trial->calls[i].flags & VIGIL_HELD) != 0;
	return held;
}

static bool was_held(const struct trial *trial)
{
	return held_calls(trial) >= 20;
}

static void a_task_is_held_when_it_wants_that(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-hold.so", "");
	trial_measure_until(&trial, was_held);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (!(call->flags & VIGIL_HELD))
			continue;
		assert_int_equal(call->known, (1u << VIGIL_REGISTERS) - 1);
		assert_int_equal(call->rsp, call->stack_at);
		assert_int_equal(call->address, call->rip);
	}
	row = trial_row(&trial, 1);
	assert_counted(row.held, held_calls(&trial), &row);
	trial_finish(&trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_called_once_for_each_task_that_executes),
		cmocka_unit_test(they_are_called_in_the_order_given_and_see_what_others_said),
		cmocka_unit_test(it_is_given_the_module_that_vigil_knows),
		cmocka_unit_test(the_module_may_be_known_though_base_and_size_are_zero),
		cmocka_unit_test(places_and_transactions_are_taken_without_kernel_records),
		cmocka_unit_test(a_module_whose_range_holds_the_address_is_taken),
		cmocka_unit_test(a_module_whose_range_does_not_hold_the_address_is_dropped),
		cmocka_unit_test(base_0_and_the_largest_size_force_a_module_of_a_pseudo_section),
		cmocka_unit_test(they_do_not_force_any_other_module),
		cmocka_unit_test(pseudo_sections_are_told_with_a_period_and_a_name_may_recur),
		cmocka_unit_test(a_transaction_stays_until_it_is_replaced_or_reset),
		cmocka_unit_test(a_transaction_counts_when_it_changes),
		cmocka_unit_test(transaction_and_subsystem_are_taken_though_the_module_is_dropped),
		cmocka_unit_test(
			the_text_for_subsystem_is_zero_before_each_call_and_the_last_stays),
		cmocka_unit_test(the_work_area_does_not_survive_and_the_anchor_does),
		cmocka_unit_test(a_wait_is_looked_at_once_its_collector_is_loaded),
		cmocka_unit_test(its_list_of_programs_is_looked_at_when_it_was_found),
		cmocka_unit_test(its_list_of_programs_is_not_looked_at_when_it_is_named),
		cmocka_unit_test(a_mapprogram_name_in_the_list_has_it_called),
		cmocka_unit_test(the_name_of_the_steps_program_in_the_list_has_it_called),
		cmocka_unit_test(five_asterisks_in_the_list_have_it_called_always),
		cmocka_unit_test(changes_to_address_and_task_are_ignored),
		cmocka_unit_test(what_nobody_identifies_stays_where_its_address_lies),
		cmocka_unit_test(what_vigil_cannot_identify_a_collector_can),
		cmocka_unit_test(an_answer_that_is_not_its_own_is_not_looked_at),
		cmocka_unit_test(an_answer_it_rejects_itself_is_counted_as_torn),
		cmocka_unit_test(places_replace_the_frames_from_their_level_outwards),
		cmocka_unit_test(a_stack_whose_outer_places_are_cut_is_cut_not_broken),
		cmocka_unit_test(a_level_that_the_stack_does_not_have_is_outside),
		cmocka_unit_test(it_is_called_for_waits_too),
		cmocka_unit_test(it_is_asked_again_about_a_wait_that_it_could_not_tell_of),
		cmocka_unit_test(it_is_not_called_while_the_session_is_suspended),
		cmocka_unit_test(the_generation_is_another_one_after_an_exec),
		cmocka_unit_test(a_task_is_held_when_it_wants_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
