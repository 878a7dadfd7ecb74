/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums up the waits of a task: one tally for each place and transaction. A
 * snapshot makes rows of them and begins anew.
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
	uint64_t syscall; /* system call number + 1 */
	/* The holder of the lock that the task waited for, as far as a look has found it. */
	uint64_t holder;       /* TASK id */
	pid_t holder_pid;      /* of the thread, or only of the process */
	uint32_t holder_stack; /* where that thread was */
};

/* Sums of a number of waits, or parts of one, of one transaction; times in ns. */
struct wait_amount {
	uint64_t transaction;
	uint64_t count, total, charged, solo;
	uint64_t wakeups; /* number of times that the task was woken and wait-delay.c has not
			 * accounted for; one call, which is one wait, may sleep more than once
			 * in the kernel */
	uint64_t variance; /* of total, square microseconds; 0: it is no estimate */
	uint64_t laid, spread, delay_variance; /* as in record_wait */
	bool sampled; /* missed waits only: the transaction is that of the last look at the task,
		       * so they may belong to another */
};

struct wait_tally {
	struct wait_site site;
	struct wait_amount amount;
};

struct wait_tallies {
	struct wait_tally *items;
	size_t count, alloc;
};

/*
 * Returns the class of a wait at this place: MINOR if its reason means that the
 * step waits only for one of its own tasks.
 */
enum wait_class wait_site_class(const struct wait_site *site);
/* Returns whether two places are the same. */
bool wait_site_is_same(const struct wait_site *one, const struct wait_site *other);
/* Returns whether a wait is for a file, as SAMPLE_SOLO defines it. */
bool wait_site_is_file(const struct wait_site *site);

/* Returns whether an amount has neither waits nor time. */
bool wait_amount_is_empty(const struct wait_amount *amount);
/* Adds part to amount, which keeps its transaction and sampled. */
void wait_amount_add(struct wait_amount *amount, const struct wait_amount *part);

/* Adds part to the tally of this place and of the part's transaction. */
void wait_tallies_add(struct wait_tallies *tallies, const struct wait_site *site,
		      const struct wait_amount *part);
/* Appends the rows of a task with this TASK id, and clears the tallies. */
void wait_tallies_rows(struct wait_tallies *tallies, uint64_t task, uint64_t time,
		       struct recordset *set);
void wait_tallies_release(struct wait_tallies *tallies);

#endif
