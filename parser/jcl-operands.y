/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of a JCL operand field, and of the expression in an IF statement. */
%code top {
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "common/compat.h"
}
%code requires {
#include "parser/jcl-tree.h"

/* A stretch of the operand text. */
struct jcl_stretch {
	unsigned start, end;
};

/* A growing list of nodes. */
struct jcl_node_list {
	struct jcl_node *first, *last;
};
}
%define api.pure full
%define api.prefix {jcl_operands_}
%define api.location.type {struct jcl_stretch}
%define parse.error custom
%locations
%param {struct jcl_syntax *syntax}
%union {
	struct jcl_node *node;
	struct jcl_node_list list;
	enum relation relation;
}
%code {
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
	do {                                                                                       \
		(Current).start = (N) ? YYRHSLOC(Rhs, 1).start : YYRHSLOC(Rhs, 0).end;             \
		(Current).end = YYRHSLOC(Rhs, N).end;                                              \
	} while (0)

int jcl_operands_lex(JCL_OPERANDS_STYPE *value, struct jcl_stretch *stretch,
		     struct jcl_syntax *syntax);
static void jcl_operands_error(struct jcl_stretch *at, struct jcl_syntax *syntax,
			       const char *text);

/* Creates a node over a stretch of the text. */
static struct jcl_node *node(struct jcl_syntax *syntax, enum jcl_node_kind kind,
			     struct jcl_stretch at, struct jcl_node *child)
{
	struct jcl_node *made = jcl_arena_get(syntax->arena, sizeof(*made));

	*made = (struct jcl_node){ .kind = kind, .text = "", .child = child };
	made->location = jcl_location(syntax->source, syntax->text, at.start, at.end - at.start);
	return made;
}

/* Creates a node with two children. */
static struct jcl_node *node_pair(struct jcl_syntax *syntax, enum jcl_node_kind kind,
				  struct jcl_stretch at, struct jcl_node *left,
				  struct jcl_node *right)
{
	left->next = right;
	return node(syntax, kind, at, left);
}

static struct jcl_node_list list_of(struct jcl_node *first)
{
	return (struct jcl_node_list){ first, first };
}

static struct jcl_node_list list_add(struct jcl_node_list list, struct jcl_node *more)
{
	list.last->next = more;
	list.last = more;
	return list;
}

/* Returns a single part unchanged; several are joined. */
static struct jcl_node *node_joined(struct jcl_syntax *syntax, struct jcl_stretch at,
				    struct jcl_node_list parts)
{
	return parts.first == parts.last ? parts.first
					 : node(syntax, JCL_JOINED, at, parts.first);
}

/* Creates KEYWORD=value; the keyword was scanned as a word. */
static struct jcl_node *node_keyword(struct jcl_syntax *syntax, struct jcl_stretch at,
				     struct jcl_node *keyword, struct jcl_node *value)
{
	struct jcl_node *made = node(syntax, JCL_KEYWORD, at, value);

	made->text = keyword->text;
	made->text_length = keyword->text_length;
	return made;
}
}

%token START_OPERANDS START_CONDITION
%token <node> WORD QUOTED
%token <relation> RELATION
%token AND OR NOT TOO_DEEP COMMA EQUALS OPENING CLOSING
%type <node> operand value part item expression conjunction negation comparison primary
%type <list> operands parts items

%%
start:
	START_OPERANDS operands		{ syntax->result = $2.first; }
|	START_CONDITION expression	{ syntax->result = $2; }
;
operands:
	operand				{ $$ = list_of($1); }
|	operands COMMA operand		{ $$ = list_add($1, $3); }
;
operand:
	item
|	error				{ $$ = node(syntax, JCL_EMPTY, @$, NULL); }
;
item:
	/* nothing */			{ $$ = node(syntax, JCL_EMPTY, @$, NULL); }
|	value
|	WORD EQUALS item			{ $$ = node_keyword(syntax, @$, $1, $3); }
;
value:
	parts				{ $$ = node_joined(syntax, @$, $1); }
;
parts:
	part				{ $$ = list_of($1); }
|	parts part			{ $$ = list_add($1, $2); }
;
part:
	WORD
|	QUOTED
|	OPENING items CLOSING			{ $$ = node(syntax, JCL_LIST, @$, $2.first); }
;
items:
	item				{ $$ = list_of($1); }
|	items COMMA item			{ $$ = list_add($1, $3); }
;

expression:
	conjunction
|	expression OR conjunction	{ $$ = node_pair(syntax, JCL_OR, @$, $1, $3); }
;
conjunction:
	negation
|	conjunction AND negation	{ $$ = node_pair(syntax, JCL_AND, @$, $1, $3); }
;
negation:
	comparison
|	NOT negation			{ $$ = node(syntax, JCL_NOT, @$, $2); }
;
comparison:
	primary
|	primary RELATION primary	{ $$ = node_pair(syntax, JCL_COMPARE, @$, $1, $3);
					  $$->relation = $2; }
;
primary:
	WORD
|	QUOTED
|	OPENING expression CLOSING		{ $$ = $2; }
;
%%

/* Queues one syntax error at a stretch of the text. */
static void syntax_error(struct jcl_syntax *syntax, struct jcl_stretch at, const char *text)
{
	struct location location;

	if (syntax->errors++ || syntax->quiet)
		return;
	location = jcl_location(syntax->source, syntax->text, at.start,
				at.end > at.start ? at.end - at.start : 1);
	diag_add(syntax->diags, SEVERITY_ERROR, 1030, &location, "%s", text);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct jcl_syntax *syntax)
{
	struct jcl_stretch at = *yypcontext_location(context);
	yysymbol_kind_t token = yypcontext_token(context);

	if (token == YYSYMBOL_YYEOF && syntax->depth > 0) {
		at.start = syntax->open_offset;
		at.end = at.start + 1;
		syntax_error(syntax, at, "this parenthesis is not closed");
	} else if (token == YYSYMBOL_YYEOF) {
		at.start = at.start ? at.start - 1 : 0;
		syntax_error(syntax, at, "the condition ends too early");
	} else if (token == YYSYMBOL_TOO_DEEP) {
		syntax_error(syntax, at, "parentheses are nested too deeply");
	} else if (token == YYSYMBOL_CLOSING) {
		syntax_error(syntax, at, "this parenthesis closes nothing");
	} else if (token == YYSYMBOL_EQUALS) {
		syntax_error(syntax, at, "there is no keyword before this equals sign");
	} else if (syntax->condition) {
		syntax_error(syntax, at, "this is not allowed in a condition here");
	} else {
		syntax_error(syntax, at, "this is not expected here");
	}
	return 0;
}

/* Called by bison itself only if its stack is full. */
static void jcl_operands_error(struct jcl_stretch *at, struct jcl_syntax *syntax,
			       const char *text)
{
	syntax_error(syntax, *at, text);
}

void jcl_syntax_init(struct jcl_syntax *syntax, struct jcl_arena *arena,
		     const struct source *source, struct diag_list *diags)
{
	*syntax = (struct jcl_syntax){ .arena = arena, .source = source, .diags = diags };
	syntax->scanner = jcl_scan_new(syntax);
}

void jcl_syntax_release(struct jcl_syntax *syntax)
{
	jcl_scan_free(syntax->scanner);
	syntax->scanner = NULL;
}

bool jcl_syntax_parse(struct jcl_syntax *syntax, const struct jcl_text *text, bool condition,
		      bool quiet, struct jcl_node **result)
{
	*result = NULL;
	if (text->length == 0 && !condition)
		return true;
	syntax->text = text;
	syntax->result = NULL;
	syntax->position = syntax->depth = syntax->errors = 0;
	syntax->quiet = quiet;
	syntax->condition = condition;
	syntax->start = condition ? START_CONDITION : START_OPERANDS;
	jcl_scan_begin(syntax->scanner, text->text, text->length, condition);
	if (jcl_operands_parse(syntax) != 0 && syntax->errors == 0)
		syntax->errors++;
	jcl_scan_end(syntax->scanner);
	*result = syntax->result;
	return syntax->errors == 0;
}
