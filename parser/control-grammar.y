/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of control statements: builds the tree without giving it meaning. */
%code top {
#include "common/compat.h"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
}

%code requires {
#include "parser/control-tree.h"

#ifndef CONTROL_YY_TYPEDEF_YY_SCANNER_T
#define CONTROL_YY_TYPEDEF_YY_SCANNER_T
typedef void *yyscan_t;
#endif
}

%code provides {
int control_yylex_init_extra(struct control_context *context, yyscan_t *scanner);
int control_yylex_destroy(yyscan_t scanner);
struct yy_buffer_state *control_yy_scan_bytes(const char *text, int length, yyscan_t scanner);
}

%code {
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
	((Current) = (N) ? location_join(&YYRHSLOC(Rhs, 1), &YYRHSLOC(Rhs, N)) : YYRHSLOC(Rhs, 0))

int control_yylex(CONTROL_YYSTYPE *value, struct location *location, yyscan_t scanner);
static void control_yyerror(const struct location *location, yyscan_t scanner,
			    struct control_context *context, const char *text);
}

%define api.pure full
%define api.prefix {control_yy}
%define api.location.type {struct location}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { yyscan_t scanner } { struct control_context *context }
%lex-param { yyscan_t scanner }
%initial-action { @$ = (struct location){ context->source, 1, 1, 1 }; }

%union {
	struct control_value *value;
	struct control_operand *operand;
	struct value_list values;
	struct operand_list operands;
}

%token <value> WORD "a word"
%token <value> STRING "a text in apostrophes"
%token INVALID "an invalid character"
%token END_OF_STATEMENT "the end of the statement"
%token ',' "a comma" '(' "an opening parenthesis" ')' "a closing parenthesis" '=' "an equals sign"

%type <value> item
%type <values> items
%type <operand> operand pair
%type <operands> operands pairs

%destructor { control_tree_value_free($$); } <value>
%destructor { control_tree_value_free($$.first); } <values>
%destructor { control_tree_operand_free($$); } <operand>
%destructor { control_tree_operand_free($$.first); } <operands>

%%

deck:
	%empty
	| deck statement END_OF_STATEMENT
	| deck error END_OF_STATEMENT	{ control_tree_broken(context); yyerrok; }
	;

statement:
	WORD				{ control_tree_request(context, $1, (struct operand_list){ NULL, NULL }); }
	| WORD operands			{ control_tree_request(context, $1, $2); }
	| pairs				{ control_tree_pairs(context, $1); }
	;

operands:
	operand				{ $$ = control_tree_add_operand((struct operand_list){ NULL, NULL }, $1); }
	| operands ',' operand		{ $$ = control_tree_add_operand($1, $3); }
	;

operand:
	item				{ $$ = control_tree_positional($1); }
	| pair
	;

pairs:
	pair				{ $$ = control_tree_add_operand((struct operand_list){ NULL, NULL }, $1); }
	| pairs pair			{ $$ = control_tree_add_operand($1, $2); }
	| pairs ',' pair		{ $$ = control_tree_add_operand($1, $3); }
	;

pair:
	WORD '=' item			{
		$$ = control_tree_operand($1, control_tree_add_value((struct value_list){ NULL, NULL }, $3), false, &@$);
	}
	| WORD '=' '(' items ')'	{ $$ = control_tree_operand($1, $4, true, &@$); }
	;

items:
	item				{ $$ = control_tree_add_value((struct value_list){ NULL, NULL }, $1); }
	| items ',' item		{ $$ = control_tree_add_value($1, $3); }
	;

item:
	WORD
	| STRING
	;

%%

#define EXPECTED_MAX 5

/* Appends "a, b or c": the tokens allowed here. */
static void format_expected(const yypcontext_t *where, struct strbuf *sb)
{
	yysymbol_kind_t expected[EXPECTED_MAX];
	int count = yypcontext_expected_tokens(where, expected, EXPECTED_MAX);

	for (int i = 0; i < count; i++) {
		if (i > 0)
			strbuf_addstr(sb, i == count - 1 ? " or " : ", ");
		strbuf_addstr(sb, yysymbol_name(expected[i]));
	}
}

/* Appends what the parser found: the word itself, or the kind of token. */
static void format_found(const struct control_context *context, const yypcontext_t *where,
			 struct strbuf *sb)
{
	const struct location *at = yypcontext_location(where);
	yysymbol_kind_t found = yypcontext_token(where);

	if (found == YYSYMBOL_END_OF_STATEMENT && context->at_end)
		strbuf_addstr(sb, "the end of the input");
	else if (found == YYSYMBOL_END_OF_STATEMENT)
		strbuf_addstr(sb, "the end of the line");
	else if (found == YYSYMBOL_WORD || found == YYSYMBOL_STRING)
		strbuf_add(sb, context->source->lines[at->line - 1].text + at->column - 1,
			   at->length);
	else
		strbuf_addstr(sb, yysymbol_name(found));
}

static int yyreport_syntax_error(const yypcontext_t *where, yyscan_t scanner UNUSED,
				 struct control_context *context)
{
	struct strbuf expected = STRBUF_INIT, found = STRBUF_INIT;

	if (context->invalid)
		return 0;
	format_expected(where, &expected);
	format_found(context, where, &found);
	diag_add(context->diags, SEVERITY_ERROR, 2004, yypcontext_location(where),
		 "found %s; expected %s", found.text, expected.text);
	strbuf_release(&expected);
	strbuf_release(&found);
	return 0;
}

/* Only called for memory exhaustion; other errors are reported above. */
static void control_yyerror(const struct location *location, yyscan_t scanner UNUSED,
			    struct control_context *context, const char *text)
{
	diag_add(context->diags, SEVERITY_SEVERE, 2005, location,
		 "the statements are too deeply nested: %s", text);
}
