/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the Performance Profile: reports by code on a device.
 *
 * A report builds a document (document.h): headings, pairs, tables of columns and
 * rows, notes. A device (text, CSV, JSON, HTML, PDF) walks it. So every device
 * shows the same rows and the same totals. SVG and PNG show one picture
 * (print/picture.h).
 */
#ifndef VIGIL_REPORTS_REPORT_H
#define VIGIL_REPORTS_REPORT_H

#include "profile/call-tree.h"
#include "profile/coverage.h"
#include "profile/event-usage.h"

struct device_class;
struct painter;
struct picture;

/* The order of lists of events. */
enum report_sort {
	REPORT_SORT_DEFAULT, /* the report's default */
	REPORT_SORT_NAME,
	REPORT_SORT_HITS,
	REPORT_SORT_CPU,
	REPORT_SORT_ELAPSED,
	REPORT_SORT_DATABASE,
	REPORT_SORT_PERCENT, /* for coverage: least executed first */
};

struct report_options {
	const struct device_class *device; /* device.h; initially text */
	const struct painter *painter; /* draws PDF, SVG and PNG; NULL for others */
	const struct picture *picture; /* that SVG and PNG show */
	double width, height; /* points: of a PDF sheet, of the picture */
	double scale; /* pixels per point, for PNG */
	const char *const *codes; /* upper case; count 0: all */
	size_t code_count;
	bool first; /* of the usual reports only the most important, and a line that names the
		     * others */
	bool usual; /* the codes are the usual ones: reports whose data are missing are left out */
	unsigned columns;      /* per line of text: with fewer than a listing has, the least
			        * important columns are dropped; 0: all */
	unsigned lines;	       /* per page, 0: no pages; default 60 */
	bool ansi_control;     /* ASA carriage control in column 1 */
	bool colours;	       /* ANSI colours in listings: rows by their share */
	bool margins;	       /* show the margin of error of each row */
	double baseline;       /* percent below which a module is not detailed; default 2.0 */
	unsigned resolution;   /* bytes per block of code without names; default 64 */
	bool all;	       /* do not fold small rows into .OTHER */
	const char *title;     /* name for the page head, NULL: the program's */
	enum call_tree_by by;  /* for Call Tree: one tree for each of these */
	const char *procedure; /* subject of PRC, as butterfly_find takes it; NULL: none */
	enum report_sort sort; /* for the reports of events and of coverage */
	struct event_selection events; /* which events they show; texts are borrowed */
	struct coverage_selection coverage; /* the same for coverage; the program is that of
					     * events */
};

/* Range of the columns of a line of text. */
#define REPORT_COLUMNS_MIN 60
#define REPORT_COLUMNS_MAX 132

void report_options_init(struct report_options *options);
/* A4, landscape. */
#define REPORT_A4_WIDTH 841.89
#define REPORT_A4_HEIGHT 595.28
#define REPORT_LETTER_WIDTH 792.0
#define REPORT_LETTER_HEIGHT 612.0
/* Returns whether code names a report. */
bool report_known(const char *code);
/* Appends "MSD  Measurement Session Data\n" for every report, for --help and messages. */
void report_list(struct strbuf *sb);
/* Appends "MSD, TDA, ...", for messages on one line. */
void report_codes(struct strbuf *sb);
/*
 * Reads a sample data set with what the device of the options needs from it.
 * Returns NULL with err on failure.
 */
struct profile *report_load(const char *path, const struct report_options *options, struct error *err);
/* The same for several devices: needs is the largest of their needs (enum device_needs). */
struct profile *report_load_for(const char *path, unsigned needs, struct error *err);
/* Writes the reports to stream. Returns -1 on a write error. */
int report_print(const struct profile *profile, const struct report_options *options, FILE *stream,
		 struct error *err);
/* Appends about ten lines on the session, the summary that "vigil run" prints at the end. */
void report_summary(const struct profile *profile, struct strbuf *sb);

#endif
