/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the step says of itself beside events: the transactions its threads are
 * at, and when it is started and paused. Reads the ring of changes
 * (agent/transaction-area.h) and says which transaction is in force for a
 * thread at a moment; with a sampler in the session the ids are the sampler's,
 * by name.
 */
#ifndef VIGIL_EVENTS_CHANGES_H
#define VIGIL_EVENTS_CHANGES_H

#include "agent/transaction-area.h"
#include "common/idmap.h"
#include "common/strmap.h"
#include "engine/engine.h"

#include <sys/types.h>

/* A moment at which a thread went over to a transaction. */
struct event_change {
	uint64_t time;
	uint32_t transaction; /* number of its name */
};

struct event_thread_changes {
	struct event_change *items;
	size_t count, alloc;
	size_t taken; /* the first that does not hold yet */
};

struct event_transaction {
	uint64_t id; /* 0 not known yet */
	uint64_t count, elapsed;
	bool changed;
};

struct event_changes {
	const struct transaction_area *area; /* NULL: none */
	size_t size;
	uint64_t next;				/* ticket of the next change */
	uint64_t stuck; /* ns: since when the next change is begun and not written; 0 it is not */
	bool overwritten;			/* by the step: nothing more is read */
	struct strmap names;			/* number 0: no transaction */
	struct event_transaction *transactions; /* by number */
	size_t transaction_alloc;
	struct event_thread_changes **threads;
	size_t thread_count, thread_alloc;
	struct idmap by_tid;
	uint64_t next_id;
	uint64_t started; /* ns: when collecting was started last, 0 never since it was made */
	/* Pauses that have no MP event yet: times. */
	uint64_t *pauses;
	size_t pause_count, pause_alloc;
};

/* path: of the area; NULL or one that cannot be read: there are no changes. */
void event_changes_init(struct event_changes *changes, const char *path);
void event_changes_release(struct event_changes *changes);
/* Take over what was changed. */
void event_changes_advance(struct event_changes *changes);
/* The number of the transaction of thread tid at time; times of a thread do not go back. */
uint32_t event_changes_at(struct event_changes *changes, pid_t tid, uint64_t time);
/* Give ids to the transactions, those of the sampler in the snapshot, and add rows of others. */
void event_changes_rows(struct event_changes *changes, struct engine *engine,
			struct snapshot *snapshot);
/* The id of a number, after event_changes_rows. */
uint64_t event_changes_id(const struct event_changes *changes, uint64_t number);

#endif
