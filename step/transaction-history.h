/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which transaction a thread was at, for consumers that ask about the past: events
 * arrive in order of time per thread, but not across threads, and later than the
 * changes. The history takes all available changes (step/changes.h), keeps for
 * each thread what may still be asked for, and drops what was passed. It also
 * records when collecting was started and paused.
 *
 * The history of a thread that is never asked about is limited: the oldest changes
 * are dropped, and the oldest one kept is the earliest answer.
 */
#ifndef VIGIL_STEP_TRANSACTION_HISTORY_H
#define VIGIL_STEP_TRANSACTION_HISTORY_H

#include "common/idmap.h"
#include "step/transactions.h"

#include <sys/types.h>

/* Maximum number of changes kept per thread. */
#define TRANSACTION_HISTORY_MAX 65536

struct thread_history;

struct transaction_history {
	const struct changes *changes;
	struct transactions *transactions; /* for ids */
	struct change_cursor cursor;
	struct thread_history **threads;
	size_t count, alloc;
	struct idmap by_tid; /* tid -> index in threads */
	uint64_t started;    /* ns: last start of collecting, 0: none since this was made */
	uint64_t *pauses;    /* ns: pauses whose MP event is still to be made; its producer
			      * empties the list */
	size_t pause_count, pause_alloc;
};

/*
 * Initializes a history; changes and transactions are borrowed. changes may be
 * NULL: there are none.
 */
void transaction_history_init(struct transaction_history *history, const struct changes *changes,
			      struct transactions *transactions);
void transaction_history_release(struct transaction_history *history);
/* Takes all available changes. now: ns, for the limit on waiting for an unpublished change. */
void transaction_history_advance(struct transaction_history *history, uint64_t now);
/*
 * Returns the id of thread tid's transaction at time, 0 none; a thread's times
 * must not decrease.
 */
uint64_t transaction_history_at(struct transaction_history *history, pid_t tid, uint64_t time);
/* Call before the last advance: changes still unpublished are not waited for. */
void transaction_history_last(struct transaction_history *history);
/* Sets the transaction of a thread from a time on, in addition to the changes read. */
void transaction_history_set(struct transaction_history *history, pid_t tid, uint64_t time,
			     uint64_t transaction);
/* At the last snapshot: notes what was missed, unless the leader has missed the same number. */
void transaction_history_notes(const struct transaction_history *history, struct engine *engine,
			       struct snapshot *snapshot);
/* Returns the number of changes kept of a thread. */
size_t transaction_history_kept(const struct transaction_history *history, pid_t tid);
/* Records that a thread had ended by a time: drops what its number named up to then. */
void transaction_history_forget(struct transaction_history *history, pid_t tid, uint64_t time);

#endif
