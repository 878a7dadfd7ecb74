/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reformatting of records: INREC, OUTREC and OUTFIL with
 *
 *	FIELDS=(...) BUILD=(...) OUTREC=(...)   OVERLAY=(...)   FINDREP=(...)
 *	IFTHEN=(WHEN=INIT|NONE|(condition),BUILD=|OVERLAY=|FINDREP=...[,HIT=NEXT])
 *	IFTHEN=(WHEN=GROUP,BEGIN=(condition)|KEYBEGIN=(p,m)|END=(condition)|RECORDS=n,PUSH=(c:ID=n,c:SEQ=n,c:p,m))
 *	IFOUTLEN=n
 *
 * Variable records begin with their descriptor of four bytes, before and after.
 */
#ifndef VIGIL_UTILITIES_SORT_REFORMAT_H
#define VIGIL_UTILITIES_SORT_REFORMAT_H

#include "common/error.h"
#include "utilities/sort/condition.h"
#include "utilities/sort/item.h"

#define DESCRIPTOR_SIZE 4

/* A text that FINDREP finds and what stands for it; empty: nothing. */
struct replacement {
	struct strbuf find, set;
};

/* What PUSH puts into the records of a group. */
struct group_push {
	size_t column; /* from 0 */
	enum { PUSH_NUMBER, PUSH_SEQUENCE, PUSH_FIELD } kind;
	struct sort_field field; /* its length is that of all kinds */
	struct strbuf bytes;	 /* of the record that began the group */
};

struct group {
	struct condition *begin, *end;
	struct sort_field key; /* length 0: none */
	uint64_t records;      /* 0: no limit */
	struct group_push *pushes;
	size_t push_count, push_alloc;
	/* The group at the moment. */
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
	size_t most, from, to; /* FINDREP: how often, where; 0: no limit */
	struct group group;
};

struct reformat {
	struct reformat_clause *clauses;
	size_t count, alloc;
	bool whole; /* BUILD, OVERLAY or FINDREP without IFTHEN: there is no other way beside it */
	size_t length; /* IFOUTLEN; 0 not said */
	struct item_lines lines[2];
};

void reformat_init(struct reformat *reformat);
/*
 * Returns whether one of the keywords above comes next; it is parsed. fields:
 * FIELDS=, or OUTREC=, is one too.
 */
bool reformat_scan(struct scan *scan, struct reformat *reformat, const char *fields);
/* Length of the longest record that comes out when those that come in have length bytes. */
size_t reformat_length(const struct reformat *reformat, size_t length);
/* Returns whether there are items of this kind: a record can become several with ITEM_LINE. */
bool reformat_has(const struct reformat *reformat, enum item_kind kind);
/*
 * Returns whether a BUILD of variable records begins with their descriptor; -1
 * with the reason when not.
 */
int reformat_check(const struct reformat *reformat, struct error *err);
/*
 * Makes one record into lines, which stay until the next call. variable: those
 * that come out have a descriptor, which is set. NULL with the reason when a
 * record cannot be made.
 */
const struct item_lines *reformat_run(struct reformat *reformat, const struct sort_record *record,
				      const struct item_context *context, bool variable,
				      struct error *err);
/* The record number i of lines. */
struct sort_record reformat_line(const struct item_lines *lines, size_t i);
/* Sets the record descriptor word of a record of length bytes, itself included. */
void reformat_set_descriptor(char *record, size_t length);
void reformat_release(struct reformat *reformat);

#endif
