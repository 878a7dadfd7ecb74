/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Procedures and members: how they are found, the call being expanded, and the
 * operands with which it overrides them.
 */
#ifndef VIGIL_PARSER_JCL_PROCEDURE_H
#define VIGIL_PARSER_JCL_PROCEDURE_H

#include "parser/jcl-evaluation.h"

/* The statements from first up to end, which may be NULL; head is the PROC statement or NULL. */
struct jcl_procedure {
	const char *name;
	const struct jcl_statement *head, *first, *end;
	const struct source *source;
	struct jcl_procedure *next;
};

/* A DD after the EXEC that calls a procedure. */
struct jcl_override {
	const char *procstep; /* NULL: the first step */
	const char *name;
	struct jcl_node *operands;
	const struct jcl_statement *statement;
	const struct source *source;
	const struct jcl_text *text; /* symbols substituted */
	bool used;
	struct jcl_override *concat; /* unnamed DDs after it */
	struct jcl_override *last;   /* last of them */
	struct jcl_override *next;
};

/* A procedure being expanded. */
struct jcl_call {
	const struct jcl_procedure *procedure;
	const char *step_name;		 /* of the EXEC in the job stream */
	const struct jcl_node *operands; /* of the calling EXEC */
	struct jcl_override *overrides;
	struct jcl_override *members; /* overrides for further DDs of the current concatenation */
	const char *procstep;	      /* the current step; NULL before the first */
	unsigned steps;		      /* number of steps so far in this call */
	struct plan_step **begin;     /* where the first of its steps is linked */
	unsigned depth;
	struct jcl_call *outer;
	const struct jcl_node *named; /* the operand with its name; NULL: checked without a call */
	size_t steps_before;	      /* of the job */
	/* Of the caller, restored at the end: */
	struct jcl_symbols symbols;
	const struct source *source;
	const struct jcl_statement *exec;
};

/* Registers the in-stream procedure that begins at a PROC; returns the statement after its PEND. */
const struct jcl_statement *jcl_procedure_define(struct jcl_evaluation *e,
						 const struct jcl_statement *head);
/*
 * Enters the procedure that the current EXEC calls: its symbols and source take
 * effect; evaluate its statements, then call jcl_procedure_end. False after a
 * message. The caller owns call, which must live until then.
 */
bool jcl_procedure_begin(struct jcl_evaluation *e, const struct jcl_node *which,
			 struct jcl_call *call);
/* The same for a procedure that is never called, with the values in its PROC. */
void jcl_procedure_check(struct jcl_evaluation *e, const struct jcl_statement *head,
			 struct jcl_procedure *procedure, struct jcl_call *call);
/* Leaves the current procedure. */
void jcl_procedure_end(struct jcl_evaluation *e);
/* Returns the member that the current INCLUDE names; NULL after a message. */
const struct jcl_deck *jcl_include_find(struct jcl_evaluation *e);
/* Evaluates the current JCLLIB. */
void jcl_evaluate_jcllib(struct jcl_evaluation *e);

/* Returns whether a word is a keyword of EXEC (jcl-step.c). */
bool jcl_exec_keyword(const char *word);
/* Returns the operands of an EXEC inside the call, with the caller's overrides. */
struct jcl_node *jcl_merge_exec(struct jcl_evaluation *e, struct jcl_node *operands);
/* Returns the operands of a DD with an override merged in. */
struct jcl_node *jcl_merge_dd(struct jcl_evaluation *e, struct jcl_node *operands,
			      struct jcl_node *override);
/*
 * Returns the override of the DD with this name ("": the next of a concatenation);
 * NULL: none. Before a name, jcl_override_members must have been called.
 */
struct jcl_override *jcl_override_of(struct jcl_evaluation *e, const char *name);
/* Takes the overrides for the current concatenation beyond its members, linked by concat. */
struct jcl_override *jcl_override_members(struct jcl_evaluation *e);
/* Takes the next override of the current step that matched no DD; NULL: none left. */
struct jcl_override *jcl_override_next(struct jcl_evaluation *e);

/* The listing (jcl-listing.c): records what is evaluated, in order. */
/* Lists the current statement; overridden: the caller's overrides precede it. */
void jcl_list_statement(struct jcl_evaluation *e, bool overridden);
/* Lists the statements of a procedure at its definition, up to and excluding end. */
void jcl_list_definition(struct jcl_evaluation *e, const struct jcl_statement *first,
			 const struct jcl_statement *end);
/* Lists the PROC statement of a procedure that is being called. */
void jcl_list_head(struct jcl_evaluation *e, const struct jcl_procedure *procedure);
void jcl_list_override(struct jcl_evaluation *e, const struct jcl_override *override);
/* Lists the comments directly before a line of a source. */
void jcl_list_comments(struct jcl_evaluation *e, const struct source *source, unsigned before);

#endif
