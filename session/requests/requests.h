/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests: from a checked control statement to what a session or a report is
 * asked to do. The commands run, attach, submit and control, the jobs and the
 * program VIGIL all come through here. They add only what they alone know: the
 * options of a shell, the paths of a job, where a listing goes.
 *
 * The way of a statement:
 *
 *	checked-statements.h  files, options and cards of a DD become one checked deck
 *	match.c       which request of a deck holds for a step, which REPORT is on it
 *	measurement.c a request becomes a measure_request (session/measure)
 *	reporting.c   a REPORT becomes report_options (reports)
 *	queue.h       requests of PGM=VIGIL wait for the later steps of their job
 *	carry-out.h   statements that stand alone: vigil control and PGM=VIGIL
 *
 * A new operand of ADD is checked in parser/control-check.c, then carried
 * over in measurement.c; one of REPORT in reporting.c. A new kind of request
 * becomes a verb of the parser, a case of carry-out.c, and a function here.
 *
 * Not here yet. A PROFILER block about events becomes a request too:
 * measurement.c fills an event_request from it, beside the measure_request,
 * so that one session has both. The request store takes queue.h's place (a
 * queue is a store of one job): a step asks the store with its
 * request_subject; schedules and groups decide in the store which requests
 * are due, before match.c sees them.
 *
 * Texts in what is filled here are borrowed from the statement, which lives as
 * long as its deck.
 */
#ifndef VIGIL_SESSION_REQUESTS_REQUESTS_H
#define VIGIL_SESSION_REQUESTS_REQUESTS_H

#include "parser/control.h"
#include "parser/plan.h"
#include "reports/report.h"
#include "session/measure/measure.h"

/* What a request may be about: a step. Texts are never NULL; "" where there is none. */
struct request_subject {
	const char *job, *step, *procstep, *program;
};

/* match.c */

/* A step of a job as its subject; borrowed from the plan. */
struct request_subject request_subject_of(const struct plan_job *job, const struct plan_step *step);
/*
 * The request of a deck that holds for a step: the last that matches. *number
 * is its place among the deck's requests, from 1. NULL: none (number is left
 * alone); deck may be NULL.
 */
const struct control_request *request_find(const struct control_deck *deck,
					   const struct request_subject *subject, unsigned *number);
/* Whether a deck, not NULL, has any request at all. */
bool request_any(const struct control_deck *deck);
/* Whether a statement is a REPORT without INPUT that means this step's sessions. */
bool request_reports_on(const struct control_statement *statement,
			const struct request_subject *subject);
/*
 * Whether a REPORT's job and step mean a session of this job and step: both as
 * patterns, the step as "STEP.PROCSTEP" or as either of the two alone.
 */
bool request_report_names(const struct control_report *report,
			  const struct request_subject *subject);

/* measurement.c */

/*
 * Where DCCLIB is looked up. A path is an absolute one; relative: also one
 * that has a slash or is a folder here (a shell has a current folder, a job
 * none that its cards mean). Everything else is the name of a data set.
 */
struct request_libraries {
	bool relative;
	/* Append the path of a data set. -1 with the reason. */
	int (*data_set)(void *argument, const char *dsn, struct strbuf *path, struct error *err);
	void *argument;
};

/*
 * The folder that DCCLIB names; the caller frees it. NULL without an error
 * when name is NULL, or with the reason when there is no such folder.
 */
char *request_library(const char *name, const struct request_libraries *libraries,
		      struct error *err);
/*
 * Put what a statement asks for into the measurement's request. What the
 * statement does not give is left as it is. *library is what request_library
 * said, and must stay where it is as long as the measurement.
 */
void request_measure(struct measure_request *measure, const struct control_request *request,
		     char *const *library);

/* reporting.c */

/* What a REPORT may not ask for where it stands, and by which message that is said. */
struct request_place {
	unsigned unknown_code; /* VIGnnnnE for a code that names no report */
	unsigned input;	       /* VIGnnnnE for INPUT; 0: it may be given */
	const char *input_text;
};

extern const struct request_place request_place_command; /* run, attach: one session */
extern const struct request_place request_place_jobs;	 /* submit, check: all jobs */
extern const struct request_place request_place_step;	 /* DD VIGIL as its job begins */
extern const struct request_place request_place_cards;	 /* DD VIGIL as cards of a deck */
extern const struct request_place request_place_alone;	 /* vigil control, PGM=VIGIL */

/* Queue an error for all that the REPORT statements of a deck may not ask for. */
void request_check_reports(const struct control_deck *deck, const struct request_place *place,
			   struct diag_list *diags);
/* The options of the report printer; report NULL: everything, as it comes. */
void request_report_options(struct report_options *options, const struct control_report *report);
/* Where an operand stands, the statement's place when it was not given. other: its short form, or
 * NULL. */
const struct location *request_place_of(const struct control_statement *statement,
					const char *keyword, const char *other);

#endif
