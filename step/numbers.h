/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who had a number at what time. The kernel gives the numbers of processes and threads again when
 * their holders are gone, and a thread that execs takes over that of its process; so a number alone
 * names nobody.
 */
#ifndef VIGIL_STEP_NUMBERS_H
#define VIGIL_STEP_NUMBERS_H

#include "common/idmap.h"

/*
 * Clocks of different origin (the kernel's records, the ticks of the processor) tell one moment as
 * two that are so far apart at most, ns. No number is given again within it.
 */
#define NUMBERS_SLACK UINT64_C(1000000)

/* A holder of a number, from a time on. */
struct number_holder {
	struct number_holder *earlier; /* who had the number before */
	void *holder;
	const uint64_t *end; /* of the holder: ns when it ended, 0 it lives */
	uint64_t since;	     /* ns: from when on it had the number, as far as is known */
};

struct numbers {
	struct idmap newest; /* number -> struct number_holder */
};

void numbers_init(struct numbers *numbers);
void numbers_release(struct numbers *numbers);
/* From a time on a number is a holder's. end stays valid until the holder is removed. */
void numbers_add(struct numbers *numbers, uint64_t number, void *holder, const uint64_t *end,
		 uint64_t since);
/* The newest holder of a number that may be there at a time: it has not ended before; NULL none. */
void *numbers_newest(const struct numbers *numbers, uint64_t number, uint64_t time);
/*
 * Who had a number while something with it was seen, from a time to another; NULL nobody that is
 * known. One that was heard of in between only is taken, when nobody had it before.
 */
void *numbers_find(const struct numbers *numbers, uint64_t number, uint64_t from, uint64_t until);
/* The holder had it earlier than was known. */
void numbers_extend(struct numbers *numbers, uint64_t number, const void *holder, uint64_t since);
/* Forget that a holder had a number; nothing when it had not. */
void numbers_remove(struct numbers *numbers, uint64_t number, const void *holder);

#endif
