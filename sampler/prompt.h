/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows samples to data collectors at once, while the kernel's record still
 * lies in its ring: what they read in the program's memory is then some
 * microseconds older than the sample, not some milliseconds.
 *
 * Records are applied in order of time and a while after they were written
 * (tick.c); what was found out about a sample waits here until it is applied.
 * A sample that could not be looked at ahead, as the address space changed
 * just before it or there is no room, is shown to the collectors then.
 *
 * Where samples come more often than the period asks for (the rate was halved,
 * or they are finer ones of short tasks), one a period is looked at, and stands
 * for the one of the same period that stays.
 */
#ifndef VIGIL_SAMPLER_PROMPT_H
#define VIGIL_SAMPLER_PROMPT_H

#include "sampler/collect.h"
#include "sampler/perf.h"

struct ahead;

/* What is kept of one sample. */
struct kept {
	struct kept *next; /* of the same task, later; or free */
	uint64_t time;
	struct verdict verdict;
};

struct ahead *ahead_new(struct perf *perf);
void ahead_free(struct ahead *ahead);
/* Look at the records that are new in the rings. */
void ahead_look(struct sampler *sampler);
/* What was found out about a sample that stays; false when it was not looked at. What is kept of
   earlier ones is dropped. */
bool ahead_take(struct sampler *sampler, struct task *task, const struct observation *seen,
		struct verdict *verdict);
/* A sample does not stay: a transaction that was named for it is in force all the same. */
void ahead_pass(struct sampler *sampler, struct task *task, uint64_t time);
/* The task executes another program: what was found out holds no more. */
void ahead_drop(struct ahead *ahead, struct task *task);
/* The task has ended. */
void ahead_forget(struct ahead *ahead, struct task *task);
/* The transaction in force for a task after all that was looked at. */
uint64_t ahead_transaction(const struct sampler *sampler, const struct task *task);

#endif
