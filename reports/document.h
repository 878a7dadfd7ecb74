/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report before it is printed: blocks of pairs, tables and notes, which
 * every device walks. Values are kept in full; devices choose the form. So
 * the listing, CSV and JSON show the same rows and the same totals.
 *
 * Rows of a table are filled from left to right, one call a column. Columns
 * marked additive add up: the detail rows of a table make its TOTAL, and
 * those since table_begin_group the next SUBTOTAL; document_check tests it.
 *
 * A table that may be longer than memory flows: its report calls table_flow
 * after each row, and rows that have come so far go to the device. All that
 * stands before the table is in the document by then, and its own columns do
 * not depend on rows that follow (no BAR).
 */
#ifndef VIGIL_REPORTS_DOCUMENT_H
#define VIGIL_REPORTS_DOCUMENT_H

#include "common/diag.h"
#include "common/strbuf.h"
#include "reports/tokens.h"

enum column_type {
	COLUMN_NAME,	/* text; a token where it does not fit */
	COLUMN_PATH,	/* text; its end where it does not fit */
	COLUMN_TEXT,	/* text; cut with ".." where it does not fit */
	COLUMN_NUMBER,	/* whole number */
	COLUMN_HEX,	/* whole number, an offset */
	COLUMN_BYTES,	/* whole number, shown as 12.3M */
	COLUMN_TIME,	/* ns, shown as mm.ss.hh */
	COLUMN_AVERAGE, /* ns, shown as milliseconds */
	COLUMN_PERCENT, /* real, two decimals */
	COLUMN_REAL,	/* the same of what is no share: a mean number */
	COLUMN_BAR,	/* no value: drawn from the columns named in bar and bar_solo */
};

enum column_flags {
	COLUMN_ADDITIVE = 1,  /* details add up to totals */
	COLUMN_DATA_ONLY = 2, /* not in listings */
	COLUMN_MARGIN = 4,    /* in listings only when margins are asked for */
	COLUMN_OTHER = 8,     /* in listings only of tables in which row_file shows something */
	COLUMN_YIELDS = 16,   /* narrower by a column of OTHER that is shown */
	COLUMN_MINOR = 64,   /* the first to go where a line is narrow; the further right the sooner */
	COLUMN_LEVELS = 32,   /* a character for each hundredth of the run: ' ' nothing, '.', 1 to 9 tenths, '+'; may be drawn */
};

struct column {
	const char *id;	     /* for CSV and JSON: lower case, '_', with unit */
	const char *group;   /* shown above neighbouring columns of the same group, or NULL */
	const char *heading; /* upper case */
	unsigned width;	     /* columns of a listing; a BAR takes what is left */
	enum column_type type;
	unsigned flags;
	const char *legend; /* what it means, for people; NULL when said elsewhere */
	const char *bar, *bar_solo;
};
/* A column of figures; further initialisers follow by name. */
#define FIGURE(type_, id_, group_, heading_, width_, ...) \
	{ \
		.id = id_, .group = group_, .heading = heading_, .width = width_, .type = type_, \
		__VA_ARGS__ \
	}

enum value_type { VALUE_NONE, VALUE_TEXT, VALUE_NUMBER, VALUE_REAL };

/* How a listing shows a value. */
enum value_mark {
	MARK_NONE,
	MARK_AT_LEAST, /* ">=" before it */
	MARK_UNKNOWN,  /* "-": there is no value */
};

struct value {
	enum value_type type;
	enum value_mark mark;
	uint64_t number;
	double real;
	char *text;	   /* owned */
	const char *token; /* what listings show instead: the tokens', or ""; or NULL */
};

enum row_kind {
	ROW_DETAIL,
	ROW_OTHER, /* what was folded; counts as a detail */
	ROW_SUBTOTAL,
	ROW_TOTAL,
};

/* In which listings show a row where colours are wanted. */
enum row_colour { ROW_PLAIN, ROW_GREEN, ROW_YELLOW, ROW_RED };

struct table;

struct row {
	enum row_kind kind;
	bool begins_group; /* the next SUBTOTAL counts from here */
	double share;	   /* percent by which listings colour the row; 0: not at all */
	enum row_colour colour; /* goes before the share */
	size_t filled;
	struct value *values;
	char *below; /* a line that listings show below it, or NULL; owned. Data has it in a column. */
};

struct pair {
	const char *id, *label; /* static */
	enum column_type type;
	struct value value;
};

struct table {
	char *title;	      /* shown above it; "" for none */
	const char *id;	      /* for CSV and JSON */
	struct pair *context; /* what all rows have in common: shown above, columns in CSV */
	size_t context_count, context_alloc;
	const struct column *columns; /* static */
	size_t column_count;
	struct row *rows;
	size_t row_count, row_alloc;
	const char *bar_title; /* static; "CPU TIME HISTOGRAM" */
	double bar_margin;     /* shown in the bar's heading; below 0: none */
	bool begins_group;     /* of the next row */
	bool shows_other;      /* columns of OTHER have something to show */
	struct document *document;
};

/* Pairs side by side in listings: a titled column each. */
struct pair_group {
	const char *id, *title; /* static */
	struct pair *pairs;
	size_t count, alloc;
};

enum block_kind { BLOCK_TABLE, BLOCK_PAIRS, BLOCK_TEXT, BLOCK_NOTE };

struct block {
	enum block_kind kind;
	struct table *table;	   /* TABLE */
	struct pair_group *groups; /* PAIRS */
	size_t group_count;
	char *text;	 /* TEXT and NOTE, one paragraph */
	unsigned number; /* NOTE: digits of the message id, 0 none */
	enum severity severity;
};

/* Where rows go while a table is made. */
struct document_flow {
	void (*rows)(struct document_flow *flow, struct document *document, struct table *table);
};

struct document {
	struct document_flow *flow; /* borrowed; NULL: all rows are kept */
	const char *code, *title; /* static: "PSU", "Program Section Usage Summary" */
	struct block *blocks;
	size_t count, alloc;
	struct tokens *tokens; /* borrowed */
	bool noted; /* in CSV it has a last column for notes, whether there are any or not */
};

void document_init(struct document *document, const char *code, const char *title,
		   struct tokens *tokens);
void document_release(struct document *document);

/* Add a paragraph; it is part of the listing and of no data device. */
void document_text(struct document *document, const char *format, ...) PRINTFLIKE(2, 3);
/* Add a note with a message id. */
void document_note(struct document *document, enum severity severity, unsigned number,
		   const char *format, ...) PRINTFLIKE(4, 5);
/* Add groups of pairs shown side by side; fill each with pair_... before the next is added. */
struct pair_group *document_pairs(struct document *document, size_t group_count);
void pair_text(struct pair_group *group, const char *id, const char *label, const char *text);
void pair_number(struct pair_group *group, const char *id, const char *label, enum column_type type,
		 uint64_t number);
void pair_real(struct pair_group *group, const char *id, const char *label, double real);

/* Add a table; title may be NULL. The table stays where it is until the document is released. */
struct table *document_table(struct document *document, const char *id, const char *title,
			     const struct column *columns, size_t column_count);
void table_context(struct table *table, const char *id, const char *label, const char *text);
/* The same with a name: where columns of width would show a token, it is shown, too. */
void table_context_name(struct table *table, const char *id, const char *label, const char *name,
			size_t width);
/* The next row begins a group that a SUBTOTAL sums up. */
void table_begin_group(struct table *table);
/* The row is valid until the next is added. */
struct row *table_row(struct table *table, enum row_kind kind);
void row_text(struct table *table, struct row *row, const char *text);
/*
 * The file of a line, for a column of OTHER. Data has the whole path; listings show other, the file's
 * name where it has to be told ("" where it is the one that the row's section is called by).
 */
void row_file(struct table *table, struct row *row, const char *path, const char *other);
/* A name in a listing's column behind so many blanks and before a note (" (inlined)"); data has the name. */
void row_indented(struct table *table, struct row *row, const char *name, size_t indent,
		  const char *note);
/* What a listing says below the row. */
void row_below(struct row *row, const char *format, ...) PRINTFLIKE(2, 3);
void row_number(struct table *table, struct row *row, uint64_t number);
/* A number that is known to be at least so large. */
void row_at_least(struct table *table, struct row *row, uint64_t number);
/* What nobody knows. */
void row_unknown(struct table *table, struct row *row);
void row_real(struct table *table, struct row *row, double real);
void row_skip(struct table *table, struct row *row, size_t count);

/* Let the rows that are complete go, when there are many and there is a flow. */
void table_flow(struct table *table);
/* Append what does not add up, a line each; returns how many. */
size_t document_check(const struct document *document, struct strbuf *sb);
/* The first total row of a table of the document by id, NULL when there is none. */
const struct row *document_total(const struct document *document, const char *table,
				 const struct table **found);
/* The number of a column by its id, SIZE_MAX when there is none. */
size_t table_column(const struct table *table, const char *id);

#endif
