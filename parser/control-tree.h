/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the tree of control statements: the state of one parse, and the functions
 * called by the grammar's actions. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_TREE_H
#define VIGIL_PARSER_CONTROL_TREE_H

#include "parser/control.h"

/* Lists under construction; last is NULL while the list is empty. */
struct value_list {
	struct control_value *first, *last;
};

struct operand_list {
	struct control_operand *first, *last;
};

/* State of one parse. */
struct control_context {
	const struct source *source;
	struct diag_list *diags;
	struct control_deck *deck;
	struct control_statement **tail; /* where the next statement is linked */

	/* PROFILER blocks */
	bool in_block;
	struct location block_start;	   /* of the PROFILER word */
	struct control_statement **block_tail; /* where its first statement is linked */
	size_t block_diags;		       /* number of messages before it */
	struct control_operand **head_end; /* where its next pair is linked; NULL: search for it */
	struct control_statement *head;	   /* the FUNCTION or FILTER that pairs belong to */

	/* Scanner */
	bool cards;
	unsigned line, column; /* of the next character */
	int last_token;	       /* 0 at the start of a statement */
	struct location last;  /* of the last token */
	struct location first; /* first token of the statement */
	bool first_is_head;    /* ... and it is FUNCTION or FILTER */
	bool invalid;	       /* the statement has a token that was reported as an error */
	bool at_end;	       /* the end of the input was reached */
	unsigned commented;    /* last line that ends with a comment */
	unsigned cut;	       /* last card reported as truncated */
};

/* Creates a value from a word or a text in apostrophes as the scanner found it. */
struct control_value *control_tree_value(const char *text, size_t length, bool quoted,
				 const struct location *location);
void control_tree_value_free(struct control_value *list);
/* Creates KEYWORD=values; takes ownership of keyword (a word) and values. */
struct control_operand *control_tree_operand(struct control_value *keyword, struct value_list values,
				     bool is_list, const struct location *location);
/*
 * Creates an operand from a single word, or a text in apostrophes; takes ownership
 * of word. control_check decides whether it is a keyword or positional.
 */
struct control_operand *control_tree_positional(struct control_value *word);
void control_tree_operand_free(struct control_operand *list);

struct value_list control_tree_add_value(struct value_list list, struct control_value *value);
struct operand_list control_tree_add_operand(struct operand_list list, struct control_operand *operand);

/* Adds a statement of the request form: verb and operands. */
void control_tree_request(struct control_context *context, struct control_value *verb,
		  struct operand_list operands);
/* Adds a line of a PROFILER block: pairs, some of which begin a FUNCTION or FILTER. */
void control_tree_pairs(struct control_context *context, struct operand_list pairs);
/* Ends a statement with a syntax error. */
void control_tree_broken(struct control_context *context);

#endif
