/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transactions of a session: their names and ids, each thread's current one,
 * how often each began and how long it was in force. The step names them through
 * vigil_transaction(), read from the ring (step/changes.h) in order of time; data
 * collectors name them on its behalf.
 *
 * A change holds for the thread that made it until its next one; a thread or
 * process that has made none has no transaction. Time during a pause of collecting
 * is credited to no transaction. A transaction in force at a snapshot, including
 * the last one, is credited with its time up to there.
 *
 * One part of the session is the leader: it takes the changes as its own time
 * advances (transactions_advance), reports which threads have ended, and makes the
 * rows. It is the sampler, or events if there is no sampler. Other parts get ids
 * by name, and keep a past of their own (step/transaction-history.h).
 */
#ifndef VIGIL_STEP_TRANSACTIONS_H
#define VIGIL_STEP_TRANSACTIONS_H

#include "engine/engine.h"
#include "records/record-types.h"
#include "step/changes.h"

#include <sys/types.h>

struct transactions;

/* Creates the transactions of a session. changes is borrowed; NULL: the step names none. */
struct transactions *transactions_new(const struct changes *changes);
void transactions_free(struct transactions *transactions);
/*
 * Takes the changes made up to time; returns the next change's time, or UINT64_MAX
 * when none is waiting. Stops after a change that started or paused collecting:
 * *switched is then its time, and another call takes the rest; 0 otherwise.
 * switched may be NULL.
 */
uint64_t transactions_advance(struct transactions *transactions, uint64_t time, uint64_t *switched);
/*
 * Returns whether collecting is paused as of the last advance: the area's initial
 * state, updated by the changes taken.
 */
bool transactions_paused(const struct transactions *transactions);
/*
 * Finds the last change of thread tid up to a time that may be later than the last
 * advance, named by the step or set ahead, among those not taken yet; returns
 * false when there is none. *when: its time; *transaction: its id, 0 none.
 */
bool transactions_pending(struct transactions *transactions, pid_t tid, uint64_t time,
			  uint64_t *when, uint64_t *transaction);
/*
 * For others than the step (by: the caller's number, not 0): names the transaction
 * of thread tid from a time on, until the thread's next change. Counts it once
 * more if it differs from the one before.
 */
void transactions_set(struct transactions *transactions, pid_t tid, uint64_t time,
		      uint64_t transaction, uint64_t by);
/*
 * Does the same for a transaction read at a time (read) later than the time it is
 * reported for. If it was read before the one in force was, although reported for
 * a later time, it is what was in force until then: nothing has begun again after
 * it, and it counts only if it was not seen before, and then not again when it comes
 * into force next. When one that is unknown was read does not matter.
 */
void transactions_set_read(struct transactions *transactions, pid_t tid, uint64_t time,
			   uint64_t transaction, uint64_t by, uint64_t read);
/*
 * Does the same for a time that the records have not reached: takes effect when an
 * advance passes it.
 */
void transactions_schedule(struct transactions *transactions, pid_t tid, uint64_t time,
			    uint64_t transaction, uint64_t by);
/* Withdraws all that by has named from a time on: the step's own transaction is in force again. */
void transactions_withdraw(struct transactions *transactions, uint64_t by, uint64_t time);
/* Returns the id of a name, 0 for "". */
uint64_t transactions_id(struct transactions *transactions, const char *name);
/* Returns the name of an id. */
const char *transactions_name(const struct transactions *transactions, uint64_t transaction);
/*
 * Records how often the named transaction has begun by the program's own count,
 * and whether that is exact; does nothing if the name has not been used so far.
 */
void transactions_set_reported(struct transactions *transactions, const char *name, uint64_t count,
		       bool exact);
/* Returns the approximate memory used by all transactions, bytes. */
uint64_t transactions_size(const struct transactions *transactions);
/* Returns the TRANSACTION id in force for thread tid as of the last advance; 0 none. */
uint64_t transactions_of(const struct transactions *transactions, pid_t tid);
/*
 * Returns whether the one in force for thread tid was named by others while the
 * step names none: then it is that of the last sample or look, and time since then
 * may belong to another.
 */
bool transactions_is_sampled(const struct transactions *transactions, pid_t tid);
/* Ends a thread at time. What its number has named later belongs to another thread. */
void transactions_forget(struct transactions *transactions, pid_t tid, uint64_t time);
/* Does the same for a time not yet reached, or already passed: takes effect at the next advance. */
void transactions_schedule_end(struct transactions *transactions, pid_t tid, uint64_t time);
/*
 * Moves a thread to another number from a time on, as after exec; the thread that
 * had that number has ended.
 */
void transactions_renumber(struct transactions *transactions, pid_t tid, pid_t number,
			   uint64_t time);
/* For the leader, before the last advance: changes still unpublished are not waited for. */
void transactions_last(struct transactions *transactions);
/*
 * Returns whether the waiting changes fill more than half the ring, so that some
 * may soon be lost.
 */
bool transactions_are_late(const struct transactions *transactions);
/*
 * For a leader that does not see each end, before the rows: threads no longer
 * there are taken to have ended at time (now). The next call ends them, unless an
 * earlier end has been reported by then.
 */
void transactions_end_gone(struct transactions *transactions, bool (*is_there)(pid_t tid),
			   uint64_t time);
/* Returns the number of changes that were given up before they could be read. */
uint64_t transactions_missed(const struct transactions *transactions);
/* Returns whether the step has overwritten the area, so that nothing more is read from it. */
bool transactions_overwritten(const struct transactions *transactions);
/*
 * Marks a transaction that another row refers to: it gets a row even if its count
 * and time are 0.
 */
void transactions_want(struct transactions *transactions, uint64_t transaction);
/*
 * For the leader, at each snapshot: appends a TRANSACTION row for each that is new
 * or has changed.
 */
void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set);
/* For other parts, after those rows: appends one for each that is marked and has had none. */
void transactions_wanted_rows(struct transactions *transactions, struct engine *engine,
			      struct recordset *set);
/* For the leader, at the last snapshot: notes what was missed. */
void transactions_notes(const struct transactions *transactions, struct engine *engine,
			struct snapshot *snapshot);

#endif
