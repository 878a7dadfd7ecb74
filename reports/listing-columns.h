/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What listings on paper have in common, be they text or drawn: which columns
 * of a table they show and how wide, the texts above and below a table. All
 * widths are columns of a listing.
 */
#ifndef VIGIL_REPORTS_LISTING_COLUMNS_H
#define VIGIL_REPORTS_LISTING_COLUMNS_H

#include "reports/device.h"

#define LISTING_COLUMNS_MAX 48

/* How a table stands in the lines of a listing. */
struct listing_layout {
	bool shown[LISTING_COLUMNS_MAX];
	size_t widths[LISTING_COLUMNS_MAX]; /* of those that are shown */
	size_t bar; /* the width of a BAR; 0: there is none, or no room for it */
};

/* Columns of a line: those of a listing, or fewer where text is asked for in fewer. */
size_t listing_room(const struct report_options *options);
/*
 * Lay out a table in the room that there is. Where it is too narrow, columns of MINOR go, from the
 * right; then names and texts become shorter, to LEAST; then others go from the right, but never the
 * first, which has the labels of totals. A histogram stays where there is room for it. Columns of LEVELS are never cut: they are a time axis.
 */
void listing_layout(const struct report_options *options, const struct table *table,
		    struct listing_layout *layout);
bool listing_shows(const struct report_options *options, const struct table *table,
		   const struct column *column);
/* The width of a column that is shown; a BAR has what the others leave. */
size_t listing_width(const struct report_options *options, const struct table *table,
		     const struct column *column);
size_t listing_bar_width(const struct report_options *options, const struct table *table);
/* The real in the column of that id, 0 where there is none (id may be NULL). */
double listing_real(const struct table *table, const struct row *row, const char *id);
/* What the longest bar of a detail row stands for, percent; 0: there is none. */
double listing_bar_highest(const struct table *table, const struct column *column);
/* Append the title of a histogram, as much of it as fits. */
void listing_bar_title(const struct table *table, size_t width, struct strbuf *sb);
/* Append a table's title and what its rows have in common, one line of any length. */
void listing_title(const struct table *table, struct strbuf *sb);
/* Append what the columns of a document mean, one paragraph; nothing where nothing is to be said. */
void listing_legend(const struct report_options *options, const struct document *document,
		    struct strbuf *sb);
/* The share by which a row is coloured: its own, or where that is none that which a histogram of the table shows of CPU or run time; 0 of sums. */
double listing_share(const struct table *table, const struct row *row);
/* The colour of a row: its own, or by the share red from 10 percent on, yellow from 2, green below. */
enum row_colour listing_colour(const struct row *row, double share);

#endif
