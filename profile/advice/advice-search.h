/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the rules that search for faults: waits by the place that is charged
 * with them, with their certainty, and functions that make advice.
 */
#ifndef VIGIL_PROFILE_ADVICE_ADVICE_SEARCH_H
#define VIGIL_PROFILE_ADVICE_ADVICE_SEARCH_H

#include "profile/advice.h"
#include "profile/sums.h"

/* Keys and amounts of waits by place, the charged place in the program's code. */
enum advice_wait_key {
	ADVICE_REASON,
	ADVICE_FILE,
	ADVICE_MODULE,
	ADVICE_SECTION,
	ADVICE_PROCEDURE,
	ADVICE_LINE,
	ADVICE_OTHER_FILE,
	ADVICE_WAIT_KEYS
};
enum advice_wait_amount {
	ADVICE_COUNT,	 /* waits */
	ADVICE_TOTAL,	 /* ns that tasks waited */
	ADVICE_CHARGED,	 /* ns of the run */
	ADVICE_VARIANCE, /* of TOTAL, square microseconds */
	ADVICE_WAIT_AMOUNTS
};

struct advice_search {
	const struct profile *profile;
	struct advice_list *found;
	struct sums waits;  /* enum advice_wait_key, enum advice_wait_amount */
	size_t *wait_rows;  /* by wait of the profile: its row in waits */
	uint64_t run;	    /* length of the run, ns */
};

/* Searches for one kind of fault and adds what it finds. */
typedef void advice_rule(struct advice_search *search);
advice_rule advice_polling, advice_sync, advice_children, advice_calls, advice_database, advice_locks;
advice_rule advice_arithmetic, advice_table, advice_cancel, advice_text_end, advice_building;

/*
 * Returns whether a saving is large and certain enough to report: ns of run time,
 * and its margin.
 */
bool advice_is_reportable(const struct advice_search *search, double saves, double margin);
/*
 * Adds advice with empty texts; returns NULL if it is not worth reporting. saves
 * and margin in ns. Valid until the next one is added.
 */
struct advice *advice_add(struct advice_search *search, const char *code, double saves, double margin,
			  const char *change);
/* Set what the fault is, where it is, and which row shows it. */
void advice_what(struct advice *advice, const char *format, ...) PRINTFLIKE(2, 3);
void advice_where(struct advice *advice, const char *format, ...) PRINTFLIKE(2, 3);
void advice_evidence(struct advice *advice, const char *report, const char *format, ...)
	PRINTFLIKE(3, 4);
/* Sets where to the place of a row of waits: "pay.cob: READ-MASTER line 214". */
void advice_where_wait(const struct advice_search *search, struct advice *advice,
		       const uint64_t *key);
/* Sets where to a place of the program. */
void advice_where_place(const struct advice_search *search, struct advice *advice,
			const struct place *place);
/*
 * The same as advice_add for CPU samples that a change would avoid; the saving
 * never exceeds the run. placed: how many of them profile_cpu_placed counts; where that
 * is not known the margin is wider.
 */
#define ADVICE_PLACED_UNKNOWN UINT64_MAX
struct advice *advice_add_cpu(struct advice_search *search, const char *code, uint64_t samples,
			      uint64_t placed, const char *change);
/* Returns the margin of the time charged to a row of waits, ns. */
double advice_wait_margin(const struct advice_search *search, const uint64_t *amounts);
/* Appends the description of a row of waits: "412 waits of 5.0 ms, 2.1 s of the run". */
void advice_wait_row(struct strbuf *sb, const uint64_t *amounts);

#endif
