/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements: both dialects of DESIGN 5 in one tree.
 *
 * control_parse builds the tree: verbs with operands, PROFILER blocks with
 * their functions and filters, each keyword and value with its location.
 * control_check gives it meaning: every operand known, of the right type, in
 * range, not contradicting another, and fills the typed part below. What a
 * later version will carry out is an error here that says so (VIG2900E..).
 *
 * Within one input FUNCTION=INIT stands before the filters, START and PAUSE
 * that mean its session; an input without an INIT may hold them too, for a
 * session that an earlier input initializes or that an ADD asks for. What
 * several inputs ask for together: session/requests/requests.h.
 */
#ifndef VIGIL_PARSER_CONTROL_H
#define VIGIL_PARSER_CONTROL_H

#include "common/diag.h"
#include "common/error.h"

/* The syntax: a statement is a head and operands. */
struct control_value {
	char *text;		/* upper-cased unless it stood in apostrophes */
	bool quoted;
	struct location location;
	struct control_value *next; /* further members of a list (a,b,c) */
};

struct control_operand {
	char *keyword;		/* upper case; "" for a positional operand */
	struct location location;
	bool is_list;		/* KEY=(...), even with one member */
	struct control_value *values; /* NULL for a bare keyword */
	struct control_operand *next;
};

enum control_verb {
	CONTROL_ADD, CONTROL_CHANGE, CONTROL_DELETE, CONTROL_LIST, CONTROL_SEND, CONTROL_END,
	CONTROL_REPORT,
	CONTROL_FUNCTION, /* FUNCTION=name inside PROFILER ... END-PROFILER */
	CONTROL_FILTER,	  /* FILTER=name */
	CONTROL_UNKNOWN,  /* could not be understood; diagnosed */
};

enum control_action { CONTROL_QUIT, CONTROL_STOP };

/*
 * ADD and CHANGE after control_check. A CHANGE has been carried out then: the
 * requests before it that it means are as it makes them.
 */
struct control_request {
	char *job;		 /* pattern with * and %; or a request number in CHANGE, DELETE, SEND */
	uint64_t number;	 /* the request number, 0 when job is a name */
	char *step, *procstep;	 /* patterns; NULL not given; "*" any */
	char *program;		 /* pattern, NULL any */
	uint64_t samples;	 /* 0 not given; 1000..150000 */
	uint64_t session_minutes; /* 0 not given; 1..1440 */
	bool limit_given, no_limit;
	uint64_t limit;		 /* 1..99 */
	enum control_action action;
	char **collectors;	 /* DCC */
	size_t collector_count;
	char **parameters;	 /* DCCPARM, of the collectors in the same order; may be fewer */
	size_t parameter_count;
	char *collector_library; /* DCCLIB, NULL */
	char **map_programs;	 /* MAPPROGRAM */
	size_t map_program_count;
	bool active;		 /* ACTIVE given: the job is running; otherwise QUEUED */
	char *notify, *owner;
};

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

/* REPORT after control_check. */
struct control_report {
	char *job, *step;	 /* NULL: the only session there is */
	char **codes;		 /* MSD, PSU, ...; count 0 means all */
	size_t code_count;
	enum report_format format;
	unsigned lines;		 /* lines a page, default 60 */
	char *dsname;		 /* where to write, NULL: SYSPRINT */
	char *input;		 /* sample data set, NULL */
	bool input_quoted, dsname_quoted; /* stood in apostrophes: a path, never a DD name */
	bool baseline_given;
	double baseline;	 /* percent */
	unsigned resolution;	 /* bytes, 0 not given */
	bool all, margins, ansi_control;
	char *title;		 /* NULL not given */
};

enum control_statement_events { /* STATEMENT= */
	CONTROL_STATEMENTS_NOT_GIVEN, CONTROL_STATEMENTS_OFF, CONTROL_STATEMENTS_COUNT,
	CONTROL_STATEMENTS_ON,
};

enum control_switch { CONTROL_SWITCH_NOT_GIVEN, CONTROL_SWITCH_OFF, CONTROL_SWITCH_ON };

/* KEYWORD=(from,to), or FROM and TO; 0: no bound. */
struct control_range {
	bool given;
	uint64_t from, to;
};

/*
 * What one FILTER=name asks for, or the filter keywords of a FUNCTION=INIT;
 * of a READ which events it shows, with FROM and TO as time.
 * Patterns have * and ?.
 */
struct control_filter {
	char **events; /* codes, groups, or ALL alone; count 0: not given */
	size_t event_count;
	enum control_statement_events statements;
	enum control_switch run_time; /* FNAT */
	char *library, *program;      /* patterns, NULL any */
	struct control_range lines;
	struct control_range count; /* of events */
	struct control_range time;  /* seconds */
};

/* FUNCTION=INIT after control_check; its filter keywords are in the statement's filter. */
struct control_init {
	uint64_t interval; /* SAMPLING=ON: microseconds of CPU time; 0: OFF */
	bool consolidate, coverage, trace;
};

/* How FUNCTION=READ sorts. */
enum control_sort {
	CONTROL_SORT_NOT_GIVEN, CONTROL_SORT_NAME, CONTROL_SORT_HITS, CONTROL_SORT_CPU,
	CONTROL_SORT_ELAPSED, CONTROL_SORT_DATABASE,
};

/* What INIT, CONSOLIDATE, READ, LIST and DELETE say of resources, after control_check. */
struct control_resource {
	char *name;    /* without its suffix; of LIST and DELETE a pattern; NULL not given */
	char *library; /* RESOURCE-LIB: a path, or the name of a folder; NULL not given */
	bool replace;
	char **reports; /* READ: codes; count 0 means all */
	size_t report_count;
	char *export; /* READ: where to write, NULL: standard output */
	bool export_quoted;
	enum report_format format;
	enum control_sort sort;
	bool age_given;
	uint64_t older; /* DELETE: days */
};

struct control_statement {
	enum control_verb verb;
	char *name;		 /* INIT, START, EVENT, ... of FUNCTION and FILTER; else the verb */
	struct location location;
	struct control_operand *operands;
	unsigned block;		 /* number of the PROFILER block, 0 outside */
	unsigned input;		 /* number of the input when decks of several are joined */
	bool checked;		 /* control_check understood it and the members below are set */
	struct control_request request;
	struct control_report report;
	struct control_init init;
	struct control_filter filter;
	struct control_resource resource;
	struct control_statement *next;
};

struct control_deck {
	struct control_statement *statements;
	unsigned blocks;
	unsigned inputs; /* that were joined to it */
	/* Set before control_check: */
	struct control_deck *earlier; /* its requests are there already, for CHANGE; NULL none */
	bool queue;	       /* others may be there, too: a CHANGE that finds none is no error */
};

/*
 * cards: columns 1 to 72 count (a card of a deck); otherwise the whole line.
 * Never NULL; errors are in diags.
 */
struct control_deck *control_parse(const struct source *source, bool cards,
				   struct diag_list *diags);
void control_check(struct control_deck *deck, struct diag_list *diags);
/* Canonical text; parsing it again gives an equal tree. */
void control_print(const struct control_deck *deck, struct strbuf *sb);
/* Whether a statement asks for samples of a step and was understood: an ADD. */
bool control_samples(const struct control_statement *statement);
/* Whether it was understood and is a FUNCTION of this name. */
bool control_is_function(const struct control_statement *statement, const char *name);
/* Whether it was understood and is about the events of a session: INIT, START, PAUSE, or a filter. */
bool control_collects(const struct control_statement *statement);
bool control_equal(const struct control_deck *a, const struct control_deck *b);
void control_free(struct control_deck *deck);
void control_free_texts(char **texts, size_t count);

/* Whether name matches a pattern: * any characters, % (or ?) one; case does not count. */
bool control_match(const char *pattern, const char *name);

#endif
