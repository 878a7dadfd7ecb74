/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How scanner and grammar of control statements build the tree: the state of
 * one parse, and the functions the grammar's actions call. Internal to the
 * control half of parser/.
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

/* One parse. */
struct control_context {
	const struct source *source;
	struct diag_list *diags;
	struct control_deck *deck;
	struct control_statement **tail; /* where the next statement is hung */

	/* PROFILER blocks */
	bool in_block;
	struct location block_start;	   /* of the PROFILER word */
	struct control_statement **block_tail; /* where its first statement is hung */
	size_t block_diags;		       /* messages before it */
	struct control_operand **head_end; /* where its next pair is hung; NULL: look for it */
	struct control_statement *head;	   /* the FUNCTION or FILTER that pairs belong to */

	/* Scanner */
	bool cards;
	unsigned line, column; /* of the next character */
	int last_token;	       /* 0 at the start of a statement */
	struct location last;  /* of the last token */
	struct location first; /* first token of the statement */
	bool first_is_head;    /* ... and it is FUNCTION or FILTER */
	bool invalid;	       /* the statement holds a token that was diagnosed */
	bool at_end;	       /* the end of the input was reached */
	unsigned commented;    /* the last line that ends with a comment */
	unsigned cut;	       /* the last card of which was said that it is cut */
};

/* A word or a text in apostrophes as the scanner found it. */
struct control_value *control_tree_value(const char *text, size_t length, bool quoted,
				 const struct location *location);
void control_tree_value_free(struct control_value *list);
/* KEYWORD=values; takes keyword (a word) and values over. */
struct control_operand *control_tree_operand(struct control_value *keyword, struct value_list values,
				     bool is_list, const struct location *location);
/* A word alone, or a text in apostrophes; takes word over. Keyword or positional: control_check
 * knows. */
struct control_operand *control_tree_positional(struct control_value *word);
void control_tree_operand_free(struct control_operand *list);

struct value_list control_tree_add_value(struct value_list list, struct control_value *value);
struct operand_list control_tree_add_operand(struct operand_list list, struct control_operand *operand);

/* A statement of the request form: verb and operands. */
void control_tree_request(struct control_context *context, struct control_value *verb,
		  struct operand_list operands);
/* A line of a PROFILER block: pairs, some of which are heads. */
void control_tree_pairs(struct control_context *context, struct operand_list pairs);
/* A statement that could not be understood ended here. */
void control_tree_broken(struct control_context *context);

#endif
