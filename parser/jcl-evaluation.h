/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 3 of JCL at work: what its files share. jcl-evaluate.c walks the
 * statements, the others give meaning to one kind each.
 */
#ifndef VIGIL_PARSER_JCL_EVALUATION_H
#define VIGIL_PARSER_JCL_EVALUATION_H

#include "parser/jcl-tree.h"

#define JCL_MAXIMUM_STEPS 255
#define JCL_MAXIMUM_DDS 3273 /* of one step */

struct jcl_evaluation {
	struct jcl_deck *deck;
	const struct source *source;
	const struct jcl_options *options;
	struct diag_list *diags;
	struct jcl_arena *lasting; /* the deck's */
	struct jcl_arena scratch;  /* of the statement at hand */
	struct jcl_syntax syntax;
	struct jcl_symbols symbols;

	/* the statement at hand, its symbols put in */
	const struct jcl_statement *statement;
	const struct jcl_text *text;
	struct jcl_node *operands;
	bool undefined; /* it holds a symbol that is not defined, which has been said */
	bool usable;	/* false when it had errors that leave no operands */

	struct plan_job *jobs, **job_tail;
	struct plan_job *job;	/* NULL before the first JOB and behind a null statement */
	struct plan_step *step; /* the last one */
	struct plan_step **step_tail;
	struct plan_dd **dd_tail;
	struct plan_dd *dd;		 /* the last one with a name */
	struct plan_dd *member;		 /* the last of its concatenation */
	unsigned dd_count;		 /* of the step */
	unsigned anonymous_count;	 /* data sets without a name that are referred to */
	struct jcl_postponed *postponed; /* DDNAME= of the step */
	struct location restart;	 /* of RESTART= */
	struct location parm_dd;	 /* of the last step's PARMDD= */
	struct location code_step;	 /* of JOBRC=(STEP,name) */

	struct plan_card **card_tail;	 /* the listing */
	unsigned card_count, statement_number;
	const struct source *listed; /* where the last card listed stands, */
	unsigned listed_line;	     /* and its last line */

	struct jcl_if *ifs; /* the IF statements that are open, innermost first */
	unsigned if_count;

	const struct jcl_statement *next; /* to be evaluated after the one at hand */
	struct jcl_procedure *procedures; /* known ones, the newest first */
	struct jcl_call *call;	    /* the procedure being carried out, NULL in the job stream */
	struct jcl_node *libraries; /* of JCLLIB */
	unsigned depth;		    /* of INCLUDE */
	unsigned call_count;	    /* procedures and members in this job */
	uint64_t work;		    /* statements and symbols handled for them */
	bool too_large;		    /* a limit of the job is exceeded: nothing is looked up */
	const struct plan_job *previous; /* the job before */
	bool calls_refused;
	struct strmap exported; /* symbols of EXPORT SYMLIST */
	bool export_all;
	bool fragment;	    /* there is no JOB: what is missing may stand elsewhere */
	bool grouping_told; /* job groups have been reported */
	bool skipping_told; /* cards outside any job have been reported */
};

/* A DD whose definition a later DD of the step gives. */
struct jcl_postponed {
	struct plan_dd *dd;
	const char *name;
	struct location location;
	struct jcl_postponed *next;
};

/* A keyword of a statement; the handler is NULL when it is accepted and has no effect here. */
struct jcl_keyword {
	const char *name;
	void (*handle)(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
};

/* Queue a message at a node (NULL: at the statement); an error fails the job. Returns -1. */
int jcl_complain(struct jcl_evaluation *e, enum severity severity, unsigned number,
		 const struct jcl_node *node, const char *format, ...) PRINTFLIKE(5, 6);
int jcl_complain_at(struct jcl_evaluation *e, enum severity severity, unsigned number,
		    const struct location *at, const char *format, ...) PRINTFLIKE(5, 6);
/* The severity of what a mainframe refuses and we can read. */
enum severity jcl_lenient(const struct jcl_evaluation *e);
/* Put the statement's symbols in and parse its operands; false when that cannot be done. */
bool jcl_prepare(struct jcl_evaluation *e, const struct jcl_statement *statement);

/* Look a keyword up in a sorted table; NULL when it is not there. */
const struct jcl_keyword *jcl_keyword_find(const struct jcl_keyword *table, size_t count,
					   const char *name);
/* Call the handler of each keyword operand; unknown and repeated ones are errors. */
void jcl_keywords(struct jcl_evaluation *e, const struct jcl_keyword *table, size_t count,
		  void *target, const struct jcl_node *operands);

/* Values. */
/* Append a value as text, apostrophes gone. */
void jcl_plain(struct strbuf *sb, const struct jcl_node *node);
/* The same in the arena. */
const char *jcl_plain_text(struct jcl_evaluation *e, const struct jcl_node *node);
/* What a symbol is set to: two ampersands are one, but not in apostrophes. */
const char *jcl_symbol_value(struct jcl_evaluation *e, const struct jcl_node *node);
/* The members of a list, or the node itself when it is none. */
const struct jcl_node *jcl_members(const struct jcl_node *value);
/* A number of digits only; false when it is none or above limit. */
bool jcl_number(const char *text, uint64_t limit, uint64_t *number);
/* The index of a word in a list of names; -1 when it is none of them. */
int jcl_choice(const char *text, const char *const *names, size_t count);
/* Split STEP or STEP.PROCSTEP; false when that is not what it is. */
bool jcl_step_reference(const char *text, char **step, char **procstep);

/* Statements. */
void jcl_evaluate_job(struct jcl_evaluation *e);
/* The procedure that the EXEC calls, which is not carried out yet; NULL: it was a step. */
const struct jcl_node *jcl_evaluate_exec(struct jcl_evaluation *e);
/* Give a step what its EXEC says, which must begin with PGM=. */
void jcl_step_operands(struct jcl_evaluation *e, struct plan_step *step);
void jcl_evaluate_dd(struct jcl_evaluation *e);
void jcl_evaluate_stray(struct jcl_evaluation *e);
void jcl_evaluate_if(struct jcl_evaluation *e);
void jcl_evaluate_else(struct jcl_evaluation *e);
void jcl_evaluate_endif(struct jcl_evaluation *e);
/* A step that stands for the one whose DDs a member holds. */
void jcl_step_assume(struct jcl_evaluation *e);
/* What is still open at the end of a step, and of a job. */
void jcl_step_end(struct jcl_evaluation *e);
void jcl_ifs_end(struct jcl_evaluation *e);
/* Of the DDs before the first EXEC only JOBLIB stays. */
void jcl_drop_early(struct jcl_evaluation *e);
/* The guard a step gets here; NULL outside IF. */
struct plan_guard *jcl_guard(struct jcl_evaluation *e);
/* An earlier step of the job by name; NULL when there is none. */
struct plan_step *jcl_step_find(const struct jcl_evaluation *e, const char *step,
				const char *procstep);
/* A step of the same procedure was named shortly: name it fully. */
void jcl_full_name(const struct plan_step *found, char **step, char **procstep);
/* The first DD of a list with a name; NULL when there is none. */
struct plan_dd *jcl_dd_find(struct plan_dd *dds, const char *name);
/* The DD that *.DD, *.STEP.DD or *.STEP.PROCSTEP.DD points at; NULL after a message. */
struct plan_dd *jcl_dd_refer(struct jcl_evaluation *e, const struct jcl_node *node,
			     const char *text);
/* Parse values that JOB and EXEC share. */
struct plan_cond *jcl_conditions(struct jcl_evaluation *e, const struct jcl_node *value, bool *even,
				 bool *only);
void jcl_conditions_free(struct plan_cond *conditions);
bool jcl_time(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *seconds);
void jcl_region(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes);
void jcl_memlimit(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes);

#endif
