/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report before it is printed: blocks of pairs, tables and notes, which every
 * device walks. Values are stored in full; devices choose the form. So the
 * listing, CSV and JSON show the same rows and the same totals.
 *
 * Rows of a table are filled from left to right, one call per column. Columns
 * marked additive add up: the detail rows of a table add up to its TOTAL, and
 * those since table_begin_group to the next SUBTOTAL; document_check tests it.
 *
 * A table that may be larger than memory flows: its report calls table_flow after
 * each row, and the rows so far go to the device. Everything before the table must
 * be in the document by then, and its columns must not depend on rows that follow
 * (no BAR).
 */
#ifndef VIGIL_REPORTS_DOCUMENT_H
#define VIGIL_REPORTS_DOCUMENT_H

#include "common/diag.h"
#include "common/strbuf.h"
#include "reports/tokens.h"

enum column_type {
	COLUMN_NAME,	/* text; a token if it does not fit */
	COLUMN_PATH,	/* text; its end if it does not fit */
	COLUMN_TEXT,	/* text; truncated with ".." if it does not fit */
	COLUMN_NUMBER,	/* whole number */
	COLUMN_HEX,	/* whole number, an offset */
	COLUMN_BYTES,	/* whole number, shown as 12.3M */
	COLUMN_TIME,	/* ns, shown as mm.ss.hh */
	COLUMN_AVERAGE, /* ns, shown as milliseconds */
	COLUMN_PERCENT, /* real, two decimals */
	COLUMN_REAL,	/* the same for a mean, which is no share */
	COLUMN_BAR,	/* no value: drawn from the columns named in bar and bar_solo */
};

enum column_flags {
	COLUMN_ADDITIVE = 1,  /* details add up to totals */
	COLUMN_DATA_ONLY = 2, /* not in listings */
	COLUMN_MARGIN = 4,    /* in listings only if margins are requested */
	COLUMN_OTHER = 8,     /* in listings only for tables where row_file shows something */
	COLUMN_YIELDS = 16,   /* narrower by the width of a shown column of OTHER */
	COLUMN_MINOR = 64,   /* dropped first where lines are narrow, from right to left */
	COLUMN_LEVELS = 32,   /* a character per hundredth of the run: ' ' nothing, '.', 1 to 9
			       * tenths, '+'; may be drawn */
};

struct column {
	const char *id;	     /* for CSV and JSON: lower case, '_', with unit */
	const char *group;   /* shown above adjacent columns of the same group, or NULL */
	const char *heading; /* upper case */
	unsigned width;	     /* in columns of a listing; a BAR takes the rest */
	enum column_type type;
	unsigned flags;
	const char *legend; /* explanation for readers; NULL: explained elsewhere */
	const char *bar, *bar_solo;
};
/* Declares a column of figures; further initializers follow by name. */
#define FIGURE(type_, id_, group_, heading_, width_, ...) \
	{ \
		.id = id_, .group = group_, .heading = heading_, .width = width_, .type = type_, \
		__VA_ARGS__ \
	}

enum value_type { VALUE_NONE, VALUE_TEXT, VALUE_NUMBER, VALUE_REAL };

/* How a listing shows a value. */
enum value_mark {
	MARK_NONE,
	MARK_AT_LEAST, /* shown as ">=" before the value */
	MARK_UNKNOWN,  /* shown as "-": there is no value */
};

struct value {
	enum value_type type;
	enum value_mark mark;
	uint64_t number;
	double real;
	char *text;	   /* owned */
	const char *token; /* what listings show instead: a token, owned by tokens, or ""; or
			    * NULL */
};

enum row_kind {
	ROW_DETAIL,
	ROW_OTHER, /* what was folded; counts as a detail */
	ROW_SUBTOTAL,
	ROW_TOTAL,
};

/* The colour of a row in listings with colours. */
enum row_colour { ROW_PLAIN, ROW_GREEN, ROW_YELLOW, ROW_RED };

struct table;

struct row {
	enum row_kind kind;
	bool begins_group; /* the next SUBTOTAL sums from here */
	double share;	   /* percent that determines the row's colour in listings; 0: none */
	enum row_colour colour; /* overrides the share */
	size_t filled;
	struct value *values;
	char *below; /* a line that listings show below the row, or NULL; owned. Data devices
		      * have it in a column. */
};

struct pair {
	const char *id, *label; /* static */
	enum column_type type;
	struct value value;
};

struct table {
	char *title;	      /* shown above it; "": none */
	const char *id;	      /* for CSV and JSON */
	struct pair *context; /* common to all rows: shown above, columns in CSV */
	size_t context_count, context_alloc;
	const struct column *columns; /* static */
	size_t column_count;
	struct row *rows;
	size_t row_count, row_alloc;
	const char *bar_title; /* static; "CPU TIME HISTOGRAM" */
	double bar_margin;     /* shown in the bar's heading; below 0: none */
	bool begins_group;     /* for the next row */
	bool shows_other;      /* columns of OTHER have something to show */
	struct document *document;
};

/* Pairs side by side in listings: one titled column each. */
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
	unsigned number; /* NOTE: digits of the message id, 0: none */
	enum severity severity;
};

/* Receives rows while a table is made. */
struct document_flow {
	void (*rows)(struct document_flow *flow, struct document *document, struct table *table);
};

struct document {
	struct document_flow *flow; /* borrowed; NULL: all rows are kept */
	const char *code, *title; /* static: "PSU", "Program Section Usage Summary" */
	struct block *blocks;
	size_t count, alloc;
	struct tokens *tokens; /* borrowed */
	bool noted; /* in CSV it always has a last column for notes, even if there are none */
};

void document_init(struct document *document, const char *code, const char *title,
		   struct tokens *tokens);
void document_release(struct document *document);

/* Adds a paragraph; it appears in listings but on no data device. */
void document_text(struct document *document, const char *format, ...) PRINTFLIKE(2, 3);
/* Adds a note with a message id. */
void document_note(struct document *document, enum severity severity, unsigned number,
		   const char *format, ...) PRINTFLIKE(4, 5);
/* Adds groups of pairs shown side by side; fill each with pair_... before adding the next block. */
struct pair_group *document_pairs(struct document *document, size_t group_count);
void pair_text(struct pair_group *group, const char *id, const char *label, const char *text);
void pair_number(struct pair_group *group, const char *id, const char *label, enum column_type type,
		 uint64_t number);
void pair_real(struct pair_group *group, const char *id, const char *label, double real);

/* Adds a table; title may be NULL. The table's address is stable until the document is released. */
struct table *document_table(struct document *document, const char *id, const char *title,
			     const struct column *columns, size_t column_count);
void table_context(struct table *table, const char *id, const char *label, const char *text);
/* The same with a name: where columns of width would show a token, the token is shown, too. */
void table_context_name(struct table *table, const char *id, const char *label, const char *name,
			size_t width);
/* Begins a group with the next row, which a SUBTOTAL sums up. */
void table_begin_group(struct table *table);
/* Adds a row, which is valid until the next one is added. */
struct row *table_row(struct table *table, enum row_kind kind);
void row_text(struct table *table, struct row *row, const char *text);
/*
 * Sets the file of a line, for a column of OTHER. Data has the whole path;
 * listings show other, the file's name if it has to be shown ("" if the row's
 * section is named after it).
 */
void row_file(struct table *table, struct row *row, const char *path, const char *other);
/*
 * Sets a name that listings indent by this many blanks and follow by a note ("
 * (inlined)"); data has the plain name.
 */
void row_indented(struct table *table, struct row *row, const char *name, size_t indent,
		  const char *note);
/* Sets the line that a listing shows below the row. */
void row_below(struct row *row, const char *format, ...) PRINTFLIKE(2, 3);
void row_number(struct table *table, struct row *row, uint64_t number);
/* Sets a number that is a lower bound. */
void row_at_least(struct table *table, struct row *row, uint64_t number);
/* Sets an unknown value. */
void row_unknown(struct table *table, struct row *row);
void row_real(struct table *table, struct row *row, double real);
void row_skip(struct table *table, struct row *row, size_t count);

/* Passes the completed rows to the flow, if there is one and there are many. */
void table_flow(struct table *table);
/* Appends what does not add up, one line each; returns how many. */
size_t document_check(const struct document *document, struct strbuf *sb);
/* Returns the first total row of a table of the document, by id, NULL if there is none. */
const struct row *document_total(const struct document *document, const char *table,
				 const struct table **found);
/* Returns the number of a column by its id, SIZE_MAX if there is none. */
size_t table_column(const struct table *table, const char *id);

#endif
