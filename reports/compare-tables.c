/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the tables of a comparison. */
#include "common/compat.h"
#include "reports/compare-tables.h"

#include <math.h>

/* Rows at the head of a table that are shown however small they are. */
#define ROWS_SHOWN 5

/*
 * The figures of all rows. Listings show the margin in time if the work is
 * unknown, and the times per unit of work if it is known.
 */
#define FIGURES(margin_, unit_) \
	FIGURE(COLUMN_REAL, "base_ms", "TIME, MS", "BASE", 11, \
	       .legend = "CPU time or wait of the base in milliseconds, mean of its runs"), \
		FIGURE(COLUMN_REAL, "other_ms", "TIME, MS", "OTHER", 11, \
		       .legend = "the same on the other side"), \
		FIGURE(COLUMN_REAL, "base_unit_us", "US A UNIT", "BASE", 9, .flags = (unit_), \
		       .legend = "microseconds per unit of work"), \
		FIGURE(COLUMN_REAL, "other_unit_us", "US A UNIT", "OTHER", 9, .flags = (unit_)), \
		FIGURE(COLUMN_REAL, "difference_ms", "DIFFERENCE", "MS", 10, \
		       .legend = "OTHER minus BASE, scaled to the work of the base where that is " \
				 "known"), \
		FIGURE(COLUMN_REAL, "margin_ms", "DIFFERENCE", "+/-", 9, .flags = (margin_), \
		       .legend = "margin of error at 95 % confidence"), \
		FIGURE(COLUMN_REAL, "difference_percent", "DIFFERENCE", "%", 7, \
		       .legend = "of BASE"), \
		FIGURE(COLUMN_REAL, "margin_percent", "DIFFERENCE", "+/-", 6, \
		       .legend = "margin of error at 95 % confidence: of the difference or of its part " \
				 "BEYOND, whichever is more certain"), \
		FIGURE(COLUMN_REAL, "beyond_percent", "DIFFERENCE", "BEYOND", 7, \
		       .legend = "percent beyond the factor common to most rows of CPU time"), \
		FIGURE(COLUMN_REAL, "seen_from_percent", NULL, "", 7, .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_REAL, "sure", NULL, "SURE", 5, \
		       .legend = "certainty that the row differs, in standard errors: by itself or " \
				 "beyond the common factor, whichever is more certain"), \
	{ \
		.id = "verdict", .heading = "VERDICT", .width = 7, .type = COLUMN_TEXT, \
		.legend = "SLOWER, FASTER, CAME, WENT; blank: no difference can be seen. On average " \
			  "at most 5 % of the rows with a verdict are wrong" \
	}
#define NAME(id_, heading_, width_, type_) \
	{ \
		.id = id_, .heading = heading_, .width = width_, .type = type_ \
	}
#define DATA_NAME(id_, type_) \
	{ \
		.id = id_, .heading = "", .width = 8, .type = type_, .flags = COLUMN_DATA_ONLY \
	}
/* Columns of a table without work, and with it. */
#define COLUMNS(name_, ...) \
	static const struct column name_[2][24] = { \
		{ __VA_ARGS__, FIGURES(0, COLUMN_DATA_ONLY) }, \
		{ __VA_ARGS__, FIGURES(COLUMN_DATA_ONLY, 0) }, \
	}
#define FIGURE_COUNT 12

COLUMNS(procedures, NAME("module", "MODULE", 14, COLUMN_NAME),
	DATA_NAME("section", COLUMN_NAME), NAME("procedure", "PROCEDURE", 22, COLUMN_NAME));
COLUMNS(statements, DATA_NAME("module", COLUMN_NAME), DATA_NAME("section", COLUMN_NAME),
	NAME("procedure", "PROCEDURE", 12, COLUMN_NAME), DATA_NAME("base_line", COLUMN_NUMBER),
	NAME("other_line", "LINE", 6, COLUMN_NUMBER), NAME("text", "STATEMENT", 17, COLUMN_TEXT));
COLUMNS(waits, NAME("reason", "REASON", 17, COLUMN_TEXT), NAME("file", "FILE", 19, COLUMN_NAME));
COLUMNS(places, DATA_NAME("module", COLUMN_NAME), DATA_NAME("section", COLUMN_NAME),
	NAME("procedure", "PROCEDURE", 12, COLUMN_NAME), NAME("reason", "REASON", 14, COLUMN_TEXT),
	NAME("file", "FILE", 9, COLUMN_NAME));
COLUMNS(data_sets, NAME("file", "DD OR FILE", 37, COLUMN_NAME));
COLUMNS(transactions, NAME("transaction", "TRANSACTION", 37, COLUMN_NAME));
COLUMNS(totals, NAME("what", "WHAT", 37, COLUMN_TEXT));
COLUMNS(claims, NAME("kind", "KIND", 11, COLUMN_TEXT), NAME("what", "WHAT", 25, COLUMN_TEXT));

/* Contents of the columns before the figures. */
enum part { PART_END, PART_NAME, PART_BASE_LINE, PART_OTHER_LINE, PART_WHAT };
#define PARTS 7

static const struct form {
	const char *id, *title, *kind;
	const struct column (*columns)[24];
	struct {
		enum part part;
		enum comparison_name name;
	} parts[PARTS];
} forms[COMPARISON_KINDS] = {
	[COMPARISON_PROCEDURE] = { "procedures",
				   "PROCEDURES, WITH THE SERVICES THEY CALLED",
				   "PROCEDURE",
				   procedures,
				   { { PART_NAME, COMPARISON_MODULE },
				     { PART_NAME, COMPARISON_SECTION },
				     { PART_NAME, COMPARISON_NAME } } },
	[COMPARISON_STATEMENT] = { "statements",
				   "STATEMENTS",
				   "STATEMENT",
				   statements,
				   { { PART_NAME, COMPARISON_MODULE },
				     { PART_NAME, COMPARISON_SECTION },
				     { PART_NAME, COMPARISON_NAME },
				     { PART_BASE_LINE, 0 },
				     { PART_OTHER_LINE, 0 },
				     { PART_NAME, COMPARISON_TEXT } } },
	[COMPARISON_WAIT] = { "waits",
			      "WAITS",
			      "WAIT",
			      waits,
			      { { PART_NAME, COMPARISON_REASON },
				{ PART_NAME, COMPARISON_FILE } } },
	[COMPARISON_WAIT_PLACE] = { "waiting_procedures",
				    "WAITS BY PROCEDURE",
				    "WAIT",
				    places,
				    { { PART_NAME, COMPARISON_MODULE },
				      { PART_NAME, COMPARISON_SECTION },
				      { PART_NAME, COMPARISON_NAME },
				      { PART_NAME, COMPARISON_REASON },
				      { PART_NAME, COMPARISON_FILE } } },
	[COMPARISON_DATA_SET] = { "data_sets",
				  "WAITS FOR DATA SETS AND FILES",
				  "DATA SET",
				  data_sets,
				  { { PART_NAME, COMPARISON_FILE } } },
	[COMPARISON_TRANSACTION] = { "transactions_cpu",
				     "CPU TIME OF TRANSACTIONS",
				     "TRANSACTION",
				     transactions,
				     { { PART_NAME, COMPARISON_NAME } } },
	[COMPARISON_TRANSACTION_WAIT] = { "transactions_wait",
					  "WAITS OF TRANSACTIONS",
					  "TRANSACTION",
					  transactions,
					  { { PART_NAME, COMPARISON_NAME } } },
	[COMPARISON_TOTAL] = { "run", "WHOLE RUN", "RUN", totals, { { PART_WHAT, 0 } } },
};

static const struct column *columns_of(const struct column (*columns)[24],
				       const struct comparison *comparison, size_t *count)
{
	const struct column *one = columns[*comparison->work.name ? 1 : 0];

	*count = 0;
	while (*count < 24 && one[*count].id)
		++*count;
	return one;
}

/* Puts a figure; an infinite one is put as unknown. */
static void put_real(struct table *table, struct row *row, double value)
{
	if (isfinite(value))
		row_real(table, row, value);
	else
		row_unknown(table, row);
}

static void put_unit(struct table *table, struct row *row, double ns)
{
	if (ns > 0)
		row_real(table, row, ns / 1e3);
	else
		row_unknown(table, row);
}

static void put_figures(struct table *table, struct row *row, const struct comparison_row *figures)
{
	static const char *const verdicts[] = { "", "SLOWER", "FASTER", "CAME", "WENT" };
	bool cpu = figures->kind == COMPARISON_PROCEDURE ||
		   figures->kind == COMPARISON_STATEMENT || figures->kind == COMPARISON_TRANSACTION;

	row_real(table, row, figures->amounts[COMPARISON_BASE] / 1e6);
	row_real(table, row, figures->amounts[COMPARISON_OTHER] / 1e6);
	put_unit(table, row, figures->units[COMPARISON_BASE]);
	put_unit(table, row, figures->units[COMPARISON_OTHER]);
	row_real(table, row, figures->difference / 1e6);
	put_real(table, row, figures->margin / 1e6);
	put_real(table, row, figures->percent);
	put_real(table, row, figures->percent_margin);
	put_real(table, row, cpu ? figures->beyond : INFINITY);
	put_real(table, row, figures->least);
	row_real(table, row, figures->sure);
	row_text(table, row, verdicts[figures->verdict]);
}

static void put_line(struct table *table, struct row *row, uint64_t line)
{
	if (line)
		row_number(table, row, line);
	else
		row_unknown(table, row);
}

static void put_row(struct table *table, const struct form *form,
		    const struct comparison *comparison, const struct comparison_row *figures)
{
	struct row *row = table_row(table, ROW_DETAIL);

	for (size_t i = 0; i < PARTS && form->parts[i].part; i++)
		switch (form->parts[i].part) {
		case PART_BASE_LINE:
			put_line(table, row, figures->lines[COMPARISON_BASE]);
			break;
		case PART_OTHER_LINE:
			put_line(table, row,
				 figures->lines[COMPARISON_OTHER]
					 ? figures->lines[COMPARISON_OTHER]
					 : figures->lines[COMPARISON_BASE]);
			break;
		case PART_WHAT:
			row_text(table, row, "CPU TIME");
			break;
		default:
			row_text(table, row,
				 comparison_text(comparison, figures, form->parts[i].name));
			break;
		}
	put_figures(table, row, figures);
}

/* Returns whether a row of a kind is shown: it has a verdict, is large, or is among the first. */
static bool is_shown(const struct comparison *comparison, const struct comparison_row *row,
		     size_t shown, const struct report_options *options)
{
	double most = fmax(row->amounts[COMPARISON_BASE], row->amounts[COMPARISON_OTHER]);
	double whole = row->kind <= COMPARISON_STATEMENT || row->kind == COMPARISON_TRANSACTION
			       ? fmax(comparison->cpu[COMPARISON_BASE],
				      comparison->cpu[COMPARISON_OTHER])
			       : fmax(comparison->elapsed[COMPARISON_BASE],
				      comparison->elapsed[COMPARISON_OTHER]);

	if (most <= 0)
		return false;
	return options->all || row->verdict != COMPARISON_SAME || shown < ROWS_SHOWN ||
	       1000 * most >= options->baseline * whole;
}

void compare_tables_put(struct document *document, const struct comparison *comparison,
			enum comparison_kind kind, const struct report_options *options)
{
	const struct form *form = &forms[kind];
	struct table *table = NULL;
	size_t count, shown = 0;
	const struct column *columns = columns_of(form->columns, comparison, &count);

	for (size_t i = comparison->from[kind]; i < comparison->from[kind + 1]; i++) {
		if (!is_shown(comparison, &comparison->rows[i], shown, options))
			continue;
		if (!shown++)
			table = document_table(document, form->id, form->title, columns, count);
		put_row(table, form, comparison, &comparison->rows[i]);
	}
}

struct table *compare_tables_claims(struct document *document,
				    const struct comparison *comparison)
{
	size_t count;
	const struct column *columns = columns_of(claims, comparison, &count);

	return document_table(document, "differences", "WHAT DIFFERS, MOST CERTAIN FIRST", columns,
			      count);
}

void compare_tables_put_claim(struct table *table, const struct comparison *comparison UNUSED,
			      const struct comparison_row *row, const char *what)
{
	struct row *line = table_row(table, ROW_DETAIL);

	row_text(table, line, forms[row->kind].kind);
	row_text(table, line, what);
	put_figures(table, line, row);
}
