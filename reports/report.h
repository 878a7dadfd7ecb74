/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing the Performance Profile: reports by code on a device.
 *
 * A report builds a document (document.h): headings, pairs, tables of
 * columns and rows, notes. A device (text, CSV, JSON) walks it. So every
 * device shows the same rows and the same totals.
 */
#ifndef VIGIL_REPORTS_REPORT_H
#define VIGIL_REPORTS_REPORT_H

#include "profile/event-usage.h"

/* The order of lists of events. */
enum report_sort {
	REPORT_SORT_DEFAULT, /* that of the report */
	REPORT_SORT_NAME,
	REPORT_SORT_HITS,
	REPORT_SORT_CPU,
	REPORT_SORT_ELAPSED,
	REPORT_SORT_DATABASE,
};

struct report_options {
	enum { DEVICE_TEXT, DEVICE_CSV, DEVICE_JSON } device;
	const char *const *codes; /* upper case; count 0 means all */
	size_t code_count;
	unsigned lines;	       /* a page, 0: no pages; default 60 */
	bool ansi_control;     /* ASA carriage control in column 1 */
	bool colours;	       /* ANSI colours in listings: rows by their share */
	bool margins;	       /* each row's own margin of error */
	double baseline;       /* percent below which a module is not detailed; default 2.0 */
	unsigned resolution;   /* bytes of a code block where there are no names; default 64 */
	bool all;	       /* do not fold small rows into .OTHER */
	const char *title;     /* name for the page head, NULL: the program's */
	enum report_sort sort; /* of the reports of events */
	struct event_selection events; /* which of them these show; texts are borrowed */
};

void report_options_init(struct report_options *options);
/* Whether code names a report. */
bool report_known(const char *code);
/* Append "MSD  Measurement Session Data\n" for every report, for --help and messages. */
void report_list(struct strbuf *sb);
/* Append "MSD, TDA, ...", for messages on one line. */
void report_codes(struct strbuf *sb);
/* Write the reports to stream. -1 on a write error. */
int report_print(const struct profile *profile, const struct report_options *options, FILE *stream,
		 struct error *err);
/* About ten lines on the session: what "vigil run" says at the end. */
void report_summary(const struct profile *profile, struct strbuf *sb);

#endif
