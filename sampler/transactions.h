/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transactions that the step names through vigil_transaction(): reads
 * the changes from the area (agent/transaction-area.h) in order of time and
 * says which is in force for a task at a moment.
 *
 * A change holds for the thread that made it until its next one; a thread or
 * process that has made none has no transaction.
 */
#ifndef VIGIL_SAMPLER_TRANSACTIONS_H
#define VIGIL_SAMPLER_TRANSACTIONS_H

#include "engine/engine.h"

#include <sys/types.h>

struct transactions;

/* path may be NULL (no area): then nothing is ever in force. The file must exist. */
struct transactions *transactions_new(const char *path, struct error *err);
void transactions_free(struct transactions *transactions);
/*
 * Take over the changes made up to time; returns the next change's time, or UINT64_MAX when none is
 * waiting. It stops behind a change that started or paused collecting: then *switched is the time
 * of that, and the rest is taken by another call; 0 otherwise. switched may be NULL.
 */
uint64_t transactions_advance(struct transactions *transactions, uint64_t time,
			      uint64_t *switched);
/* Whether collecting is paused after the last advance: as the area said at first, or the changes since. */
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
/* A thread has ended at time. */
void transactions_forget(struct transactions *transactions, pid_t tid, uint64_t time);
/* Changes that were overwritten before they could be read. */
uint64_t transactions_missed(const struct transactions *transactions);
/* Whether the step has overwritten the area, so that nothing more is read from it. */
bool transactions_overwritten(const struct transactions *transactions);
/* Append a TRANSACTION row for each that is new or has changed. */
void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set);

#endif
