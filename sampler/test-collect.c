/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: trial, limit:120 */
/* Tests of data collectors from the sampler's side; the names are the rules of
   include/vigil/collector.h. What collectors were given is read from their own log. */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/collect.h"
#include "sampler/test-trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static void it_is_called_once_for_each_task_that_executes(void **state UNUSED)
{
	struct trial trial;
	long tids[8] = { 0 };
	size_t tid_count = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure(&trial, "busy", "4", "200", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];
		size_t known = 0;

		for (size_t k = i + 1; k < trial.call_count; k++)
			assert_false(trial.calls[k].tid == call->tid &&
				     trial.calls[k].time == call->time);
		while (known < tid_count && tids[known] != call->tid)
			known++;
		if (known == tid_count && tid_count < 8 && call->state == VIGIL_EXECUTING)
			tids[tid_count++] = call->tid;
	}
	assert_true(tid_count >= 4);
	assert_int_equal(trial_row(&trial, 1).calls, trial.call_count);
	trial_finish(&trial);
}

static void they_are_called_in_the_order_given_and_see_what_others_said(void **state UNUSED)
{
	struct trial trial;
	size_t pairs = 0, seen = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=FIRST transaction=ONE");
	trial_add(&trial, "tests/collectors/rules-second.so", "")->name = "STRBSECO";
	trial_measure(&trial, "shares", "300", NULL);
	for (size_t i = 0; i + 1 < trial.call_count; i++) {
		const struct call *first = &trial.calls[i], *second = first + 1;

		if (first->time != second->time)
			continue;
		pairs++;
		/* What the first answers too late the second does not see; it may be in the log
		   after it. */
		if (strcmp(first->name, "SECO") == 0) {
			assert_string_not_equal(first->module, "FIRST");
			continue;
		}
		assert_string_equal(second->name, "SECO");
		if (strcmp(second->module, "FIRST") != 0)
			continue;
		seen++;
		assert_string_equal(second->transaction, "ONE");
		assert_int_equal(second->base, first->address / 4096 * 4096);
		assert_int_equal(second->size, 4096);
	}
	assert_true(seen >= 20);
	assert_true(seen + trial_row(&trial, 1).late >= pairs);
	trial_finish(&trial);
}

static void it_is_given_the_module_that_vigil_knows(void **state UNUSED)
{
	struct trial trial;
	size_t own = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure(&trial, "shares", "300", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		assert_string_not_equal(call->module, "-");
		assert_true(call->base <= call->address);
		assert_true(call->address < call->base + call->size);
		assert_int_equal(call->address, call->rip);
		own += strcmp(call->module, "shares") == 0;
	}
	assert_true(own >= 20);
	trial_finish(&trial);
}

static void the_module_may_be_known_though_base_and_size_are_zero(void **state UNUSED)
{
	struct trial trial;
	size_t executing = 0;

	trial_begin(&trial);
	trial.session.config.privilege = PRIVILEGE_PROC;
	trial_add_rules(&trial, "");
	trial_measure(&trial, "shares", "500", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (call->state != VIGIL_EXECUTING)
			continue;
		executing++;
		assert_string_equal(call->module, "shares");
		assert_int_equal(call->base, 0);
		assert_int_equal(call->size, 0);
		assert_int_equal(call->address, 0);
		assert_int_equal(call->frames, 0);
	}
	assert_true(executing > 0);
	trial_finish(&trial);
}

static void places_and_transactions_are_taken_without_kernel_records(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.privilege = PRIVILEGE_PROC;
	trial_add_rules(&trial, "module=LANG place=statement transaction=WORK");
	trial_measure(&trial, "shares", "500", NULL);
	assert_true(trial_samples(&trial, "LANG") > 0);
	assert_true(session_samples_in(&trial.session, "statement") > 0);
	assert_int_equal(session_samples_in(&trial.session, "statement"),
			 session_samples_in(&trial.session, "around"));
	assert_string_equal(trial_transaction(&trial, 1), "WORK");
	trial_finish(&trial);
}

static void a_module_whose_range_holds_the_address_is_taken(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE");
	trial_measure(&trial, "shares", "300", NULL);
	row = trial_row(&trial, 1);
	assert_true(row.answers + row.late >= row.calls);
	assert_int_equal(row.outside, 0);
	assert_true(trial_samples(&trial, "MINE") >= 20);
	trial_finish(&trial);
}

static void a_module_whose_range_does_not_hold_the_address_is_dropped(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE range=beside");
	trial_measure(&trial, "shares", "300", NULL);
	row = trial_row(&trial, 1);
	assert_true(row.outside >= 20);
	assert_int_equal(row.answers, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	assert_true(session_samples_in(&trial.session, "half") > 0);
	trial_finish(&trial);
}

static void base_0_and_the_largest_size_force_a_module_of_a_pseudo_section(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=ABCMOD range=forced");
	trial_measure(&trial, "shares", "300", NULL);
	assert_int_equal(trial_row(&trial, 1).outside, 0);
	assert_true(trial_samples(&trial, "ABCMOD") >= 20);
	trial_finish(&trial);
}

static void they_do_not_force_any_other_module(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=XYZMOD range=forced");
	trial_measure(&trial, "shares", "300", NULL);
	assert_true(trial_row(&trial, 1).outside >= 20);
	assert_int_equal(trial_samples(&trial, "XYZMOD"), 0);
	trial_finish(&trial);
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
	trial_measure(&trial, "shares", "300", NULL);
	assert_int_equal(set->count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct record_pseudo_section *row = recordset_get(set, i);

		assert_int_equal(row->collector, 1);
		assert_string_equal(session_text(&trial.session, row->section), wanted[i][0]);
		assert_string_equal(session_text(&trial.session, row->prefix), wanted[i][1]);
	}
	trial_finish(&trial);
}

/* What the nth call (from 1) of "transaction=LAST every=40" says. */
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

static void a_transaction_stays_until_it_is_replaced_or_reset(void **state UNUSED)
{
	struct trial trial;
	size_t seen[3] = { 0 }, kept = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "transaction=LAST every=40");
	trial_measure(&trial, "shares", "400", NULL);
	for (size_t i = 0; i + 1 < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];
		const char *now = trial.calls[i + 1].transaction, *wanted = said(call, i + 1);
		const struct record_sample *row = trial_sample(&trial, call->time);

		/* It is in force before the next call, or what was before; then it came too late. */
		assert_true(strcmp(now, wanted) == 0 || strcmp(now, call->transaction) == 0);
		kept += strcmp(now, wanted) != 0;
		if (!row || call->state != VIGIL_EXECUTING)
			continue;
		/* It is for the sample after the call, too. */
		assert_string_equal(trial_transaction(&trial, row->transaction),
				    strcmp(now, "-") == 0 ? "" : now);
		seen[(i + 1) / 40 % 3] += strcmp(now, wanted) == 0;
	}
	assert_true(kept <= trial_row(&trial, 1).late);
	assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
	trial_finish(&trial);
}

static void a_transaction_counts_when_it_changes(void **state UNUSED)
{
	struct trial trial;
	const struct recordset *set = &trial.session.rows[RECORD_TRANSACTION];
	const struct record_transaction *row;

	trial_begin(&trial);
	trial_add_rules(&trial, "transaction=SAME");
	trial_measure(&trial, "shares", "300", NULL);
	assert_true(set->count > 0);
	row = recordset_get(set, set->count - 1);
	assert_int_equal(row->count, 1);
	trial_finish(&trial);
}

static void transaction_and_subsystem_are_taken_though_the_module_is_dropped(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=MINE range=beside transaction=KEPT id=PAYROLL");
	trial_measure(&trial, "shares", "300", NULL);
	assert_string_equal(trial_transaction(&trial, 1), "KEPT");
	assert_string_equal(session_attribute(&trial.session, ATTR_SUBSYSTEM), "PAYROLL");
	trial_finish(&trial);
}

static void the_text_for_subsystem_is_zero_before_each_call_and_the_last_stays(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "id=PAYROLL once");
	trial_measure(&trial, "shares", "300", NULL);
	assert_true(trial.call_count >= 20);
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
	trial_measure(&trial, "shares", "300", NULL);
	assert_true(trial.call_count >= 20);
	for (size_t i = 0; i < trial.call_count; i++) {
		assert_int_equal(trial.calls[i].work, 0);
		assert_int_equal(trial.calls[i].anchor, i);
	}
	trial_finish(&trial);
}

static void a_wait_is_looked_at_once_its_collector_is_loaded(void **state UNUSED)
{
	struct trial trial;
	size_t waiting = 0;

	trial_begin(&trial);
	/* The first program is another: what it needs is loaded while the step runs. */
	trial.session.config.subject = "";
	trial_add_rules(&trial, "");
	trial_measure(&trial, "waits", "sleep", "1000", NULL);
	for (size_t i = 0; i < trial.call_count; i++)
		waiting += trial.calls[i].state == VIGIL_WAITING;
	assert_true(waiting > 0);
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
	trial_measure(&trial, "shares", "200", NULL);
	assert_true(trial.call_count >= 20);
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
	trial_measure(&trial, "shares", "200", NULL);
	assert_true(trial.call_count >= 20);
	trial_finish(&trial);
}

static void the_name_of_the_steps_program_in_the_list_has_it_called(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.session.config.subject = "OTHERPRG";
	trial_add(&trial, "tests/collectors/rules-list.so", "")->origin = COLLECTOR_FOUND;
	trial_measure(&trial, "shares", "200", NULL);
	assert_true(trial.call_count >= 20);
	trial_finish(&trial);
}

static void five_asterisks_in_the_list_have_it_called_always(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-always.so", "")->origin = COLLECTOR_FOUND;
	trial_measure(&trial, "shares", "200", NULL);
	assert_true(trial.call_count >= 20);
	trial_finish(&trial);
}

static void changes_to_address_and_task_are_ignored(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "meddle module=MINE");
	trial_add(&trial, "tests/collectors/rules-second.so", "");
	trial_measure(&trial, "shares", "300", NULL);
	assert_int_equal(trial_row(&trial, 1).outside, 0);
	for (size_t i = 0; i < trial.call_count; i++)
		assert_int_equal(trial.calls[i].address, trial.calls[i].rip);
	assert_true(trial_samples(&trial, "MINE") >= 20);
	trial_finish(&trial);
}

static void what_nobody_identifies_stays_where_its_address_lies(void **state UNUSED)
{
	struct trial trial;
	const struct recordset *set = &trial.session.rows[RECORD_SAMPLE];
	size_t nameless = 0, anonymous = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure(&trial, "private", "300", NULL);
	for (size_t i = 0; i < trial.call_count; i++)
		nameless += strcmp(trial.calls[i].module, "-") == 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);
		const char *path;

		anonymous += trial_object(&trial, row->stack, &path) == OBJECT_ANONYMOUS;
	}
	assert_true(nameless >= 20);
	assert_true(anonymous >= 20);
	trial_finish(&trial);
}

static void what_vigil_cannot_identify_a_collector_can(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LOADED unknown");
	trial_measure(&trial, "private", "300", NULL);
	assert_true(trial_samples(&trial, "LOADED") >= 20);
	trial_finish(&trial);
}

static void an_answer_that_is_not_its_own_is_not_looked_at(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "programs=another module=MINE");
	trial_measure(&trial, "shares", "300", NULL);
	row = trial_row(&trial, 1);
	assert_true(row.calls >= 20);
	assert_int_equal(row.answers, 0);
	assert_int_equal(row.torn, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	trial_finish(&trial);
}

static void an_answer_it_rejects_itself_is_counted_as_torn(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=torn module=MINE");
	trial_measure(&trial, "shares", "300", NULL);
	row = trial_row(&trial, 1);
	assert_true(row.torn >= 20 && row.torn + row.late >= row.calls);
	assert_int_equal(row.answers, 0);
	assert_int_equal(trial_samples(&trial, "MINE"), 0);
	trial_finish(&trial);
}

static void places_replace_the_frames_from_their_level_outwards(void **state UNUSED)
{
	struct trial trial;
	const struct session *session = &trial.session;
	size_t inside = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement level=1");
	trial_measure(&trial, "shares", "300", NULL);
	for (size_t i = 0; i < session->rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		if (!session_on_stack(session, row->stack, "statement"))
			continue;
		inside += session_on_stack(session, row->stack, "half");
		assert_true(session_on_stack(session, row->stack, "around"));
		assert_false(session_on_stack(session, row->stack, "main"));
	}
	assert_true(inside >= 20);
	trial_finish(&trial);
}

/* Samples with places of a collector whose stacks are cut, and others. */
static void count_cut(const char *words, size_t *cut, size_t *whole)
{
	struct trial trial;
	const struct session *session = &trial.session;

	*cut = *whole = 0;
	trial_begin(&trial);
	trial_add_rules(&trial, words);
	trial_measure(&trial, "shares", "300", NULL);
	for (size_t i = 0; i < session->rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		if (session_on_stack(session, row->stack, "statement"))
			++*(row->flags & SAMPLE_CUT ? cut : whole);
	}
	trial_finish(&trial);
}

static void a_stack_whose_outer_places_are_cut_is_cut_not_broken(void **state UNUSED)
{
	size_t cut, whole;

	count_cut("module=LANG place=statement long=10", &cut, &whole);
	assert_true(whole >= 20);
	assert_int_equal(cut, 0);
	count_cut("module=LANG place=statement long=40", &cut, &whole);
	assert_true(cut >= 20);
	assert_int_equal(whole, 0);
}

static void a_level_that_the_stack_does_not_have_is_outside(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement level=100");
	trial_measure(&trial, "shares", "300", NULL);
	assert_true(trial_row(&trial, 1).outside >= 20);
	assert_int_equal(session_samples_in(&trial.session, "statement"), 0);
	trial_finish(&trial);
}

static void it_is_called_for_waits_too(void **state UNUSED)
{
	struct trial trial;
	const struct session *session = &trial.session;
	size_t waiting = 0;
	uint64_t named = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "module=LANG place=statement transaction=NAP");
	trial_measure(&trial, "waits", "sleep", "300", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (call->state != VIGIL_WAITING)
			continue;
		waiting++;
		assert_int_equal(call->flags, VIGIL_IN_KERNEL | VIGIL_WHOLE);
		assert_int_equal(call->known, 1u << 16 | 1u << 7);
		assert_int_equal(call->rsp, call->stack_at);
		assert_true(call->frames > 0 && call->stack > 0);
	}
	assert_true(waiting > 0);
	for (size_t i = 0; i < session->rows[RECORD_WAIT].count; i++) {
		const struct record_wait *row = recordset_get(&session->rows[RECORD_WAIT], i);

		if (row->reason == WAIT_SLEEP && row->transaction &&
		    session_on_stack(session, row->stack, "statement"))
			named += row->total;
	}
	assert_true(named >= 250000000);
	trial_finish(&trial);
}

/* A session is suspended for a while: how many calls came before and after, and none meanwhile. */
static size_t calls_around_a_pause(enum privilege privilege, enum vigil_task_state state,
				   const char *program, const char *how, const char *many,
				   const char *long_time)
{
	struct trial trial;
	size_t around = 0;

	trial_begin(&trial);
	trial.session.config.privilege = privilege;
	trial.session.pause_from = 100 * NSEC_PER_MSEC;
	trial.session.pause_until = 300 * NSEC_PER_MSEC;
	trial_add_rules(&trial, "");
	trial_measure(&trial, program, how, many, long_time, NULL);
	assert_true(trial.session.paused_until > trial.session.paused_from);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		assert_false(call->time > trial.session.paused_from &&
			     call->time < trial.session.paused_until);
		around += call->state == state;
	}
	trial_finish(&trial);
	return around;
}

static void it_is_asked_again_about_a_wait_that_it_could_not_tell_of(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;
	uint64_t first = 0, last = 0;
	size_t waiting = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=torn");
	trial_measure(&trial, "waits", "sleep", "300", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		if (trial.calls[i].state != VIGIL_WAITING)
			continue;
		first = waiting++ ? first : trial.calls[i].time;
		last = trial.calls[i].time;
	}
	row = trial_row(&trial, 1);
	/* Each time after a longer pause: one bad moment is not the whole wait. */
	assert_true(last > first + 100 * NSEC_PER_MSEC);
	/* One long wait, and a few of the program's start; it is not asked for ever. */
	assert_in_range(waiting, 4, 20);
	/* On a busy machine an answer may come too late, as others do that nobody was asked for. */
	assert_true(row.torn > 0);
	assert_true(row.calls <= row.torn + row.late);
	assert_int_equal(row.answers, 0);
	trial_finish(&trial);
}

static void it_is_not_called_while_the_session_is_suspended(void **state UNUSED)
{
	assert_true(calls_around_a_pause(PRIVILEGE_AUTO, VIGIL_EXECUTING, "shares", "600", NULL,
					 NULL) > 0);
	assert_true(calls_around_a_pause(PRIVILEGE_PROC, VIGIL_EXECUTING, "shares", "600", NULL,
					 NULL) > 0);
	/* Threads that begin to wait all the time. */
	assert_true(calls_around_a_pause(PRIVILEGE_AUTO, VIGIL_WAITING, "tasks", "threads", "1500",
					 "300") > 0);
}

static void the_generation_is_another_one_after_an_exec(void **state UNUSED)
{
	struct trial trial;
	uint64_t first = 0;
	size_t others = 0;

	trial_begin(&trial);
	trial_add_rules(&trial, "");
	trial_measure(&trial, "tasks", "exec", "tests/programs/shares", "200", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		if (strcmp(trial.calls[i].program, "tasks") == 0)
			first = trial.calls[i].generation;
		else
			others += trial.calls[i].generation != first;
	}
	assert_true(first != 0);
	assert_true(others >= 20);
	trial_finish(&trial);
}

static void a_missing_one_has_a_row_that_says_so(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.count = 1;
	trial.list[0] = (struct sampler_collector){ "STRBGONE", "", "", "it is not there",
						    COLLECTOR_NAMED };
	trial_measure(&trial, "shares", "200", NULL);
	assert_string_equal(trial_problem(&trial), "it is not there");
	assert_true(session_samples_in(&trial.session, "half") > 0);
	trial_finish(&trial);
}

/* A collector that misbehaves is switched off with a sentence, and the step is measured on. */
static void check_cut_off(const char *words, const char *problem)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, words);
	/* Samples are counted below: none is left out for what the collector costs before. */
	trial.session.config.cost = 100;
	trial_measure(&trial, "shares", "3000", NULL);
	if (!strstr(trial_problem(&trial), problem))
		fail_msg("\"%s\" is not \"%s\"", trial_problem(&trial), problem);
	assert_true(trial.session.counts.processed >= 2500);
	assert_true(session_samples_in(&trial.session, "half") > 0);
	/* What it used before counts. */
	assert_true(sampler_collector_cpu(trial.session.sampler) > 0);
	trial_finish(&trial);
}

static void one_that_crashes_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=crash",
		      "its process was killed by signal 11 (SIGSEGV) in its entry point");
}

static void one_that_ends_its_process_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=exit", "its process exited with status 3 in its entry point");
}

static void one_that_scribbles_over_the_shared_memory_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=scribble", "its process exited with status 9");
}

static void one_that_does_not_return_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=spin", "it did not return");
}

static void one_that_takes_long_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=slow", "too slow: it uses 2.");
}

static void one_that_leaks_memory_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=leak", "it leaks memory: ");
}

static void one_that_names_without_end_is_switched_off(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial.session.config.collector_names = 4;
	trial_add_rules(&trial, "do=names module=M");
	trial_add(&trial, "tests/collectors/rules-second.so", "module=OTHER")->name = "STRBSECO";
	trial_measure(&trial, "shares", "600", NULL);
	row = trial_row(&trial, 1);
	assert_string_equal(
		trial_problem(&trial),
		"its names take too much memory: 4 MB of modules, places and transactions");
	assert_in_range(row.answers, 20, 500);
	/* The other one goes on. */
	assert_string_equal(session_text(&trial.session, trial_row(&trial, 2).problem), "");
	assert_true(trial_samples(&trial, "OTHER") > 0);
	trial_finish(&trial);
}

static void samples_it_is_too_late_for_are_counted(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=late");
	trial_measure(&trial, "shares", "300", NULL);
	row = trial_row(&trial, 1);
	assert_true(row.late > 0);
	assert_true(row.calls > 21);
	assert_string_equal(trial_problem(&trial), "");
	trial_finish(&trial);
}

static void a_task_is_held_when_it_wants_that(void **state UNUSED)
{
	struct trial trial;
	size_t held = 0;

	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-hold.so", "");
	trial_measure(&trial, "shares", "300", NULL);
	for (size_t i = 0; i < trial.call_count; i++) {
		const struct call *call = &trial.calls[i];

		if (!(call->flags & VIGIL_HELD))
			continue;
		held++;
		assert_int_equal(call->known, (1u << VIGIL_REGISTERS) - 1);
		assert_int_equal(call->rsp, call->stack_at);
		assert_int_equal(call->address, call->rip);
	}
	assert_true(held >= 20);
	assert_int_equal(trial_row(&trial, 1).held, held);
	trial_finish(&trial);
}

static void nothing_of_a_program_that_is_held_is_harmed(void **state UNUSED)
{
	const char *options = getenv("ASAN_OPTIONS");
	char *before = options ? strdup(options) : NULL;
	struct trial trial;

	/* A program that is held cannot hold itself, as the search for leaks at its end would. */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-hold.so", "");
	trial_measure(&trial, "signals", "500", NULL);
	assert_true(trial_row(&trial, 1).held > 0);
	trial_finish(&trial);
	if (before)
		setenv("ASAN_OPTIONS", before, 1);
	else
		unsetenv("ASAN_OPTIONS");
	free(before);
}

static void names_match_patterns_whatever_their_case(void **state UNUSED)
{
	assert_true(collect_match("PAYROLL", "payroll"));
	assert_false(collect_match("PAYROLL", "payroll1"));
	assert_true(collect_match("PAY*", "payroll"));
	assert_true(collect_match("PAY%OLL", "payroll"));
	assert_false(collect_match("PAY%", "pay"));
	assert_true(collect_match("*ROLL*", "payrolls"));
	assert_true(collect_match("*A*B", "aab"));
	assert_false(collect_match("*A*B", "aabc"));
	assert_true(collect_match(VIGIL_ALWAYS, ""));
	assert_true(collect_match(VIGIL_ALWAYS, "anything"));
	assert_true(collect_matches("ONE\0TWO\0", "two"));
	assert_false(collect_matches("ONE\0TWO\0", "three"));
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
		cmocka_unit_test(a_missing_one_has_a_row_that_says_so),
		cmocka_unit_test(one_that_crashes_is_switched_off),
		cmocka_unit_test(one_that_ends_its_process_is_switched_off),
		cmocka_unit_test(one_that_scribbles_over_the_shared_memory_is_switched_off),
		cmocka_unit_test(one_that_does_not_return_is_switched_off),
		cmocka_unit_test(one_that_takes_long_is_switched_off),
		cmocka_unit_test(one_that_leaks_memory_is_switched_off),
		cmocka_unit_test(one_that_names_without_end_is_switched_off),
		cmocka_unit_test(samples_it_is_too_late_for_are_counted),
		cmocka_unit_test(a_task_is_held_when_it_wants_that),
		cmocka_unit_test(nothing_of_a_program_that_is_held_is_harmed),
		cmocka_unit_test(names_match_patterns_whatever_their_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
