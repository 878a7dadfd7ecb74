/* SPDX-License-Identifier: Apache-2.0 */
/* The listing: 132 columns, page heads, headings repeated on each page. */
#include "common/compat.h"
#include "reports/device.h"
#include "common/clock.h"
#include "reports/text.h"

#include <ctype.h>

struct text {
	struct device device;
	const struct document *document; /* being printed */
	const struct table *table;	 /* whose rows are being printed, or NULL */
	struct strbuf title;		 /* its title, one line */
	struct strbuf heads;		 /* its heading lines, each ended by a newline */
	unsigned page, line;		 /* line: printed on this page */
	double scale;			 /* percent of one character of its bars */
	bool continued;			 /* the document goes on from an earlier page */
};

static void put_line(struct text *text, const char *line, size_t length);

/* Write one line as it is, with the carriage control of its place. */
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

/* Append right so that it ends at the last column of the line that began at start. */
static void add_right(struct strbuf *sb, size_t start, const char *right)
{
	size_t used = text_width(sb->text + start), width = text_width(right);

	if (used + width + 1 < LISTING_WIDTH)
		strbuf_addchars(sb, ' ', LISTING_WIDTH - used - width);
	else
		strbuf_addch(sb, ' ');
	strbuf_addstr(sb, right);
}

/* Append "label value" cut to width, and two blanks; nothing for an empty value. */
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

/* The two lines at the head of a page. */
static void put_page_head(struct text *text)
{
	const struct listing *listing = text->device.listing;
	struct strbuf line = STRBUF_INIT, right = STRBUF_INIT, step = STRBUF_INIT;

	strbuf_addf(&step, "%s%s%s", listing->step, *listing->procstep ? "." : "",
		    listing->procstep);
	strbuf_addf(&line, "VIGIL %s   %s   ", listing->version, listing->heading);
	add_fact(&line, "OF", listing->title, 40);
	strbuf_addstr(&right, listing->date);
	if (text->device.options->lines)
		strbuf_addf(&right, "   PAGE %4u", text->page);
	add_right(&line, 0, right.text);
	put_raw(text, line.text, line.length, true);
	strbuf_reset(&line);
	add_fact(&line, "JOB", listing->job, 17);
	add_fact(&line, "NUMBER", listing->job_number, 12);
	add_fact(&line, "STEP", step.text, 20);
	add_fact(&line, "PROGRAM", listing->program, 24);
	if (*listing->warning)
		add_right(&line, 0, listing->warning);
	put_raw(text, line.text, line.length, false);
	strbuf_release(&line);
	strbuf_release(&right);
	strbuf_release(&step);
}

/* The title of the report, in the middle, its code at the left. */
static void put_title(struct text *text)
{
	const char *continued = text->continued ? " (CONTINUED)" : "";
	struct strbuf line = STRBUF_INIT;
	size_t width = strlen(text->document->title) + 6 + strlen(continued);

	put_raw(text, "", 0, false);
	strbuf_addf(&line, "#%s", text->document->code);
	strbuf_pad_to(&line, (LISTING_WIDTH - width) / 2);
	strbuf_addstr(&line, "** ");
	for (const char *at = text->document->title; *at; at++)
		strbuf_addch(&line, (char)toupper((unsigned char)*at));
	strbuf_addf(&line, "%s **", continued);
	put_raw(text, line.text, line.length, false);
	put_raw(text, "", 0, false);
	strbuf_release(&line);
}

/* Write lines that are each ended by a newline, without looking at the page. */
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

/* Begin a new page unless count more lines fit on this one. */
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

/* An empty line, except at the top of a page. */
static void put_space(struct text *text)
{
	if (!text->device.options->lines || text->line + 1 < text->device.options->lines)
		put_raw(text, "", 0, false);
}

/* A paragraph in lines of at most 132 columns; further lines begin at indent. */
static void put_paragraph(struct text *text, const char *paragraph, size_t indent)
{
	struct strbuf clean = STRBUF_INIT, line = STRBUF_INIT;
	const char *rest;
	bool first = true;

	text_clean(&clean, paragraph);
	for (rest = clean.text; *rest || first; first = false) {
		size_t end = text_wrap(rest, LISTING_WIDTH - (first ? 0 : indent));

		strbuf_reset(&line);
		strbuf_addchars(&line, ' ', first ? 0 : indent);
		strbuf_add(&line, rest, end);
		put_line(text, line.text, line.length);
		for (rest += end; *rest == ' '; rest++)
			;
	}
	strbuf_release(&clean);
	strbuf_release(&line);
}

/* Append a value in the form of its column, without filling. */
static void format_value(struct strbuf *sb, enum column_type type, const struct value *value)
{
	if (value->type == VALUE_NONE)
		return;
	switch (type) {
	case COLUMN_NAME:
	case COLUMN_PATH:
	case COLUMN_TEXT:
		if (value->token)
			strbuf_addstr(sb, value->token);
		else
			text_clean(sb, value->text);
		break;
	case COLUMN_NUMBER:
		text_add_number(sb, value->number);
		break;
	case COLUMN_HEX:
		strbuf_addf(sb, "%" PRIX64, value->number);
		break;
	case COLUMN_BYTES:
		text_add_bytes(sb, value->number);
		break;
	case COLUMN_TIME:
		clock_format_mmsshh(sb, value->number);
		break;
	case COLUMN_AVERAGE:
		strbuf_addf(sb, "%.3f", (double)value->number / 1e6);
		break;
	case COLUMN_PERCENT:
		strbuf_addf(sb, "%.2f", value->real);
		break;
	case COLUMN_BAR:
		break;
	}
}

static bool is_visible(const struct text *text, const struct column *column)
{
	return !(column->flags & COLUMN_DATA_ONLY) &&
	       (!(column->flags & COLUMN_MARGIN) || text->device.options->margins);
}

/* Columns of the listing that a BAR may take: what the others leave. */
static size_t bar_width(const struct text *text, const struct table *table)
{
	size_t used = 0;

	for (size_t i = 0; i < table->column_count; i++)
		if (is_visible(text, &table->columns[i]) && table->columns[i].type != COLUMN_BAR)
			used += table->columns[i].width + 1;
	assert(used <= LISTING_WIDTH + 1);
	return used < LISTING_WIDTH ? LISTING_WIDTH - used : 0;
}

static size_t column_width(const struct text *text, const struct table *table,
			   const struct column *column)
{
	return column->type == COLUMN_BAR ? bar_width(text, table) : column->width;
}

static double real_by_id(const struct table *table, const struct row *row, const char *id)
{
	size_t column = id ? table_column(table, id) : SIZE_MAX;

	return column == SIZE_MAX ? 0 : row->values[column].real;
}

/* Percent of one bar character, by the longest bar of a detail row. */
static double table_scale(const struct text *text, const struct table *table,
			  const struct column *column)
{
	double highest = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		double total = real_by_id(table, &table->rows[i], column->bar);

		if (table->rows[i].kind <= ROW_OTHER && total > highest)
			highest = total;
	}
	return device_bar_scale(highest, bar_width(text, table));
}

/* The heading of a bar: marks of the scale every ten characters. */
static void add_scale(const struct text *text, const struct table *table,
		      const struct column *column, struct strbuf *sb)
{
	double scale = text->scale;
	size_t width = column_width(text, table, column), start = sb->length;

	for (size_t at = 0; at + 7 <= width; at += 10) {
		char mark[16];
		int length = snprintf(mark, sizeof(mark),
				      scale < 0.1 ? "|%.2f"
				      : scale < 1 ? "|%.1f"
						  : "|%.0f",
				      (double)at * scale);

		if (length >= 10 || at + (size_t)length > width)
			return; /* only shares of a damaged data set are so large */
		strbuf_addchars(sb, ' ', at - (sb->length - start));
		strbuf_addstr(sb, mark);
	}
}

/* The end of the columns that stand under the same group title as column first; their width. */
static size_t group_end(const struct text *text, const struct table *table, size_t first,
			size_t *width)
{
	const struct column *column = &table->columns[first];
	size_t end = first;

	for (*width = 0; end < table->column_count; end++) {
		const struct column *next = &table->columns[end];

		if (!is_visible(text, next))
			continue;
		if (end > first &&
		    (!column->group || !next->group || strcmp(column->group, next->group) != 0))
			break;
		*width += column_width(text, table, next) + 1;
	}
	return end;
}

/* The title of a histogram, as much of it as fits. */
static void add_bar_title(const struct table *table, size_t width, struct strbuf *sb)
{
	char margin[32] = "";
	const char *title = table->bar_title ? table->bar_title : "";

	if (table->bar_margin >= 0)
		snprintf(margin, sizeof(margin), "%.2f%%", table->bar_margin);
	if (!margin[0] && strlen(title) <= width)
		strbuf_addstr(sb, title);
	else if (!margin[0] && width >= 9)
		strbuf_addstr(sb, "HISTOGRAM");
	else if (strlen(title) + 19 + strlen(margin) <= width)
		strbuf_addf(sb, "%s  MARGIN OF ERROR: %s", title, margin);
	else if (27 + strlen(margin) <= width)
		strbuf_addf(sb, "HISTOGRAM  MARGIN OF ERROR %s", margin);
	else if (16 + strlen(margin) <= width)
		strbuf_addf(sb, "MARGIN OF ERROR %s", margin);
	else if (4 + strlen(margin) <= width)
		strbuf_addf(sb, "+/- %s", margin);
}

/* Append a title in the middle of width columns, with hyphens to both sides where there is room. */
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

/* The first heading line: the title of each group of columns over its columns. */
static void add_groups(const struct text *text, const struct table *table, struct strbuf *sb)
{
	size_t at = 0, end, width;

	for (size_t i = 0; i < table->column_count; i = end) {
		const struct column *column = &table->columns[i];

		if (!is_visible(text, column)) {
			end = i + 1;
			continue;
		}
		end = group_end(text, table, i, &width);
		strbuf_pad_to(sb, at);
		if (column->group)
			add_group_title(sb, column->group, width - 1);
		else if (column->type == COLUMN_BAR)
			add_bar_title(table, width - 1, sb);
		at += width;
	}
}

static bool is_right(enum column_type type)
{
	return type >= COLUMN_NUMBER && type <= COLUMN_PERCENT;
}

/* The second heading line and the rule under it. */
static void add_headings(const struct text *text, const struct table *table, struct strbuf *line,
			 struct strbuf *rule)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		size_t width = column_width(text, table, column);

		if (!is_visible(text, column) || !width)
			continue;
		if (line->length)
			strbuf_addch(line, ' ');
		if (rule->length)
			strbuf_addch(rule, ' ');
		if (column->type == COLUMN_BAR) {
			size_t start = line->length;

			add_scale(text, table, column, line);
			strbuf_addchars(line, ' ', width - (line->length - start));
		} else {
			text_add_field(line, column->heading, width, is_right(column->type));
		}
		strbuf_addchars(rule, '-', width);
	}
}

/* The lines above the rows of a table, kept to be repeated on each page. */
static void make_heads(struct text *text, const struct table *table)
{
	struct strbuf groups = STRBUF_INIT, line = STRBUF_INIT, rule = STRBUF_INIT;

	strbuf_reset(&text->heads);
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

/* Append the bar of one row. */
static void add_bar(const struct text *text, const struct table *table, const struct row *row,
		    const struct column *column, struct strbuf *sb)
{
	if (row->kind <= ROW_OTHER)
		device_bar_add(sb, real_by_id(table, row, column->bar_solo),
			       real_by_id(table, row, column->bar), text->scale,
			       bar_width(text, table));
}

/* Colour the line of a row by its share: red from 10 percent on, yellow from 2, green below. */
static void colour(const struct text *text, const struct row *row, struct strbuf *line)
{
	struct strbuf coloured = STRBUF_INIT;

	if (!text->device.options->colours || row->share <= 0)
		return;
	strbuf_rtrim(line);
	strbuf_addf(&coloured, "\033[%sm%s\033[0m",
		    row->share >= 10  ? "1;31"
		    : row->share >= 2 ? "33"
				      : "32",
		    line->text);
	strbuf_reset(line);
	strbuf_addbuf(line, &coloured);
	strbuf_release(&coloured);
}

static void put_row(struct text *text, const struct table *table, const struct row *row)
{
	struct strbuf line = STRBUF_INIT, value = STRBUF_INIT;
	bool first = true;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (!is_visible(text, column))
			continue;
		if (!first)
			strbuf_addch(&line, ' ');
		first = false;
		strbuf_reset(&value);
		if (column->type == COLUMN_BAR)
			add_bar(text, table, row, column, &value);
		else
			format_value(&value, column->type, &row->values[i]);
		text_add_field(&line, value.text, column_width(text, table, column),
			       is_right(column->type));
	}
	colour(text, row, &line);
	put_line(text, line.text, line.length);
	strbuf_release(&line);
	strbuf_release(&value);
}

/* The title of a table and what its rows have in common; cut to a line it is repeated. */
static void put_table_title(struct text *text, const struct table *table)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addstr(&line, table->title);
	for (size_t i = 0; i < table->context_count; i++) {
		if (!table->context[i].value.text[0])
			continue;
		strbuf_addf(&line, "%s%s ", line.length ? "   " : "", table->context[i].label);
		if (table->context[i].value.token)
			strbuf_addf(&line, "%s = ", table->context[i].value.token);
		text_clean(&line, table->context[i].value.text);
	}
	if (line.length)
		put_paragraph(text, line.text, 4);
	strbuf_reset(&text->title);
	text_add_start(&text->title, line.text, LISTING_WIDTH);
	strbuf_release(&line);
}

/* Begin a table: its title and headings. */
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

/* Print a table, or the rest of one whose rows flow. */
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

/* Append a value that fits behind its label: at the right, with leaders; alone on a line at once.
 */
static void add_short_value(struct strbuf *line, const char *value, size_t width, size_t room)
{
	size_t leaders = room - text_width(value);

	strbuf_addch(line, ' ');
	if (width < LISTING_WIDTH && leaders > 1)
		strbuf_addchars(line, '.', leaders - 1);
	if (leaders)
		strbuf_addch(line, ' ');
	strbuf_addstr(line, value);
}

/* Append one pair in at most width columns; what does not fit goes to *rest, a part of *value. */
static void add_pair(struct strbuf *line, const struct pair *pair, size_t width, const char **rest,
		     struct strbuf *value)
{
	size_t room = width - text_width(pair->label) - 1, end;

	strbuf_reset(value);
	format_value(value, pair->type, &pair->value);
	if (pair->value.type == VALUE_NONE)
		strbuf_addstr(value, "-");
	strbuf_addstr(line, pair->label);
	if (text_width(value->text) <= room) {
		add_short_value(line, value->text, width, room);
		return;
	}
	end = text_wrap(value->text, room);
	strbuf_addch(line, ' ');
	strbuf_add(line, value->text, end);
	for (*rest = value->text + end; **rest == ' '; (*rest)++)
		;
}

/* A value takes at most so many lines; CSV and JSON have it in full. */
#define VALUE_LINES 6

/* Where one group of pairs stands while lines are put side by side. */
struct cursor {
	size_t next;
	unsigned lines;	  /* of the present value */
	const char *rest; /* of a value that goes on, into value */
	struct strbuf value;
};

/* Append the next line of one group; false when there is none. */
static bool add_group_line(const struct pair_group *group, struct cursor *cursor,
			   struct strbuf *line, size_t width)
{
	if (cursor->rest && *cursor->rest) {
		size_t end = text_wrap(cursor->rest, width - 4);

		strbuf_addstr(line, "    ");
		if (++cursor->lines == VALUE_LINES && cursor->rest[end]) {
			strbuf_addstr(line, "...");
			cursor->rest = NULL;
			return true;
		}
		strbuf_add(line, cursor->rest, end);
		for (cursor->rest += end; *cursor->rest == ' '; cursor->rest++)
			;
		return true;
	}
	cursor->rest = NULL;
	if (cursor->next >= group->count)
		return false;
	cursor->lines = 1;
	add_pair(line, &group->pairs[cursor->next++], width, &cursor->rest, &cursor->value);
	return true;
}

static void put_group_titles(struct text *text, const struct block *block, size_t width)
{
	struct strbuf line = STRBUF_INIT, rule = STRBUF_INIT;

	for (size_t i = 0; i < block->group_count; i++) {
		if (i)
			strbuf_addstr(&line, "   ");
		if (i)
			strbuf_addstr(&rule, "   ");
		text_add_field(&line, block->groups[i].title, width, false);
		strbuf_addchars(&rule, '-', width);
	}
	put_line(text, line.text, line.length);
	put_line(text, rule.text, rule.length);
	strbuf_release(&line);
	strbuf_release(&rule);
}

static void put_pairs(struct text *text, const struct block *block)
{
	size_t width = (LISTING_WIDTH - 3 * (block->group_count - 1)) / block->group_count;
	struct cursor cursors[4];
	struct strbuf line = STRBUF_INIT;
	bool any = true;

	assert(block->group_count <= ARRAY_SIZE(cursors));
	memset(cursors, 0, sizeof(cursors));
	for (size_t i = 0; i < block->group_count; i++)
		strbuf_init(&cursors[i].value);
	need_lines(text, 6);
	if (block->groups[0].title[0])
		put_group_titles(text, block, width);
	while (any) {
		any = false;
		strbuf_reset(&line);
		for (size_t i = 0; i < block->group_count; i++) {
			size_t column = i * (width + 3), used = text_width(line.text);

			strbuf_addchars(&line, ' ', column > used ? column - used : 0);
			any |= add_group_line(&block->groups[i], &cursors[i], &line, width);
		}
		if (any)
			put_line(text, line.text, line.length);
	}
	put_space(text);
	for (size_t i = 0; i < block->group_count; i++)
		strbuf_release(&cursors[i].value);
	strbuf_release(&line);
}

static void put_note(struct text *text, const struct block *block)
{
	struct strbuf sb = STRBUF_INIT;

	if (block->number) {
		diag_format_id(&sb, block->number, block->severity);
		strbuf_addch(&sb, ' ');
	}
	strbuf_addstr(&sb, block->text);
	put_paragraph(text, sb.text, block->number ? 10 : 4);
	strbuf_release(&sb);
}

/* Whether an earlier table of the document has explained the same column. */
static bool is_explained(const struct document *document, size_t block, const struct column *column)
{
	for (size_t i = 0; i < block; i++) {
		const struct table *table = document->blocks[i].table;

		for (size_t j = 0; table && j < table->column_count; j++)
			if (table->columns[j].legend &&
			    strcmp(table->columns[j].legend, column->legend) == 0)
				return true;
	}
	return false;
}

/* Append what the columns of one table mean, those that were not explained before. */
static void add_legend(const struct text *text, size_t block, struct strbuf *sb)
{
	const struct table *table = text->document->blocks[block].table;

	for (size_t i = 0; table && table->row_count && i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (!column->legend || !is_visible(text, column) ||
		    is_explained(text->document, block, column))
			continue;
		strbuf_addstr(sb, sb->length ? ".  " : "LEGEND  ");
		if (column->group && strchr(column->group, '%'))
			strbuf_addf(sb, "%s ", column->group);
		strbuf_addf(sb, "%s: %s",
			    column->type == COLUMN_BAR ? "HISTOGRAM" : column->heading,
			    column->legend);
	}
}

static void put_legend(struct text *text)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < text->document->count; i++)
		add_legend(text, i, &sb);
	if (sb.length) {
		strbuf_addch(&sb, '.');
		put_paragraph(text, sb.text, 8);
	}
	strbuf_release(&sb);
}

static void text_begin(struct device *device)
{
	struct text *text = (struct text *)device;

	strbuf_init(&text->title);
	strbuf_init(&text->heads);
}

/* Begin a document: a page of its own, or its title. */
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

const struct device_class text_device = { "text", sizeof(struct text), text_begin, text_print, text_flow,
					  text_end };
