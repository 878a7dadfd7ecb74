/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by listings on paper, as text or drawn: which columns of a table they
 * show and how wide, and the texts above and below a table. All widths are columns
 * of a listing.
 */
#ifndef VIGIL_REPORTS_LISTING_COLUMNS_H
#define VIGIL_REPORTS_LISTING_COLUMNS_H

#include "reports/device.h"

#define LISTING_COLUMNS_MAX 48

/* How a table is arranged in the lines of a listing. */
struct listing_layout {
	bool shown[LISTING_COLUMNS_MAX];
	size_t widths[LISTING_COLUMNS_MAX]; /* of the columns that are shown */
	size_t bar; /* the width of a BAR; 0: there is none, or no space for it */
};

/* Returns the columns per line: those of a listing, or fewer if the options ask for it. */
size_t listing_line_width(const struct report_options *options);
/*
 * Lays out a table in the available width. If that is too narrow, columns of MINOR
 * are dropped, from the right; then names and texts are shortened, to LEAST; then
 * others are dropped from the right, but never the first, which has the labels of
 * totals. A histogram stays if there is space for it. Columns of LEVELS are never
 * shortened: they are a time axis.
 */
void listing_layout(const struct report_options *options, const struct table *table,
		    struct listing_layout *layout);
bool listing_shows(const struct report_options *options, const struct table *table,
		   const struct column *column);
/* Returns the width of a column that is shown; a BAR has what the others leave. */
size_t listing_width(const struct report_options *options, const struct table *table,
		     const struct column *column);
size_t listing_bar_width(const struct report_options *options, const struct table *table);
/* Returns the real value in the column of that id, 0 if there is none (id may be NULL). */
double listing_real(const struct table *table, const struct row *row, const char *id);
/* Returns the value of the longest bar of a detail row, percent; 0: there is none. */
double listing_bar_highest(const struct table *table, const struct column *column);
/* Appends the title of a histogram, as much of it as fits. */
void listing_bar_title(const struct table *table, size_t width, struct strbuf *sb);
/* Appends a table's title and what its rows have in common, as one line of any length. */
void listing_title(const struct table *table, struct strbuf *sb);
/* Appends the explanation of a document's columns, one paragraph; nothing if there is none. */
void listing_legend(const struct report_options *options, const struct document *document,
		    struct strbuf *sb);
/*
 * Returns the share that determines a row's colour: its own, or else that which a
 * histogram of the table shows of CPU or run time; 0 for sums.
 */
double listing_share(const struct table *table, const struct row *row);
/*
 * Returns the colour of a row: its own, or by the share red from 10 percent on,
 * yellow from 2, green below.
 */
enum row_colour listing_colour(const struct row *row, double share);

#endif
