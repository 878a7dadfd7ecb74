/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history: what steps left, night after night. Trends, the comparison of
 * tonight with the nights before and the report of a night are made of it.
 *
 * A history is a folder with the file history.db (database.h says whose it is
 * and how many use it at once). Who submits jobs writes to it: each measured
 * step at its end, and with it the steps before it that were not measured; at
 * the job's end the rest, how the job ended, how long it waited for data sets
 * of other jobs, and when it gave its own back. The first measured step makes
 * a history; jobs without one write to a history that is there.
 *
 * Its size is bounded: by the age of steps and by their number, which a user
 * may set. What goes is summed up before (history_total), so that sums through
 * all times stay true.
 *
 * Times are ns; moments ns since 1970 UTC. Texts are owned by the struct they
 * stand in, and never NULL where not said.
 *
 * Format: application_id "VIGH", user_version 1. One of another format is left
 * alone.
 */
#ifndef VIGIL_SESSION_HISTORY_STEP_HISTORY_H
#define VIGIL_SESSION_HISTORY_STEP_HISTORY_H

#include "common/error.h"

/* How long, ms, who finds it locked waits: at a step's end, at a job's end, and who asks. */
#define HISTORY_STEP_PATIENCE 1000
#define HISTORY_JOB_PATIENCE 5000
#define HISTORY_PATIENCE 10000

/* What is kept unless a user says otherwise. */
#define HISTORY_DAYS 400
#define HISTORY_STEPS 100000

/* Amounts of a step that nights are compared by. */
enum history_figure {
	HISTORY_ELAPSED, /* ns */
	HISTORY_CPU,	 /* ns */
	HISTORY_WAIT,	 /* ns in which no task of it executed, or it was ready and others had the
			    processors: the sum of its waits */
	HISTORY_CALLS,	 /* calls that read or wrote */
	HISTORY_BYTES,	 /* bytes moved by them */
	HISTORY_PEAK,	 /* bytes of storage at most */
	HISTORY_FIGURES
};

/* What a figure is called: "CPU time"; as data: "cpu". */
const char *history_figure_name(enum history_figure figure);
const char *history_figure_id(enum history_figure figure);
/* Append an amount of it: "12.30 s", "1.2 MB", "12,345". */
void history_figure_add(struct strbuf *sb, enum history_figure figure, double amount);

/* An amount of a figure that is not known. */
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
	char *label; /* unlike that of all other steps of the job: "CALC", "REORG.LOAD", "STEP-2" */
	char *step, *procstep, *program;
	char *abend; /* "" it ended by itself */
	unsigned code;
	uint64_t started, ended;
	uint64_t figures[HISTORY_FIGURES]; /* or HISTORY_UNKNOWN */
	bool measured;			   /* the rest is of measured steps */
	uint64_t samples;
	double margin; /* of a share of the CPU time, percentage points, 95 % */
	char *finding; /* the first one, "" none */
	char *data_set, *page; /* absolute paths: sample data set; its profile for people. "" none */
	struct history_wait *waits; /* by falling time */
	size_t wait_count, wait_alloc;
	struct history_procedure *procedures; /* by falling CPU time, at most HISTORY_PROCEDURES */
	size_t procedure_count, procedure_alloc;
	/* What last-nights.h found when it ended: */
	int differs;	  /* above 0: it took more than on its last nights, below 0 less, 0 neither */
	double change;	  /* percent of elapsed time beside their median; NAN not known */
	unsigned nights;  /* compared with so many; 0: not compared */
	char *difference; /* a sentence without full stop; "" none */
};

#define HISTORY_PROCEDURES 20

/* A job's wait for a data set that another job had. */
struct history_delay {
	char *dsn;
	uint64_t began, ended;
};

/* A data set that a job had, and when it gave it back. */
struct history_hold {
	char *dsn;
	bool exclusive;
	uint64_t released;
};

struct history_job {
	int64_t id;	      /* 0: not in a history yet */
	char *name, *number;  /* "PAY", "JOB00012" */
	char *submit;	      /* the same for all jobs that one vigil submit ran, one after another */
	char *host, *spool;   /* spool: folder of the job */
	char *ending;	      /* "ENDED", "ABENDED", "CANCELED", "JCLERROR"; "" not known: it runs, or was killed */
	uint64_t started, ended; /* ended 0: not known */
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

/* Sums of all runs of a step that the history ever had, also of those that went. */
struct history_total {
	char *job, *label, *program; /* program: of the last run */
	uint64_t runs, kept, abends; /* kept: so many of the runs are still there */
	uint64_t first, last;	     /* when they began */
	uint64_t elapsed, cpu;	     /* sums */
};

struct history_totals {
	struct history_total *items;
	size_t count, alloc;
};

/* All zero is an empty one for these. */
void history_step_release(struct history_step *step);
void history_job_release(struct history_job *job);
void history_steps_release(struct history_steps *steps);
void history_jobs_release(struct history_jobs *jobs);
void history_totals_release(struct history_totals *totals);

struct history;

/* What names the history, by option (NULL: none), by VIGIL_HISTORY, or "ROOT.history" beside the
 * data root. The caller frees it. "OFF": there is to be none. */
char *history_folder(const char *named, const char *root);
bool history_is_off(const char *folder);

/*
 * Open the history of a folder. make: folder and file are made when they are missing; otherwise NULL
 * without an error says that there is none. locked, where not NULL: whether it failed for others
 * having it. NULL with the reason.
 */
struct history *history_open(const char *folder, bool make, int patience, bool *locked,
			     struct error *err);
void history_close(struct history *history);

/*
 * Write a job and steps of it that are not there yet, at once or not at all; job->id and the steps'
 * are set. A job with an end takes what it waited for and what it held with it, and what is too old or
 * too much goes.
 */
int history_save(struct history *history, struct history_job *job, struct history_step *steps,
		 size_t count, bool *locked, struct error *err);

/* Keep steps for so many days and so many of them at most, from now on; 0: as it is. What is more
   goes at once. days and steps are what holds then. */
int history_keep(struct history *history, uint64_t *days, uint64_t *steps, struct error *err);

/* The sums of all steps, or of a job's, or of one; NULL: any. By job and label. */
int history_totals(struct history *history, const char *job, const char *label,
		   struct history_totals *totals, struct error *err);
/* The last runs of a step that began before a moment, the newest first, at most most; without waits
   and procedures. */
int history_runs(struct history *history, const char *job, const char *label, uint64_t before,
		 size_t most, struct history_steps *steps, struct error *err);
/* The waits and the procedures of a step. */
int history_details(struct history *history, struct history_step *step, struct error *err);
/* All that ran from a moment to another, by when it began: the jobs that had not ended before, and
   the steps of these. Without waits and procedures. */
int history_between(struct history *history, uint64_t from, uint64_t to, struct history_jobs *jobs,
		    struct history_steps *steps, struct error *err);
/* When the last job of the history began; 0: there is none. */
int history_last(struct history *history, uint64_t *moment, struct error *err);

#endif
