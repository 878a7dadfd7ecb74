/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of IDCAMS as a tree.
 *
 * SYSIN is joined into logical commands: columns 1 to 72 (z/OS begins at 2)
 * without comments; a line that ends with '-' continues after a blank, one that
 * ends with '+' continues within a value; ';' or a line without either ends a
 * command. A command has a verb, positional operands, and keywords with values in
 * parentheses, nested to any depth, each with its location:
 *
 *	DEFINE CLUSTER(NAME(A.B) KEYS(6 0)) -
 *	       DATA(NAME(A.B.DATA))
 *
 * Operands are checked against the tables of table.c. The errors of a command are
 * kept with it for the listing; it is not executed.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_TREE_H
#define VIGIL_UTILITIES_IDCAMS_TREE_H

#include "common/diag.h"

struct idcams;
struct idcams_command;

/* What a keyword's parentheses may hold. */
enum idcams_type {
	TYPE_FLAG,    /* no parentheses */
	TYPE_NAME,    /* a data set, or a member of one */
	TYPE_NAMES,   /* one or more of them, also with * and % */
	TYPE_DD,      /* a ddname */
	TYPE_NUMBER,  /* a number */
	TYPE_NUMBERS, /* two numbers */
	TYPE_BYTES,   /* text, 'text' or X'hex' */
	TYPE_GROUP,   /* subordinate keywords */
	TYPE_ANY,     /* anything: it says how z/OS stores the data */
};

struct idcams_keyword {
	const char *names; /* the keyword, then its abbreviations: "INFILE IFILE" */
	enum idcams_type type;
	const struct idcams_keyword *group; /* TYPE_GROUP, or what may follow a ddname */
	const char *refused;		    /* why it is not supported; NULL: supported */
};

/* A verb of the table. */
struct idcams_verb {
	const char *names;
	const struct idcams_keyword *keywords; /* ends with an entry without names; NULL: the
					        * verb is not supported */
	bool positional;		       /* data set names precede the keywords */
	void (*run)(struct idcams *idcams, const struct idcams_command *command);
};

extern const struct idcams_verb idcams_verbs[];

/* WORD, WORD(values...), (values...), 'text' or X'hex'. */
struct idcams_operand {
	char *text; /* "": a list without keyword; names are in upper case once checked */
	size_t length;
	bool quoted, list;
	struct location location;
	const struct idcams_keyword *keyword; /* NULL: a positional operand or a value */
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
	unsigned last_line; /* last line of SYSIN that belongs to it; for an IF: the last one
			     * before its first clause */
	struct diag_list
		diags; /* errors; texts begin with IDCnnnnI where users know them by that id */
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

/* Returns all commands; the source must outlive them. Never NULL for a source with a command. */
struct idcams_command *idcams_parse(const struct source *source, unsigned left, unsigned right);
void idcams_commands_free(struct idcams_command *list);
/* Checks a command's operands against its table; adds errors to the command's diags. */
void idcams_check(struct idcams_command *command);

/* Returns the operand of the keyword with this full name; NULL: not given. */
const struct idcams_operand *idcams_find(const struct idcams_operand *list, const char *keyword);
/* Returns the first value of a keyword; NULL: not given. */
const char *idcams_value(const struct idcams_operand *list, const char *keyword);
/* Returns one value of a keyword as a number, or otherwise if the keyword is not given. */
unsigned idcams_number(const struct idcams_operand *list, const char *keyword, unsigned number,
		       unsigned otherwise);
/* Returns whether word is one of names ("INFILE IFILE"). */
bool idcams_is(const char *names, const char *word);

/* One logical command, for the parser. */
struct idcams_text {
	char *text;
	size_t length;
	struct idcams_position {
		unsigned line, column;
	} * places; /* of each character */
	unsigned last_line;
	bool open;		     /* an apostrophe was not closed */
	struct idcams_position comment; /* start of a comment that was not closed; line 0: none */
};

struct idcams_scanner {
	const struct source *source;
	unsigned left, right; /* margins */
	size_t line;	      /* the next line to read, from 0 */
	size_t column;	      /* where to continue in it after a ';' */
};

/* Reads the next logical command that is not blank; false at the end. */
bool idcams_scan(struct idcams_scanner *scanner, struct idcams_text *text);
void idcams_text_release(struct idcams_text *text);

#endif
