/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the timer, the rings and the end of the first process. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "sampler/proc.h"
#include "sampler/sampler-data.h"

#include <poll.h>
#include <time.h>

#define TICK_MIN_MS 6
#define TICK_MAX_MS 25
/* A step may end soon: its first ticks are shorter. */
#define FIRST_TICKS 8
#define FIRST_TICK_MS 3
/* A wait that has lasted this long has precedence in looks. */
#define OLD_WAIT (25 * NSEC_PER_MSEC)
/*
 * Tick while data collectors question the program and the kernel does not wake up
 * vigil at each sample.
 */
#define TICK_PROMPT_MS 1
/*
 * Maximum delay from the time stamp of a record to its appearance in the ring,
 * except for late ones.
 */
#define SETTLED (3 * NSEC_PER_MSEC)
/*
 * Number of ticks that stay short after the step's first process has ended: the
 * others will end soon too.
 */
#define HURRY 200
/*
 * Fill of a ring, percent, at which it is read too slowly, and at which records
 * may be lost; the time until another relief.
 */
#define FILL_MAX 50
#define FILL_LOSING 90
#define RELIEF_PAUSE (100 * NSEC_PER_MSEC)
/* Checks that tasks exist may take 1/N of the time. */
#define VERIFY_PART 100
/* Ticks between two readings of the resource usage of the first process. */
#define ROOT_EVERY 4
/* Ticks between two checks that tasks still exist. */
#define VERIFY_EVERY 64

void tick_init(struct tick *tick)
{
	*tick = (struct tick){ .timer = -1, .root_fd = -1 };
}

/*
 * Sets the timer for the next tick: at random, so that no program runs in step
 * with the looks. With /proc alone the ticks are its clock, and are regular.
 */
static void set_timer(struct sampler *sampler)
{
	bool even = sampler->privilege == PRIVILEGE_PROC;
	unsigned tick_ms = sampler->tick.length;
	uint64_t length;

	if (!even && sampler->tick.count < FIRST_TICKS && tick_ms > FIRST_TICK_MS)
		tick_ms = FIRST_TICK_MS;
	length = tick_ms * NSEC_PER_MSEC;
	if (!even)
		length = wait_looks_pause(&sampler->wait_looks, length);
	outside_set_timer(sampler->tick.timer, length, even ? length : 0);
}

/* Sets the mean length of ticks from now on. */
static void set_tick(struct sampler *sampler, unsigned tick_ms)
{
	sampler->tick.length = tick_ms;
	set_timer(sampler);
}

/* Returns the ns of CPU time that this thread has used. */
static uint64_t own_cpu(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* A task's last switch may have been lost: sets the state that /proc shows. */
static void resync(struct sampler *sampler, struct task *task, char state)
{
	if (state == 'R' && task->state == TASK_BLOCKED)
		state_set(&sampler->states, task, TASK_PREEMPTED);
	else if (state != 'R' && task->state != TASK_BLOCKED && task->state != TASK_UNSEEN)
		state_set(&sampler->states, task, TASK_BLOCKED);
}

/* Returns whether the step has not begun: if its exec fails, no record will show it. */
static bool awaits_exec(const struct sampler *sampler)
{
	const struct task *root =
		sampler->follow ? tasks_task(&sampler->tasks, sampler->root) : NULL;

	return root && root->state == TASK_UNSEEN;
}

/*
 * Ends tasks whose end no record has reported. /proc is ahead of the records: a
 * task that is found gone is ended once all records from before that moment are
 * processed. Otherwise the end of a program's first thread would end its process
 * before the threads that it started are known.
 */
static void verify_tasks(struct sampler *sampler)
{
	uint64_t used = own_cpu(), now = clock_monotonic_ns();
	struct task *next;

	sampler->observe.verify = false;
	for (struct task *task = sampler->tasks.all; task; task = next) {
		char state;

		next = task->next;
		if (task->state == TASK_ENDED)
			continue;
		state = procfs_state(task->process->base->pid, task->base->tid);
		if (state != 0 && state != 'Z' && state != 'X') {
			task->seen_gone = 0;
			if (sampler->observe.switches_lost)
				resync(sampler, task, state);
		} else if (task->seen_gone && sampler->clock.now > task->seen_gone) {
			observe_end(sampler, task);
		} else {
			task->seen_gone = task->seen_gone ? task->seen_gone : now;
			sampler->observe.verify = true;
		}
	}
	sampler->observe.switches_lost = false;
	sampler->tick.verify_after = clock_monotonic_ns() + VERIFY_PART * (own_cpu() - used);
}

/* Checks tasks when that is due; with many tasks rarely. */
static void verify_when_due(struct sampler *sampler)
{
	bool due = sampler->observe.verify || sampler->tick.count % VERIFY_EVERY == 0 ||
		   awaits_exec(sampler);

	if (due && clock_monotonic_ns() >= sampler->tick.verify_after)
		verify_tasks(sampler);
}

/*
 * Sets how rare looks are: as the cost limit requires, and as far as longer ticks
 * do not suffice.
 */
static void set_looks(struct sampler *sampler, unsigned tick_ms)
{
	unsigned rarity = sampler->cost.level;

	for (unsigned length = 2 * TICK_MIN_MS; rarity && length <= tick_ms; length *= 2)
		rarity--;
	sampler->wait_looks.rarity = rarity;
	sampler->wait_looks.no_close_looks = sampler->cost.level > 0;
}

/* Adapts the tick to what happened since the last one. */
static void adapt(struct sampler *sampler, unsigned fill)
{
	unsigned tick_ms = sampler->tick.length * 2;

	if (sampler->waits.listed_count || sampler->kernel_looks.busy)
		tick_ms = TICK_MIN_MS << sampler->cost.level;
	if (sampler->observe.verify || sampler->tick.short_ticks || fill > 50)
		tick_ms = TICK_MIN_MS;
	if (sampler->tick.short_ticks)
		sampler->tick.short_ticks--;
	if (tick_ms > TICK_MAX_MS)
		tick_ms = TICK_MAX_MS;
	if (!sampler->wakeup_each_sample && collect_asks(sampler->collect) && tick_ms > TICK_MIN_MS)
		tick_ms = TICK_MIN_MS;
	if ((!sampler->wakeup_each_sample && sampler->clock.running &&
	     collect_asks(sampler->collect)) ||
	    sampler->task_stops.stuck_count)
		tick_ms = TICK_PROMPT_MS;
	set_tick(sampler, tick_ms);
	set_looks(sampler, tick_ms);
	sampler->observe.blocked = 0;
}

/*
 * Reduces the number of samples if records have filled half a ring before they
 * were read: then they are processed sooner.
 */
static void relieve(struct sampler *sampler)
{
	uint64_t now = clock_monotonic_ns();

	if (!sampler->perf.open || now < sampler->tick.relieve_after ||
	    perf_fill(&sampler->perf) <= FILL_MAX)
		return;
	sampler->tick.relieve_after = now + RELIEF_PAUSE;
	thin_relieve(&sampler->thin);
}

/*
 * Shows new samples to data collectors and processes the records up to time;
 * returns the largest fill of a ring. Stops of tasks are handled before the
 * records of them.
 */
static unsigned take_records(struct sampler *sampler, uint64_t time)
{
	unsigned fill;

	switch_places_watch(&sampler->switch_places);
	relieve(sampler);
	prompt_look(sampler->prompt, sampler->ledger.period);
	task_stop_look(&sampler->task_stops);
	if (sampler->task_stops.stuck_count && sampler->tick.length != TICK_PROMPT_MS)
		set_tick(sampler, TICK_PROMPT_MS);
	fill = observe_drain(sampler, time);
	for (size_t i = 0; fill >= FILL_LOSING && i < sampler->perf.cpu_count; i++)
		if (sampler->perf.cpus[i].fill >= FILL_LOSING)
			losses_doubt(&sampler->losses, (unsigned)i + 1);
	return fill;
}

/* Reads what the step's first process used, so that there are recent figures when it ends. */
static void look_at_root(struct sampler *sampler)
{
	struct process *process = tasks_process(&sampler->tasks, sampler->root);

	if (process)
		resource_usage_look_at(&sampler->resource_usage, process);
}

/* perf_dropped: credits the task with ns for which no sample will be made. */
static void drop(void *argument, pid_t tid, uint64_t ns)
{
	struct sampler *sampler = argument;
	struct task *task = tasks_task(&sampler->tasks, tid);

	if (task)
		task->samples.credit += (int64_t)ns;
}

/* engine_ready of the timer. */
static void on_tick(void *argument, int fd, short revents UNUSED)
{
	struct sampler *sampler = argument;
	uint64_t expired, now;
	unsigned fill;

	if (outside_read(fd, &expired, sizeof(expired)) != sizeof(expired))
		return;
	now = clock_monotonic_ns();
	if (sampler->privilege == PRIVILEGE_PROC) {
		proc_scan(sampler, now);
		return;
	}
	fill = take_records(sampler, now - SETTLED);
	collect_look(sampler->collect, &sampler->tasks, sampler->clock.now);
	wait_looks_round(&sampler->wait_looks, OLD_WAIT, false);
	kernel_looks_round(&sampler->kernel_looks, now);
	if (sampler->duty.closed)
		duty_look(sampler);
	else
		short_tasks_look(&sampler->short_tasks);
	sampler->tick.count++;
	perf_vary(&sampler->perf, drop, sampler);
	if (sampler->tick.count % ROOT_EVERY == 0)
		look_at_root(sampler);
	sampler->observe.verify |= sampler->wait_looks.task_gone;
	sampler->wait_looks.task_gone = false;
	verify_when_due(sampler);
	adapt(sampler, fill);
}

/* engine_ready of a ring. */
static void on_ring(void *argument, int fd, short revents)
{
	struct sampler *sampler = argument;
	uint64_t now = clock_monotonic_ns();

	if (revents & (POLLHUP | POLLERR))
		engine_unwatch(sampler->tick.engine, fd);
	take_records(sampler, now - SETTLED);
	windows_look_at_costs(sampler, now);
}

/* Ends the observation of the step's first process by its pidfd. */
static void close_root(struct sampler *sampler)
{
	if (sampler->tick.root_fd < 0)
		return;
	if (sampler->tick.engine)
		engine_unwatch(sampler->tick.engine, sampler->tick.root_fd);
	outside_close(sampler->tick.root_fd);
	sampler->tick.root_fd = -1;
}

/*
 * engine_ready of the step's first process: it has ended, so the tick gets short
 * in order not to delay the step.
 */
static void on_root(void *argument, int fd UNUSED, short revents UNUSED)
{
	struct sampler *sampler = argument;
	struct process *process = tasks_process(&sampler->tasks, sampler->root);

	if (process)
		resource_usage_last_look(&sampler->resource_usage, process);
	close_root(sampler);
	sampler->tick.short_ticks = HURRY;
	if (sampler->privilege != PRIVILEGE_PROC)
		set_tick(sampler, TICK_MIN_MS);
}

int tick_start(struct sampler *sampler, struct engine *engine, struct error *err)
{
	sched_serve(&sampler->tick.before);
	sampler->tick.timer = outside_timer();
	RETURN_IF(sampler->tick.timer < 0, error_errno(err, "cannot create a timer"));
	sampler->tick.engine = engine;
	set_tick(sampler, sampler->privilege == PRIVILEGE_PROC ? PROC_TICK_MS : TICK_MIN_MS);
	engine_watch(engine, sampler->tick.timer, POLLIN, on_tick, sampler);
	sampler->tick.root_fd = outside_process(sampler->root);
	if (sampler->tick.root_fd >= 0)
		engine_watch(engine, sampler->tick.root_fd, POLLIN, on_root, sampler);
	resource_usage_hold(&sampler->resource_usage, sampler->root);
	if (sampler->perf.open)
		for (size_t i = 0; i < sampler->perf.cpu_count; i++)
			engine_watch(engine, sampler->perf.cpus[i].fd, POLLIN, on_ring, sampler);
	windows_start(sampler, engine);
	return 0;
}

void tick_stop(struct sampler *sampler)
{
	sched_serve_end(&sampler->tick.before);
	windows_stop(sampler);
	close_root(sampler);
	if (sampler->tick.engine && sampler->perf.open)
		for (size_t i = 0; i < sampler->perf.cpu_count; i++)
			engine_unwatch(sampler->tick.engine, sampler->perf.cpus[i].fd);
	if (sampler->tick.timer >= 0) {
		if (sampler->tick.engine)
			engine_unwatch(sampler->tick.engine, sampler->tick.timer);
		outside_close(sampler->tick.timer);
	}
	sampler->tick.timer = -1;
	sampler->tick.engine = NULL;
	/* No later call looks at these. */
	task_stop_finish(&sampler->task_stops);
}

void tick_catch_up(struct sampler *sampler, bool last)
{
	uint64_t now = clock_monotonic_ns();

	if (sampler->privilege == PRIVILEGE_PROC) {
		proc_scan(sampler, now);
		return;
	}
	take_records(sampler, last ? now : now - SETTLED);
	if (last)
		duty_settle(sampler, sampler->clock.now);
	if (sampler->observe.verify && (last || now >= sampler->tick.verify_after))
		verify_tasks(sampler);
}
