/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two sides, each of one run or several: what takes more or less time on
 * the other side than on the base, and how certain that is. It knows no layout.
 *
 * Rows. A row is something that both sides may have: a procedure or statement with
 * the CPU time charged to it (attribution.h), a wait by reason and file, the same
 * per procedure that waited, a data set with the time waited for it, a transaction
 * with its CPU time or its waits. Builds may differ. Procedures match by the base
 * name of the module and by name (and by section if a module has several of that
 * name). Statements match by line if the object is the same on all sides, else by
 * text (lines of one procedure with equal text are one row); without text they
 * match by line, shifted by the number of lines that matches most lines of the
 * procedure.
 *
 * Amounts are ns, the mean over the runs of a side. If the work is known
 * (comparison_work), they are scaled to the work of the base before they are
 * compared.
 *
 * Certainty. The variance of a run's amount has up to three parts:
 *
 * 	sampling  of CPU time: that of a share of the run's independent samples, and the row's
 * 		  part of that of the samples that looks placed (samples that one guess
 * 		  placed together, like those of tasks too short to be sampled, may all
 * 		  belong elsewhere);
 * 		  of waits: as in wait-variance.h, and for those without a set length
 * 		  (all but sleeps) that of as many waits whose lengths have a standard
 * 		  deviation equal to their mean
 * 	scatter   a procedure's speed differs from run to run (caches, addresses in
 * 		  memory, other load): with several runs, their scatter beyond sampling;
 * 		  with one run on both sides, COMPARISON_SCATTER of CPU time, more for
 * 		  waits and statements (a processor reports its position late, and not
 * 		  always equally late), and more if most rows show more
 * 	the run   with one run on both sides, a whole run is faster or slower by
 * 		  COMPARISON_RUN_SCATTER without a reason in the program, and by more if
 * 		  it had to wait for a processor
 *
 * A row of CPU time is tested twice: by itself, and relative to a factor that all
 * rows of its run have in common (chosen to explain most rows; rows that it does
 * not explain are ignored). The more certain result counts, at twice its
 * probability. Rows with fewer than COMPARISON_EXACT_BELOW samples are compared by the
 * exact distribution of their counts. With few runs, Student's t has the degrees
 * of freedom by Welch and Satterthwaite, only for the part of the variance that
 * was estimated from runs.
 *
 * Which rows claim a difference is decided over all rows by the rule of Benjamini
 * and Hochberg: of the rows that claim one, at most 5 % are wrong on average, and
 * if there is no difference at all, no row claims one in 95 % of all comparisons.
 * Rows too small to claim anything do not count for the rule.
 */
#ifndef VIGIL_PROFILE_COMPARISON_H
#define VIGIL_PROFILE_COMPARISON_H

#include "common/error.h"
#include "profile/note-list.h"
#include "profile/profile.h"

/* Standard deviations of one run against another, as fractions of an amount. */
#define COMPARISON_SCATTER 0.01
#define COMPARISON_STATEMENT_SCATTER 0.03
#define COMPARISON_RUN_SCATTER 0.03
/*
 * Influence of the machine on a whole run: with one run on each side, a run that
 * is slower or faster by less than this factor is not reported as different.
 */
#define COMPARISON_RUN_FACTOR 1.4
/*
 * Rows with fewer samples on both sides together are compared by the exact
 * distribution of their counts.
 */
#define COMPARISON_EXACT_BELOW 40
/* Rows with fewer samples cannot claim a difference. */
#define COMPARISON_MIN_SAMPLES 6
/* Percent of difference that a user wants to be able to see. */
#define COMPARISON_WANTED_PERCENT 10.0
/* Allowed fraction of wrong claims among the rows that claim a difference. */
#define COMPARISON_FALSE_RATE 0.05

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

/* Names of a row, strings of the comparison; "" if it has none. */
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
	COMPARISON_SAME, /* no visible difference */
	COMPARISON_SLOWER,
	COMPARISON_FASTER,
	COMPARISON_ADDED, /* the base has none of it */
	COMPARISON_REMOVED,
};

enum comparison_side { COMPARISON_BASE, COMPARISON_OTHER, COMPARISON_SIDES };

struct comparison_row {
	enum comparison_kind kind;
	uint32_t names[COMPARISON_NAMES];
	uint64_t lines[COMPARISON_SIDES];	/* 0: unknown or several */
	double amounts[COMPARISON_SIDES];	/* ns, mean over runs, not scaled */
	double units[COMPARISON_SIDES];		/* ns per unit of work; 0: work unknown */
	double counts[COMPARISON_SIDES];	/* samples or waits, all runs */
	size_t procedure; /* of a statement or wait place: row number of its procedure, else
			   * SIZE_MAX */
	double difference; /* other minus base, ns, at the work of the base */
	double margin;	   /* of difference, ns at 95 % */
	double percent, percent_margin; /* of the base; INFINITY if the base has none of it */
	double sampling; /* fraction of the squared error that is due to sampling */
	double least;  /* percent: the smallest difference that 95 of 100 comparisons would show;
		        * INFINITY: none */
	double beyond;	    /* percent, beyond the common factor; 0 for waits */
	double probability; /* that chance alone causes the difference */
	double sure;	    /* the same as difference divided by its standard error */
	bool tested;	    /* large enough to claim a difference */
	enum comparison_verdict verdict;
};

/* The work that amounts are scaled to. */
struct comparison_work {
	const char *name;		/* "transactions", the DD or data set whose records are
					 * counted, or the events as the request names them; "":
					 * unknown */
	bool events;			/* events are counted; the name is the request's */
	double units[COMPARISON_SIDES]; /* mean over runs */
};

struct comparison_request {
	const struct profile *const *runs[COMPARISON_SIDES];
	size_t run_counts[COMPARISON_SIDES]; /* 1 or more */
	/*
	 * What counts as work: NULL: transactions if all runs count them, else the records
	 * of the data set that has the most of them in all runs; "none"; "transactions";
	 * "event:CODE", "statement:VERB" or "program:NAME": events of a type or group, of
	 * a verb, starts of a program; anything else is a DD.
	 */
	const char *work;
	unsigned resolution; /* bytes per block of code without a name, 0: the default */
	bool any_program;    /* allow sessions of different programs */
};

struct comparison {
	struct strmap strings;
	struct comparison_row *rows; /* by kind, then most certain first, then largest first */
	size_t count;
	size_t from[COMPARISON_KINDS + 1]; /* rows of a kind: from[kind] up to from[kind + 1] */
	size_t claims;			   /* number of rows with a verdict */
	size_t tested;
	size_t surest;  /* the row whose difference is most certain, claimed or not; SIZE_MAX:
			 * none */
	double chance;  /* probability that, if no row differs, one of them is this certain */
	size_t largest; /* the procedure or wait place with the largest amount on the base;
			 * SIZE_MAX: none */
	double sample_factor; /* how many times the samples are needed to show 10 % more of the
			      * largest; INFINITY: no number is enough */
	struct comparison_work work;
	double factor; /* common to all CPU rows of the other side: 1.03 is 3 % slower */
	double scatter; /* standard deviation of procedures beyond sampling, as a fraction of
			 * their amounts */
	double run_scatter; /* the same of a whole run's factor, used when it cannot be estimated
			     * from runs */
	bool from_runs; /* scatter was estimated from several runs */
	double elapsed[COMPARISON_SIDES], cpu[COMPARISON_SIDES], wait[COMPARISON_SIDES]; /* ns */
	uint64_t samples[COMPARISON_SIDES];
	struct note_list notes; /* what the reader should know: different machines, few samples */
};

/*
 * Compares two sides. Returns NULL with the reason in err if the runs cannot be
 * compared: different programs, no samples. The profiles are read only during the
 * call.
 */
struct comparison *comparison_new(const struct comparison_request *request, struct error *err);
void comparison_free(struct comparison *comparison);

/* Returns the text of a name; "" if there is none. */
const char *comparison_text(const struct comparison *comparison,
			    const struct comparison_row *row, enum comparison_name name);
/*
 * Returns the numbers of the rows that claim a difference, most certain first,
 * each procedure followed by its statements and waits. The caller frees the array.
 */
size_t *comparison_claims(const struct comparison *comparison);

#endif
