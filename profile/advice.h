/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to change: searches a profile for faults that many programs have.
 *
 * Each piece of advice is one fault at one place: what it is, the rows of the
 * reports that show it, the most that a change would save, and what to change. The
 * saving is run time of the step, ns, with its margin at 95 % confidence. A change
 * can save less (the replacement has a cost), but not more, except for the margin.
 * Savings do not add up: one place may have several faults.
 *
 * A fault is reported if its saving minus its margin is at least ADVICE_MIN_PERCENT
 * percent of the run, not counting the time in which the step was ready and other
 * work used the processors. A profile without such faults has no advice.
 *
 * 	advice/advice-search.h	what the rules share
 * 	advice/NAME.c		one kind of fault each, listed in advice.c
 */
#ifndef VIGIL_PROFILE_ADVICE_H
#define VIGIL_PROFILE_ADVICE_H

#include "profile/profile.h"

#define ADVICE_MIN_PERCENT 2.0

/* A row of a report that shows the fault. */
struct advice_evidence {
	const char *report; /* static: the report's code */
	char *row;	    /* contents of the row, readable */
};

struct advice {
	const char *code;   /* static: the kind of fault, "POLLING"; never changes between
			     * versions */
	char *what;	    /* a sentence without full stop: "the step sleeps 412 times ..." */
	char *where;	    /* the place in the program, or the data set; may be "" */
	const char *change; /* static: one or two sentences */
	uint64_t saves;	    /* ns of run time, upper limit */
	uint64_t margin;    /* of saves, ns; 0: exact */
	struct advice_evidence *evidence;
	size_t evidence_count, evidence_alloc;
};

/* Largest saving first. */
struct advice_list {
	struct advice *items;
	size_t count, alloc;
};

void advices_init(struct advice_list *advice_list, const struct profile *profile);
void advices_release(struct advice_list *advice_list);

#endif
