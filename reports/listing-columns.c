/* SPDX-License-Identifier: Apache-2.0 */
/* Columns, titles and legends of listings. */
#include "common/compat.h"
#include "reports/listing-columns.h"
#include "common/xalloc.h"
#include "reports/report.h"
#include "reports/text.h"

#define TEXT_MIN 8 /* minimum columns of a name or text in a narrow line */
#define BAR_MIN 10 /* minimum columns of a histogram there */

bool listing_shows(const struct report_options *options, const struct table *table,
		   const struct column *column)
{
	return !(column->flags & COLUMN_DATA_ONLY) &&
	       (!(column->flags & COLUMN_MARGIN) || options->margins) &&
	       (!(column->flags & COLUMN_OTHER) || table->shows_other);
}

/* Returns the width of a column that is not a BAR. */
static size_t plain_width(const struct table *table, const struct column *column)
{
	size_t width = column->width;

	for (size_t i = 0; (column->flags & COLUMN_YIELDS) && i < table->column_count; i++)
		if (table->shows_other && (table->columns[i].flags & COLUMN_OTHER))
			width -= table->columns[i].width + 1;
	return width;
}

/* Returns the columns of the listing that a BAR may take: what the others leave. */
size_t listing_bar_width(const struct report_options *options, const struct table *table)
{
	size_t used = 0;

	for (size_t i = 0; i < table->column_count; i++)
		if (listing_shows(options, table, &table->columns[i]) &&
		    table->columns[i].type != COLUMN_BAR)
			used += plain_width(table, &table->columns[i]) + 1;
	assert(used <= LISTING_WIDTH + 1);
	return used < LISTING_WIDTH ? LISTING_WIDTH - used : 0;
}

size_t listing_width(const struct report_options *options, const struct table *table,
		     const struct column *column)
{
	return column->type == COLUMN_BAR ? listing_bar_width(options, table) : plain_width(table, column);
}

size_t listing_line_width(const struct report_options *options)
{
	return options->device->lines && options->columns && options->columns < LISTING_WIDTH
		       ? options->columns
		       : LISTING_WIDTH;
}

/* Returns the columns that the shown ones take, including the blanks between them. */
static size_t used_columns(const struct table *table, const struct listing_layout *layout)
{
	size_t used = 0;

	for (size_t i = 0; i < table->column_count; i++)
		used += layout->shown[i] && layout->widths[i] ? layout->widths[i] + 1 : 0;
	return used ? used - 1 : 0;
}

/*
 * Drops the last shown column with one of the flags, without flags any but the
 * first; returns false if there is none.
 */
static bool drop_last(const struct table *table, struct listing_layout *layout, unsigned flags)
{
	for (size_t i = table->column_count; i-- > (flags ? 0 : 1);)
		if (layout->shown[i] && (!flags || (table->columns[i].flags & flags))) {
			layout->shown[i] = false;
			return true;
		}
	return false;
}

/* Makes the widest name or text narrower by one; returns false if all have the minimum width. */
static bool shrink_widest(const struct table *table, struct listing_layout *layout)
{
	size_t widest = SIZE_MAX;

	for (size_t i = 0; i < table->column_count; i++)
		if (layout->shown[i] && table->columns[i].type <= COLUMN_TEXT &&
		    layout->widths[i] > TEXT_MIN &&
		    (widest == SIZE_MAX || layout->widths[i] > layout->widths[widest]))
			widest = i;
	RETURN_IF(widest == SIZE_MAX, false);
	layout->widths[widest]--;
	return true;
}

/* Drops and shrinks columns until the rest fits. */
static void make_narrow(const struct table *table, struct listing_layout *layout, size_t line_width)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (layout->shown[i] && (table->columns[i].flags & COLUMN_LEVELS))
			return;
	while (used_columns(table, layout) > line_width &&
	       (drop_last(table, layout, COLUMN_MINOR) || shrink_widest(table, layout) ||
		drop_last(table, layout, 0)))
		;
}

void listing_layout(const struct report_options *options, const struct table *table,
		    struct listing_layout *layout)
{
	size_t line_width = listing_line_width(options), bar = SIZE_MAX, used;

	assert(table->column_count <= LISTING_COLUMNS_MAX);
	*layout = (struct listing_layout){ 0 };
	for (size_t i = 0; i < table->column_count; i++) {
		layout->shown[i] = listing_shows(options, table, &table->columns[i]);
		if (table->columns[i].type == COLUMN_BAR && layout->shown[i])
			bar = i;
		else
			layout->widths[i] = plain_width(table, &table->columns[i]);
	}
	if (line_width < LISTING_WIDTH)
		make_narrow(table, layout, line_width);
	if (bar == SIZE_MAX)
		return;
	used = used_columns(table, layout) + 1;
	layout->bar = used < line_width ? line_width - used : 0;
	if (line_width < LISTING_WIDTH && layout->bar < BAR_MIN)
		layout->bar = 0;
	layout->shown[bar] = line_width == LISTING_WIDTH || layout->bar > 0;
	layout->widths[bar] = layout->bar;
}

double listing_real(const struct table *table, const struct row *row, const char *id)
{
	size_t column = id ? table_column(table, id) : SIZE_MAX;

	return column == SIZE_MAX ? 0 : row->values[column].real;
}

double listing_bar_highest(const struct table *table, const struct column *column)
{
	double highest = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		double total = listing_real(table, &table->rows[i], column->bar);

		if (table->rows[i].kind <= ROW_OTHER && total > highest)
			highest = total;
	}
	return highest;
}

void listing_bar_title(const struct table *table, size_t width, struct strbuf *sb)
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

void listing_title(const struct table *table, struct strbuf *sb)
{
	strbuf_addstr(sb, table->title);
	for (size_t i = 0; i < table->context_count; i++) {
		if (!table->context[i].value.text[0])
			continue;
		strbuf_addf(sb, "%s%s ", sb->length ? "   " : "", table->context[i].label);
		if (table->context[i].value.token)
			strbuf_addf(sb, "%s = ", table->context[i].value.token);
		text_clean(sb, table->context[i].value.text);
	}
}

/* Returns whether an earlier table of the document explains the same column. */
static bool is_explained(const struct listing_layout *layouts, const struct document *document,
			 size_t block, const struct column *column)
{
	for (size_t i = 0; i < block; i++) {
		const struct table *table = document->blocks[i].table;

		for (size_t j = 0; table && j < table->column_count; j++)
			if (table->columns[j].legend &&
			    layouts[i].shown[j] &&
			    strcmp(table->columns[j].legend, column->legend) == 0)
				return true;
	}
	return false;
}

/* Appends the legend of a drawn histogram: shades in words instead of the characters of text. */
static void add_drawn(struct strbuf *sb, const char *legend)
{
	for (; *legend; legend++) {
		if (*legend == '*')
			strbuf_addstr(sb, "dark");
		else if (*legend == '+')
			strbuf_addstr(sb, "hatched");
		else
			strbuf_addch(sb, *legend);
	}
}

/* Appends the explanation of one table's columns, except those explained before. */
static void add_legend(const struct report_options *options, const struct listing_layout *layouts,
		       const struct document *document, size_t block, struct strbuf *sb)
{
	const struct table *table = document->blocks[block].table;

	for (size_t i = 0; table && table->row_count && i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (!column->legend || !layouts[block].shown[i] ||
		    is_explained(layouts, document, block, column))
			continue;
		strbuf_addstr(sb, sb->length ? ".  " : "LEGEND  ");
		if (column->group && strchr(column->group, '%'))
			strbuf_addf(sb, "%s ", column->group);
		strbuf_addf(sb, "%s: ", column->type == COLUMN_BAR ? "HISTOGRAM" : column->heading);
		if (column->type == COLUMN_BAR && options->device->drawn)
			add_drawn(sb, column->legend);
		else
			strbuf_addstr(sb, column->legend);
	}
}

void listing_legend(const struct report_options *options, const struct document *document,
		    struct strbuf *sb)
{
	struct listing_layout *layouts = xcalloc(document->count + 1, sizeof(*layouts));
	size_t start = sb->length;

	for (size_t i = 0; i < document->count; i++)
		if (document->blocks[i].table)
			listing_layout(options, document->blocks[i].table, &layouts[i]);
	for (size_t i = 0; i < document->count; i++)
		add_legend(options, layouts, document, i, sb);
	free(layouts);
	if (sb->length > start)
		strbuf_addch(sb, '.');
}

double listing_share(const struct table *table, const struct row *row)
{
	if (row->share > 0 || row->colour != ROW_PLAIN || row->kind > ROW_OTHER)
		return row->share;
	for (size_t i = 0; i < table->column_count; i++) {
		const char *shown = table->columns[i].type == COLUMN_BAR ? table->columns[i].bar : "";

		if (strncmp(shown, "cpu_", 4) == 0 || strncmp(shown, "run_", 4) == 0)
			return listing_real(table, row, shown);
	}
	return 0;
}

enum row_colour listing_colour(const struct row *row, double share)
{
	if (row->colour != ROW_PLAIN || share <= 0)
		return row->colour;
	return share >= 10 ? ROW_RED : share >= 2 ? ROW_YELLOW : ROW_GREEN;
}
