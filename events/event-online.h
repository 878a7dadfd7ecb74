/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Online mode (ONLINE=ON): a filter that takes the events out of the session's
 * snapshots into a buffer of its own, which keeps the newest: when it is full, an
 * event that comes takes the place of the oldest. Events come in the order in
 * which they were read; those of one task are in the order of time.
 *
 * The pool is emptied as always, so the program never waits for who reads the
 * buffer, and an overwritten event has cost what any event costs. That is the
 * reference's wrap-around buffer, moved from the program into the monitor.
 *
 * It is read by event_online_write, which makes a data set of its own of what is
 * in the buffer and of the rows that its events need. Who reads has collecting
 * paused first; when it is started again, what was before is forgotten. With its
 * last snapshot the session gets what is in the buffer.
 *
 * It comes after the filter that samples events and before the one that sums
 * them up, which so has the sums of what is left at the end.
 */
#ifndef VIGIL_EVENTS_EVENT_ONLINE_H
#define VIGIL_EVENTS_EVENT_ONLINE_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "records/record-types.h"

struct event_online {
	uint64_t size; /* of the buffer, bytes; at least that of one event */
	const uint64_t *started; /* ns when collecting was started again, 0 never; NULL: never */
	uint64_t overwritten;	 /* events that others took the place of */
	uint64_t brought;	 /* events in the last snapshot, or written last */

	/* Its own. */
	struct engine *engine;
	struct record_event *rows;
	size_t count, alloc, most; /* most: how many there is room for */
	size_t next;		   /* the oldest, once there are as many */
	uint64_t cleared;	   /* ns: events before it are gone */
	struct recordset kept[RECORD_ID_COUNT]; /* what events need, the newest row of each key */
	struct idmap places[RECORD_ID_COUNT];	/* key -> row */
};

void event_online_init(struct event_online *online, uint64_t size);
void event_online_release(struct event_online *online);
/* Take the EVENT rows out of the next snapshot; into its last one they are put. */
void event_online_apply(struct event_online *online, struct snapshot *snapshot);
/* How many events are in the buffer. */
size_t event_online_count(const struct event_online *online);
/* Write them to a data set at path, whole or not at all; during the session of the module. */
int event_online_write(struct event_online *online, const char *path, struct error *err);

/* The same as a filter module. Context: struct event_online with size and started set and all else 0. */
extern const struct module_class event_online_class;

#endif
