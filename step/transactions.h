/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transactions of a session: their names and ids, which one each thread is at, how often each
 * began and how long it was in force. The step names them through vigil_transaction(), which is
 * read from the ring (step/changes.h) in order of time; data collectors name them for it.
 *
 * A change holds for the thread that made it until its next one; a thread or process that has made
 * none has no transaction. Time while collecting is paused is no transaction's, and what is in
 * force at a snapshot, the last one too, has its time up to there.
 *
 * One part of the session leads: it takes the changes as its own time goes on
 * (transactions_advance), tells which threads have ended, and makes the rows: the sampler, or
 * events where there is no sampler. Others have ids by name, and a past of their own
 * (step/transaction-history.h).
 */
#ifndef VIGIL_STEP_TRANSACTIONS_H
#define VIGIL_STEP_TRANSACTIONS_H

#include "engine/engine.h"
#include "records/record-types.h"
#include "step/changes.h"

#include <sys/types.h>

struct transactions;

/* The changes are borrowed; NULL: there are none, and the step names nothing. */
struct transactions *transactions_new(const struct changes *changes);
void transactions_free(struct transactions *transactions);
/*
 * Take over the changes made up to time; returns the next change's time, or UINT64_MAX when none is
 * waiting. It stops behind a change that started or paused collecting: then *switched is the time
 * of that, and the rest is taken by another call; 0 otherwise. switched may be NULL.
 */
uint64_t transactions_advance(struct transactions *transactions, uint64_t time, uint64_t *switched);
/* Whether collecting is paused after the last advance: as the area said at first, or the changes
 * since. */
bool transactions_paused(const struct transactions *transactions);
/*
 * The last change of thread tid up to a time that may lie ahead of the last advance, its own or one
 * set ahead, among those not taken over yet; false when there is none. when: its time; transaction:
 * its id, 0 none.
 */
bool transactions_pending(struct transactions *transactions, pid_t tid, uint64_t time,
			  uint64_t *when, uint64_t *transaction);
/* Another than the step itself (by: its number, not 0), at a time: name the transaction of thread
   tid from then on, until the thread's next change. It counts once more when it is another than
   before. */
void transactions_set(struct transactions *transactions, pid_t tid, uint64_t time,
		      uint64_t transaction, uint64_t by);
/*
 * The same of what was read at a later time than it is said of. One that was read before the one in
 * force, though it is said of a later time, is what was in force until then: it changes nothing, and
 * nothing has begun anew behind it.
 */
void transactions_set_read(struct transactions *transactions, pid_t tid, uint64_t time,
			   uint64_t transaction, uint64_t by, uint64_t read);
/* The same of a time that the records have not reached: it holds once an advance passes that. */
void transactions_set_ahead(struct transactions *transactions, pid_t tid, uint64_t time,
			    uint64_t transaction, uint64_t by);
/* What another has named is in force no longer from a time on: the step's own is again. */
void transactions_withdraw(struct transactions *transactions, uint64_t by, uint64_t time);
/* The id of a name, 0 for "". */
uint64_t transactions_id(struct transactions *transactions, const char *name);
/* The name of an id. */
const char *transactions_name(const struct transactions *transactions, uint64_t transaction);
/* How often the transaction of a name has begun by the program's own books, and whether that is
   exact; nothing when nobody has named it so far. */
void transactions_told(struct transactions *transactions, const char *name, uint64_t count,
		       bool exact);
/* About how many bytes of memory all of them take. */
uint64_t transactions_size(const struct transactions *transactions);
/* The TRANSACTION id in force for thread tid now (after the last advance); 0 none. */
uint64_t transactions_of(const struct transactions *transactions, pid_t tid);
/*
 * Whether the one in force for thread tid was named by another, and the step names none: then it is
 * that of the last sample or look, and what happened since may be another's.
 */
bool transactions_is_sampled(const struct transactions *transactions, pid_t tid);
/* A thread has ended at time. What its number has named since is another thread's. */
void transactions_forget(struct transactions *transactions, pid_t tid, uint64_t time);
/* The same of a time that is not advanced to, or was passed: it holds from the next advance on. */
void transactions_forget_ahead(struct transactions *transactions, pid_t tid, uint64_t time);
/* A thread goes on under another number from a time on, as one that execs does; who had that before
   is no more. */
void transactions_renumber(struct transactions *transactions, pid_t tid, pid_t number,
			   uint64_t time);
/* For who leads, before the last advance: a change that is not published by now never will be. */
void transactions_last(struct transactions *transactions);
/* Whether more changes wait than half of what the ring holds, so that soon some may be lost. */
bool transactions_are_late(const struct transactions *transactions);
/*
 * For who leads and is not told of each end, before the rows: threads that are there no longer have
 * ended by now, a time, unless the next call finds that an earlier end was told.
 */
void transactions_end_gone(struct transactions *transactions, bool (*is_there)(pid_t tid),
			   uint64_t time);
/* Changes that were overwritten before they could be read. */
uint64_t transactions_missed(const struct transactions *transactions);
/* Whether the step has overwritten the area, so that nothing more is read from it. */
bool transactions_overwritten(const struct transactions *transactions);
/* Another row has this id: it is to have a row, whatever it comes to. */
void transactions_want(struct transactions *transactions, uint64_t transaction);
/* For who leads, at each snapshot: append a TRANSACTION row for each that is new or has changed. */
void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set);
/* For who does not, behind those rows: append one for each that is wanted and has had none. */
void transactions_wanted_rows(struct transactions *transactions, struct engine *engine,
			      struct recordset *set);
/* For who leads, at the last snapshot: say what was missed. */
void transactions_notes(const struct transactions *transactions, struct engine *engine,
			struct snapshot *snapshot);

#endif
