/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task's waits came to, by place: one tally for each place and
 * transaction. A snapshot makes rows of them and begins anew.
 */
#ifndef VIGIL_SAMPLER_WAIT_TALLY_H
#define VIGIL_SAMPLER_WAIT_TALLY_H

#include "records/record-types.h"
#include "sampler/step-clock.h"

#include <sys/types.h>

/* The place of a wait. */
struct wait_site {
	uint32_t stack;
	uint32_t reason; /* enum wait_reason */
	uint64_t file;
	uint64_t syscall; /* number + 1 */
	/* Who held the lock that was waited for, as far as a look has told. */
	uint64_t holder;       /* TASK id */
	pid_t holder_pid;      /* of the thread, or of the process where that is all that is known */
	uint32_t holder_stack; /* where the thread was */
};

/* So many waits, or parts of one, of one transaction; times in ns. */
struct wait_amount {
	uint64_t transaction;
	uint64_t count, total, charged, solo;
	uint64_t wakes; /* how often it was over, as far as wait-delay.c is still to know: in one call,
			   which is one wait, the kernel may sleep more than once */
	uint64_t variance; /* of total, square microseconds: 0 where it is no estimate */
	uint64_t laid, spread, delay_variance; /* as in record_wait */
	bool sampled; /* of missed waits: the transaction is that of the last look at the task, so
			 they may be another's */
};

struct wait_tally {
	struct wait_site site;
	struct wait_amount amount;
};

struct wait_tallies {
	struct wait_tally *items;
	size_t count, alloc;
};

/* Whether a reason means that the step waits for one of its own tasks only. */
enum wait_class wait_site_class(const struct wait_site *site);
/* Whether two places are one. */
bool wait_site_is_same(const struct wait_site *one, const struct wait_site *other);
/* Whether a wait is one for a file, as SAMPLE_SOLO means it. */
bool wait_site_is_file(const struct wait_site *site);

/* Whether there is nothing in an amount. */
bool wait_amount_is_empty(const struct wait_amount *amount);
/* Add to an amount; its transaction stays, and whether that is sampled. */
void wait_amount_add(struct wait_amount *amount, const struct wait_amount *part);

/* Add to what waits at a place came to. */
void wait_tallies_add(struct wait_tallies *tallies, const struct wait_site *site,
		      const struct wait_amount *part);
/* Append the rows of a task, by its TASK id, and begin anew. */
void wait_tallies_rows(struct wait_tallies *tallies, uint64_t task, uint64_t time,
		       struct recordset *set);
void wait_tallies_release(struct wait_tallies *tallies);

#endif
