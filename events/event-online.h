/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Online mode (ONLINE=ON): a filter that moves the events of the session's
 * snapshots into a buffer that keeps the newest: when it is full, a new event
 * replaces the oldest. Events are in the order in which they were read; those of
 * one task are in order of time.
 *
 * The pool is emptied as always, so the program never waits for a reader of the
 * buffer, and an overwritten event has cost as much as any event. It is the
 * reference's wrap-around buffer, moved from the program into the monitor.
 *
 * event_online_write reads it: it makes a separate data set of the events in the
 * buffer and the rows they need. The reader has collecting paused first; when
 * collecting is started again, earlier events are discarded. The events in the
 * buffer go into the session's last snapshot.
 *
 * It comes after the filter that samples events and before the one that sums them
 * up, which thus has the sums of the events left at the end.
 */
#ifndef VIGIL_EVENTS_EVENT_ONLINE_H
#define VIGIL_EVENTS_EVENT_ONLINE_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "records/record-types.h"

struct event_online {
	uint64_t size; /* of the buffer, bytes; at least one event is kept */
	const uint64_t *started; /* ns of the last restart of collecting, 0 none; NULL: never */
	uint64_t overwritten;	 /* number of events replaced by others */
	uint64_t delivered;	 /* number of events put into the last snapshot, or written last */

	/* Private. */
	struct engine *engine;
	struct record_event *rows;
	size_t count, alloc, most; /* most: capacity in events */
	size_t next;		   /* index of the oldest, once full */
	uint64_t cleared;	   /* ns: earlier events were discarded */
	struct recordset kept[RECORD_ID_COUNT]; /* rows that events need, the newest of each key */
	struct idmap places[RECORD_ID_COUNT];	/* key -> index of the row */
};

void event_online_init(struct event_online *online, uint64_t size);
void event_online_release(struct event_online *online);
/*
 * Moves the EVENT rows out of the next snapshot into the buffer; into the last
 * snapshot it puts those of the buffer.
 */
void event_online_apply(struct event_online *online, struct snapshot *snapshot);
/* Returns the number of events in the buffer. */
size_t event_online_count(const struct event_online *online);
/* Writes them to a data set at path, complete or not at all; only during the module's session. */
int event_online_write(struct event_online *online, const char *path, struct error *err);

/*
 * The same as a filter module. Context: struct event_online with size and started
 * set and all else 0.
 */
extern const struct module_class event_online_class;

#endif
