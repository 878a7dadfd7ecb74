/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of IDCAMS as a tree.
 *
 * SYSIN is joined to logical commands: columns 1 to 72 (z/OS begins at 2)
 * without comments; '-' at the end of a line goes on with a blank, '+' in
 * the middle of a value; ';' or a line without either ends a command. Then
 * come verb, positional operands and keywords with values in parentheses,
 * to any depth, each with its place:
 *
 *	DEFINE CLUSTER(NAME(A.B) KEYS(6 0)) -
 *	       DATA(NAME(A.B.DATA))
 *
 * Operands are checked against the tables of table.c. What is wrong
 * with a command is kept with it, for the listing; it is not carried out.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_TREE_H
#define VIGIL_UTILITIES_IDCAMS_TREE_H

#include "common/diag.h"

struct idcams;
struct idcams_command;

/* What may stand in a keyword's parentheses. */
enum idcams_type {
	TYPE_FLAG,    /* no parentheses */
	TYPE_NAME,    /* a data set, or one with a member */
	TYPE_NAMES,   /* one or more of them, also with * and % */
	TYPE_DD,      /* a ddname */
	TYPE_NUMBER,  /* a number */
	TYPE_NUMBERS, /* two numbers */
	TYPE_BYTES,   /* text, 'text' or X'hex' */
	TYPE_GROUP,   /* keywords of its own */
	TYPE_ANY,     /* whatever: it says how z/OS is to keep the data */
};

struct idcams_keyword {
	const char *names; /* the keyword, then its abbreviations: "INFILE IFILE" */
	enum idcams_type type;
	const struct idcams_keyword *group; /* TYPE_GROUP, or what may follow a ddname */
	const char *refused;		    /* the reason why it is not carried out */
};

/* A verb of the table. */
struct idcams_verb {
	const char *names;
	const struct idcams_keyword *keywords; /* ended by one without names; NULL: refused whole */
	bool positional;		       /* data set names stand before the keywords */
	void (*run)(struct idcams *idcams, const struct idcams_command *command);
};

extern const struct idcams_verb idcams_verbs[];

/* WORD, WORD(values...), (values...), 'text' or X'hex'. */
struct idcams_operand {
	char *text; /* "" before a list without keyword; names are upper case once they are checked
		     */
	size_t length;
	bool quoted, list;
	struct location location;
	const struct idcams_keyword *keyword; /* NULL: positional or a value */
	struct idcams_operand *values;
	struct idcams_operand *next;
};

enum idcams_kind { COMMAND_VERB, COMMAND_IF, COMMAND_SET };
enum idcams_relation {
	RELATION_EQ,
	RELATION_NE,
	RELATION_GE,
	RELATION_LE,
	RELATION_GT,
	RELATION_LT
};

struct idcams_command {
	enum idcams_kind kind;
	struct location location; /* of the verb */
	unsigned last_line; /* of SYSIN that belongs to it; of an IF: before its first clause */
	struct diag_list
		diags; /* what is wrong; texts begin with IDCnnnnI where users know it so */
	/* COMMAND_VERB */
	const struct idcams_verb *verb;
	struct idcams_operand *operands;
	/* COMMAND_IF, COMMAND_SET */
	bool maximum; /* MAXCC, not LASTCC */
	enum idcams_relation relation;
	unsigned code;
	struct idcams_command *then, *otherwise; /* NULL: a null clause */
	struct idcams_command *next;
};

/* All commands; the source must outlive them. Never NULL for a source with a command. */
struct idcams_command *idcams_parse(const struct source *source, unsigned left, unsigned right);
void idcams_commands_free(struct idcams_command *list);
/* Checks operands against a table; what is wrong goes to the command's diags. */
void idcams_check(struct idcams_command *command);

/* The operand of that keyword (its full name), NULL when it is not there. */
const struct idcams_operand *idcams_find(const struct idcams_operand *list, const char *keyword);
/* The first value of a keyword, NULL when it is not there. */
const char *idcams_value(const struct idcams_operand *list, const char *keyword);
/* The number'th value of a keyword as a number, otherwise when it is not there. */
unsigned idcams_number(const struct idcams_operand *list, const char *keyword, unsigned number,
		       unsigned otherwise);
/* Returns whether word is one of names ("INFILE IFILE"). */
bool idcams_is(const char *names, const char *word);

/* For the parser: one logical command. */
struct idcams_text {
	char *text;
	size_t length;
	struct idcams_place {
		unsigned line, column;
	} * places; /* of each character */
	unsigned last_line;
	bool open;		     /* an apostrophe was not closed */
	struct idcams_place comment; /* one that was not closed; line 0: none */
};

struct idcams_scanner {
	const struct source *source;
	unsigned left, right; /* margins */
	size_t line;	      /* next to read, from 0 */
	size_t column;	      /* in it, after a ';' */
};

/* The next logical command that is not blank; false at the end. */
bool idcams_scan(struct idcams_scanner *scanner, struct idcams_text *text);
void idcams_text_release(struct idcams_text *text);

#endif
