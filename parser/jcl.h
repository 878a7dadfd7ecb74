/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JCL: from cards to a plan, in three stages that each have their own tree.
 *
 *   1. Text: cards are joined into statements (continuations, comments,
 *      in-stream data, DLM) and symbols are substituted, with a map from each
 *      character of the statement back to card and column.
 *   2. Syntax: each statement's operands become a tree (keyword, value,
 *      sublist), with locations and no meaning.
 *   3. Evaluation: the trees become a plan (parser/plan.h); procedures and
 *      INCLUDE are expanded on the way, everything is checked.
 *
 * Errors are queued with their location and never stop the check of the rest. A
 * job with an error has failed set and must not be run.
 */
#ifndef VIGIL_PARSER_JCL_H
#define VIGIL_PARSER_JCL_H

#include "common/error.h"
#include "parser/plan.h"

struct jcl_options {
	const char *const *procedure_libraries; /* folders with members, searched in order */
	size_t procedure_library_count;
	const char *user;	   /* SYSUID, converted to upper case and at most 8 characters */
	const char *deck_folder;   /* SYSDECK: absolute folder of the deck; NULL: not defined */
	/*
	 * Returns the folder of a library that JCLLIB names as a data set, which the
	 * caller frees; NULL: none. May be NULL. Called after the procedure libraries were
	 * searched.
	 */
	char *(*find_library)(void *context, const char *dsn);
	void *find_context;
	/* a text without JOB is a procedure, INCLUDE member or steps: check it as such */
	bool fragments;
	bool strict;		   /* what a mainframe refuses and vigil accepts is an error */
};

struct jcl_deck; /* syntax trees of one input; owns nothing of the source */

/* Runs stages 1 and 2. Never NULL; errors are in diags. */
struct jcl_deck *jcl_parse(const struct source *source, const struct jcl_options *options,
			   struct diag_list *diags);
/* Runs stage 3. Returns the jobs of the deck in order; NULL: none. */
struct plan_job *jcl_evaluate(struct jcl_deck *deck, const struct jcl_options *options,
			      struct diag_list *diags);
/* Prints the syntax trees as canonical cards: parsing them again gives the same trees. */
void jcl_print(const struct jcl_deck *deck, struct strbuf *sb);
/* Returns whether two decks have the same trees, except for locations. */
bool jcl_equal(const struct jcl_deck *a, const struct jcl_deck *b);
void jcl_free(struct jcl_deck *deck);
/* Returns the number of statements, for progress and the benchmark. */
size_t jcl_statement_count(const struct jcl_deck *deck);

#endif
