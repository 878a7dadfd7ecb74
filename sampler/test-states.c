/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the first state of a task that is attached to while it can execute: no
 * record has shown yet whether it has a processor. Constructed records, so that
 * every sum is known exactly.
 */
#include "common/compat.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A process id that no machine assigns, so that nothing is found in /proc. */
#define ROOT 5000001

/* A session that has attached to a process of one task at time 1000. */
struct attached {
	struct sampler *sampler;
	struct task *task;
};

static int attach(void **state)
{
	struct attached *attached = calloc(1, sizeof(*attached));
	struct sampler_config config = { 0 };
	struct sampler *sampler = sampler_new(&config);
	struct process *process;

	if (!attached || !sampler)
		return -1;
	sampler->privilege = PRIVILEGE_USER;
	step_clock_init(&sampler->clock, 1000);
	process = tasks_add_process(&sampler->tasks, ROOT, NULL, 1000);
	*attached = (struct attached){
		.sampler = sampler,
		.task = tasks_add_task(&sampler->tasks, process, ROOT, "", 1000),
	};
	state_assume_ready(&sampler->states, attached->task);
	*state = attached;
	return 0;
}

static int detach(void **state)
{
	struct attached *attached = *state;

	sampler_free(attached->sampler);
	free(attached);
	return 0;
}

static void seen(struct attached *attached, uint64_t time, enum observation_kind kind, bool preempted)
{
	const struct observation record = {
		.kind = kind,
		.time = time,
		.pid = ROOT,
		.tid = ROOT,
		.preempted = preempted,
	};

	observe_record(attached->sampler, &record);
}

/* The processor is taken from the task from 1800 to 1850; time is now 2000. */
static void preempted_once(struct attached *attached)
{
	seen(attached, 1800, OBSERVED_OUT, true);
	seen(attached, 1850, OBSERVED_IN, false);
	/* A further record does not change what is known by now. */
	seen(attached, 1900, OBSERVED_SAMPLE, false);
	step_clock_advance(&attached->sampler->clock, 2000);
}

/* Ends a snapshot. Checks its waits for a processor, and the parts of its run time. */
static void assert_snapshot(struct attached *attached, uint64_t waits, uint64_t exec, uint64_t delay)
{
	struct sampler *sampler = attached->sampler;
	struct recordset *rows = &sampler->snapshot_rows.waits;
	uint64_t count = 0, total = 0, wait, parts[2];

	recordset_clear(rows);
	state_settle(&sampler->states, attached->task);
	waits_rows(&sampler->waits, &sampler->tasks, sampler->clock.now, true, rows);
	for (size_t i = 0; i < rows->count; i++) {
		const struct record_wait *row = recordset_get(rows, i);

		assert_int_equal(row->reason, WAIT_DISPATCH);
		count += row->count;
		total += row->total;
	}
	assert_int_equal(count, waits);
	assert_int_equal(total, delay);
	step_clock_take(&sampler->clock, &parts[0], &wait, &parts[1]);
	switching_take_charges(&sampler->waits.switching, &parts[0], &wait, &parts[1]);
	assert_int_equal(parts[0], exec);
	assert_int_equal(wait, 0);
	assert_int_equal(parts[1], delay);
}

/* Its first record is that it was given a processor. */
static void it_may_have_waited_for_a_processor(void **state)
{
	struct attached *attached = *state;

	seen(attached, 1700, OBSERVED_IN, false);
	preempted_once(attached);
	assert_snapshot(attached, 2, 100 + 150, 700 + 50);
	assert_int_equal(attached->task->cpu, 100 + 150);
	assert_int_equal(attached->task->delay, 700 + 50);
}

/* Its first record is one that only a task with a processor causes. */
static void it_may_have_had_one(void **state)
{
	static const enum observation_kind first[] = { OBSERVED_SAMPLE, OBSERVED_FAULT, OBSERVED_OUT };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++) {
		struct attached *attached;

		if (i > 0) {
			detach(state);
			attach(state);
		}
		attached = *state;
		if (first[i] != OBSERVED_OUT)
			seen(attached, 1700, first[i], false);
		preempted_once(attached);
		assert_snapshot(attached, 1, 800 + 150, 50);
		assert_int_equal(attached->task->cpu, 800 + 150);
		assert_int_equal(attached->task->cpu_solo, 800 + 150);
		assert_int_equal(attached->task->delay, 50);
		assert_int_equal(attached->task->waits.delay.preempted, 50);
	}
}

/* Its first record is that it begins to wait. */
static void it_may_have_had_one_until_it_waited(void **state)
{
	struct attached *attached = *state;

	seen(attached, 1300, OBSERVED_OUT, false);
	assert_int_equal(attached->task->state, TASK_BLOCKED);
	assert_int_equal(attached->task->cpu, 300);
	assert_int_equal(attached->task->delay, 0);
}

/* Its first record is that it ends. */
static void it_may_have_had_one_until_it_ended(void **state)
{
	struct attached *attached = *state;

	seen(attached, 1300, OBSERVED_EXIT, false);
	assert_int_equal(attached->task->state, TASK_ENDED);
	assert_int_equal(attached->task->cpu, 300);
	assert_int_equal(attached->task->delay, 0);
}

/* Its first record is that it executes another program. */
static void it_may_have_had_one_until_its_exec(void **state)
{
	struct attached *attached = *state;
	struct observation exec = { .kind = OBSERVED_COMM, .time = 1300, .pid = ROOT, .tid = ROOT };

	exec.comm.name = "other";
	exec.comm.exec = true;
	observe_record(attached->sampler, &exec);
	assert_int_equal(attached->task->cpu, 300);
	assert_int_equal(attached->task->delay, 0);
	preempted_once(attached);
	assert_int_equal(attached->task->cpu, 800);
}

/* A snapshot has shown the beginning as a wait: only what follows is corrected. */
static void what_a_snapshot_has_shown_stays(void **state)
{
	struct attached *attached = *state;

	step_clock_advance(&attached->sampler->clock, 1400);
	assert_snapshot(attached, 0, 0, 400);
	seen(attached, 1700, OBSERVED_SAMPLE, false);
	step_clock_advance(&attached->sampler->clock, 2000);
	assert_snapshot(attached, 0, 600, 0);
	assert_int_equal(attached->task->cpu, 600);
	assert_int_equal(attached->task->delay, 400);
	assert_int_equal(attached->task->waits.delay.ready, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_may_have_waited_for_a_processor, attach, detach),
		cmocka_unit_test_setup_teardown(it_may_have_had_one, attach, detach),
		cmocka_unit_test_setup_teardown(it_may_have_had_one_until_it_waited, attach, detach),
		cmocka_unit_test_setup_teardown(it_may_have_had_one_until_it_ended, attach, detach),
		cmocka_unit_test_setup_teardown(it_may_have_had_one_until_its_exec, attach, detach),
		cmocka_unit_test_setup_teardown(what_a_snapshot_has_shown_stays, attach, detach),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
