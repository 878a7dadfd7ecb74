/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trees inside a JCL deck, shared by the stages of parser/jcl.h.
 *
 * Everything lives in the deck's arena and is freed with it. A statement's
 * operand field is one text, joined from its cards, with a map of segments
 * from each character back to card and column, from which each node has its
 * location.
 */
#ifndef VIGIL_PARSER_JCL_TREE_H
#define VIGIL_PARSER_JCL_TREE_H

#include "common/strmap.h"
#include "parser/jcl.h"

/* Characters of a statement, with and without its symbols put in. */
#define JCL_MAXIMUM_TEXT 16384

/* Memory that is freed at once. */
struct jcl_arena {
	struct jcl_arena_chunk *chunks; /* the newest first */
	char *free;
	size_t left;
};

void *jcl_arena_get(struct jcl_arena *arena, size_t size); /* not cleared, aligned */
char *jcl_arena_text(struct jcl_arena *arena, const char *text, size_t length);
/* Forget the content but keep the first chunk. */
void jcl_arena_clear(struct jcl_arena *arena);
void jcl_arena_release(struct jcl_arena *arena);

/* From offset on, the text comes from this card and column. */
struct jcl_segment {
	unsigned offset;
	unsigned line, column;
	unsigned width; /* 0: advances with the text; else the length of the symbol it came from */
};

struct jcl_text {
	char *text; /* ends with two NULs, as the scanner wants */
	unsigned length;
	unsigned segment_count;
	struct jcl_segment *segments;
};

enum jcl_node_kind {
	JCL_EMPTY,   /* nothing between two commas */
	JCL_WORD,    /* text: as it stands */
	JCL_QUOTED,  /* text: without the apostrophes, doubled ones made single */
	JCL_LIST,    /* child: members in parentheses */
	JCL_JOINED,  /* child: parts that follow one another without a comma, A.B(C) */
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
	const char *text; /* "" when the kind has none */
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
	JCL_GROUPING, /* JOBGROUP and what belongs to it */
	JCL_OPERATOR, /* an operator command in place of an operation */
	JCL_NULL,     /* // */
	JCL_JES2,     /* text is the card */
	JCL_JES3,     /* text is the card */
	JCL_STRAY,    /* data cards that follow no DD statement */
	JCL_UNKNOWN,  /* the operation is none of these, or missing; diagnosed */
};

struct jcl_statement {
	enum jcl_operation operation;
	const char *name; /* as it stands, upper case; "" none */
	const char *verb; /* the operation field, upper case; "" none */
	unsigned line, last_line;
	unsigned verb_column;
	struct jcl_text text; /* the operand field */
	struct jcl_node *operands;
	bool has_symbols;   /* the text holds what may be a symbol */
	bool raw;	    /* no tree: to be parsed when symbols are in, or faulty */
	bool faulty;	    /* had an error in stage 1 or 2 */
	bool open_quote;    /* an apostrophe was never closed */
	bool no_then;	    /* an IF without THEN */
	bool ended_by_null; /* a null card stood where a continuation was expected */
	bool has_data;
	const char *delimiter;		/* DLM, NULL none */
	unsigned data_line, data_count; /* the data cards, as lines of the source */
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

/* Stage 1 and 2 at work on one source. */
struct jcl_reader {
	struct jcl_deck *deck;
	const struct source *source;
	struct diag_list *diags;
	bool strict;
	unsigned line; /* next card, from 0 */
	struct jcl_statement **tail;
	struct jcl_syntax *syntax;
	bool lower_told, tab_told;
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
	unsigned open_offset; /* of the last one opened outermost */
	int start;	      /* the token that chooses the grammar, then 0 */
	bool condition;	      /* scanning an IF */
	bool quiet;	      /* count errors only */
	unsigned errors;
};

void jcl_syntax_init(struct jcl_syntax *syntax, struct jcl_arena *arena,
		     const struct source *source, struct diag_list *diags);
void jcl_syntax_release(struct jcl_syntax *syntax);
/*
 * Parse an operand field, or the expression of an IF. Sets *result to the
 * first operand (NULL for an empty field); false when there was an error.
 */
bool jcl_syntax_parse(struct jcl_syntax *syntax, const struct jcl_text *text, bool condition,
		      bool quiet, struct jcl_node **result);
/* The scanner's handles, for jcl_syntax_init only. */
void *jcl_scan_new(struct jcl_syntax *syntax);
void jcl_scan_free(void *scanner);
void jcl_scan_begin(void *scanner, char *text, size_t length, bool condition);
void jcl_scan_end(void *scanner);

/* The place of length characters at offset of a text. */
struct location jcl_location(const struct source *source, const struct jcl_text *text,
			     unsigned offset, unsigned length);
/* The place of a statement: its name, or its operation when it has none. */
struct location jcl_statement_location(const struct source *source,
				       const struct jcl_statement *statement);
/* What operation a verb stands for. */
enum jcl_operation jcl_operation_find(const char *verb, size_t length);
/* The verb itself as a constant when it is an operation of JCL, else NULL. */
const char *jcl_operation_verb(const char *verb, size_t length);
/* Whether a JCL name is right: 1 to 8 of A-Z 0-9 @ # $, not beginning with a digit. */
bool jcl_name_valid(const char *name, size_t length);

/* Symbols (jcl-symbols.c). */
struct jcl_symbols {
	struct strmap names;
	char **values; /* by number; NULL not set; owned */
	bool *used;    /* by number: somebody asked for it */
	size_t alloc;
	/* memory for jcl_symbols_substitute, kept from call to call */
	struct strbuf text;
	struct jcl_segment *segments;
	size_t segment_alloc;
};

void jcl_symbols_init(struct jcl_symbols *symbols);
void jcl_symbols_release(struct jcl_symbols *symbols);
void jcl_symbols_set(struct jcl_symbols *symbols, const char *name, const char *value);
/* NULL when not defined. */
const char *jcl_symbols_get(const struct jcl_symbols *symbols, const char *name, size_t length);
/* Whether anybody asked for it. */
bool jcl_symbols_used(const struct jcl_symbols *symbols, const char *name);
/* The predefined ones: SYSUID, SYSDECK, SYSNAME and the dates and times. */
void jcl_symbols_predefine(struct jcl_symbols *symbols, const struct jcl_options *options);
/* SYSUID: the user's name as a mainframe would have it. */
void jcl_symbols_set_user(struct jcl_symbols *symbols, const struct jcl_options *options);
/*
 * Put symbols into the operands of a statement. Inside apostrophes they count
 * in AMP, PATH and SUBSYS of DD, ACCT and PARM of EXEC, in SET and JCLLIB, and where a
 * symbol stands right before the apostrophe. Undefined ones stay as they are; report
 * is called with the place of each that stands outside apostrophes. False
 * when the result would be longer than a statement may be.
 */
bool jcl_symbols_substitute(struct jcl_symbols *symbols, struct jcl_arena *arena,
			    enum jcl_operation operation, const struct jcl_text *in,
			    struct jcl_text *out,
			    void (*report)(void *context, unsigned offset, const char *name,
					   size_t length),
			    void *context);
/* Put symbols into one card of in-stream data. */
void jcl_symbols_substitute_line(const struct jcl_symbols *symbols, const char *line, size_t length,
				 struct strbuf *sb);

/* Append an operand as one text without breaks, quoted parts with or without their apostrophes. */
void jcl_node_text(struct strbuf *sb, const struct jcl_node *node, bool apostrophes);

#endif
