/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to change: faults that many programs have, looked for in a profile.
 *
 * Each piece of advice is one fault at one place: what it is, the rows of the
 * reports that show it, what it would save at most, and what to change. What
 * it would save is run time of the step, ns, with its margin at 95 %
 * confidence: a change can save less (what replaces a fault costs something),
 * and never more but for the margin. Savings do not add up: one place may have
 * several faults.
 *
 * A fault is told when it is sure to take at least ADVICE_LEAST percent of the
 * run but for the time in which it was ready and other work had the processors,
 * its margin taken off. A profile without such faults has no advice.
 *
 *	advice/advice-search.h	what the rules share
 *	advice/NAME.c		one kind of fault each, listed in advice.c
 */
#ifndef VIGIL_PROFILE_ADVICE_H
#define VIGIL_PROFILE_ADVICE_H

#include "profile/profile.h"

#define ADVICE_LEAST 2.0

/* A row of a report that shows the fault. */
struct advice_evidence {
	const char *report; /* static: its code */
	char *row;	    /* what is in it, for people */
};

struct advice {
	const char *code;   /* static: the kind of fault, "POLLING"; stays */
	char *what;	    /* a sentence without full stop: "the step sleeps 412 times ..." */
	char *where;	    /* the place in the program, or the data set; may be "" */
	const char *change; /* static: one or two sentences */
	uint64_t saves;	    /* ns of run time, at most */
	uint64_t margin;    /* of saves, ns; 0: exact */
	struct advice_evidence *evidence;
	size_t evidence_count, evidence_alloc;
};

/* Most savings first. */
struct advices {
	struct advice *items;
	size_t count, alloc;
};

void advices_init(struct advices *advices, const struct profile *profile);
void advices_release(struct advices *advices);

#endif
