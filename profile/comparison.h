/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sides compared, each of one run or several: what takes more or less
 * time on the other side than on the base, and how sure that is. It knows no
 * layout.
 *
 * Rows. A row is something that both sides may have: a procedure or statement
 * with the CPU time charged to it (attribution.h), a wait by reason and file,
 * the same by the procedure that waited, a data set with the time waited for
 * it, a transaction with its CPU time or its waits. Builds may differ: a
 * procedure is the same by the base name of its module and its name (and by
 * its section where a module has several of that name), a statement of an
 * object that is the same on all sides by its line, of another by its text
 * (lines of one procedure with one text are one row), and without text by its
 * line, moved by as many lines as brings most lines of the procedure
 * together.
 *
 * Amounts are ns, the mean over the runs of a side. Where the work is known
 * (comparison_work) they are set to the work of the base before they are
 * compared.
 *
 * How sure. The variance of a run's amount has up to three parts:
 *
 *	sampling  of CPU time that of a share of the run's independent samples (samples
 *		  that were put somewhere together by one guess, as those of tasks too
 *		  short to be sampled, may all belong elsewhere);
 *		  of waits what wait-variance.h says, and for those whose length
 *		  nobody set (all but sleeps) that of so many waits with lengths
 *		  as different as they are long
 *	scatter   the same procedure is not as fast in each run (caches, places in
 *		  memory, other load): with several runs what they scatter beyond
 *		  the sampling, with one run on both sides COMPARISON_SCATTER
 *		  of CPU time, more of waits and of statements (a processor tells late where
 *		  it was, and not always as late), and more where most rows show more
 *	the run   with one run on both sides a run as a whole is faster or slower by
 *		  COMPARISON_RUN_SCATTER for no reason in the program, and by more where
 *		  it had to wait for a processor
 *
 * A row of CPU time is looked at twice: by itself, and beyond a factor that
 * all rows of its run have in common (found so that it explains most rows;
 * rows that it does not explain have no say). The surer of both counts, at
 * twice its probability. Rows with less than COMPARISON_EXACT samples are
 * compared by the exact distribution of their counts. With few runs
 * Student's t has the degrees of freedom by Welch and Satterthwaite, only for
 * the part of the variance that was estimated from runs.
 *
 * A row claims a difference when it does so by the rule of Benjamini and
 * Hochberg over all rows: of the rows that claim one, at most 5 % are wrong
 * in the mean, and where there is no difference at all, in 95 % of all
 * comparisons no row claims one. Rows with so little in them that they could
 * claim nothing do not count for the rule.
 */
#ifndef VIGIL_PROFILE_COMPARISON_H
#define VIGIL_PROFILE_COMPARISON_H

#include "common/error.h"
#include "profile/note-list.h"
#include "profile/profile.h"

/* Standard deviations of one run against another, as parts of an amount. */
#define COMPARISON_SCATTER 0.01
#define COMPARISON_STATEMENT_SCATTER 0.03
#define COMPARISON_RUN_SCATTER 0.03
/* What a machine makes of a whole run: with one run on each side less than this many times as slow or
   as fast is no difference of the run. */
#define COMPARISON_RUN_FACTOR 1.4
/* Rows with fewer samples on both sides together are compared by their counts. */
#define COMPARISON_EXACT 40
/* With fewer they cannot claim anything. */
#define COMPARISON_LEAST 6
/* Percent that a user wants to see. */
#define COMPARISON_WANTED 10.0
/* The part of the rows that claim a difference which may be wrong. */
#define COMPARISON_WRONG 0.05

enum comparison_kind {
	COMPARISON_PROCEDURE,
	COMPARISON_STATEMENT,
	COMPARISON_WAIT,	/* by reason and file */
	COMPARISON_WAIT_PLACE,	/* by procedure, reason and file */
	COMPARISON_DATA_SET,	/* the time waited for it */
	COMPARISON_TRANSACTION, /* its CPU time */
	COMPARISON_TRANSACTION_WAIT,
	COMPARISON_TOTAL, /* CPU time of the run */
	COMPARISON_KINDS
};

/* What a row is called, strings of the comparison; "" where it has none. */
enum comparison_name {
	COMPARISON_MODULE,
	COMPARISON_SECTION,
	COMPARISON_NAME, /* procedure, transaction, data set */
	COMPARISON_TEXT, /* of the statement */
	COMPARISON_REASON,
	COMPARISON_FILE, /* of a wait; the DD of a data set */
	COMPARISON_NAMES
};

enum comparison_verdict {
	COMPARISON_SAME, /* no difference can be seen */
	COMPARISON_SLOWER,
	COMPARISON_FASTER,
	COMPARISON_CAME, /* the base has nothing of it */
	COMPARISON_WENT,
};

enum comparison_side { COMPARISON_BASE, COMPARISON_OTHER, COMPARISON_SIDES };

struct comparison_row {
	enum comparison_kind kind;
	uint32_t names[COMPARISON_NAMES];
	uint64_t lines[COMPARISON_SIDES];	/* 0 unknown or several */
	double amounts[COMPARISON_SIDES];	/* ns, mean over runs, as they were */
	double units[COMPARISON_SIDES];		/* ns a unit of work; 0: work is not known */
	double counts[COMPARISON_SIDES];	/* samples or waits, all runs */
	size_t procedure; /* of a statement or wait place: number of its procedure's row, else SIZE_MAX */
	double difference; /* other less base, ns, at the work of the base */
	double margin;	   /* of it, ns at 95 % */
	double percent, percent_margin; /* of the base; INFINITY where the base has nothing */
	double sampling; /* part of the error's square that comes of the sampling */
	double least;  /* percent: the smallest difference that would be seen in 95 of 100 comparisons;
			  INFINITY none */
	double beyond;	    /* percent, beyond the common factor; 0 of waits */
	double probability; /* that chance alone brings it */
	double sure;	    /* the same in deviations: difference by its standard error */
	bool tested;	    /* has enough in it for a claim */
	enum comparison_verdict verdict;
};

/* The work that amounts are set to. */
struct comparison_work {
	const char *name;		/* "transactions", the DD or data set whose records are
					   counted, or the events as the request names them; "" not
					   known */
	bool events;			/* these are counted; the name is the request's */
	double units[COMPARISON_SIDES]; /* mean over runs */
};

struct comparison_request {
	const struct profile *const *runs[COMPARISON_SIDES];
	size_t run_counts[COMPARISON_SIDES]; /* 1 and more */
	/* What counts as work: NULL: transactions where all runs count them, else the records of the
	   data set that has most of them in all runs; "none"; "transactions"; "event:CODE",
	   "statement:VERB" or "program:NAME", the events of a type or group, of a verb, the starts
	   of a program; else a DD. */
	const char *work;
	unsigned resolution; /* bytes of a block of code without a name, 0 for the usual */
	bool any_program;    /* compare sessions of different programs */
};

struct comparison {
	struct strmap strings;
	struct comparison_row *rows; /* by kind, then the surest first, then the largest */
	size_t count;
	size_t from[COMPARISON_KINDS + 1]; /* rows of a kind: from[kind] to from[kind + 1] */
	size_t claims;			   /* rows with a verdict */
	size_t tested;
	size_t surest;  /* the row that most surely differs, claimed or not; SIZE_MAX none */
	double chance;  /* that of as many rows, none of which differs, one is as sure as that */
	size_t largest; /* the procedure or wait place that has most on the base; SIZE_MAX none */
	double samples_more; /* times as many samples show 10 % more of the largest; INFINITY: none do */
	struct comparison_work work;
	double factor; /* what all CPU rows of the other side have in common: 1.03 is 3 % slower */
	double scatter; /* standard deviation that procedures have beyond sampling, of their amounts */
	double run_scatter; /* that of a whole run's factor where it cannot be told from runs */
	bool from_runs; /* the scatter is that of several runs */
	double elapsed[COMPARISON_SIDES], cpu[COMPARISON_SIDES], wait[COMPARISON_SIDES]; /* ns */
	uint64_t samples[COMPARISON_SIDES];
	struct note_list notes; /* what the reader should know: other machine, few samples */
};

/*
 * Compare. NULL with the reason when the runs cannot be compared: different
 * programs, no samples. The profiles are only read while this lasts.
 */
struct comparison *comparison_new(const struct comparison_request *request, struct error *err);
void comparison_free(struct comparison *comparison);

/* The text of a name; "" when there is none. */
const char *comparison_text(const struct comparison *comparison,
			    const struct comparison_row *row, enum comparison_name name);
/*
 * Rows that claim a difference, the surest first, a procedure's statements
 * and waits behind it: an array of their numbers, which the caller frees.
 */
size_t *comparison_claims(const struct comparison *comparison);

#endif
