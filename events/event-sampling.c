/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the last event of each interval of CPU time pass. */
#include "common/compat.h"
#include "events/event-sampling.h"
#include "common/xalloc.h"
#include "records/record-types.h"

/* The held event of a task, which passes when the next one belongs to another sampling time. */
struct held_event {
	bool there;
	int64_t last;	/* ns of the task's CPU time at its last event */
	uint64_t cpu;	/* the same, increases only */
	uint64_t stamp; /* its sampling time */
	struct record_event event;
};

void event_sampling_init(struct event_sampling *sampling, uint64_t interval)
{
	assert(interval);
	memset(sampling, 0, sizeof(*sampling));
	sampling->interval = interval;
	event_site_list_init(&sampling->sites);
	idmap_init(&sampling->task_numbers);
	recordset_init(&sampling->kept, &record_types[RECORD_EVENT]);
}

void event_sampling_release(struct event_sampling *sampling)
{
	event_site_list_release(&sampling->sites);
	idmap_release(&sampling->task_numbers);
	recordset_release(&sampling->kept);
	free(sampling->held);
}

/* Returns the held event of a task. */
static struct held_event *held_of(struct event_sampling *sampling, uint64_t task)
{
	uint64_t number;

	if (!idmap_get(&sampling->task_numbers, task, &number)) {
		number = sampling->task_count++;
		GROW(sampling->held, sampling->task_count, sampling->task_alloc);
		sampling->held[number] = (struct held_event){ 0 };
		idmap_put(&sampling->task_numbers, task, number);
	}
	return &sampling->held[number];
}

/*
 * Lets the held event pass, with its sampling time. If the task's CPU time can
 * have been at most most, that time may not have been reached: the event was
 * active at no sampling time, and the event that ends it stands for its interval.
 */
static void release_held(struct event_sampling *sampling, struct held_event *held, uint64_t most)
{
	if (!held->there)
		return;
	held->there = false;
	if (held->stamp > most) {
		sampling->dropped++;
		return;
	}
	held->event.idle = (int64_t)(held->event.time - held->stamp);
	recordset_add(&sampling->kept, &held->event);
}

/*
 * Lets all held events pass when the session pauses or ends at a time: no task can
 * have had more CPU time since its event than elapsed time.
 */
static void release_all_held(struct event_sampling *sampling, uint64_t time)
{
	for (size_t i = 0; i < sampling->task_count; i++) {
		struct held_event *held = &sampling->held[i];
		uint64_t since = time > held->event.time ? time - held->event.time : 0;

		release_held(sampling, held, held->cpu + since);
	}
}

/* Returns the CPU time of a task at its next event; decreases are ignored. */
static uint64_t advance(struct held_event *held, const struct record_event *event)
{
	int64_t cpu = record_event_cpu(event);

	held->cpu += cpu > held->last ? (uint64_t)cpu - (uint64_t)held->last : 0;
	held->last = cpu;
	return held->cpu;
}

/* Holds an event of a task, which later ones may replace. */
static void hold(struct event_sampling *sampling, struct held_event *held,
		 const struct record_event *event, uint64_t cpu)
{
	uint64_t stamp = (cpu + sampling->interval - 1) / sampling->interval * sampling->interval;

	if (held->there && held->stamp != stamp)
		release_held(sampling, held, UINT64_MAX);
	sampling->dropped += held->there;
	held->there = true;
	held->stamp = stamp;
	held->event = *event;
}

static void take_event(struct event_sampling *sampling, const struct record_event *event)
{
	unsigned type = event_site_list_type(&sampling->sites, event->site);
	bool ends = type == EVENT_ST || type == EVENT_MP || type == EVENT_MB || type == EVENT_KE;

	/* Elapsed time means nothing here, and the wait has no CPU time. */
	if (type == EVENT_MB && event->code == EVENT_BLOCK_ROOM) {
		sampling->dropped++;
		return;
	}

	if (event->task) {
		struct held_event *held = held_of(sampling, event->task);
		struct record_event end = *event;
		uint64_t cpu = advance(held, event);

		if (!ends) {
			hold(sampling, held, event, cpu);
			return;
		}
		release_held(sampling, held, cpu);
		/* On the time axis of those before it. */
		end.idle = (int64_t)(event->time - cpu);
		recordset_add(&sampling->kept, &end);
		return;
	}
	if (ends)
		release_all_held(sampling, event->time);
	recordset_add(&sampling->kept, event);
}

/* Returns whether an event is the session's end, which follows all others. */
static bool is_session_end(struct event_sampling *sampling, const struct record_event *event)
{
	return !event->task && event_site_list_type(&sampling->sites, event->site) == EVENT_ST;
}

void event_sampling_apply(struct event_sampling *sampling, struct snapshot *snapshot)
{
	struct recordset *set;

	event_site_list_take(&sampling->sites, snapshot);
	if (!snapshot_records(snapshot, RECORD_EVENT)->count && !snapshot->last)
		return;
	set = snapshot_set(snapshot, RECORD_EVENT);
	recordset_clear(&sampling->kept);
	for (size_t i = 0; i < set->count; i++)
		if (!is_session_end(sampling, recordset_get(set, i)))
			take_event(sampling, recordset_get(set, i));
	for (size_t i = 0; i < set->count; i++)
		if (is_session_end(sampling, recordset_get(set, i)))
			take_event(sampling, recordset_get(set, i));
	if (snapshot->last)
		release_all_held(sampling, UINT64_MAX);
	recordset_clear(set);
	recordset_append(set, &sampling->kept);
}

static enum module_status sampling_init(struct module *module, struct error *err UNUSED)
{
	struct event_sampling *sampling = module->context;

	event_sampling_init(sampling, sampling->interval);
	return MODULE_OK;
}

static enum module_status sampling_call(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err UNUSED)
{
	struct event_sampling *sampling = module->context;
	uint64_t before = sampling->dropped;

	event_sampling_apply(sampling, snapshot);
	if (sampling->dropped != before || snapshot->last)
		snapshot_attribute(snapshot, module->engine, ATTR_EVENTS_SAMPLED_OUT, "%" PRIu64,
				   sampling->dropped);
	return MODULE_OK;
}

static void sampling_end(struct module *module)
{
	event_sampling_release(module->context);
}

const struct module_class event_sampling_class = {
	.name = "EVENT.SAMPLING",
	.summary = "keeps the last event of each interval of CPU time",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = sampling_init,
	.call = sampling_call,
	.end = sampling_end,
};
