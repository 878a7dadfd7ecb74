/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary of control statements as data: which statements there are,
 * which operands each takes, of which type and range, and what a later
 * version will carry out. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_OPERANDS_H
#define VIGIL_PARSER_CONTROL_OPERANDS_H

#include "parser/control.h"

/* One bit a form of statement, so that an operand can name all it belongs to. */
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
	const char *later;   /* what is not carried out, NULL: it is */
};

enum operand_kind {
	OPERAND_FLAG,	 /* KEYWORD alone */
	OPERAND_NUMBER,	 /* minimum..maximum */
	OPERAND_PERCENT, /* minimum..100, with decimals */
	OPERAND_LINES,	 /* 0, or minimum..maximum */
	OPERAND_CHOICE,	 /* one of choices */
	OPERAND_CHOICES, /* a list of them */
	OPERAND_PATTERN, /* a name with * and %, at most maximum characters */
	OPERAND_PATTERNS,
	OPERAND_STEP,	    /* step or step.procstep, patterns */
	OPERAND_COLLECTORS, /* names that begin with STRB */
	OPERAND_CODES,	    /* report codes */
	OPERAND_TEXT,	    /* anything, at most maximum characters */
	OPERAND_TEXTS,	    /* a list of them, which may repeat a text */
	OPERAND_LIMIT,	    /* n or (n,action) */
	OPERAND_RANGE,	    /* (from,to), each minimum..maximum */
	OPERAND_CLOCK,	    /* hh:mm:ss */
	OPERAND_CLOCKS,	    /* (hh:mm:ss,hh:mm:ss) */
	OPERAND_RESOURCE,   /* a name without a path, at most maximum characters */
	OPERAND_RESOURCES,  /* the same, * and ? allowed */
	OPERAND_DATE,	    /* one of the following */
	OPERAND_DATES,	    /* mm/dd/yy, mm/dd/yyyy, separators / - . */
	OPERAND_TIMES,	    /* hh:mm, with am or pm */
	OPERAND_ANY,	    /* not looked at: the operand is refused */
};

struct control_rule {
	unsigned forms;
	const char *keyword;
	const char *canonical; /* the keyword it is another spelling of, NULL */
	enum operand_kind kind;
	uint64_t minimum, maximum;
	const char *choices; /* "ON OFF" */
	const char *later;   /* why it is refused, NULL: it is carried out */
};

/* The verb of a request statement; CONTROL_UNKNOWN when it is none. */
enum control_verb control_find_verb(const char *word);
/* What a verb that is known but not carried out does; NULL when the word is no such verb. */
const char *control_verb_later(const char *word);
/* The form of a statement; NULL when there is none of that name. */
const struct control_form *control_find_form(enum control_verb verb, const char *name);
/* The function of a name. */
enum control_function control_find_function(const char *name);
/* The rule of an operand of a form; NULL when the form has no such operand. */
const struct control_rule *control_find_rule(unsigned form, const char *keyword);
/* Append "A, B and C": the names of a verb's forms, or the operands of a form that are carried out.
 */
void control_list_forms(enum control_verb verb, struct strbuf *sb);
void control_list_rules(unsigned form, struct strbuf *sb);
/* Whether text is one of the blank-separated words. */
bool control_in_words(const char *words, const char *text);

#endif
