/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the newest events in a buffer. */
#include "common/compat.h"
#include "events/event-online.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

/* Types of rows that events need; of those with a key a later row replaces an earlier one. */
static const struct {
	unsigned id;
	bool has_key; /* in its first member */
} needed[] = {
	{ RECORD_ATTRIBUTE, true },   { RECORD_NOTE, false },	     { RECORD_PROCESS, true },
	{ RECORD_TASK, true },	      { RECORD_TRANSACTION, true },  { RECORD_CLOCK, false },
	{ RECORD_EVENT_SITE, true },
};

void event_online_init(struct event_online *online, uint64_t size)
{
	const uint64_t *started = online->started;

	memset(online, 0, sizeof(*online));
	online->size = size;
	online->started = started;
	online->most = size < sizeof(*online->rows) ? 1 : (size_t)(size / sizeof(*online->rows));
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		recordset_init(&online->kept[needed[i].id], &record_types[needed[i].id]);
		idmap_init(&online->places[needed[i].id]);
	}
}

void event_online_release(struct event_online *online)
{
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		recordset_release(&online->kept[needed[i].id]);
		idmap_release(&online->places[needed[i].id]);
	}
	free(online->rows);
	online->rows = NULL;
	online->count = online->alloc = online->next = 0;
	online->engine = NULL;
}

/* Keeps the rows of a type. */
static void keep_rows(struct event_online *online, const struct snapshot *snapshot,
		      unsigned id, bool has_key)
{
	const struct recordset *from = snapshot_records(snapshot, id);
	struct recordset *kept = &online->kept[id];

	for (size_t i = 0; i < from->count; i++) {
		const void *row = recordset_get(from, i);
		uint64_t key, place;

		memcpy(&key, row, sizeof(key));
		if (has_key && idmap_get(&online->places[id], key, &place)) {
			memcpy(recordset_at(kept, place), row, kept->type->size);
			continue;
		}
		if (has_key)
			idmap_put(&online->places[id], key, kept->count);
		recordset_add(kept, row);
	}
}

/* Returns the event at an index from the oldest on. */
static const struct record_event *event_at(const struct event_online *online, size_t i)
{
	return &online->rows[(online->next + i) % online->count];
}

/* Discards the events before the last restart of collecting. */
static void clear_when_started(struct event_online *online)
{
	uint64_t started = online->started ? *online->started : 0;
	struct record_event *rows = NULL;
	size_t count = 0, alloc = 0;

	if (started == online->cleared)
		return;
	online->cleared = started;
	for (size_t i = 0; i < online->count; i++) {
		if (event_at(online, i)->time < started)
			continue;
		GROW(rows, count + 1, alloc);
		rows[count++] = *event_at(online, i);
	}
	free(online->rows);
	online->rows = rows;
	online->count = count;
	online->alloc = alloc;
	online->next = 0;
}

/* Puts an event into the buffer, replacing the oldest if it is full. */
static void put(struct event_online *online, const struct record_event *row)
{
	if (online->count < online->most) {
		GROW(online->rows, online->count + 1, online->alloc);
		online->rows[online->count++] = *row;
		return;
	}
	online->rows[online->next++] = *row;
	if (online->next == online->most)
		online->next = 0;
	online->overwritten++;
}

size_t event_online_count(const struct event_online *online)
{
	return online->count;
}

/* Appends the events in the buffer, and the attributes about them. */
static void put_events(struct event_online *online, struct snapshot *snapshot)
{
	struct recordset *to = snapshot_set(snapshot, RECORD_EVENT);

	for (size_t i = 0; i < online->count; i++)
		recordset_add(to, event_at(online, i));
	online->delivered = online->count;
	if (!online->engine)
		return;
	snapshot_attribute(snapshot, online->engine, ATTR_EVENTS, "%zu", online->count);
	snapshot_attribute(snapshot, online->engine, ATTR_EVENTS_OVERWRITTEN, "%" PRIu64,
			   online->overwritten);
}

void event_online_apply(struct event_online *online, struct snapshot *snapshot)
{
	const struct recordset *events = snapshot_records(snapshot, RECORD_EVENT);

	clear_when_started(online);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		keep_rows(online, snapshot, needed[i].id, needed[i].has_key);
	for (size_t i = 0; i < events->count; i++) {
		const struct record_event *row = recordset_get(events, i);

		if (row->time >= online->cleared)
			put(online, row);
	}
	if (events->count)
		recordset_clear(snapshot_set(snapshot, RECORD_EVENT));
	if (snapshot->last)
		put_events(online, snapshot);
}

int event_online_write(struct event_online *online, const char *path, struct error *err)
{
	struct dataset_writer *writer = dataset_create(path, engine_strings(online->engine), err);
	struct snapshot snapshot;
	int result;

	RETURN_IF(!writer, -1);
	snapshot_init(&snapshot, engine_types(online->engine));
	snapshot.sequence = 1;
	snapshot.time = clock_monotonic_ns();
	snapshot.wall = clock_wall_ns();
	snapshot.last = true;
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		recordset_append(snapshot_set(&snapshot, needed[i].id), &online->kept[needed[i].id]);
	put_events(online, &snapshot);
	/* The data set is complete: it has the newest events until now. */
	snapshot_attribute(&snapshot, online->engine, ATTR_COMPLETE, "1");
	result = dataset_write(writer, &snapshot, err);
	/* The writer is freed in any case. */
	if (dataset_finish(writer, result < 0 ? NULL : err) < 0)
		result = -1;
	snapshot_release(&snapshot);
	return result;
}

static enum module_status online_init(struct module *module, struct error *err UNUSED)
{
	struct event_online *online = module->context;

	event_online_init(online, online->size);
	online->engine = module->engine;
	return MODULE_OK;
}

static enum module_status online_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	event_online_apply(module->context, snapshot);
	return MODULE_OK;
}

static void online_end(struct module *module)
{
	event_online_release(module->context);
}

const struct module_class event_online_class = {
	.name = "EVENT.ONLINE",
	.summary = "keeps the newest events in a buffer",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.after = (const char *const[]){ "?EVENT.SAMPLING", "?EVENT.TRACE", NULL },
	.init = online_init,
	.call = online_call,
	.end = online_end,
};
