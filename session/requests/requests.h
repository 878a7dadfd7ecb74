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
 *	precedence.h  which request holds where several inputs may mean one step
 *	match.c       which request of a deck holds for a step, which REPORT is on it
 *	measurement.c a request becomes a measure_request (session/measure)
 *	blocks.c      PROFILER blocks become its event_request (events/event-request.h)
 *	reporting.c   a REPORT becomes report_options (reports)
 *	queue.h       requests of PGM=VIGIL wait for the later steps of their job
 *	carry-out.h   statements that stand alone: vigil control and PGM=VIGIL
 *
 * A new operand of ADD is checked in parser/control-check.c, then carried
 * over in measurement.c; one of REPORT in reporting.c. A new kind of request
 * becomes a verb of the parser, a case of carry-out.c, and a function here.
 *
 * Requests that outlive their job are in the request store
 * (session/store/request-store.h), which a step asks when no input holds for
 * it (session/job/stored-step.h); store-statements.h carries statements out on it.
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
#include "session/library/resource.h"

/* What a request may be about: a step. Texts are never NULL; "" where there is none. */
struct request_subject {
	const char *job, *step, *procstep, *program;
};

/* match.c */

/* Returns a step of a job as its subject; borrowed from the plan. */
struct request_subject request_subject_of(const struct plan_job *job, const struct plan_step *step);
/* Returns whether the job, step and program that a request names mean this step. */
bool request_holds(const struct control_request *request, const struct request_subject *subject);
/*
 * Returns the request of a deck that holds for a step: the last that matches;
 * subject NULL: the last of all. *number is its place among the deck's requests,
 * from
 * 1. NULL: none (number is left alone); deck may be NULL. Of several decks:
 * precedence.h.
 */
const struct control_request *request_find(const struct control_deck *deck,
					   const struct request_subject *subject, uint64_t *number);
/* Returns whether a deck, not NULL, has any request at all: an ADD, or a FUNCTION=INIT. */
bool request_any(const struct control_deck *deck);
/* Returns whether it has an ADD. */
bool request_any_samples(const struct control_deck *deck);
/* Returns whether a statement is a REPORT without INPUT that means this step's sessions. */
bool request_reports_on(const struct control_statement *statement,
			const struct request_subject *subject);
/*
 * Returns whether a REPORT's job and step mean a session of this job and step:
 * both as patterns, the step as "STEP.PROCSTEP" or as either of the two alone.
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
	/* Appends the path of a data set. -1 with the reason. */
	int (*data_set)(void *argument, const char *dsn, struct strbuf *path, struct error *err);
	void *argument;
};

/*
 * Returns the folder that DCCLIB names; the caller frees it. NULL without an error
 * when name is NULL, or with the reason when there is no such folder.
 */
char *request_library(const char *name, const struct request_libraries *libraries,
		      struct error *err);
/*
 * Returns the same for who has a current folder and no job: data sets are below
 * VIGIL_ROOT, by VIGIL_MAP. What is not there stays as it is, so that it is named
 * as missing.
 */
char *request_shell_library(const char *name);
/*
 * Puts what a statement asks for into the measurement's request. What the
 * statement does not give is left as it is. *library is what request_library said,
 * and must stay where it is as long as the measurement.
 */
void request_measure(struct measure_request *measure, const struct control_request *request,
		     char *const *library);

/* blocks.c */

/* Returns the types that words of EVENT name, 1 << enum event_type; 0: all. */
uint64_t request_event_types(char *const *words, size_t count);

enum request_collecting { REQUEST_COLLECTING_NOT_SAID, REQUEST_PAUSED, REQUEST_ACTIVE };

/* What the PROFILER blocks of the inputs taken so far ask for; texts are borrowed from their decks. */
struct request_events {
	struct event_request request; /* wanted: an INIT was among them */
	enum request_collecting collecting;
	const struct control_resource *resource; /* of that INIT, NULL none */
	const struct control_statement *filter; /* the first one, while there is no INIT; NULL none */
	bool empty; /* there is a block, and nothing in any */
	struct event_program_filter *programs;	 /* owned; request.program_count of them */
	size_t program_alloc;
	struct event_call_pattern *calls; /* owned, as their texts; request.call_count of them */
	char **texts;
	size_t call_alloc, text_count, text_alloc;
};

void request_events_init(struct request_events *events);
void request_events_release(struct request_events *events);
/* Takes a deck, NULL none, on top of those before it. */
void request_events_take(struct request_events *events, const struct control_deck *deck);
/*
 * Returns whether blocks were given that ask for no events: a filter without INIT,
 * or nothing in any. What was meant cannot be samples, so a session without an ADD
 * is none. Queues a warning when there is a filter.
 */
bool request_events_lacking(const struct request_events *events, struct diag_list *diags);
/* Returns the kind of resource that such a session makes. */
enum resource_kind request_resource_kind(const struct event_request *request);
/* Returns whether INIT names a resource. */
bool request_names_resource(const struct request_events *events);
/*
 * Returns the path of the resource that INIT names (request_names_resource), as
 * resource_create makes it for a job, "" and 0 for none; the caller frees it. NULL
 * with the reason.
 */
char *request_resource(const struct request_events *events, const struct resource_place *place,
		       const char *job_number, uint64_t job_start, struct error *err);
/*
 * Puts them into the measurement's request, whose pool size stays; sampled: an ADD
 * asks for samples, or nothing else asks for anything. events must stay as long as
 * the measurement.
 */
void request_measure_events(struct measure_request *measure, struct request_events *events,
			    bool sampled);

/* reporting.c */

/* What a REPORT may not ask for where it stands, and by which message that is said. */
struct request_place {
	unsigned unknown_code; /* VIGnnnnE for a code that names no report */
	unsigned input;	       /* VIGnnnnE for INPUT; 0: it may be given */
	unsigned function;     /* VIGnnnnE for a function on resources; 0: it may be given */
	const char *input_text;
	bool collections; /* COLLECT and EXTRACT may be given */
	bool stored;	  /* statements on stored requests may be given */
};

extern const struct request_place request_place_command; /* run, attach: one session */
extern const struct request_place request_place_jobs;	 /* submit, check: all jobs */
extern const struct request_place request_place_step;	 /* DD VIGIL as its job begins */
extern const struct request_place request_place_cards;	 /* DD VIGIL as cards of a deck */
extern const struct request_place request_place_alone;	 /* vigil control, PGM=VIGIL */

/*
 * Queues an error for all that REPORT statements, functions on resources and
 * collections may not ask for there.
 */
void request_check_reports(const struct control_deck *deck, const struct request_place *place,
			   struct diag_list *diags);
/* Returns the device of FORMAT. */
const struct device_class *request_device(enum report_format format);
/* The options of the report printer; report NULL: everything, as it comes. */
void request_report_options(struct report_options *options, const struct control_report *report);
/* Those of a READ. */
void request_read_options(struct report_options *options,
			  const struct control_operation *operation);
/*
 * Appends the properties and statistics of a data set (report PRO) to a file;
 * NULL: standard output.
 */
int request_print_statistics(const char *data_set, const char *path, struct error *err);
/* Where an operand stands, the statement's place when it was not given. other: its short form, or
 * NULL. */
const struct location *request_place_of(const struct control_statement *statement,
					const char *keyword, const char *other);

#endif
