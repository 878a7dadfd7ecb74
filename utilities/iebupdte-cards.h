/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the input of IEBUPDTE: "./" statements, each with the data cards that follow it. */
#ifndef VIGIL_UTILITIES_IEBUPDTE_CARDS_H
#define VIGIL_UTILITIES_IEBUPDTE_CARDS_H

#include "utilities/utility.h"

enum iebupdte_operation {
	UPDATE_ADD,
	UPDATE_REPL,
	UPDATE_CHANGE,
	UPDATE_REPRO,
	UPDATE_NUMBER,
	UPDATE_DELETE,
	UPDATE_ALIAS,
	UPDATE_ENDUP,
};

/* The columns of a sequence number. */
struct sequence_field {
	unsigned start, length; /* start: from 0 */
};

struct iebupdte_statement {
	enum iebupdte_operation operation;
	unsigned line;			/* of SYSIN */
	char *name;			/* NAME, the member's name; NULL: not given */
	char *member;			/* MEMBER, its name in the new master; NULL: not given */
	bool list;			/* LIST=ALL */
	unsigned column;		/* COLUMN, from 0 */
	struct sequence_field old, new; /* SEQFLD */
	bool all, insert;		/* SEQ1=ALL, INSERT=YES */
	char first[9], last[9];		/* SEQ1, SEQ2; "": not given */
	uint64_t start, step;		/* NEW1, INCR */
	bool has_start, has_step;
	const struct source_line *data; /* the cards that follow the statement; they belong to
					 * the source */
	size_t data_count;
	bool in_place; /* UPDATE=INPLACE */
	bool broken;
	struct iebupdte_statement *next;
};

/*
 * Reads the statements up to ENDUP. An error is reported (IEB805I), and the
 * function that contains it is marked broken: the caller must not execute it.
 */
struct iebupdte_statement *iebupdte_read(struct utility *utility, const struct source *source);
void iebupdte_free(struct iebupdte_statement *list);
/* Reports IEB805I CONTROL STATEMENT ERROR, return code 4. Returns -1. */
int iebupdte_report_error(struct utility *utility, unsigned line, const char *format, ...) PRINTFLIKE(3, 4);

#endif
