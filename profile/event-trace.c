/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of a data set in time order. */
#include "common/compat.h"
#include "profile/event-trace.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

struct trace {
	const struct profile *profile;
	const struct event_selection *selection;
	event_trace_each each;
	void *argument;
	const struct strmap *strings;
	uint64_t start;	   /* of the session, ns monotonic */
	uint64_t number;   /* events delivered so far */
	/*
	 * By part of the file: the earliest time of all parts after it; part: the one
	 * being read.
	 */
	uint64_t *earliest_after;
	size_t part_count, part_alloc, part;
	struct record_event *held;
	uint64_t earliest; /* of the held events */
	size_t held_count, held_alloc;
	uint32_t *order; /* numbers of held events */
	size_t order_alloc;
	bool sorted; /* the held events are in time order */
	bool stopped;
};

/* Compares by time, ties by order in the data set. */
static int compare(const void *first, const void *second, void *argument)
{
	const struct trace *trace = argument;
	uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;

	if (trace->held[a].time != trace->held[b].time)
		return trace->held[a].time < trace->held[b].time ? -1 : 1;
	return a < b ? -1 : 1;
}

/* Delivers one event if it is selected. */
static void deliver(struct trace *trace, const struct record_event *event)
{
	const struct event_selection *selection = trace->selection;
	struct event_trace_row row = {
		.number = ++trace->number,
		.elapsed = event->time > trace->start ? event->time - trace->start : 0,
		.cpu = event->task && record_event_cpu(event) > 0
			       ? (uint64_t)record_event_cpu(event)
			       : 0,
		.event = event,
		.site = event_usage_site(trace->profile, event->site),
	};

	if (row.elapsed < selection->from || (selection->to && row.elapsed > selection->to) ||
	    !event_usage_selected(trace->profile, selection, row.site))
		return;
	row.data =
		event->data < UINT32_MAX ? strmap_text(trace->strings, (uint32_t)event->data) : "";
	trace->stopped = trace->each(trace->argument, &row) != 0;
}

/* Sorts the held events. */
static void sort_held(struct trace *trace)
{
	struct record_event *sorted;

	if (trace->sorted)
		return;
	GROW(trace->order, trace->held_count, trace->order_alloc);
	for (size_t i = 0; i < trace->held_count; i++)
		trace->order[i] = (uint32_t)i;
	qsort_r(trace->order, trace->held_count, sizeof(*trace->order), compare, trace);
	sorted = xcalloc(trace->held_count, sizeof(*sorted));
	for (size_t i = 0; i < trace->held_count; i++)
		sorted[i] = trace->held[trace->order[i]];
	free(trace->held);
	trace->held = sorted;
	trace->held_alloc = trace->held_count;
	trace->sorted = true;
}

/* Delivers, in order, the held events up to a time; no later part has an earlier one. */
static void deliver_held(struct trace *trace, uint64_t until)
{
	size_t count = 0;

	if (!trace->held_count || trace->earliest > until)
		return;
	sort_held(trace);
	for (; count < trace->held_count && trace->held[count].time <= until && !trace->stopped; count++)
		deliver(trace, &trace->held[count]);
	trace->held_count -= count;
	memmove(trace->held, trace->held + count, trace->held_count * sizeof(*trace->held));
	trace->earliest = trace->held_count ? trace->held[0].time : UINT64_MAX;
}

/*
 * Records the earliest time of a part: events of a task that waited are in a later
 * part than those of others.
 */
static int scan_part(void *argument, const struct snapshot *snapshot,
			const struct strmap *strings UNUSED)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_EVENT);
	struct trace *trace = argument;
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_event *event = recordset_get(set, i);

		earliest = event->time < earliest ? event->time : earliest;
	}
	GROW(trace->earliest_after, trace->part_count + 1, trace->part_alloc);
	trace->earliest_after[trace->part_count++] = earliest;
	return 0;
}

/* Replaces the earliest time of each part by that of all parts after it. */
static void make_earliest_after(struct trace *trace)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = trace->part_count; i-- > 0;) {
		uint64_t own = trace->earliest_after[i];

		trace->earliest_after[i] = least;
		least = own < least ? own : least;
	}
}

static int take_part(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_EVENT);
	struct trace *trace = argument;

	trace->strings = strings;
	GROW(trace->held, trace->held_count + set->count, trace->held_alloc);
	for (size_t i = 0; i < set->count; i++) {
		const struct record_event *event = recordset_get(set, i);

		if (trace->held_count && trace->held[trace->held_count - 1].time > event->time)
			trace->sorted = false;
		trace->earliest = event->time < trace->earliest ? event->time : trace->earliest;
		trace->held[trace->held_count++] = *event;
	}
	/* A file that has grown meanwhile has parts that were not scanned. */
	deliver_held(trace, trace->part < trace->part_count ? trace->earliest_after[trace->part] : UINT64_MAX);
	trace->part++;
	return trace->stopped;
}

int event_trace_read(const struct profile *profile, const struct event_selection *selection,
		     event_trace_each each, void *argument, struct error *err)
{
	struct trace trace = { .profile = profile,
			       .selection = selection,
			       .each = each,
			       .argument = argument,
			       .start = profile_start(profile),
			       .earliest = UINT64_MAX,
			       .sorted = true };
	struct dataset_status status;
	struct strmap strings;
	int result;

	strmap_init(&strings);
	result = dataset_read(profile->path, &session_records, &strings, scan_part, &trace, &status, err);
	strmap_release(&strings);
	make_earliest_after(&trace);
	strmap_init(&strings);
	if (result == 0)
		result = dataset_read(profile->path, &session_records, &strings, take_part, &trace, &status, err);
	if (result == 0 && !trace.stopped)
		deliver_held(&trace, UINT64_MAX);
	free(trace.earliest_after);
	free(trace.held);
	free(trace.order);
	strmap_release(&strings);
	return result;
}
