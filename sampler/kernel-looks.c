/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at tasks that execute in the kernel. */
#include "common/compat.h"
#include "sampler/kernel-looks.h"
#include "common/chance.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/procfs.h"
#include "sampler/perf.h"
#include "sampler/prompt.h"
#include "sampler/stack-resolve.h"
#include "sampler/step-clock.h"
#include "sampler/tasks.h"

/* Number of ticks for a round, on average. */
#define ROUND_TICKS 2
/* How long a task is looked at after it has missed time. */
#define LISTED_FOR NSEC_PER_SEC
/* How long what looks have found tells of a task. */
#define KNOWN_FOR (500 * NSEC_PER_MSEC)
/*
 * The missing time that is held is kept near this multiple of what a look stands for, so
 * that it seldom runs out: if more is held a look stands for more, at most this many times.
 */
#define HELD_LOOKS 4
#define HELD_FACTOR 4
/*
 * From this multiple of the time between two rounds on a gap is hardly ever missed by all
 * of them: its looks stand for its missing time alone.
 */
#define LONG_GAP 3
/*
 * Number of looks after which rounds are rarer by this factor, until one has found the
 * calls of its task: memory may not be readable.
 */
#define TRIED 1
#define RARELY 8
/* From so many pages on that a task was given since the last look it is asked where the next one is given. */
#define PAGES_MANY 8
/* After so many looks since when it was given fewer it is no longer asked. */
#define PAGELESS 4
/* The number of gaps that tell how much of its time a task is in the kernel. */
#define GAPS_REMEMBERED 32

void kernel_looks_init(struct kernel_looks *looks, const struct kernel_looks_parts *parts)
{
	*looks = (struct kernel_looks){ .parts = *parts, .random = 1, .chance = 1 };
	timer_lateness_init(&looks->lateness);
}

/* Returns the ns of CPU time that a task has used, as far as the records go. */
static uint64_t used_by(const struct step_clock *clock, const struct task *task)
{
	return task->cpu + (task->state == TASK_RUNNING ? clock->active - task->since : 0);
}

/* Returns whether a task is to be looked at: it has missed time lately, or its next sample is overdue. */
static bool is_listed(const struct kernel_looks *looks, const struct task *task, uint64_t now)
{
	const struct task_kernel *own = &task->kernel;

	if (!task->anchors.count || !own->period || task->state == TASK_ENDED || task->duty.unsure)
		return false;
	return now < own->listed_until ||
	       (task->state == TASK_RUNNING && used_by(looks->parts.clock, task) >= own->used + 2 * own->period);
}

/* A look at a task in progress. */
struct look {
	struct task *task;
	struct mode_probe probe;
	struct page_watch watch;
	struct kernel_place place; /* stack 0: not known */
	bool calls_system;
};

void kernel_looks_end(struct kernel_looks *looks)
{
	for (unsigned i = 0; i < looks->watch_count; i++)
		perf_watch_pages_end(&looks->watches[i]);
	looks->watch_count = 0;
}

/* Begins to record where a task is given pages, if it was given many since the last look. */
static void begin_watch(struct kernel_looks *looks, struct look *look)
{
	struct task *task = look->task;
	struct procfs_thread thread;
	uint64_t given;

	look->watch = (struct page_watch){ .fd = -1 };
	if (!perf_can_watch_pages(looks->parts.perf) ||
	    !procfs_thread(task->process->base->pid, task->base->tid, &thread))
		return;
	given = thread.minor_faults - task->kernel.pages;
	task->kernel.pages = thread.minor_faults;
	task->kernel.pageless = given < PAGES_MANY ? task->kernel.pageless + 1 : 0;
	if (task->kernel.pageless > PAGELESS)
		return;
	perf_watch_pages(looks->parts.perf, task->base->tid, thread.processor, &look->watch);
	look->place.pages.begun = look->watch.begun;
}

/* Begins a look: reads where the task is while its mode is being found out. Returns false if that is not possible. */
static bool begin_look(struct kernel_looks *looks, struct task *task, struct look *look)
{
	const struct kernel_looks_parts *parts = &looks->parts;

	*look = (struct look){ .task = task };
	if (task->kernel.place_count == KERNEL_PLACES)
		return false;
	looks->looks++;
	look->place.time = clock_monotonic_ns();
	if (!mode_probe_begin(&look->probe, task->base->tid))
		return false;
	begin_watch(looks, look);
	look->place.transaction = prompt_transaction(parts->transactions, task, look->place.time);
	look->place.stack = stack_resolve_down(parts->resolver, task, look->place.time, look->place.transaction,
					       &look->calls_system);
	looks->found |= look->place.stack != 0;
	return true;
}

/* Returns whether what looks have found is old at a time. */
static bool is_old(const struct task_kernel *own, uint64_t time)
{
	return own->seen_at && time > own->seen_at + KNOWN_FOR;
}

/*
 * Notes which pages the task was given meanwhile. If it was in the kernel and was given
 * none it may wait for a huge one: places are recorded until the next tick.
 */
static void end_watch(struct kernel_looks *looks, struct look *look, const struct probe_times *times, bool in_kernel)
{
	struct page_look *pages = &look->place.pages;
	const struct page_watch *watch = &look->watch;
	uint64_t before = watch->begun - look->probe.clocked;
	struct task *task = look->task;
	struct procfs_thread thread;

	if (watch->fd < 0)
		return;
	if (procfs_thread(task->process->base->pid, task->base->tid, &thread)) {
		pages->count = thread.minor_faults - task->kernel.pages;
		task->kernel.pages = thread.minor_faults;
	}
	pages->window = times->executed;
	/* When recording begins the task is interrupted: the next page fault takes as much longer. */
	pages->idle = (times->idle > before ? times->idle - before : 0) + 2 * (watch->ready - watch->begun);
	if (in_kernel && !pages->count)
		looks->watches[looks->watch_count++] = *watch;
	else
		perf_watch_pages_end(&look->watch);
}

/*
 * Ends a look: notes the place if the task was in the kernel. One that left the processor
 * soon was if it has called the system, and did not use new memory meanwhile.
 */
static void end_look(struct kernel_looks *looks, struct look *look)
{
	struct task_kernel *own = &look->task->kernel;
	struct probe_times times;
	enum executed_mode mode = mode_probe_end(&look->probe, &looks->lateness, &times);
	bool left;

	end_watch(looks, look, &times, mode == MODE_KERNEL);
	left = mode == MODE_UNKNOWN && look->calls_system && !look->place.pages.count;
	if (!look->place.stack || (mode != MODE_KERNEL && !left))
		return;
	own->renewed |= is_old(own, look->place.time);
	own->seen_at = look->place.time;
	own->places[own->place_count++] = look->place;
}

void kernel_looks_round(struct kernel_looks *looks, uint64_t now)
{
	uint64_t count = 0, left = KERNEL_LOOKS_A_ROUND;
	struct look begun[KERNEL_LOOKS_A_ROUND];
	size_t begun_count = 0;

	kernel_looks_end(looks);
	if (*looks->parts.privilege != PRIVILEGE_USER || looks->parts.clock->paused || looks->parts.clock->closed) {
		looks->round_at = 0;
		looks->busy = false;
		return;
	}
	/* A look costs a tenth of a millisecond: so only some ticks have a round, by chance. */
	if (chance_below(&looks->random, looks->found || looks->looks < TRIED ? ROUND_TICKS : RARELY * ROUND_TICKS))
		return;
	if (looks->round_at)
		wait_gaps_add(&looks->gaps, now - looks->round_at);
	looks->round_at = now;
	for (const struct task *task = looks->parts.tasks->all; task; task = task->next)
		count += is_listed(looks, task, now);
	looks->busy = count > 0;
	looks->chance = count > left ? (double)left / (double)count : 1;
	/* Of the tasks that are left each has the same chance. */
	for (struct task *task = looks->parts.tasks->all; task && left; task = task->next) {
		if (!is_listed(looks, task, now))
			continue;
		if (chance_below(&looks->random, count--) >= left)
			continue;
		left--;
		begun_count += begin_look(looks, task, &begun[begun_count]);
	}
	for (size_t i = 0; i < begun_count; i++)
		end_look(looks, &begun[i]);
}

/* Returns the ns that a look at a random moment stands for. */
static double look_stands_for(const struct kernel_looks *looks)
{
	const struct wait_gaps *gaps = &looks->gaps;

	return gaps->count ? (double)gaps->sum / (double)gaps->count / looks->chance : 0;
}

uint64_t kernel_looks_held(const struct kernel_looks *looks, const struct task *task, uint64_t time)
{
	const struct task_kernel *own = &task->kernel;

	if (!own->seen_at || is_old(own, time))
		return 0;
	return (uint64_t)(HELD_FACTOR * HELD_LOOKS * look_stands_for(looks));
}

/* Returns the number of places that were seen up to time. */
static unsigned places_until(const struct task_kernel *own, uint64_t time)
{
	unsigned count = 0;

	while (count < own->place_count && own->places[count].time <= time)
		count++;
	return count;
}

bool kernel_looks_saw(const struct task *task, uint64_t time)
{
	return places_until(&task->kernel, time) > 0;
}

void kernel_looks_page(struct kernel_looks *looks, struct task *task, const struct observation *seen)
{
	struct task_kernel *own = &task->kernel;
	unsigned places = places_until(own, seen->time);
	struct kernel_place *place = places ? &own->places[places - 1] : NULL;

	if (!place || !page_look_add(&place->pages, seen->time, seen->sample.address))
		return;
	place->pages.stack = stack_resolve_page(looks->parts.resolver, task, seen);
}

/*
 * Decides of looks up to time whether they met a page fault: they show its place then, and
 * not what a walk downwards found.
 */
static void decide_pages(struct kernel_looks *looks, struct task *task, uint64_t time)
{
	struct task_kernel *own = &task->kernel;
	double in_kernel = own->gaps > 0 ? own->missed / own->gaps : 1;
	unsigned places = places_until(own, time);

	for (unsigned i = 0; i < places; i++) {
		struct kernel_place *place = &own->places[i];
		double part = page_look_part(&place->pages, in_kernel, &looks->page_cost);

		if (chance_part(hash_pair((uint64_t)task->base->tid, place->time)) < part)
			place->stack = place->pages.stack;
		place->pages = (struct page_look){ 0 };
	}
}

/*
 * Returns how much more or less than its time a look stands for, so that the missing time
 * that is held stays near HELD_LOOKS looks and a period. held: ns before the gap of the
 * look, which must not make long gaps count more.
 */
static double held_factor(double held, double each, double period)
{
	double wanted = HELD_LOOKS * each > period ? HELD_LOOKS * each : period;

	if (held <= 0)
		return 0;
	return held < HELD_FACTOR * wanted ? held / wanted : HELD_FACTOR;
}

/*
 * What looks had found is old: returns how many samples of what is held are to be placed
 * by it. From the next sample on only looks since then count.
 */
static int64_t release_held(struct task_kernel *own, int64_t missing, double each, uint64_t period)
{
	int64_t most = (int64_t)(HELD_FACTOR * HELD_LOOKS * each);

	if (!own->renewed)
		own->seen_at = 0;
	own->renewed = false;
	own->releases = true;
	if (missing <= 0 || !own->recent_count)
		return 0;
	return (missing < most ? missing : most) / (int64_t)period;
}

/*
 * Notes that ns are placed at places, as much at each: adds to the variance, less that of
 * as many independent samples, as each look then stands for more.
 */
static void note_placed(struct kernel_looks *looks, struct kernel_place *places, unsigned count, double ns,
			double period)
{
	double each = count ? ns / count : 0, variance = 0;

	for (unsigned i = 0; i < count; i++) {
		variance += each * (2 * places[i].worth + each - period);
		places[i].worth += each;
	}
	if (variance > 0)
		looks->squares += variance;
}

int64_t kernel_looks_close(struct kernel_looks *looks, struct task *task, uint64_t time, int64_t missing,
			   uint64_t period)
{
	struct task_kernel *own = &task->kernel;
	uint64_t gap = used_by(looks->parts.clock, task) - own->used;
	uint64_t known = own->period + own->settled, now_missing = gap > known ? gap - known : 0;
	double each = look_stands_for(looks), worth;
	bool is_long;
	unsigned places;
	int64_t count;

	if (*looks->parts.privilege != PRIVILEGE_USER || !own->seen_at)
		return -1;
	decide_pages(looks, task, time);
	if (own->renewed || is_old(own, time)) {
		count = release_held(own, missing, each, period);
		note_placed(looks, own->recent, own->recent_count, (double)count * (double)period, (double)period);
		return count;
	}
	places = places_until(own, time);
	if (!places || missing <= 0)
		return 0;
	is_long = (double)now_missing >= LONG_GAP * each;
	worth = is_long ? (double)now_missing :
			  places * each * held_factor((double)missing - (double)now_missing, each, (double)period);
	count = (int64_t)(worth / (double)period + chance_part(hash_pair((uint64_t)task->base->tid, time)));
	if (count > missing / (int64_t)period)
		count = missing / (int64_t)period;
	note_placed(looks, own->places, places, (double)count * (double)period, (double)period);
	return count;
}

/* What was seen up to time is of an earlier gap from now on. */
static void make_recent(struct task_kernel *own, uint64_t time)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < own->place_count; i++) {
		if (own->places[i].time > time) {
			own->places[kept++] = own->places[i];
		} else {
			own->recent[own->recent_next++ % KERNEL_RECENT] = own->places[i];
			own->recent_count += own->recent_count < KERNEL_RECENT;
		}
	}
	own->place_count = kept;
}

void kernel_looks_settled(struct kernel_looks *looks, struct task *task, uint64_t time, uint64_t count,
			  uint64_t period)
{
	struct task_kernel *own = &task->kernel;
	unsigned places = places_until(own, time);

	decide_pages(looks, task, time);
	if (places)
		note_placed(looks, own->places, places, (double)count * (double)period, (double)period);
	else
		note_placed(looks, own->recent, own->recent_count, (double)count * (double)period, (double)period);
	make_recent(own, time);
	own->settled += count * period;
}

void kernel_looks_waited(struct task *task)
{
	struct task_kernel *own = &task->kernel;

	own->place_count = own->recent_count = own->recent_next = 0;
	own->seen_at = 0;
	own->renewed = own->releases = false;
}

void kernel_looks_sampled(const struct step_clock *clock, struct task *task, const struct observation *seen)
{
	struct task_kernel *own = &task->kernel;
	uint64_t used = used_by(clock, task), period = seen->sample.period;
	uint64_t gap = used > own->used ? used - own->used : 0;
	bool missed = own->period && gap > period + period / 2;

	if (own->releases)
		own->recent_count = own->recent_next = 0;
	own->releases = false;
	make_recent(own, seen->time);
	if (own->period) {
		own->gaps += (double)gap - own->gaps / GAPS_REMEMBERED;
		own->missed += (gap > period ? (double)(gap - period) : 0) - own->missed / GAPS_REMEMBERED;
	}
	own->settled = 0;
	own->used = used;
	own->period = period;
	if (missed)
		own->listed_until = seen->time + LISTED_FOR;
}

const struct kernel_place *kernel_looks_place(const struct task *task, uint64_t time, uint64_t index, uint64_t count)
{
	const struct task_kernel *own = &task->kernel;
	unsigned places = own->releases ? 0 : places_until(own, time);

	if (places)
		return &own->places[index * places / count];
	return own->recent_count ? &own->recent[index % own->recent_count] : NULL;
}

void kernel_looks_forget(struct task *task)
{
	task->anchors.count = 0;
	task->kernel = (struct task_kernel){ 0 };
}
