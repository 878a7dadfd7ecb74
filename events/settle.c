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

/*
 * Unit, ns, in which time off the processor is distributed between two anchors:
 * clocks are no more precise, and a column of multiples compresses well.
 */
#define STEP 32

/* Growth of idle time from an anchor on: per event with a distinct time, and per time. */
struct slope {
	int64_t event;
	double time;
};

/*
 * Returns the number of distinct times of waiting events: an end makes two events
 * at one time, but costs the program once.
 */
static int64_t count_times(const struct event_task *task)
{
	uint64_t before = 0;
	int64_t count = 0;

	for (size_t i = 0; i < task->waiting_count; i++) {
		count += task->waiting[i].time != before;
		before = task->waiting[i].time;
	}
	return count;
}

/*
 * Distributes idle time: the cost of events at each of them, the rest in the gap
 * at the end, or evenly.
 */
static struct slope slope_of(const struct event_decoder *decoder, const struct event_task *task,
			     uint64_t until, int64_t idle)
{
	int64_t more = idle - task->idle, count = count_times(task);
	int64_t cost = (int64_t)event_pool_cost(decoder->pool);
	uint64_t length = until - task->anchor;
	uint64_t last = task->waiting[task->waiting_count - 1].time;
	struct slope slope = { cost * count < more ? cost : more / count, 0 };

	if (length > 0 && until - last < decoder->gap)
		slope.time = (double)(more - slope.event * count) / (double)length / STEP;
	return slope;
}

/*
 * Limits a CPU time to between the task's at its last event and that at the next
 * anchor: it never decreases, so that the events' durations in CPU time add up to
 * what was used, even if events are closer than a unit.
 */
static inline int64_t within(int64_t cpu, int64_t least, int64_t most)
{
	if (cpu > most)
		cpu = most;
	return cpu < least ? least : cpu;
}

/* Makes rows of the waiting events, with idle time from that at the anchor to that at until. */
static void settle(struct event_decoder *decoder, struct event_task *task, uint64_t until,
		   int64_t idle)
{
	uint64_t number = task->id ? task->id : task->number | EVENT_TASK_NUMBER;
	size_t count = task->waiting_count;
	int64_t most = (int64_t)until - idle, cpu = task->settled_cpu, paid = task->idle;
	uint64_t before = task->waiting_count ? task->waiting[0].time : 0;
	struct record_event *rows;
	struct slope slope;

	if (!count)
		return;
	decoder->unnamed |= !task->id;
	slope = slope_of(decoder, task, until, idle);
	rows = recordset_extend(&decoder->rows, count);
	for (size_t i = 0; i < count; i++) {
		const struct event_waiting *from = &task->waiting[i];
		double share = slope.time * (double)(int64_t)(from->time - task->anchor);

		if (from->time != before)
			paid += slope.event;
		before = from->time;
		cpu = within((int64_t)from->time - paid - (int64_t)share * STEP, cpu, most);
		rows[i] = (struct record_event){ .time = from->time,
						 .idle = (int64_t)from->time - cpu,
						 .task = number,
						 .site = from->site,
						 .level = from->level,
						 .code = from->code,
						 .data = from->data,
						 .transaction = from->transaction };
	}
	task->settled_cpu = cpu;
	task->waiting_count = 0;
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

	settle(decoder, task, last, task->idle + cost * count_times(task));
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
