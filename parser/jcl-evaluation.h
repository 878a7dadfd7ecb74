/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 3 of JCL, shared by its files: jcl-evaluate.c walks the statements, each
 * other file evaluates one kind.
 */
#ifndef VIGIL_PARSER_JCL_EVALUATION_H
#define VIGIL_PARSER_JCL_EVALUATION_H

#include "parser/jcl-tree.h"

#define JCL_MAXIMUM_STEPS 255
#define JCL_MAXIMUM_DDS 3273 /* per step */

struct jcl_evaluation {
	struct jcl_deck *deck;
	const struct source *source;
	const struct jcl_options *options;
	struct diag_list *diags;
	struct jcl_arena *deck_arena; /* of the deck */
	struct jcl_arena scratch;  /* of the current statement */
	struct jcl_syntax syntax;
	struct jcl_symbols symbols;

	/* the current statement, symbols substituted */
	const struct jcl_statement *statement;
	const struct jcl_text *text;
	struct jcl_node *operands;
	bool undefined; /* it has an undefined symbol; already reported */
	bool usable;	/* false if errors leave no operands */

	struct plan_job *jobs, **job_tail;
	struct plan_job *job;	/* NULL before the first JOB and after a null statement */
	struct plan_step *step; /* the last one */
	struct plan_step **step_tail;
	struct plan_dd **dd_tail;
	struct plan_dd *dd;		 /* the last one with a name */
	struct plan_dd *member;		 /* the last of its concatenation */
	unsigned dd_count;		 /* of the step */
	unsigned anonymous_count;	 /* unnamed data sets that are referred to */
	struct jcl_postponed *postponed; /* DDNAME= of the step */
	struct location restart;	 /* of RESTART= */
	struct location parm_dd;	 /* of the last step's PARMDD= */
	struct location code_step;	 /* of JOBRC=(STEP,name) */

	struct plan_card **card_tail;	 /* the listing */
	unsigned card_count, statement_number;
	const struct source *listed; /* source of the last listed card */
	unsigned listed_line;	     /* last line of that card */

	struct jcl_if *ifs; /* open IF statements, innermost first */
	unsigned if_count;

	const struct jcl_statement *next; /* to be evaluated after the current one */
	struct jcl_procedure *procedures; /* known procedures, newest first */
	struct jcl_call *call;	    /* the procedure being expanded; NULL in the job stream */
	struct jcl_node *libraries; /* of JCLLIB */
	unsigned depth;		    /* of INCLUDE */
	unsigned call_count;	    /* expanded procedures and members in this job */
	uint64_t work;		    /* statements and symbols processed for them */
	bool too_large;		    /* a limit of the job is exceeded: nothing more is expanded */
	const struct plan_job *previous; /* the job before this one */
	bool calls_refused;
	struct strmap exported; /* symbols of EXPORT SYMLIST */
	bool export_all;
	bool fragment;	    /* there is no JOB: what is missing may be defined elsewhere */
	bool grouping_reported; /* job groups have been reported */
	bool skipping_reported; /* cards outside any job have been reported */
};

/* A DD that a later DD of the step defines. */
struct jcl_postponed {
	struct plan_dd *dd;
	const char *name;
	struct location location;
	struct jcl_postponed *next;
};

/* A keyword of a statement; handler NULL: accepted without effect. */
struct jcl_keyword {
	const char *name;
	void (*handle)(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
};

/* Queues a message at a node (NULL: at the statement); an error fails the job. Returns -1. */
int jcl_complain(struct jcl_evaluation *e, enum severity severity, unsigned number,
		 const struct jcl_node *node, const char *format, ...) PRINTFLIKE(5, 6);
int jcl_complain_at(struct jcl_evaluation *e, enum severity severity, unsigned number,
		    const struct location *at, const char *format, ...) PRINTFLIKE(5, 6);
/* Returns the severity of what a mainframe refuses and vigil accepts. */
enum severity jcl_lenient(const struct jcl_evaluation *e);
/* Substitutes the statement's symbols and parses its operands; false on an error. */
bool jcl_prepare(struct jcl_evaluation *e, const struct jcl_statement *statement);

/* Finds a keyword in a sorted table; NULL: not in the table. */
const struct jcl_keyword *jcl_keyword_find(const struct jcl_keyword *table, size_t count,
					   const char *name);
/* Calls the handler of each keyword operand; unknown and repeated ones are errors. */
void jcl_keywords(struct jcl_evaluation *e, const struct jcl_keyword *table, size_t count,
		  void *target, const struct jcl_node *operands);

/* Values. */
/* Appends a value as text without apostrophes. */
void jcl_plain(struct strbuf *sb, const struct jcl_node *node);
/* Returns the same in the arena. */
const char *jcl_plain_text(struct jcl_evaluation *e, const struct jcl_node *node);
/* Returns the value for a symbol: two ampersands become one, except in apostrophes. */
const char *jcl_symbol_value(struct jcl_evaluation *e, const struct jcl_node *node);
/* Returns the members of a list, or the node itself if it is no list. */
const struct jcl_node *jcl_members(const struct jcl_node *value);
/* Parses a number of digits only; false if it is none or above limit. */
bool jcl_number(const char *text, uint64_t limit, uint64_t *number);
/* Returns the index of a word in a list of names; -1: not in the list. */
int jcl_choice(const char *text, const char *const *names, size_t count);
/* Splits STEP or STEP.PROCSTEP; false if text has another form. */
bool jcl_step_reference(const char *text, char **step, char **procstep);

/* Statements. */
void jcl_evaluate_job(struct jcl_evaluation *e);
/*
 * Evaluates an EXEC. Returns the operand of the procedure to call, not yet
 * expanded; NULL: it was a step.
 */
const struct jcl_node *jcl_evaluate_exec(struct jcl_evaluation *e);
/* Sets a step's members from its EXEC, which must begin with PGM=. */
void jcl_step_operands(struct jcl_evaluation *e, struct plan_step *step);
void jcl_evaluate_dd(struct jcl_evaluation *e);
void jcl_evaluate_stray(struct jcl_evaluation *e);
void jcl_evaluate_if(struct jcl_evaluation *e);
void jcl_evaluate_else(struct jcl_evaluation *e);
void jcl_evaluate_endif(struct jcl_evaluation *e);
/* Adds a step that stands for the one whose DDs a member contains. */
void jcl_step_assume(struct jcl_evaluation *e);
/* Resolves what is still open at the end of a step, and of a job. */
void jcl_step_end(struct jcl_evaluation *e);
void jcl_ifs_end(struct jcl_evaluation *e);
/* Drops all DDs before the first EXEC except JOBLIB. */
void jcl_drop_early(struct jcl_evaluation *e);
/* Returns the guard for a step here; NULL outside IF. */
struct plan_guard *jcl_guard(struct jcl_evaluation *e);
/* Returns an earlier step of the job by name; NULL: none. */
struct plan_step *jcl_step_find(const struct jcl_evaluation *e, const char *step,
				const char *procstep);
/* Completes the short name of a step in the same procedure. */
void jcl_full_name(const struct plan_step *found, char **step, char **procstep);
/* Returns the first DD of a list with a name; NULL: none. */
struct plan_dd *jcl_dd_find(struct plan_dd *dds, const char *name);
/* Returns the DD that *.DD, *.STEP.DD or *.STEP.PROCSTEP.DD refers to; NULL after a message. */
struct plan_dd *jcl_dd_refer(struct jcl_evaluation *e, const struct jcl_node *node,
			     const char *text);
/* Parse values common to JOB and EXEC. */
struct plan_cond *jcl_conditions(struct jcl_evaluation *e, const struct jcl_node *value, bool *even,
				 bool *only);
void jcl_conditions_free(struct plan_cond *conditions);
bool jcl_time(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *seconds);
void jcl_region(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes);
void jcl_memlimit(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes);

#endif
