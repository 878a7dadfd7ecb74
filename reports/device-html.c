/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML: one self-contained page. Its tables are readable even where scripts are
 * disabled; the script (reports/page) makes them sortable and draws the pictures
 * from the content after them.
 */
#include "common/compat.h"
#include "reports/device.h"
#include "profile/findings.h"
#include "reports/page/page-content.h"
#include "reports/page/page-files.h"
#include "reports/page/page-text.h"
#include "reports/report.h"

#define FINDINGS_MAX 10

static const char *const row_classes[] = { "", " class=o", " class=s", " class=t" };

static bool is_text(enum column_type type)
{
	return type <= COLUMN_TEXT;
}

static void add_element(struct strbuf *out, const char *element, const char *text)
{
	strbuf_addf(out, "<%s>", element);
	page_text_html(out, text);
	strbuf_addf(out, "</%s>", element);
}

/* Appends a value in the form of listings; a long name is not shortened. */
static void add_value(struct strbuf *out, enum column_type type, const struct value *value)
{
	struct strbuf shown = STRBUF_INIT;

	if (is_text(type) && value->type == VALUE_TEXT) {
		page_text_html(out, value->text);
		return;
	}
	device_value_add(&shown, type, value);
	page_text_html(out, shown.text);
	strbuf_release(&shown);
}

/* Returns whether listings show a column only on request, or never. */
static bool is_more(const struct column *column)
{
	return column->flags & (COLUMN_DATA_ONLY | COLUMN_MARGIN);
}

static bool is_there(const struct table *table, const struct column *column)
{
	return !(column->flags & COLUMN_OTHER) || table->shows_other;
}

/*
 * Appends attributes of a cell: its number in full, for sorting and for programs
 * that read the page.
 */
static void add_number(struct strbuf *out, const struct value *value)
{
	if (value->type == VALUE_NUMBER)
		strbuf_addf(out, " data-v=%" PRIu64, value->number);
	else if (value->type == VALUE_REAL)
		strbuf_addf(out, " data-v=%.15g", value->real);
}

static double real_of(const struct table *table, const struct row *row, const char *id)
{
	size_t column = id ? table_column(table, id) : SIZE_MAX;
	double real = column == SIZE_MAX ? 0 : row->values[column].real;

	return real > 0 ? real : 0;
}

/* Returns the value of the longest bar of a table. */
static double bar_highest(const struct table *table, const struct column *column)
{
	double highest = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		double real = real_of(table, &table->rows[i], column->bar);

		if (table->rows[i].kind <= ROW_OTHER && real > highest)
			highest = real;
	}
	return highest;
}

static void add_bar(struct strbuf *out, const struct table *table, const struct row *row,
		    const struct column *column)
{
	double highest = bar_highest(table, column);

	strbuf_addstr(out, "<td class=b>");
	if (row->kind > ROW_OTHER || highest <= 0)
		return;
	strbuf_addf(out,
		    "<svg viewBox='0 0 100 8' preserveAspectRatio=none aria-hidden=true>"
		    "<rect class=l width=%.2f height=8 /><rect class=f width=%.2f height=8 /></svg>",
		    100 * real_of(table, row, column->bar) / highest,
		    100 * real_of(table, row, column->bar_solo) / highest);
}

/* Returns the class of a row's colour: red from 10 percent on, yellow from 2, as in listings. */
static const char *heat_of(const struct row *row)
{
	if (row->colour == ROW_RED || (!row->colour && row->share >= 10))
		return " data-h=3";
	if (row->colour == ROW_YELLOW || (!row->colour && row->share >= 2))
		return " data-h=2";
	return "";
}

static void add_cell(struct strbuf *out, const struct table *table, const struct row *row, size_t number)
{
	const struct column *column = &table->columns[number];
	const struct value *value = &row->values[number];

	if (column->type == COLUMN_BAR) {
		add_bar(out, table, row, column);
		return;
	}
	strbuf_addstr(out, number ? "<td" : "<th scope=row");
	if (!is_text(column->type) || is_more(column))
		strbuf_addf(out, " class='%s%s'", is_text(column->type) ? "" : "n",
			    is_more(column) ? " m" : "");
	if (!is_text(column->type))
		add_number(out, value);
	strbuf_addch(out, '>');
	add_value(out, column->type, value);
}

static void add_rows(struct strbuf *out, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		strbuf_addf(out, "<tr%s%s>\n", row_classes[row->kind], heat_of(row));
		for (size_t j = 0; j < table->column_count; j++)
			if (is_there(table, &table->columns[j]))
				add_cell(out, table, row, j);
	}
}

/* Returns the end of the columns from first on that have the same group and visibility. */
static size_t group_end(const struct table *table, size_t first)
{
	const struct column *columns = table->columns;
	size_t end = first + 1;

	while (end < table->column_count && columns[first].group && columns[end].group &&
	       strcmp(columns[first].group, columns[end].group) == 0 &&
	       is_more(&columns[first]) == is_more(&columns[end]) && is_there(table, &columns[end]))
		end++;
	return end;
}

/*
 * Returns whether a column continues the group of the previous column that
 * listings show, whose title covers it.
 */
static bool continues_group(const struct table *table, size_t number)
{
	const char *group = table->columns[number].group, *before;

	while (number && is_more(&table->columns[number - 1]))
		number--;
	before = number ? table->columns[number - 1].group : NULL;
	return group && before && strcmp(before, group) == 0;
}

static void add_groups(struct strbuf *out, const struct table *table)
{
	bool any = false;

	for (size_t i = 0; i < table->column_count; i++)
		any = any || table->columns[i].group;
	if (!any)
		return;
	strbuf_addstr(out, "<tr class=g>");
	for (size_t i = 0, end; i < table->column_count; i = end) {
		const struct column *column = &table->columns[i];

		end = group_end(table, i);
		if (!is_there(table, column))
			continue;
		strbuf_addf(out, "<%s colspan=%zu%s>",
			    column->group && !continues_group(table, i) ? "th scope=colgroup" : "td", end - i,
			    is_more(column) ? " class=m" : "");
		if (column->group && !continues_group(table, i))
			page_text_html(out, column->group);
	}
}

static void add_head(struct strbuf *out, const struct table *table)
{
	strbuf_addstr(out, "<thead>");
	add_groups(out, table);
	strbuf_addstr(out, "<tr>");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (!is_there(table, column))
			continue;
		strbuf_addf(out, "<th scope=col data-c=%s class='%s%s'", column->id,
			    is_text(column->type)	   ? ""
			    : column->type == COLUMN_BAR ? "b"
							 : "n",
			    is_more(column) ? " m" : "");
		if (column->legend) {
			strbuf_addstr(out, " title=\"");
			page_text_html(out, column->legend);
			strbuf_addch(out, '"');
		}
		strbuf_addch(out, '>');
		page_text_html(out, column->type == COLUMN_BAR && table->bar_title ? table->bar_title
										     : column->heading);
	}
	strbuf_addstr(out, "<tbody>");
}

/* Opens a table, up to its rows. */
static void open_table(struct strbuf *out, const struct table *table)
{
	strbuf_addf(out, "\n<div class=table tabindex=0 role=region aria-label=\"");
	page_text_html(out, *table->title ? table->title : table->document->title);
	strbuf_addf(out, "\"><table data-t=%s>", table->id);
	if (*table->title || table->context_count) {
		strbuf_addstr(out, "<caption>");
		page_text_html(out, table->title);
		for (size_t i = 0; i < table->context_count; i++) {
			strbuf_addstr(out, " <span>");
			page_text_html(out, table->context[i].label);
			strbuf_addf(out, " <b data-c=%s>", table->context[i].id);
			add_value(out, table->context[i].type, &table->context[i].value);
			strbuf_addstr(out, "</b></span>");
		}
		strbuf_addstr(out, "</caption>");
	}
	add_head(out, table);
}

static void close_table(struct strbuf *out)
{
	strbuf_addstr(out, "</table></div>");
}

static void add_group(struct strbuf *out, const struct pair_group *group)
{
	strbuf_addf(out, "<section class=facts data-g=%s>", group->id);
	if (*group->title)
		add_element(out, "h3", group->title);
	strbuf_addstr(out, "<dl>");
	for (size_t i = 0; i < group->count; i++) {
		const struct pair *pair = &group->pairs[i];

		strbuf_addf(out, "<dt%s>", *pair->label == ' ' ? " class=i" : "");
		page_text_html(out, pair->label + strspn(pair->label, " "));
		strbuf_addf(out, "<dd data-c=%s", pair->id);
		add_number(out, &pair->value);
		strbuf_addch(out, '>');
		add_value(out, pair->type, &pair->value);
	}
	strbuf_addstr(out, "</dl></section>");
}

static void add_note(struct strbuf *out, const struct block *block)
{
	static const char letters[] = { [SEVERITY_INFO] = 'I', [SEVERITY_WARNING] = 'W',
					[SEVERITY_ERROR] = 'E', [SEVERITY_SEVERE] = 'S' };

	strbuf_addf(out, "<p class='note %c'>", letters[block->severity]);
	if (block->number) {
		strbuf_addstr(out, "<code>");
		diag_format_id(out, block->number, block->severity);
		strbuf_addstr(out, "</code> ");
	}
	page_text_html(out, block->text);
	strbuf_addstr(out, "</p>");
}

/* Appends a block; rows of a flowing table were appended before. */
static void add_block(struct device *device, const struct block *block)
{
	struct strbuf *out = device->out;

	switch (block->kind) {
	case BLOCK_TABLE:
		if (device->flowing != block->table)
			open_table(out, block->table);
		add_rows(out, block->table);
		close_table(out);
		break;
	case BLOCK_PAIRS:
		strbuf_addstr(out, "<div class=pairs>");
		for (size_t i = 0; i < block->group_count; i++)
			add_group(out, &block->groups[i]);
		strbuf_addstr(out, "</div>");
		break;
	case BLOCK_TEXT:
		if (*block->text)
			add_element(out, "p", block->text);
		break;
	case BLOCK_NOTE:
		add_note(out, block);
		break;
	}
}

/* Returns whether the legend already explains a column. */
static bool is_explained(const struct document *document, size_t block, const struct column *column)
{
	for (size_t i = 0; i <= block; i++) {
		const struct table *table = document->blocks[i].table;

		for (size_t j = 0; table && j < table->column_count; j++) {
			const struct column *other = &table->columns[j];

			if (other == column)
				return false;
			if (other->legend && strcmp(other->id, column->id) == 0)
				return true;
		}
	}
	return false;
}

/* Appends the explanation of a document's columns. */
static void add_legend(struct strbuf *out, const struct document *document)
{
	bool any = false;

	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = document->blocks[i].table;

		for (size_t j = 0; table && j < table->column_count; j++) {
			const struct column *column = &table->columns[j];

			if (!column->legend || !is_there(table, column) || is_explained(document, i, column))
				continue;
			strbuf_addstr(out, any ? "<dt>"
					       : "<details class=legend><summary>What the columns mean"
						 "</summary><dl><dt>");
			any = true;
			page_text_html(out, *column->heading ? column->heading : "bar");
			strbuf_addstr(out, "<dd>");
			page_text_html(out, column->legend);
		}
	}
	strbuf_addstr(out, any ? "</dl></details>" : "");
}

static void open_document(struct device *device, const struct document *document)
{
	strbuf_addf(device->out,
		    "\n<section class='view report' id=%s aria-labelledby=%s-title>"
		    "<h2 id=%s-title><span class=code>%s</span> ",
		    document->code, document->code, document->code, document->code);
	page_text_html(device->out, document->title);
	strbuf_addstr(device->out, "</h2>");
}

static void html_flow(struct device *device, const struct document *document, const struct table *table)
{
	if (!device->flowing) {
		open_document(device, document);
		for (size_t i = 0; document->blocks[i].table != table; i++)
			add_block(device, &document->blocks[i]);
		open_table(device->out, table);
		device->flowing = table;
	}
	add_rows(device->out, table);
}

static void html_print(struct device *device, const struct document *document)
{
	bool seen = !device->flowing;

	if (!device->flowing)
		open_document(device, document);
	for (size_t i = 0; i < document->count; i++) {
		seen = seen || document->blocks[i].table == device->flowing;
		if (seen)
			add_block(device, &document->blocks[i]);
	}
	device->flowing = NULL;
	add_legend(device->out, document);
	strbuf_addstr(device->out, "</section>\n");
}

/* Appends one of the session's key facts. */
static void add_fact(struct strbuf *out, const char *label, const char *text)
{
	if (!*text)
		return;
	strbuf_addf(out, "<div><dt>%s<dd>", label);
	page_text_html(out, text);
	strbuf_addstr(out, "</div>");
}

static void add_header(const struct device *device)
{
	const struct listing *listing = device->listing;
	struct strbuf *out = device->out;

	strbuf_addstr(out, "<a class=skip href=#main>Skip to the content</a>\n<header><h1>");
	page_text_html(out, listing->title);
	strbuf_addstr(out, "</h1><dl>");
	if (strcmp(listing->program, listing->title) != 0)
		add_fact(out, "Program", listing->program);
	add_fact(out, "Job", listing->job);
	add_fact(out, "Step", listing->step);
	add_fact(out, "Date", listing->date);
	add_fact(out, "vigil", listing->version);
	strbuf_addstr(out, "</dl></header>\n");
	if (*listing->warning) {
		strbuf_addstr(out, "<p class=warning role=status>");
		page_text_html(out, listing->warning);
		strbuf_addstr(out, "</p>\n");
	}
}

/* Appends the statements and waits that take most of the run, at the top of the page. */
static void add_findings(struct device *device)
{
	struct strbuf *out = device->out;
	struct findings findings;

	findings_init(&findings, device->profile, FINDINGS_MAX);
	strbuf_addstr(out, "<section class=view id=first aria-labelledby=first-title>"
			   "<h2 id=first-title>Where to look first</h2><ol class=findings>");
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.items[i];
		bool cpu = finding->kind == FINDING_CPU;

		strbuf_addf(out, "<li class=%s data-v=%.15g><b>%.1f %%</b><svg viewBox='0 0 100 8' "
				 "preserveAspectRatio=none aria-hidden=true><rect width=%.2f height=8 /></svg><p><strong>",
			    cpu ? "cpu" : "wait", finding->run_percent, finding->run_percent,
			    finding->run_percent < 100 ? finding->run_percent : 100);
		page_text_html(out, finding->what);
		strbuf_addf(out, "</strong> <span>%s</span><br><code>", cpu ? "CPU time" : "waiting");
		page_text_html(out, finding->where);
		strbuf_addstr(out, "</code></p>");
	}
	strbuf_addstr(out, "</ol>");
	if (!findings.count)
		strbuf_addstr(out, "<p>No statement and no wait holds one percent of the run.</p>");
	strbuf_addstr(out, "</section>\n");
	findings_release(&findings);
}

static void html_begin(struct device *device)
{
	struct strbuf *out = device->out;

	strbuf_addf(out,
		    "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
		    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
		    "script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'\">\n"
		    "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
		    "<meta name=color-scheme content='light dark'>\n<meta name=generator content='vigil %s'>\n<title>",
		    page_script.hash, page_style.hash, PACKAGE_VERSION);
	page_text_html(out, device->listing->title);
	strbuf_addstr(out, " - vigil</title>\n<style>");
	strbuf_add(out, page_style.bytes, page_style.length);
	strbuf_addstr(out, "</style></head>\n<body>");
	add_header(device);
	strbuf_addstr(out, "<main id=main tabindex=-1>\n");
	if (device->profile)
		add_findings(device);
}

static void html_end(struct device *device)
{
	struct strbuf *out = device->out;

	strbuf_addstr(out, "</main>\n");
	if (device->profile) {
		strbuf_addstr(out, "<script type='application/json' id=content>");
		page_content_json(device->profile, device->options->resolution, out);
		strbuf_addstr(out, "</script>\n");
	}
	if (device->listing->difference) {
		strbuf_addstr(out, "<script type='application/json' id=difference-content>");
		strbuf_addstr(out, device->listing->difference);
		strbuf_addstr(out, "</script>\n");
	}
	if (device->listing->trend) {
		strbuf_addstr(out, "<script type='application/json' id=trend-content>");
		strbuf_addstr(out, device->listing->trend);
		strbuf_addstr(out, "</script>\n");
	}
	strbuf_addstr(out, "<script>");
	strbuf_add(out, page_script.bytes, page_script.length);
	strbuf_addstr(out, "</script></body></html>\n");
}

const struct device_class html_device = {
	.name = "html",
	.size = sizeof(struct device),
	.begin = html_begin,
	.print = html_print,
	.flow = html_flow,
	.end = html_end,
	.alone = "a page of HTML",
	.needs = DEVICE_NEEDS_COURSE,
};
