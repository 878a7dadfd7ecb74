/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of OUTFIL: pages with headers and trailers, sections with control
 * breaks. Each line begins with a carriage control character unless REMOVECC
 * removes it.
 */
#ifndef VIGIL_UTILITIES_SORT_SORT_REPORT_H
#define VIGIL_UTILITIES_SORT_SORT_REPORT_H

#include "common/error.h"
#include "utilities/sort/item.h"

struct sort_report_section {
	struct sort_field field;
	bool new_page;	 /* SKIP=P */
	uint64_t blanks; /* SKIP=nL */
	bool on_pages;	 /* HEADER=YES, PAGEHEAD */
	struct item_list header, trailer;
	struct strbuf last; /* the field's bytes in the current section */
};

struct sort_report {
	bool wanted; /* an operand of reports was given */
	bool no_detail, remove_control;
	bool blank_first, blank_second, blank_last; /* BLKCCH1, BLKCCH2, BLKCCT1: no new page there */
	struct item_list header1, header2, trailer1, trailer2;
	struct sort_report_section *sections;
	size_t section_count, section_alloc;
	uint64_t lines; /* per page */
	/* State while the report is written. */
	uint64_t page, line;
	uint64_t extra_lines; /* number of lines of headers, trailers and spacing */
	bool begun, page_due;
	struct strbuf first, last; /* current record, for headers; previous record, for trailers */
	struct item_lines built;
};

/* Writes a line; control is its carriage control character. */
typedef int (*sort_report_writer)(void *argument, char control, const struct sort_record *line,
				  struct error *err);

struct sort_report_output {
	sort_report_writer write;
	void *argument;
	const unsigned char *altseq;
	size_t skip; /* bytes at the beginning of each record, its descriptor, that are not
		      * printed */
};

void sort_report_init(struct sort_report *report);
/* Parses an operand of reports if it is next; returns whether it was. */
bool sort_report_scan(struct scan *scan, struct sort_report *report);
void sort_report_release(struct sort_report *report);
/* Returns the length of the longest line of headers and trailers. */
size_t sort_report_length(const struct sort_report *report);

/*
 * Processes the next record: record is the input of the report, lines is what is
 * printed of it. -1 with the reason.
 */
int sort_report_record(struct sort_report *report, const struct sort_report_output *output,
		       const struct sort_record *record, const struct item_lines *lines,
		       struct error *err);
/* Ends the report after the last record. -1 with the reason. */
int sort_report_end(struct sort_report *report, const struct sort_report_output *output,
		    struct error *err);

#endif
