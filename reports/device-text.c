/* SPDX-License-Identifier: Apache-2.0 */
/* The listing: 132 columns, page heads, headings repeated on each page. */
#include "common/compat.h"
#include "reports/device.h"
#include "reports/listing-columns.h"
#include "reports/listing-lines.h"
#include "reports/report.h"
#include "reports/text.h"

#include <ctype.h>

#define BELOW_INDENT 11 /* of the text below a row */

struct text {
	struct device device;
	const struct document *document; /* being printed */
	const struct table *table;	 /* whose rows are being printed, or NULL */
	struct listing_layout layout;	 /* of that table */
	size_t line_width;			 /* columns per line */
	const char *emphasis;		 /* colour of the paragraph being put, or NULL */
	struct strbuf title;		 /* its title, one line */
	struct strbuf heads;		 /* its heading lines, each ended by a newline */
	unsigned page, line;		 /* line: lines printed on this page */
	double scale;			 /* percent per character of its bars */
	bool continued;			 /* the document continues from an earlier page */
};

static void put_line(struct text *text, const char *line, size_t length);

/* Writes one line as it is, with the carriage control of its position. */
static void put_raw(struct text *text, const char *line, size_t length, bool new_page)
{
	struct strbuf *out = text->device.out;

	if (text->device.options->ansi_control)
		strbuf_addch(out, new_page ? '1' : ' ');
	else if (new_page && text->page > 1)
		strbuf_addch(out, '\f');
	while (length && line[length - 1] == ' ')
		length--;
	strbuf_add(out, line, length);
	strbuf_addch(out, '\n');
	text->line++;
}

/* Appends right so that it ends at the last column of the line that began at start. */
static void add_right(struct strbuf *sb, size_t start, const char *right, size_t line_width)
{
	size_t used = text_width(sb->text + start), width = text_width(right);

	if (used + width + 1 < line_width)
		strbuf_addchars(sb, ' ', line_width - used - width);
	else
		strbuf_addch(sb, ' ');
	strbuf_addstr(sb, right);
}

/* Appends "label value" truncated to width, and two blanks; nothing for an empty value. */
static void add_fact(struct strbuf *sb, const char *label, const char *value, size_t width)
{
	struct strbuf clean = STRBUF_INIT;

	if (!*value)
		return;
	text_clean(&clean, value);
	strbuf_addf(sb, "%s ", label);
	if (text_width(clean.text) <= width)
		strbuf_addbuf(sb, &clean);
	else
		text_add_field(sb, clean.text, width, false);
	strbuf_addstr(sb, "   ");
	strbuf_release(&clean);
}

/* Returns the columns that a fact of the head may have if a line has fewer than a listing. */
static size_t fact_width(const struct text *text, size_t width, size_t narrow)
{
	return text->line_width < LISTING_WIDTH ? narrow : width;
}

/* Appends the facts of the second line of a page head. */
static void add_facts(const struct text *text, struct strbuf *line)
{
	const struct listing *listing = text->device.listing;
	struct strbuf step = STRBUF_INIT;

	strbuf_addf(&step, "%s%s%s", listing->step, *listing->procstep ? "." : "",
		    listing->procstep);
	add_fact(line, "JOB", listing->job, fact_width(text, 17, 8));
	add_fact(line, "NUMBER", listing->job_number, fact_width(text, 12, 8));
	add_fact(line, "STEP", step.text, fact_width(text, 20, 10));
	add_fact(line, "PROGRAM", listing->program, fact_width(text, 24, 14));
	strbuf_release(&step);
}

/*
 * Puts the two lines at the head of a page; narrow ones leave out what the title
 * of the report also shows.
 */
static void put_page_head(struct text *text)
{
	const struct listing *listing = text->device.listing;
	struct strbuf line = STRBUF_INIT, right = STRBUF_INIT;

	strbuf_addstr(&right, listing->date);
	if (text->device.options->lines)
		strbuf_addf(&right, "   PAGE %4u", text->page);
	strbuf_addf(&line, "VIGIL %s   ", listing->version);
	if (text->line_width == LISTING_WIDTH)
		strbuf_addf(&line, "%s   ", listing->heading);
	add_fact(&line, "OF", listing->title, fact_width(text, 40, 20));
	add_right(&line, 0, right.text, text->line_width);
	put_raw(text, line.text, line.length, true);
	strbuf_reset(&line);
	add_facts(text, &line);
	if (*listing->warning && text->line_width == LISTING_WIDTH)
		add_right(&line, 0, listing->warning, text->line_width);
	put_raw(text, line.text, line.length, false);
	if (*listing->warning && text->line_width < LISTING_WIDTH)
		put_raw(text, listing->warning, strlen(listing->warning), false);
	strbuf_release(&line);
	strbuf_release(&right);
}

/* Puts the title of the report, centred, with its code at the left. */
static void put_title(struct text *text)
{
	const char *continued = text->continued ? " (CONTINUED)" : "";
	struct strbuf line = STRBUF_INIT;
	size_t width = strlen(text->document->title) + 6 + strlen(continued);

	put_raw(text, "", 0, false);
	strbuf_addf(&line, "#%s", text->document->code);
	if (width + 6 < text->line_width)
		strbuf_pad_to(&line, (text->line_width - width) / 2);
	else
		strbuf_addch(&line, ' ');
	strbuf_addstr(&line, "** ");
	for (const char *at = text->document->title; *at; at++)
		strbuf_addch(&line, (char)toupper((unsigned char)*at));
	strbuf_addf(&line, "%s **", continued);
	put_raw(text, line.text, line.length, false);
	put_raw(text, "", 0, false);
	strbuf_release(&line);
}

/* Writes newline-terminated lines without page control. */
static void put_raw_lines(struct text *text, const char *lines)
{
	for (const char *end; *lines; lines = end + 1) {
		end = strchr(lines, '\n');
		put_raw(text, lines, (size_t)(end - lines), false);
	}
}

static void new_page(struct text *text)
{
	text->page++;
	text->line = 0;
	put_page_head(text);
	put_title(text);
	text->continued = true;
	if (!text->table)
		return;
	if (text->title.length)
		put_raw(text, text->title.text, text->title.length, false);
	put_raw_lines(text, text->heads.text);
}

/* Begins a new page unless count more lines fit on this one. */
static void need_lines(struct text *text, unsigned count)
{
	if (text->device.options->lines && text->line + count > text->device.options->lines)
		new_page(text);
}

static void put_line(struct text *text, const char *line, size_t length)
{
	need_lines(text, 1);
	put_raw(text, line, length, false);
}

/* Puts an empty line, except at the top of a page. */
static void put_space(struct text *text)
{
	if (!text->device.options->lines || text->line + 1 < text->device.options->lines)
		put_raw(text, "", 0, false);
}

/* Colours a line if colours are wanted; code NULL: none. */
static void colour(const struct text *text, const char *code, struct strbuf *line)
{
	struct strbuf coloured = STRBUF_INIT;

	if (!text->device.options->colours || !code)
		return;
	strbuf_rtrim(line);
	strbuf_addf(&coloured, "\033[%sm%s\033[0m", code, line->text);
	strbuf_reset(line);
	strbuf_addbuf(line, &coloured);
	strbuf_release(&coloured);
}

/* A listing_put. */
static void put_listing_line(void *argument, const char *line)
{
	struct text *text = argument;
	struct strbuf whole = STRBUF_INIT;

	strbuf_addstr(&whole, line);
	colour(text, text->emphasis, &whole);
	put_line(text, whole.text, whole.length);
	strbuf_release(&whole);
}

static void put_paragraph(struct text *text, const char *paragraph, size_t indent)
{
	listing_paragraph(paragraph, indent, text->line_width, put_listing_line, text);
}

/* Returns the percentage per bar character, from the longest bar of a detail row. */
static double table_scale(const struct text *text, const struct table *table,
			  const struct column *column)
{
	return device_bar_scale(listing_bar_highest(table, column), text->layout.bar);
}

/* Appends the heading of a bar: scale marks every ten characters. */
static void add_scale(const struct text *text, struct strbuf *sb)
{
	double scale = text->scale;
	size_t width = text->layout.bar, start = sb->length;

	for (size_t at = 0; at + 7 <= width; at += 10) {
		char mark[16];
		int length = snprintf(mark, sizeof(mark),
				      scale < 0.1 ? "|%.2f"
				      : scale < 1 ? "|%.1f"
						  : "|%.0f",
				      (double)at * scale);

		if (length >= 10 || at + (size_t)length > width)
			return; /* only shares of a damaged data set are this large */
		strbuf_addchars(sb, ' ', at - (sb->length - start));
		strbuf_addstr(sb, mark);
	}
}

/* Returns the end of the columns under the same group title as column first, and their width. */
static size_t group_end(const struct text *text, const struct table *table, size_t first,
			size_t *width)
{
	const struct column *column = &table->columns[first];
	size_t end = first;

	for (*width = 0; end < table->column_count; end++) {
		const struct column *next = &table->columns[end];

		if (!text->layout.shown[end])
			continue;
		if (end > first &&
		    (!column->group || !next->group || strcmp(column->group, next->group) != 0))
			break;
		*width += text->layout.widths[end] + 1;
	}
	return end;
}

/* Appends a title centred in width columns, with hyphens on both sides if they fit. */
static void add_group_title(struct strbuf *sb, const char *title, size_t width)
{
	size_t length = strlen(title), left = width > length ? (width - length) / 2 : 0;

	if (width < length + 4) {
		strbuf_addchars(sb, ' ', left);
		text_add_start(sb, title, width);
		return;
	}
	strbuf_addchars(sb, '-', left - 1);
	strbuf_addf(sb, " %s ", title);
	strbuf_addchars(sb, '-', width - length - left - 1);
}

/* Appends the first heading line: the title of each group of columns above its columns. */
static void add_groups(const struct text *text, const struct table *table, struct strbuf *sb)
{
	size_t at = 0, end, width;

	for (size_t i = 0; i < table->column_count; i = end) {
		const struct column *column = &table->columns[i];

		if (!text->layout.shown[i]) {
			end = i + 1;
			continue;
		}
		end = group_end(text, table, i, &width);
		strbuf_pad_to(sb, at);
		if (column->group)
			add_group_title(sb, column->group, width - 1);
		else if (column->type == COLUMN_BAR)
			listing_bar_title(table, width - 1, sb);
		at += width;
	}
}

static bool is_right(enum column_type type)
{
	return type >= COLUMN_NUMBER && type <= COLUMN_REAL;
}

/* Appends the second heading line and the rule below it. */
static void add_headings(const struct text *text, const struct table *table, struct strbuf *line,
			 struct strbuf *rule)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		size_t width = text->layout.widths[i];

		if (!text->layout.shown[i] || !width)
			continue;
		if (line->length)
			strbuf_addch(line, ' ');
		if (rule->length)
			strbuf_addch(rule, ' ');
		if (column->type == COLUMN_BAR) {
			size_t start = line->length;

			add_scale(text, line);
			strbuf_addchars(line, ' ', width - (line->length - start));
		} else {
			text_add_field(line, column->heading, width, is_right(column->type));
		}
		strbuf_addchars(rule, '-', width);
	}
}

/* Builds the lines above the rows of a table, which are repeated on each page. */
static void make_heads(struct text *text, const struct table *table)
{
	struct strbuf groups = STRBUF_INIT, line = STRBUF_INIT, rule = STRBUF_INIT;

	strbuf_reset(&text->heads);
	listing_layout(text->device.options, table, &text->layout);
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].type == COLUMN_BAR)
			text->scale = table_scale(text, table, &table->columns[i]);
	add_groups(text, table, &groups);
	add_headings(text, table, &line, &rule);
	strbuf_rtrim(&groups);
	if (groups.length)
		strbuf_addf(&text->heads, "%s\n", groups.text);
	strbuf_addf(&text->heads, "%s\n%s\n", line.text, rule.text);
	strbuf_release(&groups);
	strbuf_release(&line);
	strbuf_release(&rule);
}

/* Appends the bar of one row. */
static void add_bar(const struct text *text, const struct table *table, const struct row *row,
		    const struct column *column, struct strbuf *sb)
{
	if (row->kind <= ROW_OTHER)
		device_bar_add(sb, listing_real(table, row, column->bar_solo),
			       listing_real(table, row, column->bar), text->scale,
			       text->layout.bar);
}

/* Returns the code of a row's colour; NULL: none. */
static const char *row_code(const struct text *text, const struct row *row)
{
	static const char *const codes[] = { NULL, "32", "33", "1;31" };

	return codes[listing_colour(row, listing_share(text->table, row))];
}

/* Puts the text below a row, on the same page. */
static void put_below(struct text *text, const char *below)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addchars(&line, ' ', BELOW_INDENT);
	strbuf_addstr(&line, below);
	put_paragraph(text, line.text, BELOW_INDENT + 4);
	strbuf_release(&line);
}

static void put_row(struct text *text, const struct table *table, const struct row *row)
{
	struct strbuf line = STRBUF_INIT, value = STRBUF_INIT;
	bool first = true;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (!text->layout.shown[i])
			continue;
		if (!first)
			strbuf_addch(&line, ' ');
		first = false;
		strbuf_reset(&value);
		if (column->type == COLUMN_BAR)
			add_bar(text, table, row, column, &value);
		else
			device_value_add(&value, column->type, &row->values[i]);
		text_add_field(&line, value.text, text->layout.widths[i],
			       is_right(column->type));
	}
	colour(text, row_code(text, row), &line);
	need_lines(text, row->below ? 2 : 1);
	put_line(text, line.text, line.length);
	if (row->below)
		put_below(text, row->below);
	strbuf_release(&line);
	strbuf_release(&value);
}

/*
 * Puts the title of a table with what its rows have in common; truncated to one
 * line when repeated.
 */
static void put_table_title(struct text *text, const struct table *table)
{
	struct strbuf line = STRBUF_INIT;

	listing_title(table, &line);
	if (line.length)
		put_paragraph(text, line.text, 4);
	strbuf_reset(&text->title);
	text_add_start(&text->title, line.text, text->line_width);
	strbuf_release(&line);
}

/* Begins a table: its title and headings. */
static void put_table_head(struct text *text, const struct table *table)
{
	need_lines(text, 7);
	put_table_title(text, table);
	if (!table->row_count)
		return;
	make_heads(text, table);
	put_raw_lines(text, text->heads.text);
	text->table = table;
}

static void put_rows(struct text *text, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		put_row(text, table, &table->rows[i]);
		if (table->rows[i].kind == ROW_SUBTOTAL)
			put_space(text);
	}
}

/* Prints a table, or the rest of one whose rows flow. */
static void put_table(struct text *text, const struct table *table)
{
	if (text->device.flowing != table)
		put_table_head(text, table);
	if (!text->table)
		put_line(text, "  (none)", 8);
	else
		put_rows(text, table);
	text->table = NULL;
	put_space(text);
}

static void put_pairs(struct text *text, const struct block *block)
{
	need_lines(text, 6);
	listing_pairs(block, text->line_width, put_listing_line, text);
	put_space(text);
}

static void put_note(struct text *text, const struct block *block)
{
	struct strbuf sb = STRBUF_INIT;

	if (block->number) {
		diag_format_id(&sb, block->number, block->severity);
		strbuf_addch(&sb, ' ');
	}
	strbuf_addstr(&sb, block->text);
	text->emphasis = block->severity >= SEVERITY_ERROR ? "1;31"
			 : block->number && block->severity >= SEVERITY_WARNING ? "33" : NULL;
	put_paragraph(text, sb.text, block->number ? 10 : 4);
	text->emphasis = NULL;
	strbuf_release(&sb);
}

static void put_legend(struct text *text)
{
	struct strbuf sb = STRBUF_INIT;

	listing_legend(text->device.options, text->document, &sb);
	if (sb.length)
		put_paragraph(text, sb.text, 8);
	strbuf_release(&sb);
}

static void text_begin(struct device *device)
{
	struct text *text = (struct text *)device;

	text->line_width = listing_line_width(device->options);
	strbuf_init(&text->title);
	strbuf_init(&text->heads);
}

/* Begins a document: on a new page, or with its title only. */
static void put_document_head(struct text *text, const struct document *document)
{
	text->document = document;
	text->continued = false;
	if (text->device.options->lines || !text->page) {
		new_page(text);
	} else {
		put_raw(text, "", 0, false);
		put_title(text);
	}
}

static void put_block(struct text *text, const struct block *block)
{
	if (block->kind == BLOCK_TABLE)
		put_table(text, block->table);
	else if (block->kind == BLOCK_PAIRS)
		put_pairs(text, block);
	else if (block->kind == BLOCK_NOTE)
		put_note(text, block);
	else
		put_paragraph(text, block->text, 0);
}

static void text_flow(struct device *device, const struct document *document,
		      const struct table *table)
{
	struct text *text = (struct text *)device;

	if (!device->flowing) {
		put_document_head(text, document);
		for (size_t i = 0; document->blocks[i].table != table; i++)
			put_block(text, &document->blocks[i]);
		put_table_head(text, table);
		device->flowing = table;
	}
	put_rows(text, table);
}

static void text_print(struct device *device, const struct document *document)
{
	struct text *text = (struct text *)device;
	bool seen = !device->flowing;

	if (!device->flowing)
		put_document_head(text, document);
	for (size_t i = 0; i < document->count; i++) {
		seen = seen || document->blocks[i].table == device->flowing;
		if (seen)
			put_block(text, &document->blocks[i]);
	}
	device->flowing = NULL;
	put_legend(text);
}

static void text_end(struct device *device)
{
	struct text *text = (struct text *)device;

	strbuf_release(&text->title);
	strbuf_release(&text->heads);
}

const struct device_class text_device = {
	.name = "text",
	.size = sizeof(struct text),
	.begin = text_begin,
	.print = text_print,
	.flow = text_flow,
	.end = text_end,
	.lines = true,
};
