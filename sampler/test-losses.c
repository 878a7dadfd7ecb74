/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the meaning of dropped records: constructed records of known processors,
 * so that every sum is known.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/chance.h"
#include "common/margin.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <math.h>

#define ROOT 5000001
#define OTHER 5000002
#define MS NSEC_PER_MSEC

/*
 * Returns a sampler that follows ROOT, which executes on processor 1 from 1 ms on,
 * and has a second task.
 */
static struct sampler *begin(void)
{
	struct sampler_config config = { 0 };
	struct sampler *sampler = sampler_new(&config);
	struct process *process = tasks_add_process(&sampler->tasks, ROOT, NULL, 0);
	struct observation exec = {
		.kind = OBSERVED_COMM, .time = MS, .pid = ROOT, .tid = ROOT, .processor = 1
	};

	sampler->privilege = PRIVILEGE_FULL;
	sampler->root = ROOT;
	step_clock_init(&sampler->clock, 0);
	tasks_add_task(&sampler->tasks, process, ROOT, "", 0);
	exec.comm.name = "root";
	exec.comm.exec = true;
	observe_record(sampler, &exec);
	observe_record(sampler, &(struct observation){ .kind = OBSERVED_FORK,
						       .time = MS,
						       .pid = ROOT,
						       .tid = OTHER,
						       .processor = 1,
						       .fork = { ROOT, ROOT } });
	return sampler;
}

static void record(struct sampler *sampler, enum observation_kind kind, uint64_t time, pid_t tid,
		   unsigned processor)
{
	struct observation seen = {
		.kind = kind, .time = time, .pid = ROOT, .tid = tid, .processor = processor
	};

	if (kind == OBSERVED_SAMPLE)
		seen.sample.period = MS;
	if (kind == OBSERVED_LOST)
		seen.lost = 8;
	observe_record(sampler, &seen);
}

/* Returns the number of samples of a task; *made: those of them that stand for lost ones. */
static size_t samples_of(struct sampler *sampler, pid_t tid, size_t *made)
{
	const struct recordset *rows = &sampler->ledger.rows;
	size_t count = 0;

	*made = 0;
	for (size_t i = 0; i < rows->count; i++) {
		const struct record_sample *row = recordset_get(rows, i);

		if (row->task != tasks_task(&sampler->tasks, tid)->base->id)
			continue;
		count++;
		*made += row->kind == SAMPLE_RESIDUE;
	}
	return count;
}

static void settle(struct sampler *sampler)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		state_settle(&sampler->states, task);
}

static void a_gap_is_no_time_on_the_processor(void **state UNUSED)
{
	struct sampler *sampler = begin();

	record(sampler, OBSERVED_SAMPLE, 3 * MS, ROOT, 1);
	record(sampler, OBSERVED_LOST, 50 * MS, ROOT, 1);
	record(sampler, OBSERVED_IN, 50 * MS, OTHER, 1);
	record(sampler, OBSERVED_OUT, 52 * MS, OTHER, 1);
	assert_int_equal(tasks_task(&sampler->tasks, ROOT)->cpu, 2 * MS);
	assert_int_equal(tasks_task(&sampler->tasks, OTHER)->cpu, 2 * MS);
	assert_int_equal(sampler->clock.running, 0);
	assert_int_equal(sampler->losses.gaps, 47 * MS);
	sampler_free(sampler);
}

static void a_processor_executes_one_task(void **state UNUSED)
{
	struct sampler *sampler = begin();

	record(sampler, OBSERVED_SAMPLE, 3 * MS, ROOT, 1);
	/* Another processor says nothing about this one. */
	record(sampler, OBSERVED_IN, 4 * MS, OTHER, 2);
	assert_int_equal(sampler->clock.running, 2);
	/* The task has left one processor for the other: so both former tasks have left theirs. */
	record(sampler, OBSERVED_IN, 9 * MS, OTHER, 1);
	settle(sampler);
	assert_int_equal(sampler->clock.running, 1);
	assert_int_equal(tasks_task(&sampler->tasks, ROOT)->cpu, 2 * MS);
	assert_int_equal(tasks_task(&sampler->tasks, OTHER)->cpu, 0);
	/* If the processor is not known, nothing is concluded. */
	record(sampler, OBSERVED_IN, 10 * MS, ROOT, 0);
	assert_int_equal(sampler->clock.running, 2);
	sampler_free(sampler);
}

/*
 * Returns a sampler with ROOT and OTHER alternating on processor 1; the records of
 * 40 ms between them were dropped.
 */
static struct sampler *with_gap(void)
{
	struct sampler *sampler = begin();

	for (uint64_t i = 2; i <= 10; i++)
		record(sampler, OBSERVED_SAMPLE, i * MS, ROOT, 1);
	record(sampler, OBSERVED_LOST, 50 * MS, OTHER, 1);
	record(sampler, OBSERVED_IN, 50 * MS, OTHER, 1);
	for (uint64_t i = 51; i <= 60; i++)
		record(sampler, OBSERVED_SAMPLE, i * MS, OTHER, 1);
	settle(sampler);
	assert_int_equal(sampler->tasks.cpu, 9 * MS + 10 * MS);
	return sampler;
}

static void lost_samples_are_made_where_they_were_lost(void **state UNUSED)
{
	struct sampler *sampler = with_gap();
	size_t made;

	/* The events have counted 20 ms more than is known. */
	losses_fill(&sampler->losses, 39 * MS, 0);
	assert_int_equal(sampler->tasks.cpu, 39 * MS);
	assert_int_equal(samples_of(sampler, ROOT, &made), 9 + 10);
	assert_int_equal(made, 10);
	assert_int_equal(samples_of(sampler, OTHER, &made), 10 + 10);
	assert_int_equal(made, 10);
	assert_int_equal(sampler->ledger.lost, 20);
	/* Only once. */
	losses_fill(&sampler->losses, 39 * MS, 0);
	assert_int_equal(sampler->ledger.lost, 20);
	sampler_free(sampler);
}

static void no_more_is_made_than_was_counted_or_dropped(void **state UNUSED)
{
	struct sampler *sampler = with_gap();

	losses_fill(&sampler->losses, 19 * MS, 0);
	assert_int_equal(sampler->ledger.lost, 0);
	sampler_free(sampler);
	sampler = with_gap();
	/* Records still in the rings are not lost. */
	losses_fill(&sampler->losses, 39 * MS, 15 * MS);
	assert_int_equal(sampler->ledger.lost, 5);
	sampler_free(sampler);
	sampler = with_gap();
	losses_fill(&sampler->losses, 1000 * MS, 0);
	assert_int_equal(sampler->ledger.lost, 40);
	sampler_free(sampler);
}

static void a_full_ring_raises_doubts(void **state UNUSED)
{
	struct sampler *sampler = begin();

	record(sampler, OBSERVED_SAMPLE, 3 * MS, ROOT, 1);
	step_clock_advance(&sampler->clock, 100 * MS);
	losses_doubt(&sampler->losses, 2);
	assert_int_equal(sampler->clock.running, 1);
	losses_doubt(&sampler->losses, 1);
	assert_int_equal(sampler->clock.running, 0);
	assert_int_equal(tasks_task(&sampler->tasks, ROOT)->cpu, 2 * MS);
	sampler_free(sampler);
}

static void ended_tasks_are_forgotten(void **state UNUSED)
{
	struct sampler *sampler = with_gap();

	record(sampler, OBSERVED_EXIT, 61 * MS, OTHER, 1);
	assert_null(sampler->losses.processors[0].task);
	losses_fill(&sampler->losses, 0, 0);
	tasks_sweep(&sampler->tasks);
	record(sampler, OBSERVED_LOST, 90 * MS, ROOT, 1);
	record(sampler, OBSERVED_SAMPLE, 91 * MS, ROOT, 1);
	settle(sampler);
	losses_fill(&sampler->losses, 50 * MS, 0);
	assert_true(sampler->ledger.lost > 0);
	sampler_free(sampler);
}

#define PLACES 4
#define PERIODS 1000
#define SESSIONS 400

/* Returns a random number, at least 0 and below 1. */
static double draw(void)
{
	static uint64_t state = 88172645463325252;

	return chance_part(chance_next(&state));
}

static unsigned draw_place(void)
{
	double point = draw();

	return point < 0.4 ? 0 : point < 0.7 ? 1 : point < 0.9 ? 2 : 3;
}

/* Results of the rows of many sessions. */
struct outcome {
	double rows, held, squares;
};

/* Compares each place's share of all samples with the truth. */
static void judge(const struct sampler *sampler, const uint64_t *truth, struct outcome *outcome)
{
	const struct sample_ledger *ledger = &sampler->ledger;
	double all = (double)ledger->processed, counts[PLACES] = { 0 }, looks;
	double unit = (double)ledger->period / 1000;

	for (size_t i = 0; i < ledger->rows.count; i++) {
		const struct record_sample *row = recordset_get(&ledger->rows, i);

		counts[row->stack - 1]++;
	}
	looks = margin_effective_samples(all, (double)ledger->lost, sampler->losses.squares / (unit * unit));
	for (unsigned i = 0; i < PLACES; i++) {
		double share = counts[i] / all, error = share - (double)truth[i] / PERIODS;
		double margin = margin_of_share(share, looks);

		outcome->rows++;
		outcome->held += fabs(error) <= margin;
		outcome->squares += error * error / (margin * margin);
	}
}

/*
 * Simulates a session whose task stays at a place for a mean of stay periods, and
 * loses gaps of gap periods.
 */
static void lose(double stay, unsigned gap, struct outcome *outcome)
{
	struct sampler *sampler = begin();
	struct task *task = tasks_task(&sampler->tasks, ROOT);
	uint64_t truth[PLACES] = { 0 }, known = sampler->tasks.cpu;
	unsigned place = draw_place(), left = 0, after = 1 + (unsigned)(draw() * 3 * gap);

	for (uint64_t i = 2; i < PERIODS + 2; i++) {
		if (draw() * stay < 1)
			place = draw_place();
		truth[place]++;
		step_clock_advance(&sampler->clock, i * MS);
		if (left && --left)
			continue;
		if (!--after) {
			left = gap;
			after = 1 + (unsigned)(draw() * 4 * gap);
		}
		if (left)
			continue;
		if (sampler->clock.active - sampler->losses.processors[0].last > MS)
			losses_dropped(&sampler->losses, 1, gap);
		state_add_cpu(&sampler->states, task, MS);
		sample_ledger_add(&sampler->ledger, task, i * MS, place + 1, SAMPLE_USER, 0);
		losses_sampled(&sampler->losses, 1, task);
		losses_seen(&sampler->losses, 1);
		if (i % 250 == 0)
			losses_fill(&sampler->losses, known + (i - 1) * MS, 0);
	}
	losses_fill(&sampler->losses, known + PERIODS * MS, 0);
	judge(sampler, truth, outcome);
	sampler_free(sampler);
}

/* For any length of the gaps, and of the task's stays. */
static void margins_know_how_many_samples_were_made_like_one(void **state UNUSED)
{
	static const double stays[] = { 1, 3, 20 };
	static const unsigned gaps[] = { 5, 40, 120 };

	for (unsigned i = 0; i < ARRAY_SIZE(stays); i++)
		for (unsigned j = 0; j < ARRAY_SIZE(gaps); j++) {
			struct outcome outcome = { 0 };

			for (unsigned n = 0; n < SESSIONS; n++)
				lose(stays[i], gaps[j], &outcome);
			assert_true(outcome.held >= 0.95 * outcome.rows);
			/* And are not much wider than necessary. */
			assert_true(outcome.squares >= 0.2 * 0.2 * outcome.rows);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_is_no_time_on_the_processor),
		cmocka_unit_test(a_processor_executes_one_task),
		cmocka_unit_test(lost_samples_are_made_where_they_were_lost),
		cmocka_unit_test(no_more_is_made_than_was_counted_or_dropped),
		cmocka_unit_test(a_full_ring_raises_doubts),
		cmocka_unit_test(ended_tasks_are_forgotten),
		cmocka_unit_test(margins_know_how_many_samples_were_made_like_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
