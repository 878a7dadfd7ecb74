/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through the events of a data set. */
#include "common/compat.h"
#include "profile/event-trace.h"
#include "common/xalloc.h"
#include "engine/dataset.h"

/* Events that are held to be brought into order. */
enum { HELD = 1 << 18 };

struct trace {
	const struct profile *profile;
	const struct event_selection *selection;
	event_trace_each each;
	void *argument;
	const struct strmap *strings;
	uint64_t start;	   /* of the session, ns monotonic */
	uint64_t number;   /* events given out */
	uint64_t sequence; /* of the snapshot that the held events are of */
	struct record_event *held;
	size_t held_count, held_alloc;
	uint32_t *order; /* numbers of held events */
	size_t order_alloc;
	bool sorted; /* the held events are in order of time */
	bool stopped;
};

/* By time, those of one time in the order of the data set. */
static int compare(const void *first, const void *second, void *argument)
{
	const struct trace *trace = argument;
	uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;

	if (trace->held[a].time != trace->held[b].time)
		return trace->held[a].time < trace->held[b].time ? -1 : 1;
	return a < b ? -1 : 1;
}

/* Give out one event if it is wanted. */
static void give(struct trace *trace, const struct record_event *event)
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

/* Give out what is held, in order. */
static void give_held(struct trace *trace)
{
	if (!trace->sorted) {
		GROW(trace->order, trace->held_count, trace->order_alloc);
		for (size_t i = 0; i < trace->held_count; i++)
			trace->order[i] = (uint32_t)i;
		qsort_r(trace->order, trace->held_count, sizeof(*trace->order), compare, trace);
	}
	for (size_t i = 0; i < trace->held_count && !trace->stopped; i++)
		give(trace, &trace->held[trace->sorted ? i : trace->order[i]]);
	trace->held_count = 0;
	trace->sorted = true;
}

static int take_snapshot(void *argument, const struct snapshot *snapshot,
			 const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_EVENT);
	struct trace *trace = argument;

	trace->strings = strings;
	if (snapshot->sequence != trace->sequence || trace->held_count >= HELD)
		give_held(trace);
	trace->sequence = snapshot->sequence;
	GROW(trace->held, trace->held_count + set->count, trace->held_alloc);
	for (size_t i = 0; i < set->count; i++) {
		const struct record_event *event = recordset_get(set, i);

		trace->held[trace->held_count++] = *event;
		if (trace->held_count > 1 && trace->held[trace->held_count - 2].time > event->time)
			trace->sorted = false;
	}
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
			       .sorted = true };
	struct dataset_status status;
	struct strmap strings;
	int result;

	strmap_init(&strings);
	result = dataset_read(profile->path, &strings, take_snapshot, &trace, &status, err);
	if (result == 0 && !trace.stopped)
		give_held(&trace);
	free(trace.held);
	free(trace.order);
	strmap_release(&strings);
	return result;
}
