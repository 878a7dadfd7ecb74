/* SPDX-License-Identifier: Apache-2.0 */
/* Tests thinning: which samples stay, and that the accounts stay exact. */
#include "common/compat.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void every_second_of_a_task_stays(void **state UNUSED)
{
	struct thinning thinning;
	uint64_t seen, kept;

	thinning_init(&thinning);
	for (uint64_t i = 0; i < 1000; i++) {
		const struct record_sample sample = { .task = i % 3 + 1 };

		/* Of three tasks in turn the first and the third keep their first sample. */
		assert_int_equal(thinning_keep(&thinning, &sample),
				 (i % 3 == 1) == (i / 3 % 2 == 1));
	}
	assert_int_equal(thinning.seen, 1000);
	assert_int_equal(thinning.kept, 500);
	assert_true(thinning_of(&thinning, 1, &seen, &kept));
	assert_int_equal(seen, 334);
	assert_int_equal(kept, 167);
	assert_true(thinning_of(&thinning, 2, &seen, &kept));
	assert_int_equal(seen, 333);
	assert_int_equal(kept, 166);
	assert_false(thinning_of(&thinning, 4, &seen, &kept));
	thinning_release(&thinning);
}

static void half_of_many_small_tasks_stays(void **state UNUSED)
{
	struct thinning thinning;

	thinning_init(&thinning);
	for (uint64_t task = 1; task <= 2000; task++) {
		const struct record_sample sample = { .task = task };

		thinning_keep(&thinning, &sample);
	}
	assert_int_equal(thinning.kept, 1000);
	thinning_release(&thinning);
}

/* Stands for the data set: the samples that snapshots took. */
struct store {
	struct recordset rows;
	bool fails;
};

static int thin_store(void *argument, bool (*keep)(void *keep_argument, const void *row),
		      void *keep_argument, struct error *err)
{
	struct store *store = argument;
	struct recordset left;

	if (store->fails)
		return error_set(err, "the disk is full");
	recordset_init(&left, store->rows.type);
	for (size_t i = 0; i < store->rows.count; i++) {
		const struct record_sample *row = recordset_get(&store->rows, i);

		if (keep(keep_argument, row))
			recordset_add(&left, row);
	}
	recordset_release(&store->rows);
	store->rows = left;
	return 0;
}

/* Returns a sampler without a step. */
static struct sampler *bare_sampler(struct store *store, uint64_t target)
{
	struct sampler_config config = {
		.rate = 1000,
		.target = target,
		.thin = thin_store,
		.thin_argument = store,
	};

	recordset_init(&store->rows, &record_types[RECORD_SAMPLE]);
	store->fails = false;
	return sampler_new(&config);
}

/* A task is sampled at its old period: as in samples_take, without a stack. */
static void sample(struct sampler *sampler, struct task *task, uint64_t weight)
{
	task->cpu += weight;
	if (sample_ledger_accept(&sampler->ledger, task, weight))
		sample_ledger_add(&sampler->ledger, task, task->cpu, 0, SAMPLE_USER, 0);
	else
		sample_ledger_thin(&sampler->ledger);
}

/* A snapshot takes the samples. */
static void take(struct sampler *sampler, struct store *store)
{
	for (size_t i = 0; i < sampler->ledger.rows.count; i++)
		recordset_add(&store->rows, recordset_get(&sampler->ledger.rows, i));
	recordset_clear(&sampler->ledger.rows);
}

static void accounts_stay_exact(void **state UNUSED)
{
	const uint64_t old_period = 1000000;
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 100);
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *tasks[3];

	for (int i = 0; i < 3; i++)
		tasks[i] = tasks_add_task(&sampler->tasks, process, 10 + i, "t", 0);
	for (int i = 0; i < 1973; i++) {
		sample(sampler, tasks[i % 5 % 3], old_period);
		if (i % 7 == 0)
			take(sampler, &store);
		thin_when_due(&sampler->thin);
		assert_true(sampler->ledger.processed <= 200);
		assert_int_equal(sampler->ledger.taken,
				 sampler->ledger.processed + sampler->ledger.thinned);
		assert_int_equal(sampler->ledger.processed,
				 store.rows.count + sampler->ledger.rows.count);
	}
	assert_true(sampler->ledger.processed >= 100);
	assert_int_equal(sampler->ledger.period, 16 * old_period);
	/* Each task's samples and credit stand for all of its time. */
	for (int i = 0; i < 3; i++) {
		int64_t sampled = (int64_t)(tasks[i]->samples.count * sampler->ledger.period) +
			       tasks[i]->samples.credit;

		assert_int_equal(sampled, tasks[i]->cpu);
	}
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* Twice the target is not too many. */
static void samples_are_halved_above_twice_the_target(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10);
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);

	for (int i = 0; i < 20; i++)
		sample(sampler, task, 1000000);
	thin_when_due(&sampler->thin);
	assert_int_equal(sampler->ledger.processed, 20);
	assert_int_equal(sampler->ledger.period, 1000000);
	sample(sampler, task, 1000000);
	thin_when_due(&sampler->thin);
	assert_int_equal(sampler->ledger.processed, 11);
	assert_int_equal(sampler->ledger.period, 2000000);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* A task that has ended takes no more samples: the rest of its odd one belongs to its program. */
static void what_halving_leaves_of_ended_tasks_is_kept(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10);
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *ended = tasks_add_task(&sampler->tasks, process, 10, "t", 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 11, "t", 0);
	struct residue *residue = residues_get(&sampler->residues, "/bin/t");
	uint64_t of_ended = 0;

	for (int i = 0; i < 5; i++)
		sample(sampler, ended, 1000000);
	ended->state = TASK_ENDED;
	for (int i = 0; i < 16; i++)
		sample(sampler, task, 1000000);
	thin_when_due(&sampler->thin);
	assert_int_equal(sampler->ledger.period, 2000000);
	for (size_t i = 0; i < sampler->ledger.rows.count; i++) {
		const struct record_sample *row = recordset_get(&sampler->ledger.rows, i);

		of_ended += row->task == ended->base->id;
	}
	assert_in_range(of_ended, 2, 3);
	assert_int_equal(residue->rest, 5000000 - (int64_t)of_ended * 2000000);
	assert_int_equal(ended->samples.credit, 0);
	assert_int_equal((int64_t)(task->samples.count * 2000000) + task->samples.credit,
			 task->cpu);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

static void all_stay_when_thinning_fails(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10);
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);

	store.fails = true;
	for (int i = 0; i < 50; i++) {
		sample(sampler, task, 1000000);
		thin_when_due(&sampler->thin);
	}
	assert_true(sampler->thin.failed);
	assert_int_equal(sampler->ledger.processed, 50);
	assert_int_equal(sampler->ledger.period, 1000000);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* Returns a task that executed for cpu ns, without a sample. */
static struct task *silent_task(struct sampler *sampler, uint64_t cpu)
{
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);

	process->residue = residues_get(&sampler->residues, "/bin/t");
	task->cpu = cpu;
	return task;
}

static void time_without_samples_is_estimated(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 1000);
	struct task *task = silent_task(sampler, 10700000);

	sampler->privilege = PRIVILEGE_USER;
	estimate_settle(&sampler->estimate, task, 20000000, true);
	/* The last period's sample may still come. */
	assert_int_equal(task->samples.count, 9);
	estimate_settle(&sampler->estimate, task, 20000000, true);
	assert_int_equal(task->samples.count, 9);
	task->state = TASK_ENDED;
	estimate_end(&sampler->estimate, task, 20000000);
	estimate_finish(&sampler->estimate, 20000000);
	assert_int_equal(sampler->ledger.processed, 10);
	assert_int_equal(task->process->residue->unseen, 700000);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* With /proc alone each whole period is a sample, as soon as it is complete. */
static void each_whole_period_is_a_sample_of_the_program(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 1000);
	struct task *task = silent_task(sampler, 999999);

	sampler->privilege = PRIVILEGE_PROC;
	estimate_program(&sampler->estimate, task, 20000000);
	assert_int_equal(task->samples.count, 0);
	task->cpu = 1000000;
	estimate_program(&sampler->estimate, task, 20000000);
	assert_int_equal(task->samples.count, 1);
	task->cpu = 4000000;
	estimate_program(&sampler->estimate, task, 20000000);
	assert_int_equal(task->samples.count, 4);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

static void short_tasks_are_summed_up(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 1000);
	struct process *process = tasks_add_process(&sampler->tasks, 9, NULL, 0);

	process->residue = residues_get(&sampler->residues, "/bin/t");
	for (int i = 0; i < 101; i++) {
		struct task *task = tasks_add_task(&sampler->tasks, process, 10 + i, "t", 0);

		task->cpu = 300000;
		task->state = TASK_ENDED;
		estimate_end(&sampler->estimate, task, 5000000);
	}
	/* Other tasks of the program may still show where. */
	assert_int_equal(sampler->ledger.processed, 0);
	estimate_finish(&sampler->estimate, 6000000);
	assert_int_equal(sampler->ledger.processed, 30);
	assert_int_equal(process->residue->unseen, 300000);
	assert_int_equal(sampler->estimate.unplaced, 30000000);
	for (size_t i = 0; i < sampler->ledger.rows.count; i++) {
		const struct record_sample *row = recordset_get(&sampler->ledger.rows, i);

		assert_int_equal(row->kind, SAMPLE_RESIDUE);
	}
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* Half a period of a task, sampled by the finer events. */
static void half_a_period(struct sampler *sampler, struct task *task)
{
	struct observation seen = { .kind = OBSERVED_SAMPLE, .tid = task->base->tid };

	seen.sample.finer = true;
	seen.sample.period = sampler->ledger.period / 8;
	for (int i = 0; i < 4; i++) {
		task->cpu += seen.sample.period;
		samples_take(&sampler->samples, task, &seen);
	}
}

static void tasks_side_by_side_make_up_for_the_same_once(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10000);
	struct process *process = tasks_add_process(&sampler->tasks, 9, NULL, 0);
	struct task *parent = tasks_add_task(&sampler->tasks, process, 9, "t", 0);
	struct task *tasks[500];
	uint64_t first, all;

	sampler->privilege = PRIVILEGE_FULL;
	sampler->short_tasks.on = true;
	parent->short_task.finer = true;
	process->residue = residues_get(&sampler->residues, "/bin/t");
	process->residue->rest = 3900000;
	for (int i = 0; i < 500; i++) {
		tasks[i] = tasks_add_task(&sampler->tasks, process, 10 + i, "t", 0);
		short_tasks_begin(&sampler->short_tasks, tasks[i], parent);
		half_a_period(sampler, tasks[i]);
	}
	/* Half of 500 and the 4 that were missing, which are random. */
	first = sampler->ledger.processed;
	assert_in_range(first, 250, 256);
	for (int i = 0; i < 500; i++) {
		tasks[i]->state = TASK_ENDED;
		estimate_end(&sampler->estimate, tasks[i], 5000000);
	}
	all = sampler->ledger.processed;
	assert_in_range(all, 250, 258);
	assert_int_equal((int64_t)(all * 1000000) + process->residue->rest, 250000000 + 3900000);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

static void a_lot_is_drawn_of_a_whole_period_however_long(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10000);
	struct process *process = tasks_add_process(&sampler->tasks, 9, NULL, 0);
	struct task *parent = tasks_add_task(&sampler->tasks, process, 9, "t", 0);
	uint64_t upper = 0;

	/* After many halvings. */
	sampler->ledger.period = UINT64_C(1) << 34;
	parent->short_task.finer = true;
	process->residue = residues_get(&sampler->residues, "/bin/t");
	for (int i = 0; i < 400; i++) {
		struct task *task = tasks_add_task(&sampler->tasks, process, 10 + i, "t", 0);

		short_tasks_begin(&sampler->short_tasks, task, parent);
		upper += (uint64_t)task->samples.phase >= sampler->ledger.period / 2;
	}
	assert_in_range(upper, 190, 210);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/* Draws the position of a new task whose program has rest ns without samples; returns the bias. */
static int64_t steered(enum privilege privilege, int64_t rest, int64_t *phase)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10000);
	struct process *process = tasks_add_process(&sampler->tasks, 9, NULL, 0);
	struct task *parent = tasks_add_task(&sampler->tasks, process, 9, "t", 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);
	int64_t by;

	sampler->privilege = privilege;
	parent->short_task.finer = true;
	process->residue = residues_get(&sampler->residues, "/bin/t");
	process->residue->rest = rest;
	short_tasks_begin(&sampler->short_tasks, task, parent);
	by = task->short_task.steered;
	*phase = task->samples.phase;
	assert_int_equal(process->residue->rest, rest - by);
	recordset_release(&store.rows);
	sampler_free(sampler);
	return by;
}

/* Too many samples are always compensated by fewer, too few only if all time can be sampled. */
static void lots_make_up_for_what_is_missing(void **state UNUSED)
{
	int64_t plain, phase;

	assert_int_equal(steered(PRIVILEGE_FULL, 0, &plain), 0);
	assert_true(plain > 0 && plain < 1000000);
	assert_int_equal(steered(PRIVILEGE_USER, 0, &phase), 0);
	assert_int_equal(phase, plain);
	assert_int_equal(steered(PRIVILEGE_USER, 4000, &phase), 0);
	assert_int_equal(steered(PRIVILEGE_FULL, 4000, &phase), 1000);
	assert_int_equal(phase, plain + 1000);
	assert_int_equal(steered(PRIVILEGE_USER, -4000, &phase), -1000);
	assert_int_equal(steered(PRIVILEGE_FULL, -4000, &phase), -1000);
	assert_int_equal(phase, plain - 1000);
	/* A phase is within a period. */
	assert_int_equal(steered(PRIVILEGE_USER, -8000000, &phase), -plain);
	assert_int_equal(phase, 0);
	assert_int_equal(steered(PRIVILEGE_FULL, 8000000, &phase), 999999 - plain);
	assert_int_equal(phase, 999999);
}

/* Finer events end after fifty consecutive looks that saw hardly any short tasks. */
static void finer_events_end_after_a_quiet_second(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10000);
	struct short_tasks *short_tasks = &sampler->short_tasks;

	sampler->perf.open = true;
	short_tasks->on = true;
	for (int look = 1; look <= 90; look++) {
		sampler->clock.active += 20000000;
		sampler->tasks.cpu += 50000000;
		/* A fiftieth is not hardly any. */
		short_tasks->short_cpu = look == 40 ? 1000000 : 999999;
		short_tasks_look(short_tasks);
		assert_int_equal(short_tasks->on, look < 90);
		assert_int_equal(short_tasks->period != 0, look < 90);
		/* There is no second look within 20 ms. */
		sampler->clock.active += 10000000;
		sampler->tasks.cpu += 50000000;
		short_tasks_look(short_tasks);
		sampler->tasks.cpu -= 50000000;
		sampler->clock.active -= 10000000;
	}
	sampler->perf.open = false;
	recordset_release(&store.rows);
	sampler_free(sampler);
}

/*
 * Finer events are made again soon after they were removed: what the rings still hold of
 * the removed ones does not count, and is no evidence that a task has finer events.
 */
static void late_samples_of_removed_events_do_not_count(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 10000);
	struct short_tasks *short_tasks = &sampler->short_tasks;
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);
	struct observation seen = { .kind = OBSERVED_SAMPLE, .tid = 10, .time = 900 };

	sampler->perf.open = true;
	task->short_task.finer = true;
	short_tasks->until = 1000;
	short_tasks->on = true;
	sampler->clock.active += 20000000;
	short_tasks_look(short_tasks);
	assert_true(short_tasks->period);
	for (int turn = 0; turn < 2; turn++) {
		seen.sample.finer = true;
		assert_false(short_tasks_accept(short_tasks, task, &seen));
		assert_false(short_tasks_take(short_tasks, task, &seen));
		seen.sample.finer = false;
		assert_true(short_tasks_take(short_tasks, task, &seen));
		seen.time = 999;
	}
	/* One of the present events is evidence. */
	seen.time = 1001;
	seen.sample.finer = true;
	assert_true(short_tasks_take(short_tasks, task, &seen));
	seen.sample.finer = false;
	assert_false(short_tasks_take(short_tasks, task, &seen));
	sampler->perf.open = false;
	recordset_release(&store.rows);
	sampler_free(sampler);
}

static void relief_halves_down_to_a_quarter(void **state UNUSED)
{
	struct store store;
	struct sampler *sampler = bare_sampler(&store, 1000);
	struct process *process = tasks_add_process(&sampler->tasks, 10, NULL, 0);
	struct task *task = tasks_add_task(&sampler->tasks, process, 10, "t", 0);

	for (int i = 0; i < 100; i++)
		sample(sampler, task, 1000000);
	for (int i = 0; i < 3; i++)
		thin_relieve(&sampler->thin);
	assert_int_equal(sampler->ledger.period, 4000000);
	assert_int_equal(sampler->ledger.processed, 25);
	assert_int_equal(sampler->ledger.thinned, 75);
	/* A requested rate is kept. */
	sampler->ledger.period_initial = sampler->ledger.period;
	sampler->config.fixed_rate = true;
	thin_relieve(&sampler->thin);
	assert_int_equal(sampler->ledger.period, 4000000);
	recordset_release(&store.rows);
	sampler_free(sampler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_second_of_a_task_stays),
		cmocka_unit_test(half_of_many_small_tasks_stays),
		cmocka_unit_test(relief_halves_down_to_a_quarter),
		cmocka_unit_test(accounts_stay_exact),
		cmocka_unit_test(samples_are_halved_above_twice_the_target),
		cmocka_unit_test(what_halving_leaves_of_ended_tasks_is_kept),
		cmocka_unit_test(each_whole_period_is_a_sample_of_the_program),
		cmocka_unit_test(lots_make_up_for_what_is_missing),
		cmocka_unit_test(finer_events_end_after_a_quiet_second),
		cmocka_unit_test(late_samples_of_removed_events_do_not_count),
		cmocka_unit_test(all_stay_when_thinning_fails),
		cmocka_unit_test(time_without_samples_is_estimated),
		cmocka_unit_test(short_tasks_are_summed_up),
		cmocka_unit_test(tasks_side_by_side_make_up_for_the_same_once),
		cmocka_unit_test(a_lot_is_drawn_of_a_whole_period_however_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
