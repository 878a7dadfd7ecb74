/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of OUTFIL: pages with headers and trailers, sections with control
 * breaks. A report's lines begin with a carriage control character, unless
 * REMOVECC takes it away.
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
	struct strbuf last; /* the field's bytes in this section */
};

struct sort_report {
	bool wanted; /* one of the operands was there */
	bool no_detail, remove_control;
	bool blank_first, blank_second, blank_last; /* BLKCCH1, H2, T1: no new page there */
	struct item_list header1, header2, trailer1, trailer2;
	struct sort_report_section *sections;
	size_t section_count, section_alloc;
	uint64_t lines; /* of a page */
	/* While it is written. */
	uint64_t page, line;
	uint64_t own; /* lines of headers and trailers */
	bool begun, page_due;
	struct strbuf first, last; /* the last record is kept for trailers */
	struct item_lines built;
};

/* What writes a line: control is its carriage control character. */
typedef int (*sort_report_writer)(void *argument, char control, const struct sort_record *line,
				  struct error *err);

struct sort_report_output {
	sort_report_writer write;
	void *argument;
	const unsigned char *altseq;
	size_t skip; /* bytes at the beginning of each record that are not printed: a descriptor */
};

void sort_report_init(struct sort_report *report);
/* Returns whether an operand of reports comes next; it is parsed. */
bool sort_report_scan(struct scan *scan, struct sort_report *report);
void sort_report_release(struct sort_report *report);
/* Bytes of the longest line of headers and trailers. */
size_t sort_report_length(const struct sort_report *report);

/* A record came: record is what it was before, lines what is printed of it. -1 with the reason. */
int sort_report_record(struct sort_report *report, const struct sort_report_output *output,
		       const struct sort_record *record, const struct item_lines *lines,
		       struct error *err);
/* There are no more. */
int sort_report_end(struct sort_report *report, const struct sort_report_output *output,
		    struct error *err);

#endif
