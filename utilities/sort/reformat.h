/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reformatting of records: INREC, OUTREC and OUTFIL with
 *
 *	FIELDS=(...) BUILD=(...) OUTREC=(...)   OVERLAY=(...)   FINDREP=(...)
 *	IFTHEN=(WHEN=INIT|NONE|(condition),BUILD=|OVERLAY=|FINDREP=...[,HIT=NEXT])
 *	IFTHEN=(WHEN=GROUP,BEGIN=(condition)|KEYBEGIN=(p,m)|END=(condition)|RECORDS=n,PUSH=(c:ID=n,c:SEQ=n,c:p,m))
 *	IFOUTLEN=n
 *
 * Variable records begin with their descriptor of four bytes, in the input and in
 * the result.
 */
#ifndef VIGIL_UTILITIES_SORT_REFORMAT_H
#define VIGIL_UTILITIES_SORT_REFORMAT_H

#include "common/error.h"
#include "utilities/sort/condition.h"
#include "utilities/sort/item.h"

#define DESCRIPTOR_SIZE 4

/* A text that FINDREP finds and its replacement; empty: the text is deleted. */
struct replacement {
	struct strbuf find, set;
};

/* What PUSH puts into the records of a group. */
struct group_push {
	size_t column; /* from 0 */
	enum { PUSH_NUMBER, PUSH_SEQUENCE, PUSH_FIELD } kind;
	struct sort_field field; /* its length is the length of every kind of push */
	struct strbuf bytes;	 /* taken from the record that began the group */
};

struct group {
	struct condition *begin, *end;
	struct sort_field key; /* length 0: no key */
	uint64_t records;      /* 0: no limit */
	struct group_push *pushes;
	size_t push_count, push_alloc;
	/* State of the current group. */
	bool open, keyed;
	uint64_t number, sequence;
	struct strbuf last; /* key of the record before */
};

struct reformat_clause {
	enum { CLAUSE_ALWAYS, CLAUSE_CONDITION, CLAUSE_NONE, CLAUSE_GROUP } when;
	enum { CLAUSE_NOTHING, CLAUSE_BUILD, CLAUSE_OVERLAY, CLAUSE_FINDREP, CLAUSE_PUSH } action;
	struct condition *condition;
	bool hit_next;
	struct item_list items;
	struct replacement *replacements;
	size_t replacement_count, replacement_alloc;
	size_t most, from, to; /* FINDREP: maximum number of replacements, range of columns; 0:
			        * no limit */
	struct group group;
};

struct reformat {
	struct reformat_clause *clauses;
	size_t count, alloc;
	bool whole; /* BUILD, OVERLAY or FINDREP without IFTHEN: no other clause is allowed */
	size_t length; /* IFOUTLEN; 0: not given */
	struct item_lines lines[2];
};

void reformat_init(struct reformat *reformat);
/*
 * Parses one of the keywords above if it is next; returns whether it was. fields:
 * FIELDS=, or OUTREC=, is one of them.
 */
bool reformat_scan(struct scan *scan, struct reformat *reformat, const char *fields);
/* Returns the length of the longest resulting record when the input records have length bytes. */
size_t reformat_length(const struct reformat *reformat, size_t length);
/* Returns whether there are items of this kind; with ITEM_LINE a record can become several. */
bool reformat_has(const struct reformat *reformat, enum item_kind kind);
/*
 * Checks that a BUILD of variable records begins with their descriptor; -1 with
 * the reason if not.
 */
int reformat_check(const struct reformat *reformat, struct error *err);
/*
 * Makes lines from one record; they are valid until the next call. variable: the
 * resulting records get a descriptor. NULL with the reason when a record cannot be
 * made.
 */
const struct item_lines *reformat_run(struct reformat *reformat, const struct sort_record *record,
				      const struct item_context *context, bool variable,
				      struct error *err);
/* Returns line i as a record. */
struct sort_record reformat_line(const struct item_lines *lines, size_t i);
/* Sets the record descriptor word of a record of length bytes, which include the descriptor. */
void reformat_set_descriptor(char *record, size_t length);
void reformat_release(struct reformat *reformat);

#endif
