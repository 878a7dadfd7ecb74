/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests: turns a checked control statement into the request of a session or a
 * report. The commands run, attach, submit and control, the jobs and the program
 * VIGIL all use this code. They add only what they alone know: the options of a
 * shell, the paths of a job, where a listing goes.
 *
 * The way of a statement:
 *	checked-statements.h  files, options and cards of a DD become one checked deck
 *	precedence.h  which request applies if several inputs select one step
 *	match.c       which request of a deck applies to a step, which REPORT is on it
 *	measurement.c a request becomes a measure_request (session/measure)
 *	blocks.c      PROFILER blocks become its event_request (events/event-request.h)
 *	reporting.c   a REPORT becomes report_options (reports)
 *	queue.h       requests of PGM=VIGIL wait for the later steps of their job
 *	carry-out.h   statements outside a measured step: vigil control and PGM=VIGIL
 *
 * A new operand of ADD is checked in parser/control-check.c, then copied in
 * measurement.c; one of REPORT in reporting.c. A new kind of request becomes a
 * verb of the parser, a case in carry-out.c, and a function here.
 *
 * Requests that outlive their job are in the request store
 * (session/store/request-store.h), which a step uses if no input applies to it
 * (session/job/stored-step.h); store-statements.h carries out statements on it.
 *
 * Texts in the results are borrowed from the statement, which lives as long as its
 * deck.
 */
#ifndef VIGIL_SESSION_REQUESTS_REQUESTS_H
#define VIGIL_SESSION_REQUESTS_REQUESTS_H

#include "parser/control.h"
#include "parser/plan.h"
#include "reports/report.h"
#include "session/measure/measure.h"
#include "session/library/resource.h"

/* The step that a request may select. Texts are never NULL; "" if there is none. */
struct request_subject {
	const char *job, *step, *procstep, *program;
};

/* match.c */

/* Returns a step of a job as a subject; borrowed from the plan. */
struct request_subject request_subject_of(const struct plan_job *job, const struct plan_step *step);
/* Returns whether the job, step and program patterns of a request match this step. */
bool request_matches(const struct control_request *request, const struct request_subject *subject);
/*
 * Returns the request of a deck that applies to a step: the last that matches;
 * subject NULL: the last of all. *number is its number among the deck's requests,
 * from one. NULL: none (number is unchanged); deck may be NULL. For several decks
 * see precedence.h.
 */
const struct control_request *request_find(const struct control_deck *deck,
					   const struct request_subject *subject, uint64_t *number);
/* Returns whether a deck, not NULL, has a request: an ADD, or a FUNCTION=INIT. */
bool request_any(const struct control_deck *deck);
/* Returns whether a deck, not NULL, has an ADD. */
bool request_any_samples(const struct control_deck *deck);
/* Returns whether a statement is a REPORT without INPUT that selects this step's sessions. */
bool request_reports_on(const struct control_statement *statement,
			const struct request_subject *subject);
/*
 * Returns whether a REPORT's job and step match a session of this job and step:
 * both are patterns, the step as "STEP.PROCSTEP" or as either of the two alone.
 */
bool request_report_names(const struct control_report *report,
			  const struct request_subject *subject);

/* measurement.c */

/*
 * How DCCLIB is looked up. An absolute path is a path; with relative, also a name
 * that has a slash or is an existing folder (a shell has a current folder, a job
 * has none that its cards could refer to). Everything else is the name of a data
 * set.
 */
struct request_libraries {
	bool relative;
	/* Appends the path of a data set. -1 with the reason. */
	int (*data_set)(void *argument, const char *dsn, struct strbuf *path, struct error *err);
	void *argument;
};

/*
 * Returns the folder that DCCLIB names; the caller frees it. NULL without an error
 * if name is NULL, or with the reason if there is no such folder.
 */
char *request_library(const char *name, const struct request_libraries *libraries,
		      struct error *err);
/*
 * Returns the same for a caller with a current folder and no job: data sets are
 * below VIGIL_ROOT, by VIGIL_MAP. A name that is not found is returned unchanged,
 * so that messages call it missing.
 */
char *request_shell_library(const char *name);
/*
 * Copies what a statement asks for into the measurement's request; what it does
 * not specify is unchanged. *library is the result of request_library, and must
 * stay in place during the measurement.
 */
void request_measure(struct measure_request *measure, const struct control_request *request,
		     char *const *library);

/* blocks.c */

/* Returns the mask of the types that words of EVENT name, 1 << enum event_type; 0: all. */
uint64_t request_event_types(char *const *words, size_t count);

enum request_collecting { REQUEST_COLLECTING_NOT_SAID, REQUEST_PAUSED, REQUEST_ACTIVE };

/*
 * What the PROFILER blocks of the inputs taken so far request; texts are borrowed
 * from their decks.
 */
struct request_events {
	struct event_request request; /* request.wanted: there was an INIT */
	enum request_collecting collecting;
	const struct control_resource *resource; /* of the last INIT; NULL: none */
	const struct control_statement *filter; /* the first FILTER as long as there is no INIT;
						 * NULL: none */
	bool empty; /* an input has blocks, and all of them are empty */
	struct event_program_filter *programs;	 /* owned; request.program_count items */
	size_t program_alloc;
	struct event_call_pattern *calls; /* owned, like their texts; request.call_count items */
	char **texts;
	size_t call_alloc, text_count, text_alloc;
};

void request_events_init(struct request_events *events);
void request_events_release(struct request_events *events);
/* Adds the blocks of a deck (NULL: none) to those taken before. */
void request_events_take(struct request_events *events, const struct control_deck *deck);
/*
 * Returns whether there are blocks that request no events: a filter without INIT,
 * or only empty blocks. The user did not mean samples, so without an ADD there is
 * no session. Queues a warning if there is a filter.
 */
bool request_events_missing(const struct request_events *events, struct diag_list *diags);
/* Returns the kind of resource that a session with this request creates. */
enum resource_kind request_resource_kind(const struct event_request *request);
/* Returns whether INIT names a resource. */
bool request_names_resource(const struct request_events *events);
/*
 * Returns the path of the resource that INIT names (request_names_resource),
 * created with resource_create for a job, "" and 0 without one; the caller frees
 * it. NULL with the reason.
 */
char *request_resource(const struct request_events *events, const struct resource_place *place,
		       const char *job_number, uint64_t job_start, struct error *err);
/*
 * Copies the events into the measurement's request, whose pool size is kept.
 * sampled: an ADD asks for samples; without an INIT the session is sampled anyway.
 * events must stay in place during the measurement.
 */
void request_measure_events(struct measure_request *measure, struct request_events *events,
			    bool sampled);

/* reporting.c */

/* What a REPORT must not use in some context, and the number of the message for it. */
struct request_place {
	unsigned unknown_code; /* VIGnnnnE for an unknown report code */
	unsigned input;	       /* VIGnnnnE for INPUT; 0: allowed */
	unsigned function;     /* VIGnnnnE for a function on resources; 0: allowed */
	const char *input_text;
	bool collections; /* COLLECT, EXTRACT and COMPARE are allowed */
	bool stored;	  /* statements on stored requests are allowed */
};

extern const struct request_place request_place_command; /* run, attach: one session */
extern const struct request_place request_place_jobs;	 /* submit, check: all jobs */
extern const struct request_place request_place_step;	 /* DD VIGIL when its job begins */
extern const struct request_place request_place_cards;	 /* DD VIGIL as cards of a deck */
extern const struct request_place request_place_alone;	 /* vigil control, PGM=VIGIL */

/*
 * Queues an error for everything that REPORT statements, functions on resources
 * and collections must not use in this context.
 */
void request_check_reports(const struct control_deck *deck, const struct request_place *place,
			   struct diag_list *diags);
/* Returns the device of FORMAT. */
const struct device_class *request_device(enum report_format format);
/* Fills in the options of the report printer; report NULL: all defaults. */
void request_report_options(struct report_options *options, const struct control_report *report);
/* Fills in the options for a READ. */
void request_read_options(struct report_options *options,
			  const struct control_operation *operation);
/*
 * Appends the properties and statistics of a data set (report PRO) to a file;
 * NULL: standard output.
 */
int request_print_statistics(const char *data_set, const char *path, struct error *err);
/*
 * Returns the location of an operand, or that of the statement if it was not
 * given. other: its short form, or NULL.
 */
const struct location *request_place_of(const struct control_statement *statement,
					const char *keyword, const char *other);

#endif
