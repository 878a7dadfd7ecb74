/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements: both dialects of DESIGN 5 in one tree.
 *
 * control_parse builds the tree: verbs with operands, PROFILER blocks with their
 * functions and filters, each keyword and value with its location. control_check
 * adds the meaning: checks that every operand is known, of the right type, in
 * range and consistent with the others, and fills the typed part below. What only
 * a later version supports is an error that says so (VIG2900E..).
 *
 * Within one input FUNCTION=INIT precedes the filters, START and PAUSE of its
 * session; an input without INIT may have them as well, for a session that an
 * earlier input initializes or an ADD requests. How several inputs combine:
 * session/requests/requests.h.
 */
#ifndef VIGIL_PARSER_CONTROL_H
#define VIGIL_PARSER_CONTROL_H

#include "common/diag.h"
#include "common/error.h"

/* The syntax: a statement is a head and operands. */
struct control_value {
	char *text;		/* in upper case unless it was in apostrophes */
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
	CONTROL_ADD, CONTROL_CHANGE, CONTROL_DELETE, CONTROL_LIST, CONTROL_SEND,
	CONTROL_HOLD, CONTROL_RELEASE, CONTROL_ADDGRP, CONTROL_SUBMIT, CONTROL_END,
	CONTROL_REPORT, CONTROL_RUNOPTS, CONTROL_COLLECT, CONTROL_EXTRACT, CONTROL_COMPARE,
	CONTROL_FUNCTION, /* FUNCTION=name inside PROFILER ... END-PROFILER */
	CONTROL_FILTER,	  /* FILTER=name */
	CONTROL_PDPSIZE,  /* PDPSIZE=n: a statement only in a job's queue (control_parse_queue) */
	CONTROL_UNKNOWN,  /* syntax error; already reported */
};

/* The functions of PROFILER blocks, by name. */
enum control_function {
	CONTROL_NO_FUNCTION, /* the statement is no function, or its name is unknown */
	CONTROL_INIT, CONTROL_START, CONTROL_PAUSE,
	/* On resources: */
	CONTROL_CONSOLIDATE_RESOURCE, CONTROL_READ_RESOURCE, CONTROL_LIST_RESOURCES,
	CONTROL_DELETE_RESOURCES,
};

enum control_action { CONTROL_QUIT, CONTROL_STOP };

enum control_switch { CONTROL_SWITCH_NOT_GIVEN, CONTROL_SWITCH_OFF, CONTROL_SWITCH_ON };

/* A calendar day; year 0: none. */
struct control_date {
	unsigned year, month, day;
};

/*
 * When a request of the store begins: the schedule operands of ADD, CHANGE and
 * SUBMIT. STARTDATE is in ascending order and excludes STARTDAY and ENDDATE. Times
 * are minutes of the day, ascending; a schedule without STARTTIME begins at
 * midnight.
 */
struct control_schedule {
	bool given; /* STARTDATE, STARTTIME, STARTDAY or ENDDATE is */
	struct control_date *dates;
	size_t date_count;
	unsigned times[3];
	size_t time_count;
	unsigned days;		 /* bit 0 Monday, ... 6 Sunday; 0: not given */
	struct control_date end; /* ENDDATE: the last day */
	uint64_t count;		 /* total number of measurements; 0: not given */
	uint64_t within;	 /* maximum minutes of waiting for its step; 0: no limit */
	char *zone;		 /* NULL: not given */
};

/*
 * ADD and CHANGE after control_check. A CHANGE has been executed by then: the
 * preceding requests that it selects are already changed.
 */
struct control_request {
	char *job;		 /* pattern with * and %; or a request number in CHANGE, DELETE, SEND */
	uint64_t number;	 /* request number; 0: job is a name */
	char *step, *procstep;	 /* patterns; NULL: not given; "*": any */
	char *program;		 /* pattern; NULL: any */
	uint64_t samples;	 /* 0: not given; 1000..150000 */
	double cost;		 /* percent; 0: not given */
	enum control_switch metrics; /* METRICS: whether metrics of the whole system are
				      * collected */
	enum control_switch record; /* RECORD: whether the session is recorded */
	bool record_objects;	    /* RECORD=OBJECTS: with the content of objects */
	uint64_t session_minutes; /* 0: not given; 1..1440 */
	bool limit_given, no_limit;
	uint64_t limit;		 /* 1..99 */
	enum control_action action;
	char **collectors;	 /* DCC */
	size_t collector_count;
	char **parameters;	 /* DCCPARM, in the order of collectors; may be fewer */
	size_t parameter_count;
	char *collector_library; /* DCCLIB; NULL: not given */
	char **map_programs;	 /* MAPPROGRAM */
	size_t map_program_count;
	bool active;		 /* ACTIVE given: a program that vigil does not start; otherwise QUEUED */
	uint64_t pid;		 /* of such a program; 0: not given */
	char *cgroup, *unit;	 /* patterns for its control group and unit; NULL: not given */
	char *notify, *owner;
	struct control_schedule schedule;
	char *store; /* STORE: YES, or a folder; NULL: not given */
	char *group;
	bool stored; /* goes to the store: ACTIVE, STORE, a schedule, GROUP, INITBY or TAGS is
		      * given */
};

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON, REPORT_HTML, REPORT_PDF };

/* REPORT after control_check. */
struct control_report {
	char *job, *step;	 /* NULL: the only session */
	char **codes;		 /* MSD, PSU, ...; count 0 means all */
	size_t code_count;
	enum report_format format;
	bool letter;		 /* PAPER=LETTER */
	unsigned lines;		 /* lines per page, default 60 */
	char *dsname;		 /* output; NULL: SYSPRINT */
	char *input;		 /* sample data set; NULL: not given */
	bool input_quoted, dsname_quoted; /* was in apostrophes: a path, never a DD name */
	bool baseline_given;
	double baseline;	 /* percent */
	unsigned resolution;	 /* bytes; 0: not given */
	bool all, margins, native, ansi_control;
	bool by_thread, by_transaction; /* BY */
	char *title;		 /* NULL: not given */
	char *procedure;	 /* NULL: not given */
};

enum control_statement_events { /* STATEMENT= */
	CONTROL_STATEMENTS_NOT_GIVEN, CONTROL_STATEMENTS_OFF, CONTROL_STATEMENTS_COUNT,
	CONTROL_STATEMENTS_ON,
};

/* KEYWORD=(from,to), or FROM and TO; 0: unbounded. */
struct control_range {
	bool given;
	uint64_t from, to;
};

/*
 * The selection of one FILTER=name, or the filter keywords of a FUNCTION=INIT; in
 * a READ the events to show, with FROM and TO as time. Patterns have * and ?.
 */
struct control_filter {
	char **events; /* codes, groups, or ALL alone; count 0: not given */
	size_t event_count;
	enum control_statement_events statements;
	enum control_switch run_time; /* FNAT */
	char *library, *program;      /* patterns; NULL: any */
	struct control_range lines;
	struct control_range count; /* of events */
	struct control_range time;  /* seconds */
};

/* The resource that INIT or a function on resources refers to. */
struct control_resource {
	char *name;    /* without suffix; a pattern in LIST and DELETE; NULL: not given */
	char *library; /* RESOURCE-LIB: a path, or the name of a folder; NULL: not given */
	bool replace;
};

/* FUNCTION=INIT after control_check. */
struct control_init {
	uint64_t interval; /* SAMPLING=ON: microseconds of CPU time; 0: OFF */
	bool consolidate, coverage, trace, online;
	char **functions; /* FUNCTIONS: patterns */
	size_t function_count;
	char **calls; /* CALLS: function or library!function, patterns; count 0: not given */
	size_t call_count;
	bool shapes; /* SQL=SHAPE */
	struct control_filter filter; /* its filter keywords */
	struct control_resource resource;
};

/* Sort order of FUNCTION=READ. */
enum control_sort {
	CONTROL_SORT_NOT_GIVEN, CONTROL_SORT_NAME, CONTROL_SORT_HITS, CONTROL_SORT_CPU,
	CONTROL_SORT_ELAPSED, CONTROL_SORT_DATABASE, CONTROL_SORT_PERCENT,
};

/* CONSOLIDATE, READ, LIST and DELETE after control_check. */
struct control_operation {
	struct control_resource resource;
	bool age_given;
	uint64_t older; /* DELETE: days */
	/* READ: */
	char **reports; /* codes; count 0 means all */
	size_t report_count;
	char *export; /* output; NULL: standard output */
	bool export_quoted;
	enum report_format format;
	enum control_sort sort;
	bool missed;  /* only lines not executed in full */
	double below; /* only programs with less coverage, percent; 0: all */
	struct control_filter filter;
};

/*
 * COLLECT and EXTRACT after control_check: their operands, borrowed from the
 * statement; NULL: not given.
 */
struct control_collection {
	const struct control_operand *interval; /* seconds */
	uint64_t count;				/* 0: not given */
	const struct control_operand *from, *to; /* START and END of COLLECT: times */
	const struct control_operand *names;	 /* MODULES of COLLECT, RECORDS of EXTRACT */
	const struct control_operand *input;	 /* sample data sets of EXTRACT */
	const struct control_operand *dsname;	 /* output */
	const struct control_operand *format;	 /* of text output */
	bool replace;
	/*
	 * Files of a long COLLECT: size in bytes, when another begins, how many are kept
	 * (0: all).
	 */
	const struct control_operand *size, *rotate;
	uint64_t keep;
	const struct control_operand *openmetrics; /* file with the newest snapshot of a COLLECT */
	bool has_port;				   /* the same served on a port */
	uint64_t port;
	uint64_t leap_seconds; /* of EXTRACT */
	/* Third-party modules: libraries, folders to search, time limit of a call in seconds. */
	const struct control_operand *libraries, *folders, *patience;
};

/* COMPARE after control_check: its operands, borrowed from the statement; NULL: not given. */
struct control_comparison {
	const struct control_operand *base, *input; /* sample data sets */
	const struct control_operand *dsname;	    /* output */
	const struct control_operand *format, *work, *title;
	unsigned lines; /* per page */
	bool all, native, ansi_control;
};

/* The typed part of a statement, set by control_check if there are no errors. */
enum control_payload {
	CONTROL_NO_PAYLOAD, /* errors; or START, PAUSE, END and RUNOPTS, which have no typed part */
	CONTROL_REQUEST,    /* ADD, CHANGE, and the verbs on stored requests */
	CONTROL_REPORTING,  /* REPORT */
	CONTROL_INITIAL,    /* FUNCTION=INIT */
	CONTROL_FILTERING,  /* FILTER */
	CONTROL_OPERATION,  /* the functions on resources */
	CONTROL_COLLECTION, /* COLLECT, EXTRACT */
	CONTROL_COMPARISON, /* COMPARE */
};

struct control_statement {
	enum control_verb verb;
	char *name;		 /* INIT, START, EVENT, ... of FUNCTION and FILTER; else the verb */
	enum control_function function; /* of CONTROL_FUNCTION, by name */
	struct location location;
	struct control_operand *operands;
	unsigned block;		 /* number of the PROFILER block; 0: outside */
	unsigned input;		 /* number of the input when decks of several are joined */
	bool checked;		 /* checked by control_check without errors */
	enum control_payload payload; /* the member that is set, and owned */
	union {
		struct control_request request;
		struct control_report report;
		struct control_init init;
		struct control_filter filter;
		struct control_operation operation;
		struct control_collection collection;
		struct control_comparison comparison;
	};
	struct control_statement *next;
};

struct control_deck {
	struct control_statement *statements;
	unsigned blocks;
	unsigned inputs; /* number of inputs joined to it */
	/* Set before control_check: */
	struct control_deck *earlier; /* already has requests that CHANGE may refer to; NULL:
				       * none */
	bool queue;	       /* requests may also exist elsewhere: a CHANGE that finds none is
			        * no error */
	bool from_job_queue;	       /* from control_parse_queue */
};

/*
 * Parses one input. cards: columns 1 to 72 count (a card of a deck); otherwise the
 * whole line. Never NULL; errors are in diags.
 */
struct control_deck *control_parse(const struct source *source, bool cards,
				   struct diag_list *diags);
/*
 * Parses the queue of a job: several inputs in sequence, which control_check
 * numbers. END, which elsewhere ends everything, ends one of them, and PDPSIZE=n,
 * kilobytes of the data pool, is a statement. Otherwise as control_parse.
 */
struct control_deck *control_parse_queue(const struct source *source, struct diag_list *diags);
void control_check(struct control_deck *deck, struct diag_list *diags);
/*
 * Appends an ADD as text, as changed by change (NULL: unchanged): each operand of
 * the CHANGE replaces that of the ADD, and those that it excludes. STORE, the
 * destination, is omitted.
 */
void control_print_changed(const struct control_statement *add,
			   const struct control_statement *change, struct strbuf *sb);
/* Appends the canonical text; parsing it again gives an equal tree. */
void control_print(const struct control_deck *deck, struct strbuf *sb);
/* Returns the run-time options of a valid RUNOPTS; NULL: another statement. */
const char *control_run_options(const struct control_statement *statement);
/* Returns whether a valid statement requests samples of a step: an ADD. */
bool control_samples(const struct control_statement *statement);
/*
 * Returns whether a valid statement deals with stored requests: DELETE, LIST,
 * SEND, HOLD, RELEASE, ADDGRP or SUBMIT, or an ADD or CHANGE that goes to the
 * store.
 */
bool control_is_stored(const struct control_statement *statement);
/* Returns whether it is a valid COLLECT or EXTRACT. */
bool control_is_collection(const struct control_statement *statement);
/* Returns whether it is a valid COMPARE. */
bool control_is_comparison(const struct control_statement *statement);
/* Returns whether it is valid and this FUNCTION. */
bool control_is_function(const struct control_statement *statement,
			 enum control_function function);
/* Returns whether it is a valid function on resources, which is executed on its own. */
bool control_is_on_resources(const struct control_statement *statement);
/*
 * Returns whether it is valid and controls the events of a session: INIT, START,
 * PAUSE, or a filter.
 */
bool control_collects(const struct control_statement *statement);
bool control_equal(const struct control_deck *a, const struct control_deck *b);
void control_free(struct control_deck *deck);
void control_free_texts(char **texts, size_t count);

/* Returns whether name matches a pattern: * any characters, % (or ?) one; case-insensitive. */
bool control_match(const char *pattern, const char *name);

#endif
