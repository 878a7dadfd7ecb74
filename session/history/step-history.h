/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history: data of steps, night after night. Trends, the comparison of tonight
 * with earlier nights and the report of a night are computed from it.
 *
 * A history is a folder with the file history.db (database.h: ownership and
 * concurrent use). The process that submits jobs writes to it: each measured step
 * at its end, together with the unmeasured steps before it; at the job's end the
 * rest, how the job ended, how long it waited for data sets of other jobs, and
 * when it released its own. The first measured step creates a history; jobs
 * without measured steps only write to an existing one.
 *
 * Its size is bounded by the age and number of steps, which a user may set. Steps
 * are added to sums before they are removed (history_total), so that sums over all
 * times stay correct.
 *
 * Times are ns; moments ns since 1970 UTC. Texts are owned by the struct that
 * contains them, and not NULL unless stated.
 *
 * Format: application_id "VIGH", user_version 1. A file of another format is not
 * touched.
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_HISTORY_H
#define VIGIL_SESSION_HISTORY_STEP_HISTORY_H

#include "common/error.h"

/* Maximum wait for a lock, ms: at a step's end, at a job's end, and for queries. */
#define HISTORY_STEP_PATIENCE 1000
#define HISTORY_JOB_PATIENCE 5000
#define HISTORY_PATIENCE 10000

/* Default retention. */
#define HISTORY_DAYS 400
#define HISTORY_STEPS 100000

/* Amounts of a step by which nights are compared. */
enum history_figure {
	HISTORY_ELAPSED, /* ns */
	HISTORY_CPU,	 /* ns */
	HISTORY_WAIT,	 /* ns in which no task of it executed, or it was ready and others had
			  * the processors: sum of its waits */
	HISTORY_CALLS,	 /* calls that read or wrote data */
	HISTORY_BYTES,	 /* bytes moved by them */
	HISTORY_PEAK,	 /* maximum bytes of storage */
	HISTORY_FIGURES
};

/* Return the name of a figure: "CPU time"; and as data: "cpu". */
const char *history_figure_name(enum history_figure figure);
const char *history_figure_id(enum history_figure figure);
/* Appends an amount of a figure: "12.30 s", "1.2 MB", "12,345". */
void history_figure_add(struct strbuf *sb, enum history_figure figure, double amount);

/* An unknown amount of a figure. */
#define HISTORY_UNKNOWN UINT64_MAX

struct history_wait {
	char *kind;	       /* "FILE READ" */
	uint64_t time, margin; /* margin at 95 % */
};

struct history_procedure {
	char *name, *section;
	uint64_t samples, cpu, margin; /* margin of cpu at 95 % */
};

struct history_step {
	int64_t id, job_id;
	char *job;   /* name */
	char *label; /* unique in the job: "CALC", "REORG.LOAD", "STEP-2" */
	char *step, *procstep, *program;
	char *abend; /* "": ended normally */
	unsigned code;
	uint64_t started, ended;
	uint64_t figures[HISTORY_FIGURES]; /* or HISTORY_UNKNOWN */
	bool measured;			   /* the following is only for measured steps */
	uint64_t samples;
	double margin; /* of a share of the CPU time, percentage points, 95 % */
	char *finding; /* the first one; "": none */
	char *data_set, *page; /* absolute paths of the sample data set and of its readable
			        * profile; "": none */
	struct history_wait *waits; /* by decreasing time */
	size_t wait_count, wait_alloc;
	struct history_procedure *procedures; /* by decreasing CPU time, at most
					       * HISTORY_PROCEDURES */
	size_t procedure_count, procedure_alloc;
	/* Result of last-nights.h at its end: */
	int differs;	  /* above 0: it took more than on its last nights; below 0: less; 0:
			   * neither */
	double change;	  /* percent of elapsed time relative to their median; NAN: unknown */
	unsigned nights;  /* number of nights compared; 0: not compared */
	char *difference; /* a sentence without full stop; "": none */
};

#define HISTORY_PROCEDURES 20

/* A job's wait for a data set that another job had. */
struct history_delay {
	char *dsn;
	uint64_t began, ended;
};

/* A data set that a job had, and when it released it. */
struct history_hold {
	char *dsn;
	bool exclusive;
	uint64_t released;
};

struct history_job {
	int64_t id;	      /* 0: not yet in a history */
	char *name, *number;  /* "PAY", "JOB00012" */
	char *submit;	      /* the same for all jobs that one vigil submit ran in sequence */
	char *host, *spool;   /* spool: the job's folder */
	char *ending;	      /* "ENDED", "ABENDED", "CANCELED", "JCLERROR"; "": unknown, it is
			       * running or was killed */
	uint64_t started, ended; /* ended 0: unknown */
	struct history_delay *delays; /* in order */
	size_t delay_count, delay_alloc;
	struct history_hold *holds;
	size_t hold_count, hold_alloc;
};

struct history_steps {
	struct history_step *items;
	size_t count, alloc;
};

struct history_jobs {
	struct history_job *items;
	size_t count, alloc;
};

/* Sums of all runs of a step that were ever in the history, including removed ones. */
struct history_total {
	char *job, *label, *program; /* program: of the last run */
	uint64_t runs, kept, abends; /* kept: number of runs still in the history */
	uint64_t first, last;	     /* start times */
	uint64_t elapsed, cpu;	     /* sums */
};

struct history_totals {
	struct history_total *items;
	size_t count, alloc;
};

/* These accept zero-initialized structs. */
void history_step_release(struct history_step *step);
void history_job_release(struct history_job *job);
void history_steps_release(struct history_steps *steps);
void history_jobs_release(struct history_jobs *jobs);
void history_totals_release(struct history_totals *totals);

struct history;

/*
 * Returns the history's name: from the option (NULL: none), from VIGIL_HISTORY, or
 * "ROOT.history" in the folder of the data root. The caller frees it. "OFF": no
 * history.
 */
char *history_folder(const char *named, const char *root);
bool history_is_off(const char *folder);

/*
 * Opens the history of a folder. make: creates folder and file if missing;
 * otherwise NULL without an error means that there is none. *locked, if not NULL:
 * whether it failed because of a lock. NULL with the reason.
 */
struct history *history_open(const char *folder, bool make, int patience, bool *locked,
			     struct error *err);
void history_close(struct history *history);

/*
 * Writes a job and new steps of it in one transaction; sets job->id and the steps'
 * ids. For a job that has ended, also writes what it waited for and held, and
 * removes what is too old or too much.
 */
int history_save(struct history *history, struct history_job *job, struct history_step *steps,
		 size_t count, bool *locked, struct error *err);

/*
 * Sets the retention: days, and maximum number of steps; 0: unchanged. The surplus
 * is removed at once. Afterwards days and steps are the values in effect.
 */
int history_keep(struct history *history, uint64_t *days, uint64_t *steps, struct error *err);

/* Reads the sums of all steps, of a job's, or of one; NULL: any. Sorted by job and label. */
int history_totals(struct history *history, const char *job, const char *label,
		   struct history_totals *totals, struct error *err);
/*
 * Reads the last runs of a step that began before a moment, newest first, limited
 * to most; without waits and procedures.
 */
int history_runs(struct history *history, const char *job, const char *label, uint64_t before,
		 size_t most, struct history_steps *steps, struct error *err);
/* Reads the waits and the procedures of a step. */
int history_details(struct history *history, struct history_step *step, struct error *err);
/*
 * Reads everything that ran between two moments, by start time: the jobs that had
 * not ended before, and their steps. Without waits and procedures.
 */
int history_between(struct history *history, uint64_t from, uint64_t to, struct history_jobs *jobs,
		    struct history_steps *steps, struct error *err);
/* Reads when the last job of the history began; 0: none. */
int history_last(struct history *history, uint64_t *moment, struct error *err);

#endif
