/* SPDX-License-Identifier: Apache-2.0 */
/* Makes rows of events when the CPU time of their task is known. */
#include "common/compat.h"
#include "events/settle.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void event_settle_reserve(struct event_task *task, size_t count)
{
	GROW(task->waiting, task->waiting_count + count, task->waiting_alloc);
}

/* Growth of idle time from an anchor on: per event with a distinct time, and per time. */
struct slope {
	int64_t event;
	double time;
};

/*
 * Distributes idle time: the cost of events at each of them, the rest in the gap
 * at the end, or evenly.
 */
static struct slope slope_of(const struct event_decoder *decoder, const struct event_task *task,
			     uint64_t until, int64_t idle)
{
	/* An end makes two events at one time, but costs the program once. */
	int64_t more = idle - task->idle, count = (int64_t)task->waiting_times;
	int64_t cost = (int64_t)event_pool_cost(decoder->pool);
	uint64_t length = until - task->anchor;
	uint64_t last = task->waiting[task->waiting_count - 1].time;
	struct slope slope = { cost * count < more ? cost : more / count, 0 };

	if (length > 0 && until - last < decoder->gap)
		slope.time = (double)(more - slope.event * count) / (double)length / EVENT_CLOCK_UNIT;
	return slope;
}

/* Moves the run of a task to the finished ones. */
static void finish_run(struct event_decoder *decoder, struct event_task *task)
{
	decoder->unnamed |= !task->id;
	task->run->task = task->id ? task->id : task->number | EVENT_TASK_NUMBER;
	event_run_finish(task->run, &decoder->runs);
}

/*
 * Returns the set for rows of a task: those that follow a run belong to the next
 * snapshot, where readers need the rows.
 */
static struct recordset *rows_of(struct event_decoder *decoder, struct event_task *task)
{
	/* Sums are made in order of time (records/event-sums.c). */
	if (decoder->bare) {
		if (task->run && task->run->slots)
			finish_run(decoder, task);
		return &decoder->rows;
	}
	if (!decoder->all_late && task->run_in <= decoder->snapshots)
		return &decoder->rows;
	task->late_in = decoder->snapshots + 1;
	return &decoder->late;
}

/* Makes rows of the waiting events. */
static void make_rows(struct event_decoder *decoder, struct event_task *task,
		      struct event_clock *clock)
{
	const uint64_t number = task->id ? task->id : task->number | EVENT_TASK_NUMBER;
	struct record_event *rows;
	size_t count = task->waiting_count;

	decoder->unnamed |= !task->id;
	for (size_t i = 0; i < task->waiting_count; i++)
		count += task->waiting[i].resumes != 0;
	rows = recordset_extend(rows_of(decoder, task), count);
	for (size_t i = 0; i < task->waiting_count; i++) {
		const struct event_waiting *from = &task->waiting[i];
		const int64_t cpu = event_clock_at(clock, from->time);

		*rows++ = (struct record_event){ .time = from->time,
						 .idle = (int64_t)from->time - cpu,
						 .task = number,
						 .site = from->site,
						 .level = from->level,
						 .code = from->code,
						 .data = from->data,
						 .transaction = from->transaction };
		if (!from->resumes)
			continue;
		*rows = rows[-1];
		rows->site = from->resumes;
		rows->level--;
		rows++;
	}
}

/*
 * Minimum number of waiting events that begin a run, and maximum number of slots of
 * one: its bytes fit one record (RECORD_BYTES_MAX).
 */
enum { RUN_LEAST = 16, RUN_MOST = 100000 };
/* Number of tasks with runs up to which the memory of the runs is kept for the next ones. */
enum { RUNS_KEPT = 16 };
_Static_assert(RUN_MOST * VARINT_MAX <= RECORD_BYTES_MAX, "the longest run fits");

/* Returns whether the waiting events can become part of a run. */
static bool fits_run(const struct event_decoder *decoder, const struct event_task *task)
{
	const bool has_run = task->run_in > decoder->snapshots;

	/* Sums of events before and after a pause must be made event by event. */
	if (decoder->bare && decoder->paused_at > task->waiting->time)
		return false;
	return decoder->compact && !task->waiting_other &&
	       (has_run || task->waiting_count >= RUN_LEAST) && !decoder->all_late &&
	       task->late_in <= decoder->snapshots && !decoder->history->pause_count;
}

/* Begins a run of a task with events at a level. */
static void begin_run(struct event_decoder *decoder, struct event_task *task, uint64_t level)
{
	if (!task->run) {
		task->run = xmalloc(sizeof(*task->run));
		event_run_writer_init(task->run);
	}
	task->run->bare = decoder->bare;
	task->run->level = level;
	if (task->run_in > decoder->snapshots)
		return;
	task->run_in = decoder->snapshots + 1;
	GROW(decoder->running, decoder->running_count + 1, decoder->running_alloc);
	decoder->running[decoder->running_count++] = task;
}

/* Adds events between two anchors to a run. */
static void put_slots(struct event_run_writer *run, struct event_clock *clock,
		      const struct event_waiting *events, size_t count)
{
	struct event_run_stretch stretch;

	clock->before = events->time;
	stretch = event_run_open(run, clock, count);
	for (size_t i = 0; i < count; i++) {
		const struct event_waiting *from = &events[i];

		event_run_put(&stretch, from->time, from->level, event_run_sites(from->site, from->resumes), from->code);
	}
	event_run_close(&stretch, count, clock);
}

/* Adds the waiting events to the task's run. */
static void extend_run(struct event_decoder *decoder, struct event_task *task,
		       struct event_clock *clock)
{
	size_t done = 0;

	while (done < task->waiting_count) {
		size_t count = task->waiting_count - done;

		if (task->run && task->run->slots == RUN_MOST)
			finish_run(decoder, task);
		if (!task->run || !task->run->slots)
			begin_run(decoder, task, task->waiting[done].level);
		if (count > RUN_MOST - task->run->slots)
			count = RUN_MOST - task->run->slots;
		put_slots(task->run, clock, &task->waiting[done], count);
		done += count;
	}
	decoder->run_slots += done;
}

/* Makes rows or a run of the waiting events. */
static void settle_waiting(struct event_decoder *decoder, struct event_task *task, uint64_t until, int64_t idle)
{
	struct event_clock clock = { .anchor = task->anchor,
				     .paid = task->idle,
				     .most = (int64_t)until - idle,
				     .cpu = task->settled_cpu };
	struct slope slope = slope_of(decoder, task, until, idle);

	clock.cost = slope.event;
	clock.slope = slope.time;
	clock.before = task->waiting->time;
	if (fits_run(decoder, task))
		extend_run(decoder, task, &clock);
	else
		make_rows(decoder, task, &clock);
	task->settled_cpu = clock.cpu;
	task->waiting_count = task->waiting_times = 0;
	task->waiting_other = 0;
}

static int64_t between(int64_t least, int64_t value, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/*
 * Returns the CPU time at the first and the last event of a task's sums, as for
 * events one by one (slope_of).
 */
static struct event_run_span span_of(const struct event_decoder *decoder, const struct event_task *task,
				     uint64_t until, int64_t idle)
{
	const struct event_tallied *tallied = &task->tallied;
	int64_t most = (int64_t)until - idle, first = (int64_t)task->anchor - task->idle;
	int64_t cost = (int64_t)(event_pool_cost(decoder->pool) * (double)tallied->hits), more = idle - task->idle;
	struct event_run_span span = { .time = tallied->start, .end = tallied->end };
	double length = (double)(until - task->anchor);

	if (most < task->settled_cpu)
		most = task->settled_cpu;
	span.cpu = between(task->settled_cpu, tallied->start < task->anchor ? task->settled_cpu : first, most);
	if (cost > more)
		cost = more;
	span.end_cpu = (int64_t)tallied->end - task->idle - cost;
	if (length > 0 && until - tallied->end < decoder->gap)
		span.end_cpu -= (int64_t)((double)(more - cost) * (double)(tallied->end - task->anchor) / length);
	span.end_cpu = between(span.cpu, span.end_cpu, most);
	return span;
}

/* Distributes CPU time among steps: by their elapsed time, less what their events cost. */
static void distribute_cpu(const struct event_decoder *decoder, struct event_tallied *tallied, uint64_t cpu)
{
	double cost = event_pool_cost(decoder->pool), all = 0, given = 0;
	uint64_t before = 0;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < tallied->count; i++) {
			struct event_step *step = &tallied->steps[i];
			double own = (double)step->elapsed - cost * (double)step->hits;

			own = own > 0 ? own : 0;
			if (!round) {
				all += own;
				continue;
			}
			given += own;
			step->cpu = (all > 0 ? (uint64_t)((double)cpu * (given / all)) : 0) - before;
			before += step->cpu;
		}
	}
}

/* Returns whether the sums of a task can be added to its run. */
static bool continues_run(const struct event_decoder *decoder, const struct event_task *task, uint64_t transaction)
{
	const struct event_run_writer *run = task->run;

	return run->transaction == transaction && decoder->paused_at <= run->end &&
	       !decoder->history->pause_count && run->slots + task->tallied.count <= RUN_MOST &&
	       run->step_count + task->tallied.count <= EVENT_TALLY_STEPS;
}

/* Makes a run of the sums that a task has made by itself. */
static void settle_tallied(struct event_decoder *decoder, struct event_task *task, uint64_t until, int64_t idle)
{
	struct event_tallied *tallied = &task->tallied;
	struct event_run_span span = span_of(decoder, task, until, idle);
	uint64_t transaction = transaction_history_at(decoder->history, task->tid, tallied->start);

	distribute_cpu(decoder, tallied, (uint64_t)(span.end_cpu - span.cpu));
	if (task->run && task->run->slots && !continues_run(decoder, task, transaction))
		finish_run(decoder, task);
	if (!task->run || !task->run->slots)
		begin_run(decoder, task, 0);
	task->run->transaction = transaction;
	event_run_add(task->run, tallied->steps, tallied->count, tallied->count - 1, &span);
	decoder->run_slots += tallied->count;
	task->settled_cpu = span.end_cpu;
	tallied->count = 0;
	tallied->hits = 0;
}

/*
 * Makes rows or a run of the waiting events and sums, with idle time from that at
 * the anchor to that at until.
 */
static void settle(struct event_decoder *decoder, struct event_task *task, uint64_t until,
		   int64_t idle)
{
	if (task->tallied.complete && task->tallied.count)
		settle_tallied(decoder, task, until, idle);
	task->tallied.complete = false;
	if (task->waiting_count)
		settle_waiting(decoder, task, until, idle);
}

void event_settle_finish_runs(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->running_count; i++) {
		struct event_run_writer *run = decoder->running[i]->run;

		if (run->slots)
			finish_run(decoder, decoder->running[i]);
		if (decoder->running_count > RUNS_KEPT)
			event_run_writer_release(run);
	}
	decoder->running_count = 0;
	decoder->run_slots = 0;
}

void event_settle_begin_snapshot(struct event_decoder *decoder)
{
	recordset_swap(&decoder->rows, &decoder->late);
	decoder->all_late = false;
	decoder->snapshots++;
}

void event_settle_anchor(struct event_task *task, uint64_t cpu, uint64_t own)
{
	task->anchor_cpu = cpu;
	task->anchor_own = own;
	task->anchored = true;
}

void event_settle_at(struct event_decoder *decoder, struct event_task *task, uint64_t time)
{
	double cost = event_pool_cost(decoder->pool) * (double)task->written;
	uint64_t own = task->anchor_own + (uint64_t)cost;
	int64_t idle;

	/* At most what the thread has used, however imprecise that is. */
	if (task->has_anchor && own > task->anchor_cpu - task->cpu)
		own = task->anchor_cpu - task->cpu;
	task->own += (int64_t)own;
	decoder->own += own;
	task->written = 0;
	if (!task->has_anchor)
		task->first_cpu = task->anchor_cpu;
	idle = (int64_t)time - (int64_t)task->anchor_cpu + task->own;
	/* The clocks are not read at the same moment. */
	if (task->has_anchor && idle < task->idle)
		idle = task->idle;
	if (task->has_anchor)
		settle(decoder, task, time, idle);
	task->idle = idle;
	task->anchor = time;
	task->cpu = task->anchor_cpu;
	task->early = 0;
	task->has_anchor = true;
	task->anchored = false;
}

/*
 * ns after which a task without events has passed a gap: what it writes later had
 * not begun before.
 */
#define QUIET (10 * NSEC_PER_MSEC)

/* Makes rows of the waiting events of one task, as if its time ended with the last of them. */
static void settle_quiet(struct event_decoder *decoder, struct event_task *task)
{
	uint64_t last = task->waiting[task->waiting_count - 1].time;
	int64_t before = (int64_t)task->anchor - task->idle;
	int64_t cost = (int64_t)event_pool_cost(decoder->pool);

	settle(decoder, task, last, task->idle + cost * (int64_t)task->waiting_times);
	task->idle = (int64_t)last - task->settled_cpu;
	task->anchor = last;
	task->early += task->settled_cpu > before ? (uint64_t)(task->settled_cpu - before) : 0;
}

void event_settle_quiet(struct event_decoder *decoder, uint64_t now)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];

		if (task->has_anchor && !task->anchored && task->waiting_count && task->last + QUIET < now)
			settle_quiet(decoder, task);
	}
}

void event_settle_end(struct event_decoder *decoder, struct event_task *task)
{
	settle(decoder, task, task->last, task->idle);
}

void event_settle_gone(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		       uint64_t cpu)
{
	uint64_t known = task->cpu + task->early, used = cpu > known ? cpu - known : 0;
	uint64_t most = time > task->anchor ? time - task->anchor : 0;
	int64_t idle = task->idle + (int64_t)(most - (used < most ? used : most));

	settle(decoder, task, time, idle);
	task->idle = idle;
	task->anchor = time;
}
