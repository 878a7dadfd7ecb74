/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which process or task had a number (pid, tid) at what time. The kernel reuses
 * the numbers of processes and threads that are gone, and a thread that execs
 * takes its process's number; so a number alone identifies nothing.
 */
#ifndef VIGIL_STEP_NUMBERS_H
#define VIGIL_STEP_NUMBERS_H

#include "common/idmap.h"

/*
 * Maximum difference, ns, between the times that clocks of different origin (the
 * kernel's records, the processor's ticks) give for one moment. No number is
 * reused within it.
 */
#define NUMBERS_SLACK UINT64_C(1000000)

/* A holder of a number, from a time on. */
struct number_holder {
	struct number_holder *earlier; /* the previous holder of the number */
	void *holder;
	const uint64_t *end; /* borrowed from the holder: ns when it ended, 0 it lives */
	uint64_t since;	     /* ns since when it has had the number, as far as known */
};

struct numbers {
	struct idmap newest; /* number -> struct number_holder */
};

void numbers_init(struct numbers *numbers);
void numbers_release(struct numbers *numbers);
/*
 * Records that a holder has a number from a time on. end must stay valid until the
 * holder is removed.
 */
void numbers_add(struct numbers *numbers, uint64_t number, void *holder, const uint64_t *end,
		 uint64_t since);
/* Returns the newest holder of a number if it had not ended before a time; NULL: none. */
void *numbers_newest(const struct numbers *numbers, uint64_t number, uint64_t time);
/*
 * Returns the holder of a number during an observation from one time to another;
 * NULL: none is recorded. A holder first seen within that interval is returned
 * only if the number had none before.
 */
void *numbers_find(const struct numbers *numbers, uint64_t number, uint64_t from, uint64_t until);
/* Records that the holder had the number earlier than recorded so far. */
void numbers_extend(struct numbers *numbers, uint64_t number, const void *holder, uint64_t since);
/* Removes a holder of a number; does nothing if it had not had it. */
void numbers_remove(struct numbers *numbers, uint64_t number, const void *holder);

#endif
