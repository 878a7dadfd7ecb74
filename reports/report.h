/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing the Performance Profile: reports by code on a device.
 *
 * A report builds a document (document.h): headings, pairs, tables of
 * columns and rows, notes. A device (text, CSV, JSON, HTML, PDF) walks it. So
 * every device shows the same rows and the same totals. SVG and PNG are of one
 * picture (print/picture.h).
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
	REPORT_SORT_DEFAULT, /* that of the report */
	REPORT_SORT_NAME,
	REPORT_SORT_HITS,
	REPORT_SORT_CPU,
	REPORT_SORT_ELAPSED,
	REPORT_SORT_DATABASE,
	REPORT_SORT_PERCENT, /* of coverage: the least executed first */
};

struct report_options {
	const struct device_class *device; /* device.h; of text at first */
	const struct painter *painter; /* who draws PDF, SVG and PNG; NULL for others */
	const struct picture *picture; /* that SVG and PNG are of */
	double width, height; /* points: of a sheet of PDF, of the picture */
	double scale; /* pixels a point, of PNG */
	const char *const *codes; /* upper case; count 0 means all */
	size_t code_count;
	bool first; /* of the usual ones only those to begin with, and a line that names the others */
	bool usual; /* the codes are those usually printed: not those of data that is not there */
	unsigned columns;      /* of a line of text: fewer than a listing has drop those that matter least; 0: all */
	unsigned lines;	       /* a page, 0: no pages; default 60 */
	bool ansi_control;     /* ASA carriage control in column 1 */
	bool colours;	       /* ANSI colours in listings: rows by their share */
	bool margins;	       /* each row's own margin of error */
	double baseline;       /* percent below which a module is not detailed; default 2.0 */
	unsigned resolution;   /* bytes of a code block where there are no names; default 64 */
	bool all;	       /* do not fold small rows into .OTHER */
	const char *title;     /* name for the page head, NULL: the program's */
	enum call_tree_by by;  /* of Call Tree: a tree for each of these */
	const char *procedure; /* that PRC is on, as butterfly_find takes it; NULL: none */
	enum report_sort sort; /* of the reports of events and of coverage */
	struct event_selection events; /* which of them these show; texts are borrowed */
	struct coverage_selection coverage; /* the same of coverage; the program is that of events */
};

/* Columns that a line of text may have. */
#define REPORT_COLUMNS_LEAST 60
#define REPORT_COLUMNS_MOST 132

void report_options_init(struct report_options *options);
/* A4, lying. */
#define REPORT_A4_WIDTH 841.89
#define REPORT_A4_HEIGHT 595.28
#define REPORT_LETTER_WIDTH 792.0
#define REPORT_LETTER_HEIGHT 612.0
/* Whether code names a report. */
bool report_known(const char *code);
/* Append "MSD  Measurement Session Data\n" for every report, for --help and messages. */
void report_list(struct strbuf *sb);
/* Append "MSD, TDA, ...", for messages on one line. */
void report_codes(struct strbuf *sb);
/* Read a sample data set with what the device of the options needs of it. */
struct profile *report_load(const char *path, const struct report_options *options, struct error *err);
/* The same for several: with what the device needs that needs most (enum device_needs, the greatest). */
struct profile *report_load_for(const char *path, unsigned needs, struct error *err);
/* Write the reports to stream. -1 on a write error. */
int report_print(const struct profile *profile, const struct report_options *options, FILE *stream,
		 struct error *err);
/* About ten lines on the session: what "vigil run" says at the end. */
void report_summary(const struct profile *profile, struct strbuf *sb);

#endif
