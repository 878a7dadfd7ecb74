/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Procedures and members: where they are found, the call that is being
 * carried out, and the operands with which it overrides what they say.
 */
#ifndef VIGIL_PARSER_JCL_PROCEDURE_H
#define VIGIL_PARSER_JCL_PROCEDURE_H

#include "parser/jcl-evaluation.h"

/* The statements from first up to end, which may be NULL; head is the PROC or NULL. */
struct jcl_procedure {
	const char *name;
	const struct jcl_statement *head, *first, *end;
	const struct source *source;
	struct jcl_procedure *next;
};

/* A DD behind the EXEC that calls a procedure. */
struct jcl_override {
	const char *procstep; /* NULL: the first step */
	const char *name;
	struct jcl_node *operands;
	const struct jcl_statement *statement;
	const struct source *source;
	const struct jcl_text *text; /* its symbols put in */
	bool used;
	struct jcl_override *concat; /* DDs without a name behind it */
	struct jcl_override *last;   /* of those */
	struct jcl_override *next;
};

/* A procedure being carried out. */
struct jcl_call {
	const struct jcl_procedure *procedure;
	const char *step_name;		 /* of the EXEC in the job stream */
	const struct jcl_node *operands; /* of the calling EXEC */
	struct jcl_override *overrides;
	struct jcl_override *members; /* what goes with further DDs of the concatenation at hand */
	const char *procstep;	      /* the step at hand, NULL before the first */
	unsigned steps;		      /* seen in this call */
	struct plan_step **begin;     /* where the first of its steps is linked */
	unsigned depth;
	struct jcl_call *outer;
	const struct jcl_node *named; /* the operand with its name; NULL: nobody calls it */
	size_t steps_before;	      /* of the job */
	/* Of the caller, to go back to: */
	struct jcl_symbols symbols;
	const struct source *source;
	const struct jcl_statement *exec;
};

/* Remember the in-stream procedure that begins at a PROC; the statement behind its PEND. */
const struct jcl_statement *jcl_procedure_define(struct jcl_evaluation *e,
						 const struct jcl_statement *head);
/*
 * Enter the procedure that the EXEC at hand calls: its symbols and source hold,
 * and its statements are to be evaluated, then jcl_procedure_end called. False
 * after a message. call is the caller's, and lives until then.
 */
bool jcl_procedure_begin(struct jcl_evaluation *e, const struct jcl_node *which,
			 struct jcl_call *call);
/* The same for a procedure that nobody calls, with the values its PROC gives. */
void jcl_procedure_check(struct jcl_evaluation *e, const struct jcl_statement *head,
			 struct jcl_procedure *procedure, struct jcl_call *call);
/* Leave the procedure at hand. */
void jcl_procedure_end(struct jcl_evaluation *e);
/* The member that the INCLUDE at hand names; NULL after a message. */
const struct jcl_deck *jcl_include_find(struct jcl_evaluation *e);
/* Carry out the JCLLIB at hand. */
void jcl_evaluate_jcllib(struct jcl_evaluation *e);

/* Whether a word is a keyword of EXEC (jcl-step.c). */
bool jcl_exec_keyword(const char *word);
/* The operands of an EXEC inside the call, with what the caller says of it. */
struct jcl_node *jcl_merge_exec(struct jcl_evaluation *e, struct jcl_node *operands);
/* The operands of a DD with an override merged in. */
struct jcl_node *jcl_merge_dd(struct jcl_evaluation *e, struct jcl_node *operands,
			      struct jcl_node *override);
/*
 * What overrides the DD of this name ("": the next of a concatenation); NULL when nothing does.
 * Before a name, jcl_override_members must have been taken.
 */
struct jcl_override *jcl_override_of(struct jcl_evaluation *e, const char *name);
/* Take the overrides of the concatenation at hand beyond its members, linked by concat. */
struct jcl_override *jcl_override_members(struct jcl_evaluation *e);
/* Take the next override of the step at hand that met no DD; NULL: none is left. */
struct jcl_override *jcl_override_next(struct jcl_evaluation *e);

/* The listing (jcl-listing.c): note what is carried out, in order. */
/* The statement at hand; overridden: what the caller says of it stands before it. */
void jcl_list_statement(struct jcl_evaluation *e, bool overridden);
/* The statements of a procedure where it is defined, up to end and without it. */
void jcl_list_definition(struct jcl_evaluation *e, const struct jcl_statement *first,
			 const struct jcl_statement *end);
/* The PROC statement of a procedure that is called now. */
void jcl_list_head(struct jcl_evaluation *e, const struct jcl_procedure *procedure);
void jcl_list_override(struct jcl_evaluation *e, const struct jcl_override *override);
/* The comments right before a line of a source. */
void jcl_list_comments(struct jcl_evaluation *e, const struct source *source, unsigned before);

#endif
