/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary of control statements as tables: the statements, the operands of
 * each with type and range, and what only a later version supports. Internal to
 * the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_OPERANDS_H
#define VIGIL_PARSER_CONTROL_OPERANDS_H

#include "parser/control.h"

/* One bit per form of statement, so that an operand can list all forms it belongs to. */
enum control_form_bit {
	FORM_ADD = 1 << 0,
	FORM_CHANGE = 1 << 1,
	FORM_DELETE = 1 << 2,
	FORM_LIST = 1 << 3,
	FORM_SEND = 1 << 4,
	FORM_END = 1 << 5,
	FORM_REPORT = 1 << 6,
	FORM_INIT = 1 << 7,
	FORM_START = 1 << 8,
	FORM_PAUSE = 1 << 9,
	FORM_CONSOLIDATE = 1 << 10,
	FORM_READ = 1 << 11,
	FORM_FUNCTION_LIST = 1 << 12,
	FORM_FUNCTION_DELETE = 1 << 13,
	FORM_EVENT = 1 << 14,
	FORM_PROGRAM = 1 << 15,
	FORM_COUNT = 1 << 16,
	FORM_TIME = 1 << 17,
	FORM_RUNOPTS = 1 << 18,
	FORM_COLLECT = 1 << 19,
	FORM_EXTRACT = 1 << 20,
	FORM_COMPARE = 1 << 21,
	FORM_HOLD = 1 << 22,
	FORM_RELEASE = 1 << 23,
	FORM_ADDGRP = 1 << 24,
	FORM_SUBMIT = 1 << 25,
	FORM_PDPSIZE = 1 << 26,
};

enum positional_rule { POSITIONAL_NONE, POSITIONAL_OPTIONAL, POSITIONAL_REQUIRED };

/* One form of statement: a verb, a function or a filter. */
struct control_form {
	enum control_verb verb;
	const char *name;
	unsigned bit;
	enum positional_rule positional;
	bool number_allowed; /* the positional operand may be a request number */
	const char *later;   /* description of what is not supported yet; NULL: supported */
};

enum operand_kind {
	OPERAND_FLAG,	 /* KEYWORD alone */
	OPERAND_NUMBER,	 /* minimum..maximum */
	OPERAND_PERCENT, /* minimum..100, with decimals */
	OPERAND_LINES,	 /* 0, or minimum..maximum */
	OPERAND_CHOICE,	 /* one of choices */
	OPERAND_CHOICES, /* a list of choices */
	OPERAND_PATTERN, /* a name with * and %, at most maximum characters */
	OPERAND_PATTERNS,
	OPERAND_STEP,	    /* step or step.procstep, patterns */
	OPERAND_COLLECTORS, /* names that begin with STRB */
	OPERAND_CODES,	    /* report codes */
	OPERAND_TEXT,	    /* anything, at most maximum characters */
	OPERAND_TEXTS,	    /* a list of texts, which may repeat */
	OPERAND_LIMIT,	    /* n or (n,action) */
	OPERAND_RANGE,	    /* (from,to), each minimum..maximum */
	OPERAND_CLOCK,	    /* hh:mm:ss */
	OPERAND_CLOCKS,	    /* (hh:mm:ss,hh:mm:ss) */
	OPERAND_RESOURCE,   /* a name without a path, at most maximum characters */
	OPERAND_RESOURCES,  /* the same, with * and ? */
	OPERAND_DATE,	    /* one date in the syntax of OPERAND_DATES */
	OPERAND_DATES,	    /* mm/dd/yy, mm/dd/yyyy, separators / - . */
	OPERAND_TIMES,	    /* hh:mm, with am or pm */
	OPERAND_ANY,	    /* not checked: the operand is refused */
};

struct control_rule {
	unsigned forms;
	const char *keyword;
	const char *canonical; /* the keyword of which it is another spelling; NULL: none */
	enum operand_kind kind;
	uint64_t minimum, maximum;
	const char *choices; /* "ON OFF" */
	const char *later;   /* why it is refused; NULL: supported */
};

/* Returns the verb of a request statement; CONTROL_UNKNOWN if word is none. */
enum control_verb control_find_verb(const char *word);
/* Returns what a known but unsupported verb does; NULL if word is no such verb. */
const char *control_verb_later(const char *word);
/* Returns the form of a statement; NULL: no such name. */
const struct control_form *control_find_form(enum control_verb verb, const char *name);
/* Returns the function with a name. */
enum control_function control_find_function(const char *name);
/* Returns the rule of an operand of a form; NULL: the form has no such operand. */
const struct control_rule *control_find_rule(unsigned form, const char *keyword);
/* Appends "A, B and C": the names of a verb's forms, or a form's supported operands. */
void control_list_forms(enum control_verb verb, struct strbuf *sb);
void control_list_rules(unsigned form, struct strbuf *sb);
/* Returns whether text is one of the blank-separated words. */
bool control_in_words(const char *words, const char *text);

#endif
