/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items of which output records are built: BUILD=, OUTREC FIELDS=, OVERLAY=,
 * HEADERn= and TRAILERn=.
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
 * Only reports: COUNT, COUNT=(editing), TOTAL=, MIN=, MAX=, AVG= (p,m,f,editing)
 * and their SUB... forms, PAGE.
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

/* A find and set pair of CHANGE. */
struct item_change {
	struct strbuf find, set;
	struct sort_field field; /* length not 0: set is this field */
};

struct sort_item {
	enum item_kind kind;
	size_t column;	     /* from 0; SIZE_MAX: the end of the line */
	size_t length;	     /* bytes it produces; 0 for ITEM_REST */
	struct strbuf bytes; /* ITEM_BYTES */
	struct sort_field field;
	enum item_table { TABLE_UPPER, TABLE_LOWER, TABLE_ALTSEQ } table;
	bool translated; /* ITEM_REST: also translated by the table */
	struct value *value;
	struct edit edit;
	struct squeeze *squeeze; /* JFY, SQZ */
	struct item_change *changes;
	size_t change_count, change_alloc;
	/* SEQUENCE */
	sort_number start, step, next;
	struct sort_field restart;
	struct strbuf last; /* bytes of restart's field in the last record */
	bool started;
	/* COUNT, STATISTIC */
	enum item_statistic {
		STATISTIC_TOTAL,
		STATISTIC_MIN,
		STATISTIC_MAX,
		STATISTIC_AVG
	} statistic;
	bool running; /* SUB...: not reset at a new page or section */
	uint64_t count;
	sort_number total, least, most;
};

struct item_list {
	struct sort_item *items;
	size_t count, alloc;
};

/* What items need in addition to the record. */
struct item_context {
	const unsigned char *altseq; /* 256 bytes */
	char fill;		     /* for fields beyond a record's end */
	bool fixed;		     /* records are of one length, not lines of text */
	uint64_t page;
};

/* The lines that were built, one after the other; line i ends at ends[i]. */
struct item_lines {
	struct strbuf text;
	size_t *ends;
	size_t count, alloc;
};

/* Parses "(item,...)". report: items of reports are allowed too. */
void item_list_parse(struct scan *scan, struct item_list *list, bool report);
void item_list_release(struct item_list *list);
/*
 * Returns the bytes of the longest line. below: length of the record that the
 * items overlay (0 for BUILD); input: of the record they are taken from.
 */
size_t item_list_length(const struct item_list *list, size_t below, size_t input);
bool item_list_has(const struct item_list *list, enum item_kind kind);
/*
 * Appends what the items make of a record to lines, whose last line is open; for
 * OVERLAY it holds the record.
 */
void item_list_run(struct item_list *list, const struct sort_record *record,
		   const struct item_context *context, struct item_lines *lines);
/* Ends the open line. */
void item_lines_end(struct item_lines *lines);
void item_lines_reset(struct item_lines *lines);
void item_lines_release(struct item_lines *lines);
/*
 * Statistics: item_list_count adds a record; item_list_restart resets them (all:
 * the running ones too).
 */
void item_list_count(struct item_list *list, const struct sort_record *record);
void item_list_restart(struct item_list *list, bool all);

#endif
