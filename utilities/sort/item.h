/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What output records are built of: the items of BUILD=, OUTREC FIELDS=,
 * OVERLAY=, HEADERn= and TRAILERn=.
 *
 *	c:		  go to column c
 *	p,m  p		  bytes of the record; from p to its end
 *	p,m,HEX  p,m,TRAN=LTOU|UTOL|HEX|UNHEX|ALTSEQ
 *	p,m,CHANGE=(v,find,set,...),NOMATCH=(set)
 *	p,m,JFY=(...)  p,m,SQZ=(...)	(squeeze.h)
 *	p,m,f[,editing]	  a number, or an expression (value.h)
 *	nX nZ nC'..' nX'..' C'..'  DATE1 ...  SEQNUM,n,f[,START=n][,INCR=n][,RESTART=(p,m)]
 *	/  n/		  a new line
 *
 * Reports also: COUNT, COUNT=(editing), TOTAL=, MIN=, MAX=, AVG= (p,m,f,editing) and
 * their SUB... forms, PAGE.
 */
#ifndef VIGIL_UTILITIES_SORT_ITEM_H
#define VIGIL_UTILITIES_SORT_ITEM_H

#include "utilities/sort/edit.h"
#include "utilities/sort/squeeze.h"
#include "utilities/sort/value.h"

enum item_kind {
	ITEM_BYTES,
	ITEM_FIELD,
	ITEM_REST,
	ITEM_TRANSLATE,
	ITEM_HEX,
	ITEM_UNHEX,
	ITEM_CHANGE,
	ITEM_SQUEEZE,
	ITEM_NUMBER,
	ITEM_SEQUENCE,
	ITEM_LINE,
	ITEM_PAGE,
	ITEM_COUNT,
	ITEM_STATISTIC,
};

/* find and set of CHANGE. */
struct item_change {
	struct strbuf find, set;
	struct sort_field field; /* set is this field when its length is not 0 */
};

struct sort_item {
	enum item_kind kind;
	size_t column;	     /* from 0; SIZE_MAX: where the line is */
	size_t length;	     /* bytes it makes; ITEM_REST 0 */
	struct strbuf bytes; /* ITEM_BYTES */
	struct sort_field field;
	enum item_table { TABLE_UPPER, TABLE_LOWER, TABLE_ALTSEQ } table;
	bool translated; /* ITEM_REST: by the table too */
	struct value *value;
	struct edit edit;
	struct squeeze *squeeze; /* JFY, SQZ */
	struct item_change *changes;
	size_t change_count, change_alloc;
	/* SEQUENCE */
	sort_number start, step, next;
	struct sort_field restart;
	struct strbuf last; /* restart's bytes */
	bool started;
	/* COUNT, STATISTIC */
	enum item_statistic {
		STATISTIC_TOTAL,
		STATISTIC_MIN,
		STATISTIC_MAX,
		STATISTIC_AVG
	} statistic;
	bool running; /* SUB...: not begun anew at a new page or section */
	uint64_t count;
	sort_number total, least, most;
};

struct item_list {
	struct sort_item *items;
	size_t count, alloc;
};

/* What items need beside the record. */
struct item_context {
	const unsigned char *altseq; /* 256 bytes */
	char fill;		     /* of fields beyond a record's end */
	bool fixed;		     /* records are of one length, not lines of text */
	uint64_t page;
};

/* Lines that were built: one after the other, ends[i] is where line i ends. */
struct item_lines {
	struct strbuf text;
	size_t *ends;
	size_t count, alloc;
};

/* Parses "(item,...)". report: those of reports are allowed too. */
void item_list_parse(struct scan *scan, struct item_list *list, bool report);
void item_list_release(struct item_list *list);
/* Bytes of the longest line; below: of the record that the items are put upon (0 for BUILD), input:
 * of the one they are taken from. */
size_t item_list_length(const struct item_list *list, size_t below, size_t input);
bool item_list_has(const struct item_list *list, enum item_kind kind);
/*
 * Appends what the items make of a record to lines, whose last line is open:
 * OVERLAY finds the record there.
 */
void item_list_run(struct item_list *list, const struct sort_record *record,
		   const struct item_context *context, struct item_lines *lines);
/* The line that was open ends. */
void item_lines_end(struct item_lines *lines);
void item_lines_reset(struct item_lines *lines);
void item_lines_release(struct item_lines *lines);
/* Statistics: take a record in; begin anew (all: also the running ones). */
void item_list_count(struct item_list *list, const struct sort_record *record);
void item_list_restart(struct item_list *list, bool all);

#endif
