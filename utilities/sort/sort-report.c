/* SPDX-License-Identifier: Apache-2.0 */
/* Writes reports: pages, sections, headers and trailers. */
#include "common/compat.h"
#include "utilities/sort/sort-report.h"
#include "common/xalloc.h"

#define LINES_OF_A_PAGE 60

void sort_report_init(struct sort_report *report)
{
	*report = (struct sort_report){ .lines = LINES_OF_A_PAGE,
					.first = STRBUF_INIT,
					.last = STRBUF_INIT,
					.built = { .text = STRBUF_INIT } };
}

void sort_report_release(struct sort_report *report)
{
	item_list_release(&report->header1);
	item_list_release(&report->header2);
	item_list_release(&report->trailer1);
	item_list_release(&report->trailer2);
	for (size_t i = 0; i < report->section_count; i++) {
		item_list_release(&report->sections[i].header);
		item_list_release(&report->sections[i].trailer);
		strbuf_release(&report->sections[i].last);
	}
	free(report->sections);
	strbuf_release(&report->first);
	strbuf_release(&report->last);
	item_lines_release(&report->built);
}

/* Parses SKIP=P, SKIP=L or SKIP=nL. */
static void parse_skip(struct scan *scan, struct sort_report_section *section)
{
	if (scan_keyword(scan, "P", '\0')) {
		section->new_page = true;
	} else if (scan_keyword(scan, "L", '\0')) {
		section->blanks = 1;
	} else {
		section->blanks = scan_number(scan, 1, 255, "P, L or a number of lines with L");
		if (!scan_accept(scan, 'l'))
			scan_require(scan, 'L');
	}
}

static bool parse_section_option(struct scan *scan, struct sort_report_section *section)
{
	if (scan_keyword(scan, "SKIP", '=')) {
		parse_skip(scan, section);
	} else if (scan_keyword(scan, "HEADER", '=')) {
		section->on_pages = scan_keyword(scan, "YES", '\0');
		if (!section->on_pages && !scan_keyword(scan, "NO", '\0'))
			scan_expected(scan, "YES or NO");
	} else if (scan_keyword(scan, "PAGEHEAD", '\0')) {
		section->on_pages = true;
	} else if (scan_keyword(scan, "HEADER3", '=')) {
		item_list_parse(scan, &section->header, true);
	} else if (scan_keyword(scan, "TRAILER3", '=')) {
		item_list_parse(scan, &section->trailer, true);
	} else {
		return false;
	}
	return true;
}

/* Parses SECTIONS=(p,m,SKIP=...,HEADER3=(...),TRAILER3=(...),p,m,...). */
static void parse_sections(struct scan *scan, struct sort_report *report)
{
	scan_require(scan, '(');
	do {
		struct sort_report_section *section;

		GROW(report->sections, report->section_count + 1, report->section_alloc);
		section = &report->sections[report->section_count++];
		*section = (struct sort_report_section){ .last = STRBUF_INIT };
		field_scan(scan, &section->field);
		section->field.format = FORMAT_CH;
		while (!scan->failed && scan_accept(scan, ','))
			if (!parse_section_option(scan, section)) {
				scan->at--;
				break;
			}
	} while (!scan->failed && scan_accept(scan, ','));
	scan_require(scan, ')');
}

bool sort_report_scan(struct scan *scan, struct sort_report *report)
{
	const char *at = scan->at;

	if (scan_keyword(scan, "HEADER1", '=')) {
		item_list_parse(scan, &report->header1, true);
	} else if (scan_keyword(scan, "HEADER2", '=')) {
		item_list_parse(scan, &report->header2, true);
	} else if (scan_keyword(scan, "TRAILER1", '=')) {
		item_list_parse(scan, &report->trailer1, true);
	} else if (scan_keyword(scan, "TRAILER2", '=')) {
		item_list_parse(scan, &report->trailer2, true);
	} else if (scan_keyword(scan, "SECTIONS", '=')) {
		parse_sections(scan, report);
	} else if (scan_keyword(scan, "LINES", '=')) {
		if (!scan_at_decimal(scan))
			scan_unsupported(scan, at, "LINES with ANSI");
		report->lines = scan_number(scan, 1, 255, "a number of lines");
	} else if (scan_keyword(scan, "BLKCCH1", '\0')) {
		report->blank_first = true;
	} else if (scan_keyword(scan, "BLKCCH2", '\0')) {
		report->blank_second = true;
	} else if (scan_keyword(scan, "BLKCCT1", '\0')) {
		report->blank_last = true;
	} else if (scan_keyword(scan, "NODETAIL", '\0')) {
		report->no_detail = true;
	} else if (scan_keyword(scan, "REMOVECC", '\0')) {
		report->remove_control = true;
		return true;
	} else {
		return false;
	}
	report->wanted = true;
	return true;
}

size_t sort_report_length(const struct sort_report *report)
{
	const struct item_list *lists[] = { &report->header1, &report->header2, &report->trailer1,
					    &report->trailer2 };
	size_t longest = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lists) + 2 * report->section_count; i++) {
		const struct sort_report_section *section =
			i < ARRAY_SIZE(lists) ? NULL
					      : &report->sections[(i - ARRAY_SIZE(lists)) / 2];
		const struct item_list *list = !section ? lists[i]
					       : i % 2	? &section->trailer
							: &section->header;
		size_t length = item_list_length(list, 0, 0);

		longest = length > longest ? length : longest;
	}
	return longest;
}

static int put_line(struct sort_report *report, const struct sort_report_output *output,
		    const struct sort_record *line, struct error *err)
{
	char control = report->page_due ? '1' : ' ';

	report->page_due = false;
	report->line++;
	return output->write(output->argument, control, line, err);
}

/* Writes the lines of a header or trailer, made from a record. */
static int put_list(struct sort_report *report, const struct sort_report_output *output,
		    struct item_list *list, const struct strbuf *bytes, struct error *err)
{
	const struct item_context context = { output->altseq, ' ', false, report->page };
	const struct sort_record record = { bytes->text, bytes->length };

	RETURN_IF(list->count == 0, 0);
	item_lines_reset(&report->built);
	item_list_run(list, &record, &context, &report->built);
	item_lines_end(&report->built);
	for (size_t i = 0; i < report->built.count; i++) {
		size_t start = i ? report->built.ends[i - 1] : 0;
		const struct sort_record line = { report->built.text.text + start,
						  report->built.ends[i] - start };

		report->extra_lines++;
		RETURN_IF(put_line(report, output, &line, err) < 0, -1);
	}
	return 0;
}

/* Returns how many lines a list makes. */
static uint64_t list_lines(const struct item_list *list)
{
	uint64_t lines = list->count > 0;

	for (size_t i = 0; i < list->count; i++)
		lines += list->items[i].kind == ITEM_LINE ? list->items[i].field.length : 0;
	return lines;
}

/*
 * Begins a page: writes its header, and those of the outermost sections (this
 * many) that repeat theirs on each page.
 */
static int begin_page(struct sort_report *report, const struct sort_report_output *output,
		      const struct strbuf *record, size_t sections, struct error *err)
{
	report->page++;
	report->line = 0;
	report->page_due = report->begun || !report->blank_second;
	item_list_restart(&report->header2, false);
	item_list_restart(&report->trailer2, false);
	RETURN_IF(put_list(report, output, &report->header2, record, err) < 0, -1);
	for (size_t i = 0; i < sections; i++)
		if (report->sections[i].on_pages)
			RETURN_IF(put_list(report, output, &report->sections[i].header, record,
					   err) < 0,
				  -1);
	return 0;
}

static int end_page(struct sort_report *report, const struct sort_report_output *output,
		    struct error *err)
{
	return put_list(report, output, &report->trailer2, &report->last, err);
}

/* Returns the outermost section whose field changed; section_count: none did. */
static size_t changed_section(struct sort_report *report, const struct sort_record *record)
{
	struct strbuf scratch = STRBUF_INIT;
	size_t changed = report->section_count;

	for (size_t i = 0; i < report->section_count; i++) {
		struct sort_report_section *section = &report->sections[i];
		const char *bytes = field_bytes(&section->field, record, &scratch);

		if (changed > i && (section->last.length == 0 ||
				    memcmp(section->last.text, bytes, section->field.length) != 0))
			changed = i;
		strbuf_reset(&section->last);
		strbuf_add(&section->last, bytes, section->field.length);
	}
	strbuf_release(&scratch);
	return changed;
}

/* Ends the sections from index first on: writes their trailers, the innermost first. */
static int end_sections(struct sort_report *report, const struct sort_report_output *output,
			size_t first, struct error *err)
{
	for (size_t i = report->section_count; i-- > first;) {
		RETURN_IF(put_list(report, output, &report->sections[i].trailer, &report->last,
				   err) < 0,
			  -1);
		item_list_restart(&report->sections[i].trailer, false);
	}
	return 0;
}

/* Separates two sections by a new page or blank lines. */
static int separate_sections(struct sort_report *report, const struct sort_report_output *output,
			 size_t first, const struct strbuf *record, struct error *err)
{
	const struct sort_record blank = { " ", 1 };
	uint64_t blanks = 0;

	for (size_t i = first; i < report->section_count; i++) {
		if (report->sections[i].new_page) {
			RETURN_IF(end_page(report, output, err) < 0, -1);
			return begin_page(report, output, record, first, err);
		}
		blanks = report->sections[i].blanks > blanks ? report->sections[i].blanks : blanks;
	}
	for (; blanks > 0; blanks--, report->extra_lines++)
		RETURN_IF(put_line(report, output, &blank, err) < 0, -1);
	return 0;
}

/*
 * Begins a new page if this many lines do not fit on the current one; the outer
 * sections continue there.
 */
static int break_page_if_full(struct sort_report *report, const struct sort_report_output *output,
		     uint64_t lines, size_t sections, struct error *err)
{
	if (report->line == 0 ||
	    report->line + lines + list_lines(&report->trailer2) <= report->lines)
		return 0;
	RETURN_IF(end_page(report, output, err) < 0, -1);
	return begin_page(report, output, &report->first, sections, err);
}

/* Ends and begins the sections whose fields changed in a record. */
static int break_sections(struct sort_report *report, const struct sort_report_output *output,
			  const struct sort_record *record, bool first_record, struct error *err)
{
	size_t changed = changed_section(report, record);
	uint64_t lines = 1; /* a header stays with one record below it */

	RETURN_IF(changed == report->section_count, 0);
	if (!first_record) {
		RETURN_IF(end_sections(report, output, changed, err) < 0, -1);
		RETURN_IF(separate_sections(report, output, changed, &report->first, err) < 0, -1);
	}
	for (size_t i = changed; i < report->section_count; i++)
		lines += list_lines(&report->sections[i].header);
	RETURN_IF(break_page_if_full(report, output, lines, changed, err) < 0, -1);
	for (size_t i = changed; i < report->section_count; i++)
		RETURN_IF(put_list(report, output, &report->sections[i].header, &report->first,
				   err) < 0,
			  -1);
	return 0;
}

/* Adds a record to the statistics of each trailer. */
static void count_record(struct sort_report *report, const struct sort_record *record)
{
	item_list_count(&report->trailer1, record);
	item_list_count(&report->trailer2, record);
	for (size_t i = 0; i < report->section_count; i++)
		item_list_count(&report->sections[i].trailer, record);
}

static int begin_report(struct sort_report *report, const struct sort_report_output *output,
			struct error *err)
{
	if (report->header1.count > 0) {
		report->page++;
		report->page_due = !report->blank_first;
		RETURN_IF(put_list(report, output, &report->header1, &report->first, err) < 0, -1);
	}
	RETURN_IF(begin_page(report, output, &report->first, 0, err) < 0, -1);
	report->begun = true;
	return 0;
}

int sort_report_record(struct sort_report *report, const struct sort_report_output *output,
		       const struct sort_record *record, const struct item_lines *lines,
		       struct error *err)
{
	bool first_record = !report->begun;

	strbuf_reset(&report->first);
	strbuf_add(&report->first, record->data, record->length);
	if (first_record)
		RETURN_IF(begin_report(report, output, err) < 0, -1);
	RETURN_IF(break_sections(report, output, record, first_record, err) < 0, -1);
	if (!report->no_detail)
		RETURN_IF(break_page_if_full(report, output, lines->count, report->section_count, err) < 0,
			  -1);
	for (size_t i = 0; !report->no_detail && i < lines->count; i++) {
		size_t start = (i ? lines->ends[i - 1] : 0) + output->skip;
		const struct sort_record line = { lines->text.text + start,
						  lines->ends[i] - start };

		RETURN_IF(put_line(report, output, &line, err) < 0, -1);
	}
	count_record(report, record);
	strbuf_reset(&report->last);
	strbuf_add(&report->last, record->data, record->length);
	return 0;
}

int sort_report_end(struct sort_report *report, const struct sort_report_output *output,
		    struct error *err)
{
	if (!report->begun)
		RETURN_IF(begin_report(report, output, err) < 0, -1);
	else
		RETURN_IF(end_sections(report, output, 0, err) < 0, -1);
	RETURN_IF(end_page(report, output, err) < 0, -1);
	if (report->trailer1.count == 0)
		return 0;
	report->page++;
	report->page_due = !report->blank_last;
	return put_list(report, output, &report->trailer1, &report->last, err);
}
