/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which transaction a thread was at, for who asks about the past: events come in order of time for
 * each thread, but not for all of them together, and later than the changes. Takes all changes that
 * there are (step/changes.h), keeps what is still to be asked for of each thread, and forgets what
 * was passed. Also keeps when collecting was started and paused.
 *
 * What is kept of a thread that nobody asks about has bounds: of its oldest changes the newest is
 * what holds then.
 */
#ifndef VIGIL_STEP_TRANSACTION_HISTORY_H
#define VIGIL_STEP_TRANSACTION_HISTORY_H

#include "common/idmap.h"
#include "step/transactions.h"

#include <sys/types.h>

/* Changes that are kept of one thread at most. */
#define TRANSACTION_HISTORY_MOST 65536

struct thread_history;

struct transaction_history {
	const struct changes *changes;
	struct transactions *transactions; /* for ids */
	struct change_cursor cursor;
	struct thread_history **threads;
	size_t count, alloc;
	struct idmap by_tid; /* tid -> index in threads */
	uint64_t started;    /* ns: when collecting was started last, 0 never since it was made */
	uint64_t *pauses;    /* ns: those whose MP event is still to come; who makes it empties the
				list */
	size_t pause_count, pause_alloc;
};

/* Both are borrowed; changes may be NULL: there are none. */
void transaction_history_init(struct transaction_history *history, const struct changes *changes,
			      struct transactions *transactions);
void transaction_history_release(struct transaction_history *history);
/* Take over all changes that there are. now: ns, by which one that is not published is waited
   for. */
void transaction_history_advance(struct transaction_history *history, uint64_t now);
/* The id of the transaction of thread tid at time, 0 none; times of a thread do not go back. */
uint64_t transaction_history_at(struct transaction_history *history, pid_t tid, uint64_t time);
/* Before the last advance: a change that is not published by now never will be. */
void transaction_history_last(struct transaction_history *history);
/* From a time on a thread is at a transaction, whatever the changes said. */
void transaction_history_set(struct transaction_history *history, pid_t tid, uint64_t time,
			     uint64_t transaction);
/* At the last snapshot: say what was missed, unless who leads has missed the same. */
void transaction_history_notes(const struct transaction_history *history, struct engine *engine,
			       struct snapshot *snapshot);
/* How many changes of a thread are kept. */
size_t transaction_history_kept(const struct transaction_history *history, pid_t tid);
/* A thread had ended by a time: what its number named up to then is nobody's. */
void transaction_history_forget(struct transaction_history *history, pid_t tid, uint64_t time);

#endif
