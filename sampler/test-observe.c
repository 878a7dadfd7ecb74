/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests how the kernel's records change the data on the step: constructed records,
 * so that every sum is known exactly and no privilege is needed.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

#include <linux/perf_event.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Process ids that no machine assigns, so that nothing is found in /proc. */
#define ROOT 5000001
#define CHILD 5000002
#define OTHER 5000003

/* Returns a sampler that follows ROOT, whose exec is at time 1000. */
static struct sampler *begin(void)
{
	struct sampler_config config = { 0 };
	struct sampler *sampler = sampler_new(&config);
	struct process *process = tasks_add_process(&sampler->tasks, ROOT, NULL, 0);
	struct observation exec = { .kind = OBSERVED_COMM, .time = 1000, .pid = ROOT, .tid = ROOT };

	sampler->ledger.chance = 0; /* nothing is random */
	sampler->privilege = PRIVILEGE_USER;
	sampler->root = ROOT;
	step_clock_init(&sampler->clock, 0);
	tasks_add_task(&sampler->tasks, process, ROOT, "", 0);
	exec.comm.name = "root";
	exec.comm.exec = true;
	observe_record(sampler, &exec);
	return sampler;
}

static void switched(struct sampler *sampler, uint64_t time, pid_t pid, pid_t tid, bool in)
{
	const struct observation seen = {
		.kind = in ? OBSERVED_IN : OBSERVED_OUT,
		.time = time,
		.pid = pid,
		.tid = tid,
	};

	observe_record(sampler, &seen);
}

static void preempted(struct sampler *sampler, uint64_t time, pid_t pid, pid_t tid)
{
	const struct observation seen = {
		.kind = OBSERVED_OUT,
		.time = time,
		.pid = pid,
		.tid = tid,
		.preempted = true,
	};

	observe_record(sampler, &seen);
}

/* The task parent_tid of ROOT starts a process, or a thread if pid is ROOT. */
static void forked(struct sampler *sampler, uint64_t time, pid_t pid, pid_t tid)
{
	struct observation seen = { .kind = OBSERVED_FORK, .time = time, .pid = pid, .tid = tid };

	seen.fork.parent_pid = ROOT;
	seen.fork.parent_tid = ROOT;
	observe_record(sampler, &seen);
}

/* The task tid of ROOT had a page fault, and now has the page. */
static void faulted(struct sampler *sampler, uint64_t time, pid_t tid)
{
	const struct observation seen = {
		.kind = OBSERVED_FAULT,
		.time = time,
		.pid = ROOT,
		.tid = tid,
	};

	observe_record(sampler, &seen);
}

/* A task of ROOT waits from one time to another. */
static void waited(struct sampler *sampler, uint64_t from, uint64_t until)
{
	switched(sampler, from, ROOT, ROOT, false);
	switched(sampler, until, ROOT, ROOT, true);
}

/* A look finds ROOT waiting at a place now. */
static void found(struct sampler *sampler, uint64_t now, const struct wait_site *site)
{
	struct task *root = tasks_task(&sampler->tasks, ROOT);

	step_clock_advance(&sampler->clock, now);
	waits_locate(&sampler->waits, root, &(struct wait_look){ .site = *site, .from = now, .until = now });
}

/* Returns the waits of ROOT at a place so far. */
static struct wait_amount at_place(struct sampler *sampler, const struct wait_site *site)
{
	const struct task *root = tasks_task(&sampler->tasks, ROOT);
	struct wait_amount none = { 0 };

	for (size_t i = 0; i < root->waits.tallies.count; i++)
		if (root->waits.tallies.items[i].site.reason == site->reason &&
		    root->waits.tallies.items[i].site.stack == site->stack)
			return root->waits.tallies.items[i].amount;
	return none;
}

static void ended(struct sampler *sampler, uint64_t time, pid_t pid, pid_t tid)
{
	const struct observation seen = {
		.kind = OBSERVED_EXIT,
		.time = time,
		.pid = pid,
		.tid = tid,
	};

	observe_record(sampler, &seen);
}

static void lost(struct sampler *sampler, uint64_t time, uint64_t count)
{
	const struct observation seen = { .kind = OBSERVED_LOST, .time = time, .lost = count };

	observe_record(sampler, &seen);
}

/* Returns the sum of all wait rows that are due. */
static struct record_wait wait_rows(struct sampler *sampler)
{
	struct record_wait sum = { 0 };

	recordset_clear(&sampler->snapshot_rows.waits);
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		state_settle(&sampler->states, task);
	waits_rows(&sampler->waits, &sampler->tasks, sampler->clock.now, true, &sampler->snapshot_rows.waits);
	for (size_t i = 0; i < sampler->snapshot_rows.waits.count; i++) {
		const struct record_wait *row = recordset_get(&sampler->snapshot_rows.waits, i);

		sum.count += row->count;
		sum.total += row->total;
		sum.charged += row->charged;
		sum.solo += row->solo;
	}
	return sum;
}

static void times_of_a_task_are_exact(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	uint64_t exec, wait, delay;
	struct record_wait rows;

	assert_int_equal(root->base->start, 1000);
	switched(sampler, 1300, ROOT, ROOT, false);
	switched(sampler, 1700, ROOT, ROOT, true);
	preempted(sampler, 1800, ROOT, ROOT);
	switched(sampler, 1850, ROOT, ROOT, true);
	ended(sampler, 2000, ROOT, ROOT);
	assert_int_equal(root->cpu, 300 + 100 + 150);
	assert_int_equal(root->wait, 400);
	assert_int_equal(root->delay, 50);
	assert_int_equal(root->switches, 2);
	assert_int_equal(root->base->end, 2000);
	assert_false(sampler_alive(sampler));
	rows = wait_rows(sampler);
	assert_int_equal(rows.count, 2);
	assert_int_equal(rows.total, 450);
	assert_int_equal(rows.charged, 450);
	assert_int_equal(rows.solo, 450);
	step_clock_take(&sampler->clock, &exec, &wait, &delay);
	assert_int_equal(exec, 550);
	assert_int_equal(wait, 400);
	assert_int_equal(delay, 50);
	sampler_free(sampler);
}

static void time_alone_on_the_processors_is_counted_apart(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT), *child;

	/* Alone from 1000 to 1200 and from 1500 to 1600, concurrently with another in between. */
	forked(sampler, 1100, ROOT, CHILD);
	child = tasks_task(&sampler->tasks, CHILD);
	switched(sampler, 1200, ROOT, CHILD, true);
	switched(sampler, 1500, ROOT, CHILD, false);
	switched(sampler, 1600, ROOT, ROOT, false);
	assert_int_equal(root->activity.cpu, 600);
	assert_int_equal(root->activity.cpu_solo, 200 + 100);
	assert_int_equal(child->activity.cpu, 300);
	assert_int_equal(child->activity.cpu_solo, 0);
	/* Sums continue when a snapshot splits them, and when the task executes again. */
	switched(sampler, 1700, ROOT, ROOT, true);
	step_clock_advance(&sampler->clock, 1800);
	state_settle(&sampler->states, root);
	assert_int_equal(root->activity.cpu_solo, 400);
	step_clock_advance(&sampler->clock, 1850);
	state_settle(&sampler->states, root);
	assert_int_equal(root->activity.cpu_solo, 450);
	assert_int_equal(root->cpu, 600 + 150);
	sampler_free(sampler);
}

static void children_and_threads_are_told_apart(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct sampler_counts counts;

	forked(sampler, 1100, CHILD, CHILD);
	forked(sampler, 1200, ROOT, OTHER);
	assert_int_equal(tasks_task(&sampler->tasks, CHILD)->process->base->parent, 1);
	assert_ptr_equal(tasks_task(&sampler->tasks, OTHER)->process,
			 tasks_process(&sampler->tasks, ROOT));
	ended(sampler, 1300, ROOT, OTHER);
	assert_non_null(tasks_process(&sampler->tasks, ROOT));
	ended(sampler, 1400, CHILD, CHILD);
	assert_null(tasks_process(&sampler->tasks, CHILD));
	sampler_counts(sampler, &counts);
	assert_int_equal(counts.processes, 2);
	assert_int_equal(counts.tasks, 3);
	assert_int_equal(counts.tasks_alive, 1);
	sampler_free(sampler);
}

static void numbers_are_used_again(void **state UNUSED)
{
	struct sampler *sampler = begin();
	uint64_t first, second;

	forked(sampler, 1100, CHILD, CHILD);
	first = tasks_task(&sampler->tasks, CHILD)->base->id;
	ended(sampler, 1200, CHILD, CHILD);
	forked(sampler, 1300, CHILD, CHILD);
	second = tasks_task(&sampler->tasks, CHILD)->base->id;
	assert_int_not_equal(first, second);
	/* The record of the end of this one is lost, and its number is used again. */
	lost(sampler, 1350, 3);
	forked(sampler, 1400, CHILD, CHILD);
	assert_int_not_equal(tasks_task(&sampler->tasks, CHILD)->base->id, second);
	assert_int_equal(sampler->tasks.alive, 2);
	assert_int_equal(sampler->tasks.process_count, 4);
	sampler_free(sampler);
}

static void late_records_invent_nothing(void **state UNUSED)
{
	struct sampler *sampler = begin();

	forked(sampler, 1100, CHILD, CHILD);
	ended(sampler, 1200, CHILD, CHILD);
	switched(sampler, 1190, CHILD, CHILD, true);
	switched(sampler, 1195, CHILD, CHILD, false);
	assert_int_equal(sampler->tasks.task_count, 2);
	/* After a loss an unknown task is one whose start was lost. */
	lost(sampler, 1250, 1);
	switched(sampler, 1300, OTHER, OTHER, true);
	assert_int_equal(sampler->tasks.task_count, 3);
	assert_int_equal(sampler->observe.records_lost, 1);
	sampler_free(sampler);
}

static void a_thread_that_execs_takes_over(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct observation exec = { .kind = OBSERVED_COMM, .time = 1500, .pid = ROOT, .tid = ROOT };
	struct task *thread;

	forked(sampler, 1100, ROOT, CHILD);
	forked(sampler, 1100, ROOT, OTHER);
	switched(sampler, 1200, ROOT, CHILD, true);
	thread = tasks_task(&sampler->tasks, CHILD);
	ended(sampler, 1450, ROOT, ROOT);
	exec.comm.name = "next";
	exec.comm.exec = true;
	observe_record(sampler, &exec);
	assert_ptr_equal(tasks_task(&sampler->tasks, ROOT), thread);
	assert_int_equal(sampler->tasks.alive, 1);
	assert_string_equal(thread->process->base->program, "next");
	assert_int_equal(thread->process->base->execs, 2);
	ended(sampler, 1600, ROOT, ROOT);
	assert_int_equal(thread->cpu, 400);
	assert_false(sampler_alive(sampler));
	sampler_free(sampler);
}

static void a_pause_stops_all_clocks(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	struct record_wait rows;

	switched(sampler, 1300, ROOT, ROOT, false);
	step_clock_advance(&sampler->clock, 1400);
	sampler->clock.paused = true;
	switched(sampler, 2000, ROOT, ROOT, true);
	switched(sampler, 2100, ROOT, ROOT, false);
	step_clock_advance(&sampler->clock, 3000);
	sampler->clock.paused = false;
	switched(sampler, 3050, ROOT, ROOT, true);
	ended(sampler, 3100, ROOT, ROOT);
	assert_int_equal(root->cpu, 300 + 50);
	assert_int_equal(root->wait, 100 + 50);
	assert_int_equal(root->switches, 1);
	rows = wait_rows(sampler);
	assert_int_equal(rows.total, 150);
	assert_int_equal(rows.count, 1);
	sampler_free(sampler);
}

static void places_of_waits_are_laid_back_and_on(void **state UNUSED)
{
	const struct wait_site read_site = { .stack = 7, .reason = WAIT_FILE_READ, .syscall = 1 };
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);

	/* Two short waits: a look sees one, the other is after it. */
	for (uint64_t at = 1100; at < 1300; at += 100)
		waited(sampler, at, at + 10);
	switched(sampler, 1400, ROOT, ROOT, false);
	found(sampler, 1500, &read_site);
	assert_int_equal(sampler->clock.waiting[CLASS_MAJOR], 1);
	switched(sampler, 1900, ROOT, ROOT, true);
	waited(sampler, 2000, 2005);
	waits_end(&sampler->waits, root);
	assert_int_equal(root->waits.tallies.count, 1);
	assert_int_equal(root->waits.tallies.items[0].site.stack, 7);
	assert_int_equal(root->waits.tallies.items[0].amount.count, 4);
	assert_int_equal(root->waits.tallies.items[0].amount.total, 10 + 10 + 500 + 5);
	assert_int_equal(sampler->clock.waiting[CLASS_MAJOR], 0);
	sampler_free(sampler);
}

static const struct wait_site sleep_place = { .stack = 3, .reason = WAIT_SLEEP };
static const struct wait_site no_place = { .reason = WAIT_UNKNOWN };

static void a_long_wait_tells_nothing_of_short_ones(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	struct wait_gaps gaps = { 0 };

	wait_gaps_add(&gaps, 1000000);
	sampler->waits.odds = (struct wait_odds){ .gaps = &gaps, .chance = 1, .old_chance = 1 };
	waited(sampler, 2000, 3000);
	switched(sampler, 10000, ROOT, ROOT, false);
	found(sampler, 6000000, &sleep_place);
	switched(sampler, 9000000, ROOT, ROOT, true);
	waited(sampler, 9100000, 9100500);
	waits_end(&sampler->waits, root);
	assert_int_equal(at_place(sampler, &sleep_place).count, 1);
	assert_int_equal(at_place(sampler, &sleep_place).total, 9000000 - 10000);
	assert_int_equal(at_place(sampler, &no_place).count, 2);
	assert_int_equal(at_place(sampler, &no_place).total, 1000 + 500);
	sampler_free(sampler);
}

static void a_page_fault_is_none_of_the_other_waits(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	const struct wait_site fault_place = { .stack = 9, .reason = WAIT_PAGE };

	root->stack = 9;
	/* The first one is over before anything is known, the second is among short sleeps. */
	waited(sampler, 1100, 1200);
	faulted(sampler, 1205, ROOT);
	switched(sampler, 2000, ROOT, ROOT, false);
	found(sampler, 2100, &sleep_place);
	switched(sampler, 2400, ROOT, ROOT, true);
	waited(sampler, 3000, 3400);
	waited(sampler, 3500, 3700);
	faulted(sampler, 3710, ROOT);
	waited(sampler, 4000, 4400);
	/* This fault did not wait: it comes too long after the sleep. */
	faulted(sampler, 4400 + 300000, ROOT);
	waits_end(&sampler->waits, root);
	assert_int_equal(at_place(sampler, &fault_place).count, 2);
	assert_int_equal(at_place(sampler, &fault_place).total, 100 + 200);
	assert_int_equal(at_place(sampler, &sleep_place).count, 3);
	assert_int_equal(at_place(sampler, &sleep_place).total, 3 * 400);
	sampler_free(sampler);
}

static void a_look_tells_of_the_wait_that_it_met(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	struct wait_gaps gaps = { 0 };

	wait_gaps_add(&gaps, 1000000);
	sampler->waits.odds = (struct wait_odds){ .gaps = &gaps, .chance = 1, .old_chance = 1 };
	/* The records lag behind: at the time of the look the first wait was over. */
	switched(sampler, 2000, ROOT, ROOT, false);
	waits_locate(&sampler->waits, root, &(struct wait_look){ .site = sleep_place, .from = 6003000, .until = 6003010 });
	switched(sampler, 2500, ROOT, ROOT, true);
	waited(sampler, 3000, 9003000);
	/* No wait was in progress at this look: it shows none. */
	waits_locate(&sampler->waits, root, &(struct wait_look){ .site = sleep_place, .from = 9003500, .until = 9003510 });
	waited(sampler, 9004000, 9005000);
	waits_end(&sampler->waits, root);
	assert_int_equal(at_place(sampler, &sleep_place).count, 1);
	assert_int_equal(at_place(sampler, &sleep_place).total, 6000000 + 3000000);
	assert_int_equal(at_place(sampler, &no_place).count, 2);
	assert_int_equal(at_place(sampler, &no_place).total, 500 + 1000);
	sampler_free(sampler);
}

static void another_program_waits_elsewhere(void **state UNUSED)
{
	struct observation exec = { .kind = OBSERVED_COMM, .time = 5000, .pid = ROOT, .tid = ROOT };
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);

	switched(sampler, 2000, ROOT, ROOT, false);
	found(sampler, 2100, &sleep_place);
	switched(sampler, 2400, ROOT, ROOT, true);
	waited(sampler, 3000, 3400);
	exec.comm.name = "next";
	exec.comm.exec = true;
	observe_record(sampler, &exec);
	waited(sampler, 6000, 6400);
	waits_end(&sampler->waits, root);
	assert_int_equal(at_place(sampler, &sleep_place).count, 2);
	assert_int_equal(at_place(sampler, &no_place).count, 1);
	sampler_free(sampler);
}

static void a_wait_for_a_child_gives_way(void **state UNUSED)
{
	const struct wait_site child_site = { .stack = 1, .reason = WAIT_CHILD };
	const struct wait_site sleep_site = { .stack = 2, .reason = WAIT_SLEEP };
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT), *child;

	forked(sampler, 1100, CHILD, CHILD);
	child = tasks_task(&sampler->tasks, CHILD);
	switched(sampler, 1100, ROOT, ROOT, false);
	switched(sampler, 1100, CHILD, CHILD, true);
	switched(sampler, 1200, CHILD, CHILD, false);
	/* Both are looked at 100 later; until then they share. */
	step_clock_advance(&sampler->clock, 1300);
	waits_locate(&sampler->waits, root, &(struct wait_look){ .site = child_site, .from = sampler->clock.now, .until = sampler->clock.now });
	waits_locate(&sampler->waits, child, &(struct wait_look){ .site = sleep_site, .from = sampler->clock.now, .until = sampler->clock.now });
	step_clock_advance(&sampler->clock, 1900);
	state_settle(&sampler->states, root);
	state_settle(&sampler->states, child);
	assert_int_equal(root->waits.tallies.items[0].amount.charged, 50);
	assert_int_equal(root->waits.tallies.items[0].amount.solo, 0);
	/* Before that is the wait for its first processor, of length 0. */
	assert_int_equal(child->waits.tallies.count, 2);
	assert_int_equal(child->waits.tallies.items[1].amount.charged, 50 + 600);
	assert_int_equal(child->waits.tallies.items[1].amount.solo, 600);
	sampler_free(sampler);
}

static void a_file_is_busy_while_any_task_waits(void **state UNUSED)
{
	const struct wait_site site = { .stack = 1, .reason = WAIT_FILE_READ, .file = 1 };
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT), *child;

	forked(sampler, 1000, ROOT, CHILD);
	child = tasks_task(&sampler->tasks, CHILD);
	switched(sampler, 1000, ROOT, CHILD, true);
	switched(sampler, 1100, ROOT, ROOT, false);
	waits_locate(&sampler->waits, root, &(struct wait_look){ .site = site, .from = sampler->clock.now, .until = sampler->clock.now });
	switched(sampler, 1300, ROOT, CHILD, false);
	waits_locate(&sampler->waits, child, &(struct wait_look){ .site = site, .from = sampler->clock.now, .until = sampler->clock.now });
	assert_int_equal(sampler->clock.file_waits, 2);
	assert_int_equal(sampler->clock.files, 1);
	switched(sampler, 1600, ROOT, ROOT, true);
	assert_int_equal(sampler->waits.busy.items[1].tasks, 1);
	switched(sampler, 1700, ROOT, CHILD, true);
	assert_int_equal(sampler->waits.busy.items[1].tasks, 0);
	assert_int_equal(sampler->waits.busy.items[1].ended, sampler->clock.active);
	assert_int_equal(sampler->clock.file_waits, 0);
	assert_int_equal(sampler->clock.files, 0);
	/* Nothing executed from 1300 to 1600, and only this file was waited for. */
	assert_int_equal(sampler->clock.file_alone, 300);
	sampler_free(sampler);
}

/* ROOT is sampled, by an event of the normal or of a finer period. */
static void sampled(struct sampler *sampler, uint64_t time, uint64_t period, bool finer)
{
	struct observation seen = {
		.kind = OBSERVED_SAMPLE,
		.time = time,
		.pid = ROOT,
		.tid = ROOT,
	};

	seen.sample.period = period;
	seen.sample.finer = finer;
	observe_record(sampler, &seen);
}

static void finer_samples_are_parts_of_one(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);
	struct sampler_counts counts;

	/* Three periods, in eighths; the event of the normal period continues too. */
	root->short_task.finer = true;
	for (uint64_t i = 1; i <= 3 * 8; i++) {
		sampled(sampler, i * 125000, 125000, true);
		if (i % 8 == 0)
			sampled(sampler, i * 125000 + 1, 1000000, false);
	}
	sampler_counts(sampler, &counts);
	assert_int_equal(counts.taken, 3);
	assert_int_equal(counts.processed, 3);
	assert_int_equal(counts.thinned, 0);
	/* A sample that the kernel still makes at an earlier rate is thinned. */
	root->short_task.finer = false;
	sampler->ledger.period = 2000000;
	sampled(sampler, 4000000, 1000000, false);
	sampler_counts(sampler, &counts);
	assert_int_equal(counts.taken, 4);
	assert_int_equal(counts.thinned, 1);
	sampler_free(sampler);
}

/*
 * A task found in /proc is the one whose start is recorded a moment later, but not
 * one recorded much later.
 */
static void a_birth_is_told_of_a_task_met_before(void **state UNUSED)
{
	const uint64_t seen_at = 2000, same = 100 * NSEC_PER_MSEC;
	struct sampler *sampler = begin();
	struct process *root = tasks_process(&sampler->tasks, ROOT);
	struct task *task = tasks_add_task(&sampler->tasks, root, CHILD, "met", seen_at);

	task->present = true;
	forked(sampler, seen_at + same - 1, ROOT, CHILD);
	assert_ptr_equal(tasks_task(&sampler->tasks, CHILD), task);
	assert_int_not_equal(task->state, TASK_ENDED);
	forked(sampler, seen_at + same, ROOT, CHILD);
	assert_ptr_not_equal(tasks_task(&sampler->tasks, CHILD), task);
	assert_int_equal(task->state, TASK_ENDED);
	sampler_free(sampler);
}

/* A new process begins where its parent is, a new thread somewhere else, a new program nowhere. */
static void a_process_begins_where_its_parent_is(void **state UNUSED)
{
	struct observation exec = { .kind = OBSERVED_COMM, .time = 2000, .pid = ROOT, .tid = ROOT };
	struct sampler *sampler = begin();
	struct task *root = tasks_task(&sampler->tasks, ROOT);

	root->stack = 5;
	forked(sampler, 1100, CHILD, CHILD);
	forked(sampler, 1200, ROOT, OTHER);
	assert_int_equal(tasks_task(&sampler->tasks, CHILD)->stack, 5);
	assert_int_equal(tasks_task(&sampler->tasks, OTHER)->stack, 0);
	exec.comm.name = "next";
	exec.comm.exec = true;
	observe_record(sampler, &exec);
	assert_int_equal(root->stack, 0);
	sampler_free(sampler);
}

/* Executable memory was mapped into ROOT. */
static void mapped(struct sampler *sampler, const char *path, uint64_t start)
{
	struct observation seen = { .kind = OBSERVED_MAP, .time = 1100, .pid = ROOT, .tid = ROOT };

	seen.map.path = path;
	seen.map.start = start;
	seen.map.length = 0x1000;
	observe_record(sampler, &seen);
}

static void the_first_file_that_is_mapped_is_the_program(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct process *root = tasks_process(&sampler->tasks, ROOT);

	mapped(sampler, "[vdso]", 0x1000);
	assert_true(root->awaiting_image);
	mapped(sampler, "/opt/pay/paycalc", 0x2000);
	mapped(sampler, "/lib64/ld-linux.so", 0x3000);
	assert_false(root->awaiting_image);
	assert_string_equal(root->base->path, "/opt/pay/paycalc");
	assert_string_equal(root->base->program, "paycalc");
	assert_string_equal(root->image->path, "/opt/pay/paycalc");
	assert_string_equal(root->residue->path, "/opt/pay/paycalc");
	sampler_free(sampler);
}

/* The end of a process is not that of another that has got its number. */
static void a_number_belongs_to_its_last_process(void **state UNUSED)
{
	struct process *first, *second;
	struct task *old, *task;
	struct step_tasks step_tasks;
	struct tasks tasks;

	step_tasks_init(&step_tasks);
	tasks_init(&tasks, &step_tasks);
	first = tasks_add_process(&tasks, 10, NULL, 0);
	old = tasks_add_task(&tasks, first, 10, "old", 0);
	second = tasks_add_process(&tasks, 10, NULL, 5);
	task = tasks_add_task(&tasks, second, 10, "new", 5);
	tasks_end_task(&tasks, old, 6);
	assert_int_equal(first->base->end, 6);
	assert_ptr_equal(tasks_process(&tasks, 10), second);
	assert_ptr_equal(tasks_task(&tasks, 10), task);
	tasks_end_task(&tasks, task, 7);
	assert_null(tasks_process(&tasks, 10));
	assert_null(tasks_task(&tasks, 10));
	assert_int_equal(tasks.alive, 0);
	tasks_release(&tasks);
	step_tasks_release(&step_tasks);
}

/* The measured program is the first one, and what it forks until that calls exec. */
static void children_are_the_subject_until_they_exec(void **state UNUSED)
{
	struct process *root, *child;
	struct step_tasks step_tasks;
	struct tasks tasks;

	step_tasks_init(&step_tasks);
	tasks_init(&tasks, &step_tasks);
	root = tasks_add_process(&tasks, 10, NULL, 0);
	child = tasks_add_process(&tasks, 11, root, 0);
	assert_true(root->subject && child->subject);
	tasks_exec(child, "sh");
	assert_false(child->subject);
	assert_false(tasks_add_process(&tasks, 12, child, 0)->subject);
	tasks_exec(root, "next");
	assert_true(root->subject);
	assert_false(tasks_add_process(&tasks, 13, NULL, 0)->subject);
	tasks_release(&tasks);
	step_tasks_release(&step_tasks);
}

/* Rows of what has ended are written once more before it is freed. */
static void what_has_changed_is_told_before_it_is_forgotten(void **state UNUSED)
{
	struct engine *engine = engine_new(&session_records);
	struct recordset rows;
	struct process *process;
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct task *task;

	step_tasks_init(&step_tasks);
	tasks_init(&tasks, &step_tasks);
	process = tasks_add_process(&tasks, 10, NULL, 0);
	task = tasks_add_task(&tasks, process, 10, "t", 0);
	recordset_init(&rows, &record_types[RECORD_TASK]);
	tasks_rows(&tasks, engine, &rows);
	task->state = TASK_ENDED;
	tasks_end_task(&tasks, task, 9);
	tasks_sweep(&tasks);
	assert_ptr_equal(tasks.all, task);
	recordset_clear(&rows);
	tasks_rows(&tasks, engine, &rows);
	assert_int_equal(rows.count, 1);
	assert_int_equal(((const struct record_task *)recordset_get(&rows, 0))->end, 9);
	tasks_sweep(&tasks);
	assert_null(tasks.all);
	assert_ptr_equal(tasks.processes, process);
	recordset_release(&rows);
	recordset_init(&rows, &record_types[RECORD_PROCESS]);
	tasks_process_rows(&tasks, engine, &rows);
	assert_int_equal(rows.count, 1);
	tasks_sweep(&tasks);
	assert_null(tasks.processes);
	recordset_release(&rows);
	tasks_release(&tasks);
	step_tasks_release(&step_tasks);
	engine_free(engine);
}

/* Marks in the kernel's chain are not addresses; calls are shown where they were made. */
static void marks_in_a_chain_are_no_frames(void **state UNUSED)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010,
				   0xffffffff81000020, (uint64_t)PERF_CONTEXT_MAX,
				   (uint64_t)PERF_CONTEXT_MAX - 1 };
	static const uint64_t offsets[] = { 0xffffffff81000010, 0xffffffff8100001f,
					    (uint64_t)PERF_CONTEXT_MAX - 2 };
	struct sampler *sampler = begin();
	const struct stacks *stacks = &sampler->stacks;
	uint32_t stack = stacks_kernel(&sampler->stacks, 0, chain, ARRAY_SIZE(chain), ROOT);

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		assert_int_not_equal(stack, 0);
		assert_int_equal(stacks->frames[stacks->nodes[stack - 1].frame - 1].offset,
				 offsets[i]);
		stack = stacks_parent(stacks, stack);
	}
	assert_int_equal(stack, 0);
	sampler_free(sampler);
}

/* An object has its row when it is first seen, and again at the end if names are missing. */
static void objects_are_told_again_when_names_are_missing(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct engine *engine = engine_new(&session_records);
	struct object *object = object_for_kind(&sampler->objects, OBJECT_KERNEL, ROOT, 0, 0);
	struct recordset rows;

	recordset_init(&rows, &record_types[RECORD_OBJECT]);
	name_rows_objects(&sampler->name_rows, engine, false, &rows);
	assert_int_equal(rows.count, 0);
	stacks_push(&sampler->stacks, 0, stacks_frame(&sampler->stacks, object, 0x100, ROOT));
	name_rows_objects(&sampler->name_rows, engine, false, &rows);
	assert_int_equal(rows.count, 1);
	name_rows_objects(&sampler->name_rows, engine, false, &rows);
	name_rows_objects(&sampler->name_rows, engine, true, &rows);
	assert_int_equal(rows.count, 1);
	object->note = strdup("its symbols are hidden");
	name_rows_objects(&sampler->name_rows, engine, false, &rows);
	assert_int_equal(rows.count, 1);
	name_rows_objects(&sampler->name_rows, engine, true, &rows);
	assert_int_equal(rows.count, 2);
	recordset_release(&rows);
	engine_free(engine);
	sampler_free(sampler);
}

/* Returns the number of NAME rows in a snapshot at a time. */
static size_t names_at(struct sampler *sampler, struct engine *engine, uint64_t time, bool last)
{
	struct recordset rows;
	struct snapshot snapshot;
	size_t count;

	recordset_init(&rows, &record_types[RECORD_NAME]);
	snapshot_init(&snapshot, engine_types(engine));
	snapshot.time = time;
	snapshot.last = last;
	name_rows_names(&sampler->name_rows, engine, &snapshot, &rows);
	count = rows.count;
	snapshot_release(&snapshot);
	recordset_release(&rows);
	return count;
}

/*
 * One name per snapshot would take more space than the samples: they wait until
 * they are many, or old.
 */
static void names_are_told_many_at_a_time(void **state UNUSED)
{
	struct sampler *sampler = begin();
	struct engine *engine = engine_new(&session_records);
	struct stat status;
	struct object *object;
	size_t told = 0;
	char path[4096];
	Dl_info info;
	uint64_t offset;

	assert_true(dladdr((void *)(uintptr_t)&begin, &info));
	offset = (uint64_t)((uintptr_t)&begin - (uintptr_t)info.dli_fbase);
	assert_non_null(realpath(info.dli_fname, path));
	assert_int_equal(stat(path, &status), 0);
	object = object_for_file(&sampler->objects, path, status.st_dev, status.st_ino, getpid(),
				 (uint64_t)(uintptr_t)info.dli_fbase);
	for (uint64_t i = 1; i <= 3; i++) {
		stacks_push(&sampler->stacks, 0,
			    stacks_frame(&sampler->stacks, object, offset + i, getpid()));
		assert_int_equal(names_at(sampler, engine, i * 50 * NSEC_PER_MSEC, false), 0);
		/* The thread has named it by the next snapshot. */
		usleep(20000);
	}
	for (uint64_t i = 2; i < 500 && !told; i++) {
		told = names_at(sampler, engine, i * NSEC_PER_SEC, false);
		usleep(20000);
	}
	assert_true(told > 0);
	stacks_push(&sampler->stacks, 0,
		    stacks_frame(&sampler->stacks, object, offset + 9, getpid()));
	assert_true(names_at(sampler, engine, 600 * NSEC_PER_SEC, true) > 0);
	assert_int_equal(names_at(sampler, engine, 601 * NSEC_PER_SEC, true), 0);
	engine_free(engine);
	sampler_free(sampler);
}

/* Sets what the kernel has counted of a thread of ROOT, in a tree below folder. */
static void counted(const char *folder, pid_t tid, unsigned cpu, unsigned slices)
{
	char path[PROCFS_PATH_SIZE];
	FILE *file;

	procfs_set_root(NULL);
	snprintf(path, sizeof(path), "%s/proc/%d/task/%d", folder, ROOT, tid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/%d/task/%d/schedstat", folder, ROOT, tid);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "%u 0 %u\n", cpu, slices);
	assert_int_equal(fclose(file), 0);
	procfs_set_root(folder);
}

/* Makes the figures of all tasks old. */
static void grow_old(struct sampler *sampler)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		task->duty.read_at = 0;
}

/* The times of records are long before those at which files are read here. */
static void tasks_that_end_together_are_counted_once(void **state UNUSED)
{
	struct sampler *sampler = begin();
	char folder[] = "/tmp/vigil-counts-XXXXXX", command[64];
	struct task *child;
	char path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/proc", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/%d", folder, ROOT);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/%d/task", folder, ROOT);
	mkdir(path, 0700);
	for (pid_t tid = CHILD; tid < CHILD + 5; tid++) {
		forked(sampler, 1000, ROOT, tid);
		counted(folder, tid, 0, 0);
	}
	child = tasks_task(&sampler->tasks, CHILD);
	switched(sampler, 2000, ROOT, ROOT, false);
	step_clock_advance(&sampler->clock, 10000);
	duty_count(sampler, true);
	duty_close(sampler);
	counted(folder, CHILD, 3000, 2);
	grow_old(sampler);
	ended(sampler, 20000, ROOT, CHILD + 1);
	assert_int_equal(child->cpu, 3000);
	assert_int_equal(child->switches, 2);
	/* The others ended before that reading: it covers them too, and is not used twice. */
	counted(folder, CHILD, 4000, 3);
	ended(sampler, 20100, ROOT, CHILD + 2);
	ended(sampler, 20200, ROOT, CHILD + 3);
	assert_int_equal(child->cpu, 3000);
	assert_int_equal(child->switches, 2);
	grow_old(sampler);
	ended(sampler, 30000, ROOT, CHILD + 4);
	assert_int_equal(child->cpu, 4000);
	assert_int_equal(child->switches, 3);
	procfs_set_root(NULL);
	sampler_free(sampler);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_of_a_task_are_exact),
		cmocka_unit_test(time_alone_on_the_processors_is_counted_apart),
		cmocka_unit_test(children_and_threads_are_told_apart),
		cmocka_unit_test(numbers_are_used_again),
		cmocka_unit_test(late_records_invent_nothing),
		cmocka_unit_test(a_thread_that_execs_takes_over),
		cmocka_unit_test(a_pause_stops_all_clocks),
		cmocka_unit_test(places_of_waits_are_laid_back_and_on),
		cmocka_unit_test(a_long_wait_tells_nothing_of_short_ones),
		cmocka_unit_test(a_page_fault_is_none_of_the_other_waits),
		cmocka_unit_test(a_look_tells_of_the_wait_that_it_met),
		cmocka_unit_test(another_program_waits_elsewhere),
		cmocka_unit_test(a_wait_for_a_child_gives_way),
		cmocka_unit_test(a_file_is_busy_while_any_task_waits),
		cmocka_unit_test(finer_samples_are_parts_of_one),
		cmocka_unit_test(a_birth_is_told_of_a_task_met_before),
		cmocka_unit_test(a_process_begins_where_its_parent_is),
		cmocka_unit_test(the_first_file_that_is_mapped_is_the_program),
		cmocka_unit_test(a_number_belongs_to_its_last_process),
		cmocka_unit_test(children_are_the_subject_until_they_exec),
		cmocka_unit_test(what_has_changed_is_told_before_it_is_forgotten),
		cmocka_unit_test(marks_in_a_chain_are_no_frames),
		cmocka_unit_test(objects_are_told_again_when_names_are_missing),
		cmocka_unit_test(names_are_told_many_at_a_time),
		cmocka_unit_test(tasks_that_end_together_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
