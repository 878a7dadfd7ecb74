/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trees inside a JCL deck, shared by the stages of parser/jcl.h.
 *
 * Everything is in the deck's arena and is freed with it. A statement's operand
 * field is one text, joined from its cards, with a map of segments from each
 * character back to card and column, which gives the location of each node.
 */
#ifndef VIGIL_PARSER_JCL_TREE_H
#define VIGIL_PARSER_JCL_TREE_H

#include "common/strmap.h"
#include "parser/jcl.h"

/* Maximum characters of a statement, before and after symbol substitution. */
#define JCL_MAXIMUM_TEXT 16384

/* Memory that is freed as a whole. */
struct jcl_arena {
	struct jcl_arena_chunk *chunks; /* the newest first */
	char *free;
	size_t left;
};

void *jcl_arena_get(struct jcl_arena *arena, size_t size); /* returns aligned memory, not cleared */
char *jcl_arena_text(struct jcl_arena *arena, const char *text, size_t length);
/* Discards the content but keeps the first chunk. */
void jcl_arena_clear(struct jcl_arena *arena);
void jcl_arena_release(struct jcl_arena *arena);

/* From offset on, the text comes from this card and column. */
struct jcl_segment {
	unsigned offset;
	unsigned line, column;
	unsigned width; /* 0: columns advance with the text; else the length of the symbol that
			 * the text replaces */
};

struct jcl_text {
	char *text; /* ends with two NULs, for the scanner */
	unsigned length;
	unsigned segment_count;
	struct jcl_segment *segments;
};

enum jcl_node_kind {
	JCL_EMPTY,   /* nothing between two commas */
	JCL_WORD,    /* text: as written */
	JCL_QUOTED,  /* text: without apostrophes, doubled ones reduced to one */
	JCL_LIST,    /* child: members in parentheses */
	JCL_JOINED,  /* child: parts without commas between them, A.B(C) */
	JCL_KEYWORD, /* text=child */
	JCL_AND,     /* of IF: child and child->next */
	JCL_OR,
	JCL_NOT,     /* child */
	JCL_COMPARE, /* child relation child->next */
};

struct jcl_node {
	enum jcl_node_kind kind;
	enum relation relation;
	struct location location;
	unsigned text_length;
	const char *text; /* "" if the kind has none */
	struct jcl_node *child, *next;
};

enum jcl_operation {
	JCL_JOB,
	JCL_EXEC,
	JCL_DD,
	JCL_PROC,
	JCL_PEND,
	JCL_SET,
	JCL_IF,
	JCL_ELSE,
	JCL_ENDIF,
	JCL_INCLUDE,
	JCL_JCLLIB,
	JCL_OUTPUT,
	JCL_EXPORT,
	JCL_COMMAND,
	JCL_CNTL,
	JCL_ENDCNTL,
	JCL_XMIT,
	JCL_SCHEDULE,
	JCL_NOTIFY,
	JCL_GROUPING, /* JOBGROUP and its related statements */
	JCL_OPERATOR, /* an operator command instead of an operation */
	JCL_NULL,     /* // */
	JCL_JES2,     /* text is the card */
	JCL_JES3,     /* text is the card */
	JCL_STRAY,    /* data cards that follow no DD statement */
	JCL_UNKNOWN,  /* the operation is none of these, or missing; already reported */
};

struct jcl_statement {
	enum jcl_operation operation;
	const char *name; /* as written, upper case; "": none */
	const char *verb; /* operation field, upper case; "": none */
	unsigned line, last_line;
	unsigned verb_column;
	struct jcl_text text; /* the operand field */
	struct jcl_node *operands;
	bool has_symbols;   /* the text has possible symbols */
	bool raw;	    /* no tree: to be parsed after substitution, or faulty */
	bool faulty;	    /* had an error in stage 1 or 2 */
	bool open_quote;    /* an apostrophe was never closed */
	bool no_then;	    /* an IF without THEN */
	bool ended_by_null; /* a null card where a continuation was expected */
	bool has_data;
	const char *delimiter;		/* DLM; NULL: none */
	unsigned data_line, data_count; /* the data cards, as line numbers of the source */
	struct jcl_statement *next;
};

/* A member of a procedure library, read for this deck. */
struct jcl_member {
	struct source *source; /* its name is the path */
	struct jcl_deck *deck;
	struct jcl_member *next;
};

struct jcl_deck {
	struct jcl_arena arena;
	struct jcl_member *members;
	const struct source *source;
	struct jcl_statement *statements;
	size_t count;
};

/* Stages 1 and 2 on one source. */
struct jcl_reader {
	struct jcl_deck *deck;
	const struct source *source;
	struct diag_list *diags;
	bool strict;
	unsigned line; /* next card, from 0 */
	struct jcl_statement **tail;
	struct jcl_syntax *syntax;
	bool lower_reported, tab_reported;
	/* the statement being joined */
	struct strbuf text;
	struct jcl_segment *segments;
	size_t segment_count, segment_alloc;
};

/* The parser of operand fields (jcl-scanner.l, jcl-operands.y). */
struct jcl_syntax {
	struct jcl_arena *arena;
	const struct source *source;
	struct diag_list *diags;
	const struct jcl_text *text;
	void *scanner;
	struct jcl_node *result;
	unsigned position;    /* end of the last token */
	unsigned depth;	      /* of open parentheses */
	unsigned open_offset; /* of the last opening parenthesis at the outermost level */
	int start;	      /* token that selects the grammar, then 0 */
	bool condition;	      /* scanning an IF */
	bool quiet;	      /* only count errors */
	unsigned errors;
};

void jcl_syntax_init(struct jcl_syntax *syntax, struct jcl_arena *arena,
		     const struct source *source, struct diag_list *diags);
void jcl_syntax_release(struct jcl_syntax *syntax);
/*
 * Parses an operand field, or the expression of an IF. Sets *result to the first
 * operand (NULL for an empty field); false on errors.
 */
bool jcl_syntax_parse(struct jcl_syntax *syntax, const struct jcl_text *text, bool condition,
		      bool quiet, struct jcl_node **result);
/* Manages the scanner's handles, for jcl_syntax_init only. */
void *jcl_scan_new(struct jcl_syntax *syntax);
void jcl_scan_free(void *scanner);
void jcl_scan_begin(void *scanner, char *text, size_t length, bool condition);
void jcl_scan_end(void *scanner);

/* Returns the location of length characters at offset of a text. */
struct location jcl_location(const struct source *source, const struct jcl_text *text,
			     unsigned offset, unsigned length);
/* Returns the location of a statement: its name, or its operation if it has none. */
struct location jcl_statement_location(const struct source *source,
				       const struct jcl_statement *statement);
/* Returns the operation of a verb. */
enum jcl_operation jcl_operation_find(const char *verb, size_t length);
/* Returns the verb as a constant if it is an operation of JCL, else NULL. */
const char *jcl_operation_verb(const char *verb, size_t length);
/* Returns whether a JCL name is valid: 1 to 8 of A-Z 0-9 @ # $, not starting with a digit. */
bool jcl_name_valid(const char *name, size_t length);

/* Symbols (jcl-symbols.c). */
struct jcl_symbols {
	struct strmap names;
	char **values; /* by number; NULL: not set; owned */
	bool *used;    /* by number: the symbol was read */
	size_t alloc;
	/* buffer of jcl_symbols_substitute, reused between calls */
	struct strbuf text;
	struct jcl_segment *segments;
	size_t segment_alloc;
};

void jcl_symbols_init(struct jcl_symbols *symbols);
void jcl_symbols_release(struct jcl_symbols *symbols);
void jcl_symbols_set(struct jcl_symbols *symbols, const char *name, const char *value);
/* Returns the value of a symbol; NULL: not defined. */
const char *jcl_symbols_get(const struct jcl_symbols *symbols, const char *name, size_t length);
/* Returns whether the symbol was ever read. */
bool jcl_symbols_used(const struct jcl_symbols *symbols, const char *name);
/* Sets the predefined symbols: SYSUID, SYSDECK, SYSNAME and the dates and times. */
void jcl_symbols_predefine(struct jcl_symbols *symbols, const struct jcl_options *options);
/* Sets SYSUID: the user's name in the form a mainframe has it. */
void jcl_symbols_set_user(struct jcl_symbols *symbols, const struct jcl_options *options);
/*
 * Substitutes symbols in the operands of a statement. Inside apostrophes this
 * applies in AMP, PATH and SUBSYS of DD, ACCT and PARM of EXEC, in SET and JCLLIB,
 * and if a symbol directly precedes the apostrophe. Undefined symbols stay
 * unchanged; report is called with the location of each one outside apostrophes.
 * False if the result would exceed the maximum length of a statement.
 */
bool jcl_symbols_substitute(struct jcl_symbols *symbols, struct jcl_arena *arena,
			    enum jcl_operation operation, const struct jcl_text *in,
			    struct jcl_text *out,
			    void (*report)(void *context, unsigned offset, const char *name,
					   size_t length),
			    void *context);
/* Substitutes symbols in one card of in-stream data. */
void jcl_symbols_substitute_line(const struct jcl_symbols *symbols, const char *line, size_t length,
				 struct strbuf *sb);

/*
 * Appends an operand as one text without line breaks, quoted parts with or without
 * their apostrophes.
 */
void jcl_node_text(struct strbuf *sb, const struct jcl_node *node, bool apostrophes);

#endif
