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
 * Take over the changes made up to time; returns the next change's time, or
 * UINT64_MAX when none is waiting. each is called for every change, so that a
 * wait going on can be cut there; it may be NULL.
 */
uint64_t transactions_advance(struct transactions *transactions, uint64_t time,
			      void (*each)(void *argument, pid_t tid, uint64_t when,
					   uint64_t transaction),
			      void *argument);
/* Another than the step itself, at a time: name the transaction of thread tid from then on; it
   counts once more when it is another than before. */
void transactions_set(struct transactions *transactions, pid_t tid, uint64_t time,
		      uint64_t transaction);
/* The id of a name, 0 for "". */
uint64_t transactions_id(struct transactions *transactions, const char *name);
/* The name of an id. */
const char *transactions_name(const struct transactions *transactions, uint64_t transaction);
/* About how many bytes of memory all of them take. */
uint64_t transactions_size(const struct transactions *transactions);
/* The TRANSACTION id in force for thread tid now (after the last advance); 0 none. */
uint64_t transactions_of(const struct transactions *transactions, pid_t tid);
/* A thread has ended at time. */
void transactions_forget(struct transactions *transactions, pid_t tid, uint64_t time);
/* Changes that were overwritten before they could be read. */
uint64_t transactions_missed(const struct transactions *transactions);
/* Append a TRANSACTION row for each that is new or has changed. */
void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set);

#endif
