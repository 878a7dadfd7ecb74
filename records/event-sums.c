/* SPDX-License-Identifier: Apache-2.0 */
/* Sums hits and durations of events by site and transaction. */
#include "common/compat.h"
#include "records/event-sums.h"
#include "records/event-runs.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#define NO_ROW UINT32_MAX

/*
 * Maximum depth of nested database calls whose times are kept separate; deeper,
 * the outermost are dropped.
 */
#define CALLS_NESTED 4

/* A database call in progress in a task. */
struct open_call {
	uint32_t row;
	uint64_t time;	/* ns since when it has been the innermost */
	uint64_t spent; /* ns of its self time before that */
	bool nests;	/* other calls were made inside it */
};

/* The open event of a task. */
struct open_event {
	uint32_t row; /* its row in the sums; NO_ROW: none is open */
	uint64_t time;
	int64_t cpu; /* ns of the task's CPU time at the event */
};

struct event_task {
	uint64_t task;
	uint64_t used; /* ns of CPU time by its TASK row, 0 unknown */
	struct open_event event;
	struct open_call calls[CALLS_NESTED]; /* innermost last */
	size_t call_count;
	size_t run; /* number + 1 of its first run of the snapshot that was not taken; 0: none */
};

void event_sums_init(struct event_sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	event_site_list_init(&sums->sites);
	idmap_init(&sums->task_numbers);
}

void event_sums_release(struct event_sums *sums)
{
	event_site_list_release(&sums->sites);
	idmap_release(&sums->task_numbers);
	free(sums->rows);
	free(sums->next);
	free(sums->changed);
	free(sums->first);
	free(sums->tasks);
	free(sums->pauses);
}

/* Adds a row for a site and transaction. */
static uint32_t add_row(struct event_sums *sums, size_t site, uint64_t transaction)
{
	size_t number = sums->count;

	assert(number < NO_ROW);
	GROW(sums->rows, number + 1, sums->alloc);
	GROW(sums->next, number + 1, sums->next_alloc);
	GROW(sums->changed, number + 1, sums->changed_alloc);
	sums->rows[number] = (struct record_event_sum){ .site = sums->sites.ids[site],
							.transaction = transaction };
	sums->next[number] = sums->first[site];
	sums->changed[number] = false;
	sums->first[site] = (uint32_t)number + 1;
	sums->count++;
	return (uint32_t)number;
}

/* Finds or adds the row of a site and transaction that is not the site's first row. */
static uint32_t find_row(struct event_sums *sums, size_t site, uint64_t transaction)
{
	size_t before = sums->first_count;

	if (site >= before) {
		GROW(sums->first, site + 1, sums->first_count);
		memset(sums->first + before, 0,
		       (sums->first_count - before) * sizeof(*sums->first));
	}
	for (uint32_t at = sums->first[site]; at; at = sums->next[at - 1])
		if (sums->rows[at - 1].transaction == transaction)
			return at - 1;
	return add_row(sums, site, transaction);
}

/* Returns the row of a site and transaction. Few sites have more than one transaction. */
static inline uint32_t row_of(struct event_sums *sums, size_t site, uint64_t transaction)
{
	uint32_t first = site < sums->first_count ? sums->first[site] : 0;

	if (first && sums->rows[first - 1].transaction == transaction)
		return first - 1;
	return find_row(sums, site, transaction);
}

/* Finds or adds the task with an id; the slow path of task_of. */
static struct event_task *find_task(struct event_sums *sums, uint64_t id)
{
	uint64_t number;

	if (!idmap_get(&sums->task_numbers, id, &number)) {
		number = sums->task_count++;
		GROW(sums->tasks, sums->task_count, sums->task_alloc);
		sums->tasks[number] = (struct event_task){ .task = id,
							   .event = { .row = NO_ROW } };
		idmap_put(&sums->task_numbers, id, number);
	}
	sums->task_last = (size_t)number;
	return &sums->tasks[number];
}

/* Returns the task with an id. Consecutive events often belong to one task. */
static inline struct event_task *task_of(struct event_sums *sums, uint64_t id)
{
	size_t number = sums->task_last;

	if (number < sums->task_count && sums->tasks[number].task == id)
		return &sums->tasks[number];
	return find_task(sums, id);
}

/* Returns the time of the session's first pause in an interval, or its end when there is none. */
static inline uint64_t first_pause(const struct event_sums *sums, uint64_t from, uint64_t to)
{
	size_t at;

	if (!sums->pause_count || sums->pauses[sums->pause_count - 1] < from)
		return to;
	at = LOWER_BOUND(sums->pause_count, i, sums->pauses[i] < from);
	return sums->pauses[at] < to ? sums->pauses[at] : to;
}

/* Ends a task's open event at a time; cpu is the task's CPU time at that time. */
static inline void end_event(struct event_sums *sums, struct open_event *event, uint64_t time,
			     int64_t cpu)
{
	struct record_event_sum *row;
	uint64_t end, used;

	if (event->row == NO_ROW)
		return;
	row = &sums->rows[event->row];
	end = first_pause(sums, event->time, time);
	used = cpu > event->cpu ? (uint64_t)cpu - (uint64_t)event->cpu : 0;
	if (end < time && used > end - event->time)
		used = end - event->time;
	row->cpu += used;
	row->elapsed += end > event->time ? end - event->time : 0;
	sums->changed[event->row] = true;
	event->row = NO_ROW;
}

/* Adds to a call's self time when it ends or another call begins inside it. */
static void stop_call(const struct event_sums *sums, struct open_call *call, uint64_t time)
{
	uint64_t end = first_pause(sums, call->time, time);

	call->spent += end > call->time ? end - call->time : 0;
}

/* Begins a database call in a task. */
static void begin_call(const struct event_sums *sums, struct event_task *task, uint32_t row,
		       uint64_t time)
{
	if (task->call_count) {
		struct open_call *outer = &task->calls[task->call_count - 1];

		stop_call(sums, outer, time);
		outer->nests = true;
	}
	if (task->call_count == CALLS_NESTED)
		memmove(task->calls, task->calls + 1,
			--task->call_count * sizeof(*task->calls));
	task->calls[task->call_count++] = (struct open_call){ .row = row, .time = time };
}

/* Ends a task's innermost database call; the enclosing one continues. */
static void end_call(struct event_sums *sums, struct event_task *task, uint64_t time)
{
	struct open_call *call;

	if (!task->call_count)
		return;
	call = &task->calls[--task->call_count];
	stop_call(sums, call, time);
	sums->rows[call->row].database += call->spent;
	sums->changed[call->row] = true;
	if (task->call_count)
		task->calls[task->call_count - 1].time = time;
}

/*
 * Ends the call in progress when its task or the session ends. Drops a call that
 * has had others inside it: it may have been left long ago (longjmp).
 */
static void end_calls(struct event_sums *sums, struct event_task *task, uint64_t time)
{
	if (task->call_count && !task->calls[task->call_count - 1].nests)
		end_call(sums, task, time);
	task->call_count = 0;
}

/* Returns whether events of a type have no duration in their task. */
static bool is_end(unsigned type)
{
	return type == EVENT_KE || type == EVENT_ST || type == EVENT_MP || type == EVENT_MB ||
	       type == EVENT_SI;
}

static inline void take_event(struct event_sums *sums, const struct record_event *event)
{
	size_t site = event_site_list_number(&sums->sites, event->site);
	uint32_t row = row_of(sums, site, event->transaction);
	unsigned type = sums->sites.types[site];
	struct event_task *task;
	int64_t cpu;

	sums->rows[row].hits++;
	sums->changed[row] = true;
	if (!event->task)
		return;
	task = task_of(sums, event->task);
	cpu = record_event_cpu(event);
	end_event(sums, &task->event, event->time, cpu);
	if (type == EVENT_DA)
		end_call(sums, task, event->time);
	else if (type == EVENT_DB)
		begin_call(sums, task, row, event->time);
	else if (task->call_count && is_end(type))
		end_calls(sums, task, event->time);
	if (!is_end(type))
		task->event = (struct open_event){ row, event->time, cpu };
}

/* Returns whether the session paused in an interval. */
static bool has_pause(const struct event_sums *sums, uint64_t from, uint64_t to)
{
	return first_pause(sums, from, to) != to;
}

/* Takes the events of a run one by one. */
static void take_each(struct event_sums *sums, const struct recordset *set, size_t row)
{
	struct recordset events;

	recordset_init(&events, &record_types[RECORD_EVENT]);
	event_run_expand(set, row, &events);
	for (size_t i = 0; i < events.count; i++)
		take_event(sums, recordset_get(&events, i));
	recordset_release(&events);
}

/*
 * Adds the sums of a step. Returns the row of the event that lasts until the next
 * slot; NO_ROW: none does.
 */
static uint32_t take_step(struct event_sums *sums, const struct event_step *step, uint64_t transaction)
{
	size_t site = event_site_list_number(&sums->sites, step->site);
	uint32_t row = row_of(sums, site, transaction);

	sums->rows[row].hits += step->hits;
	sums->changed[row] = true;
	if (step->resumes) {
		site = event_site_list_number(&sums->sites, step->resumes);
		row = row_of(sums, site, transaction);
		sums->rows[row].hits += step->hits;
		sums->changed[row] = true;
	}
	if (is_end(sums->sites.types[site]))
		return NO_ROW;
	sums->rows[row].elapsed += step->elapsed;
	sums->rows[row].cpu += step->cpu;
	return row;
}

/*
 * Takes the events of a run by its steps. A run in which the session paused, or
 * that begins within a database call, is taken event by event.
 */
static void take_run(struct event_sums *sums, const struct recordset *set, size_t number,
		     struct event_run_steps *steps)
{
	const struct record_event_run *run = recordset_get(set, number);
	struct event_task *task;
	uint32_t last = NO_ROW;

	if (!event_run_is_bare(run) &&
	    (has_pause(sums, run->time, run->end) || task_of(sums, run->task)->call_count)) {
		take_each(sums, set, number);
		return;
	}
	if (!event_run_read_steps(steps, set, number))
		return;
	task = task_of(sums, run->task);
	end_event(sums, &task->event, run->time, run->cpu);
	for (size_t i = 0; i < steps->count; i++) {
		uint32_t row = take_step(sums, &steps->steps[i], run->transaction);

		if (i == steps->last)
			last = row;
	}
	task->event = (struct open_event){ last, run->end, run->end_cpu };
}

/* The runs of a snapshot: of each, number + 1 of the next one of its task, and how they are read. */
struct runs {
	const struct recordset *set;
	size_t *next;
	struct event_run_steps steps;
};

/* Prepares the runs of a snapshot, by task. */
static void prepare_runs(struct event_sums *sums, struct runs *runs, const struct recordset *set)
{
	*runs = (struct runs){ .set = set, .next = xcalloc(set->count, sizeof(*runs->next)) };
	for (size_t i = set->count; i-- > 0;) {
		struct event_task *task = task_of(sums, ((const struct record_event_run *)recordset_get(set, i))->task);

		runs->next[i] = task->run;
		task->run = i + 1;
	}
}

/* Takes the runs of a task that ended by a time. */
static void take_runs_until(struct event_sums *sums, struct runs *runs, uint64_t id, uint64_t time)
{
	struct event_task *task = task_of(sums, id);
	size_t number;

	while ((number = task->run)) {
		const struct record_event_run *run = recordset_get(runs->set, number - 1);

		if (run->end > time || run->time == time)
			return;
		task->run = runs->next[number - 1];
		take_run(sums, runs->set, number - 1, &runs->steps);
		task = task_of(sums, id);
	}
}

/* Takes all runs that are left. */
static void take_runs(struct event_sums *sums, struct runs *runs)
{
	for (size_t i = 0; i < runs->set->count; i++)
		take_runs_until(sums, runs, ((const struct record_event_run *)recordset_get(runs->set, i))->task,
				UINT64_MAX);
	free(runs->steps.steps);
	free(runs->next);
}

/* Takes the events of a snapshot: of each task in order of time. */
static void take_events(struct event_sums *sums, const struct recordset *events, const struct recordset *set)
{
	const struct record_event *rows = (const void *)events->rows;
	struct runs runs;

	if (!set->count) {
		for (size_t i = 0; i < events->count; i++)
			take_event(sums, &rows[i]);
		return;
	}
	prepare_runs(sums, &runs, set);
	for (size_t i = 0; i < events->count; i++) {
		if (rows[i].task)
			take_runs_until(sums, &runs, rows[i].task, rows[i].time);
		take_event(sums, &rows[i]);
	}
	take_runs(sums, &runs);
}

/* Records a pause of the session. */
static void add_pause(struct event_sums *sums, uint64_t time)
{
	size_t at = LOWER_BOUND(sums->pause_count, i, sums->pauses[i] < time);

	GROW(sums->pauses, sums->pause_count + 1, sums->pause_alloc);
	memmove(sums->pauses + at + 1, sums->pauses + at, (sums->pause_count - at) * sizeof(*sums->pauses));
	sums->pauses[at] = time;
	sums->pause_count++;
}

/*
 * Takes the events of the whole session before all others, since only the events
 * of one task are in order. Returns when the session ended, 0 if it has not.
 */
static uint64_t look_for_session(struct event_sums *sums, const struct recordset *events)
{
	const struct record_event *rows = (const void *)events->rows;
	uint64_t end = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct record_event *event = &rows[i];
		unsigned type;

		if (event->task)
			continue;
		type = event_site_list_type(&sums->sites, event->site);
		if (type == EVENT_MP)
			add_pause(sums, event->time);
		if (type == EVENT_ST)
			end = event->time;
	}
	return end;
}

/* Ends all events at the end of the session. */
static void end_session(struct event_sums *sums, uint64_t time)
{
	for (size_t i = 0; i < sums->task_count; i++) {
		struct event_task *task = &sums->tasks[i];
		int64_t cpu = (int64_t)task->used, most = task->event.cpu;

		if (time > task->event.time)
			most += (int64_t)(time - task->event.time);
		end_event(sums, &task->event, time, cpu < most ? cpu : most);
		end_calls(sums, task, time);
	}
}

static void take_tasks(struct event_sums *sums, const struct recordset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct record_task *task = recordset_get(set, i);

		task_of(sums, task->task)->used = task->cpu;
	}
}

/* Takes sums computed earlier (EVENT_SUM rows). */
static void take_sums(struct event_sums *sums, const struct recordset *set)
{
	sums->given = sums->given || set->count;
	for (size_t i = 0; i < set->count; i++) {
		const struct record_event_sum *sum = recordset_get(set, i);
		uint32_t row = row_of(sums, event_site_list_number(&sums->sites, sum->site),
				      sum->transaction);

		sums->rows[row] = *sum;
		sums->changed[row] = true;
	}
}

void event_sums_take(struct event_sums *sums, const struct snapshot *snapshot)
{
	const struct recordset *events = snapshot_records(snapshot, RECORD_EVENT);
	uint64_t end;

	event_site_list_take(&sums->sites, snapshot);
	take_sums(sums, snapshot_records(snapshot, RECORD_EVENT_SUM));
	if (sums->given)
		return;
	take_tasks(sums, snapshot_records(snapshot, RECORD_TASK));
	end = look_for_session(sums, events);
	take_events(sums, events, snapshot_records(snapshot, RECORD_EVENT_RUN));
	if (end)
		end_session(sums, end);
}

void event_sums_put_changed(struct event_sums *sums, struct recordset *set)
{
	for (size_t i = 0; i < sums->count; i++) {
		if (sums->changed[i])
			recordset_add(set, &sums->rows[i]);
		sums->changed[i] = false;
	}
}
