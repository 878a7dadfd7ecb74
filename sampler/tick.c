/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the timer, the rings and the end of the first process. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "sampler/proc.h"
#include "sampler/sampler-data.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define TICK_MIN_MS 5
/* A wait that lasts longer is met by a tick, whatever went before. */
#define TICK_MAX_MS 25
/* Where data collectors ask the program and the kernel does not wake vigil at each sample. */
#define TICK_PROMPT_MS 1
/* A record is in its ring this long after its time stamp, or comes late. */
#define SETTLED (3 * NSEC_PER_MSEC)
/* So many ticks stay short after the step's first process has ended: the others end soon too. */
#define HURRY 200
/* Ticks between two looks at what the first process used. */
#define ROOT_EVERY 4
/* Ticks between two checks that tasks are still there. */
#define VERIFY_EVERY 64

void tick_init(struct tick *tick)
{
	*tick = (struct tick){ .timer = -1, .root_fd = -1 };
}

/* Let the timer tick so often from now on. */
static void set_tick(struct sampler *sampler, unsigned tick_ms)
{
	struct itimerspec when = { .it_value = { .tv_nsec = (long)tick_ms * 1000000 } };

	when.it_interval = when.it_value;
	timerfd_settime(sampler->tick.timer, 0, &when, NULL);
	sampler->tick.length = tick_ms;
}

/* A task's last switch may have been lost: bring it to the state that /proc shows. */
static void resync(struct sampler *sampler, struct task *task, char state)
{
	if (state == 'R' && task->state == TASK_BLOCKED)
		state_set(&sampler->states, task, TASK_PREEMPTED);
	else if (state != 'R' && task->state != TASK_BLOCKED && task->state != TASK_UNSEEN)
		state_set(&sampler->states, task, TASK_BLOCKED);
}

/* Tasks whose end no record told are ended; one is believed gone when it is found so twice. */
static void verify_tasks(struct sampler *sampler)
{
	struct task *next;

	sampler->observe.verify = false;
	for (struct task *task = sampler->tasks.all; task; task = next) {
		char state;

		next = task->next;
		if (task->state == TASK_ENDED)
			continue;
		state = procfs_state(task->process->pid, task->tid);
		if (state != 0 && state != 'Z' && state != 'X') {
			task->seen_gone = false;
			if (sampler->observe.switches_lost)
				resync(sampler, task, state);
		} else if (!task->seen_gone) {
			task->seen_gone = true;
			sampler->observe.verify = true;
		} else {
			observe_end(sampler, task);
		}
	}
	sampler->observe.switches_lost = false;
}

/* Whether the step has not begun: should its exec fail, no record will tell. */
static bool awaits_exec(const struct sampler *sampler)
{
	const struct task *root =
		sampler->follow ? tasks_task(&sampler->tasks, sampler->root) : NULL;

	return root && root->state == TASK_UNSEEN;
}

/* Adapt the tick to what happened since the last. */
static void adapt(struct sampler *sampler, unsigned fill)
{
	unsigned tick_ms = sampler->tick.length * 2;

	if (sampler->observe.blocked || sampler->observe.verify || sampler->tick.hurry || fill > 50)
		tick_ms = TICK_MIN_MS;
	if (sampler->tick.hurry)
		sampler->tick.hurry--;
	if (tick_ms > TICK_MAX_MS)
		tick_ms = TICK_MAX_MS;
	if (!sampler->wake_each_sample && collect_asks(sampler->collect) && tick_ms > TICK_MIN_MS)
		tick_ms = TICK_MIN_MS;
	if ((!sampler->wake_each_sample && sampler->clock.running &&
	     collect_asks(sampler->collect)) ||
	    sampler->task_stops.stuck_count)
		tick_ms = TICK_PROMPT_MS;
	if (tick_ms != sampler->tick.length)
		set_tick(sampler, tick_ms);
	sampler->observe.blocked = 0;
}

/* Look at what is new and take the records up to a time; returns the largest fill of a ring. Who
   was held is known before the records of that are taken. */
static unsigned take_records(struct sampler *sampler, uint64_t time)
{
	prompt_look(sampler->prompt, sampler->ledger.period);
	task_stop_look(&sampler->task_stops);
	if (sampler->task_stops.stuck_count && sampler->tick.length != TICK_PROMPT_MS)
		set_tick(sampler, TICK_PROMPT_MS);
	return observe_drain(sampler, time);
}

/* Look at what the step's first process used: its last figures before its end. */
static void look_at_root(struct sampler *sampler)
{
	struct process *process = tasks_process(&sampler->tasks, sampler->root);

	if (process)
		resource_usage_look_at(process);
}

/* engine_ready of the timer. */
static void on_tick(void *argument, int fd, short revents UNUSED)
{
	struct sampler *sampler = argument;
	uint64_t expired, now;
	unsigned fill;

	if (read(fd, &expired, sizeof(expired)) != sizeof(expired))
		return;
	now = clock_monotonic_ns();
	if (sampler->privilege == PRIVILEGE_PROC) {
		proc_scan(sampler, now);
		return;
	}
	fill = take_records(sampler, now - SETTLED);
	collect_look(sampler->collect, &sampler->tasks, sampler->clock.now);
	wait_looks_round(&sampler->wait_looks, TICK_MIN_MS * NSEC_PER_MSEC);
	short_tasks_look(&sampler->short_tasks);
	sampler->tick.count++;
	if (sampler->tick.count % ROOT_EVERY == 0)
		look_at_root(sampler);
	sampler->observe.verify |= sampler->wait_looks.task_gone;
	sampler->wait_looks.task_gone = false;
	if (sampler->observe.verify || sampler->tick.count % VERIFY_EVERY == 0 ||
	    awaits_exec(sampler))
		verify_tasks(sampler);
	adapt(sampler, fill);
}

/* engine_ready of a ring. */
static void on_ring(void *argument, int fd, short revents)
{
	struct sampler *sampler = argument;

	if (revents & (POLLHUP | POLLERR))
		engine_unwatch(sampler->tick.engine, fd);
	take_records(sampler, clock_monotonic_ns() - SETTLED);
}

/* Stop watching the step's first process. */
static void close_root(struct sampler *sampler)
{
	if (sampler->tick.root_fd < 0)
		return;
	if (sampler->tick.engine)
		engine_unwatch(sampler->tick.engine, sampler->tick.root_fd);
	close(sampler->tick.root_fd);
	sampler->tick.root_fd = -1;
}

/* engine_ready of the step's first process: it has ended, so the step is not kept waiting. */
static void on_root(void *argument, int fd UNUSED, short revents UNUSED)
{
	struct sampler *sampler = argument;

	close_root(sampler);
	sampler->tick.hurry = HURRY;
	if (sampler->privilege != PRIVILEGE_PROC)
		set_tick(sampler, TICK_MIN_MS);
}

int tick_start(struct sampler *sampler, struct engine *engine, struct error *err)
{
	sampler->tick.engine = engine;
	sampler->tick.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	RETURN_IF(sampler->tick.timer < 0, error_errno(err, "cannot create a timer"));
	set_tick(sampler, sampler->privilege == PRIVILEGE_PROC ? PROC_TICK_MS : TICK_MIN_MS);
	engine_watch(engine, sampler->tick.timer, POLLIN, on_tick, sampler);
	sampler->tick.root_fd = (int)syscall(SYS_pidfd_open, sampler->root, 0);
	if (sampler->tick.root_fd >= 0)
		engine_watch(engine, sampler->tick.root_fd, POLLIN, on_root, sampler);
	if (sampler->perf.open)
		for (size_t i = 0; i < sampler->perf.cpu_count; i++)
			engine_watch(engine, sampler->perf.cpus[i].fd, POLLIN, on_ring, sampler);
	return 0;
}

void tick_stop(struct sampler *sampler)
{
	close_root(sampler);
	if (sampler->tick.engine && sampler->perf.open)
		for (size_t i = 0; i < sampler->perf.cpu_count; i++)
			engine_unwatch(sampler->tick.engine, sampler->perf.cpus[i].fd);
	if (sampler->tick.timer >= 0) {
		if (sampler->tick.engine)
			engine_unwatch(sampler->tick.engine, sampler->tick.timer);
		close(sampler->tick.timer);
	}
	sampler->tick.timer = -1;
	sampler->tick.engine = NULL;
	/* Nobody looks at those from now on. */
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
	if (sampler->observe.verify)
		verify_tasks(sampler);
}
