/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PDF: the listing on landscape sheets. What the text device shows as characters
 * is drawn (histograms, the time distribution); the rest are the same lines in the
 * same columns. Before the reports come pictures, and before those the findings
 * and the contents.
 */
#include "common/compat.h"
#include "reports/device.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/findings.h"
#include "reports/listing-columns.h"
#include "reports/listing-lines.h"
#include "reports/print/painter.h"
#include "reports/print/picture.h"
#include "reports/report.h"
#include "reports/text.h"

#define EDGE 34.0	   /* points around a sheet */
#define HEAD 40.0	   /* of a sheet, below the edge */
#define FOOT 16.0
#define LEADING 1.94	   /* height of a line, in column widths */
#define SHEETS_MAX 400	   /* limit per report */
#define FINDINGS_MAX 10
#define CONTENTS_WIDTH 63 /* in columns, of each of its two text columns */
#define PICTURE_HEAD 26.0 /* points of a picture's title */
#define BELOW_INDENT 11	   /* in columns, of the text below a row */
/* A report begins on the sheet of the previous one if this fraction of it is left. */
#define MIN_FREE_TO_BEGIN 0.45

/* A destination listed in the contents. */
struct entry {
	char *dest, *title; /* owned */
	size_t sheet;
	bool picture;
};

struct pdf {
	struct device device;
	struct sheets sheets;
	double pitch, line; /* points per column, per line */
	double y;	    /* top of the next line */
	const struct document *document;
	const struct table *table; /* whose rows are being printed, or NULL */
	struct strbuf title, text; /* of the table; scratch */
	double scale;		   /* percent per column of its bars */
	size_t first;		   /* first sheet of the document */
	uint64_t left_out;	   /* rows of the document that are on no sheet */
	size_t row;		   /* number in the table */
	bool bold;		   /* applies to the next lines */
	struct entry *entries;
	size_t entry_count, entry_alloc;
};

static double bottom(const struct pdf *pdf)
{
	return pdf->sheets.height - EDGE - FOOT;
}

static double inner_width(const struct pdf *pdf)
{
	return pdf->sheets.width - 2 * EDGE;
}

static double column_x(const struct pdf *pdf, size_t column)
{
	return EDGE + pdf->pitch * (double)column;
}

/* Puts a text at a column of the line, truncated at the end of the line. */
static void put_text(struct pdf *pdf, size_t column, const char *text, enum sheet_font font)
{
	size_t room = LISTING_WIDTH - column;
	struct strbuf clean = STRBUF_INIT, cut = STRBUF_INIT;

	text_clean(&clean, text);
	if (text_width(clean.text) > room)
		text_add_field(&cut, clean.text, room, false);
	if (clean.length)
		sheets_text(&pdf->sheets, column_x(pdf, column), pdf->y + pdf->line * 0.74, pdf->pitch * (double)room,
			    font, pdf->pitch, cut.length ? cut.text : clean.text);
	strbuf_release(&clean);
	strbuf_release(&cut);
}

static void add_fact(struct strbuf *sb, const char *label, const char *value)
{
	if (*value)
		strbuf_addf(sb, "%s%s %s", sb->length ? "    " : "", label, value);
}

/*
 * Puts the head and foot of a sheet. Its first item is the sheet number's text,
 * filled in at the end.
 */
static void put_head(struct pdf *pdf)
{
	const struct listing *listing = pdf->device.listing;
	struct sheets *sheets = &pdf->sheets;
	double right = EDGE + inner_width(pdf), width = inner_width(pdf);
	struct strbuf text = STRBUF_INIT;

	sheets_text(sheets, right, EDGE + 9, 0, FONT_PLAIN, 8.5, "")->align = 1;
	strbuf_addf(&text, "%s%s%s", listing->heading, *listing->title ? " OF " : "", listing->title);
	sheets_text(sheets, EDGE, EDGE + 9, width - 110, FONT_BOLD, 11, text.text);
	strbuf_reset(&text);
	add_fact(&text, "JOB", listing->job);
	add_fact(&text, "NUMBER", listing->job_number);
	add_fact(&text, "STEP", listing->step);
	add_fact(&text, "PROC STEP", listing->procstep);
	add_fact(&text, "PROGRAM", listing->program);
	add_fact(&text, "DATE", listing->date);
	sheets_text(sheets, EDGE, EDGE + 21, *listing->warning ? width * 0.6 : width, FONT_PLAIN, 8.5, text.text);
	if (*listing->warning)
		sheets_text(sheets, right, EDGE + 21, 0, FONT_BOLD, 8.5, listing->warning)->align = 1;
	sheets_line(sheets, EDGE, EDGE + 26, width, 0, INK_BLACK);
	strbuf_reset(&text);
	strbuf_addf(&text, "vigil %s", listing->version);
	sheets_text(sheets, EDGE, bottom(pdf) + FOOT, width / 2, FONT_PLAIN, 7.5, text.text)->ink = INK_GREY;
	sheets_text(sheets, right, bottom(pdf) + FOOT, 0, FONT_PLAIN, 7.5, "Contents")->align = 1;
	sheets_link(sheets, right - 42, bottom(pdf) + FOOT - 9, 42, 12, "contents");
	strbuf_release(&text);
}

static void begin_sheet(struct pdf *pdf)
{
	sheets_begin(&pdf->sheets);
	put_head(pdf);
	pdf->y = EDGE + HEAD;
}

/* Puts the title of a report, or that it is continued. */
static void put_title(struct pdf *pdf, bool continued)
{
	struct strbuf title = STRBUF_INIT;

	strbuf_addf(&title, "%s   %s%s", pdf->document->code, pdf->document->title, continued ? " (continued)" : "");
	sheets_text(&pdf->sheets, EDGE, pdf->y + 11, inner_width(pdf), FONT_BOLD, continued ? 10 : 13, title.text);
	pdf->y += continued ? 17 : 21;
	strbuf_release(&title);
}

static void put_heads(struct pdf *pdf, const struct table *table);

/* Continues the document on a new sheet. */
static void new_sheet(struct pdf *pdf)
{
	begin_sheet(pdf);
	if (!pdf->document)
		return;
	put_title(pdf, true);
	pdf->row = 0;
	if (!pdf->table)
		return;
	if (pdf->title.length) {
		put_text(pdf, 0, pdf->title.text, FONT_FIXED_BOLD);
		pdf->y += pdf->line;
	}
	put_heads(pdf, pdf->table);
}

/* Begins a new sheet unless this many lines fit on the current one. */
static void need_lines(struct pdf *pdf, double count)
{
	if (pdf->y + count * pdf->line > bottom(pdf))
		new_sheet(pdf);
}

/* A listing_put. */
static void put_line(void *argument, const char *line)
{
	struct pdf *pdf = argument;

	need_lines(pdf, 1);
	put_text(pdf, 0, line, pdf->bold ? FONT_FIXED_BOLD : FONT_FIXED);
	pdf->y += pdf->line;
}

/* A listing_put for lines that may be a rule, which is drawn. */
static void put_ruled(void *argument, const char *line)
{
	struct pdf *pdf = argument;
	size_t width = strlen(line);

	if (!width || strspn(line, "- ") != width) {
		put_line(argument, line);
		return;
	}
	for (size_t at = 0; at < width;) {
		size_t length = strspn(line + at, "-");

		sheets_line(&pdf->sheets, column_x(pdf, at), pdf->y + 1, pdf->pitch * (double)length, 0, INK_BLACK);
		at += length;
		at += strspn(line + at, " ");
	}
	pdf->y += 4;
}

static void put_space(struct pdf *pdf)
{
	pdf->y += pdf->line * 0.8;
}

static bool is_right(enum column_type type)
{
	return type >= COLUMN_NUMBER && type <= COLUMN_REAL;
}

static bool shows(const struct pdf *pdf, const struct table *table, size_t column)
{
	return listing_shows(pdf->device.options, table, &table->columns[column]);
}

static size_t width_of(const struct pdf *pdf, const struct table *table, size_t column)
{
	return listing_width(pdf->device.options, table, &table->columns[column]);
}

/*
 * Returns the end of the columns from first on under one title; *width: their
 * width including the blank after them.
 */
static size_t group_end(const struct pdf *pdf, const struct table *table, size_t first, size_t *width)
{
	const char *group = table->columns[first].group;
	size_t end = first;

	for (*width = 0; end < table->column_count; end++) {
		const char *next = table->columns[end].group;

		if (!shows(pdf, table, end))
			continue;
		if (end > first && (!group || !next || strcmp(group, next) != 0))
			break;
		*width += width_of(pdf, table, end) + 1;
	}
	return end;
}

/* Puts a title centred above its columns, with a line below it. */
static void put_group(struct pdf *pdf, size_t at, size_t width, const char *title)
{
	double x = column_x(pdf, at), length = pdf->pitch * (double)width;
	struct strbuf cut = STRBUF_INIT;

	text_add_start(&cut, title, width);
	sheets_text(&pdf->sheets, x + length / 2, pdf->y + pdf->line * 0.74, length, FONT_FIXED_BOLD, pdf->pitch,
		    cut.text)->align = 0;
	sheets_line(&pdf->sheets, x, pdf->y + pdf->line - 1, length, 0, INK_GREY);
	strbuf_release(&cut);
}

/* Puts the titles of groups and of histograms; returns false if there are none. */
static bool put_groups(struct pdf *pdf, const struct table *table)
{
	size_t at = 0, end, width;
	bool any = false;

	for (size_t i = 0; i < table->column_count; i = end) {
		if (!shows(pdf, table, i)) {
			end = i + 1;
			continue;
		}
		end = group_end(pdf, table, i, &width);
		strbuf_reset(&pdf->text);
		if (table->columns[i].group) {
			put_group(pdf, at, width - 1, table->columns[i].group);
			any = true;
		} else if (table->columns[i].type == COLUMN_BAR) {
			listing_bar_title(table, width - 1, &pdf->text);
			put_text(pdf, at, pdf->text.text, FONT_FIXED_BOLD);
			any = any || pdf->text.length;
		}
		at += width;
	}
	return any;
}

/* Puts scale marks over a histogram, every ten columns, down to the lowest row on this sheet. */
static void put_scale(struct pdf *pdf, size_t at, size_t width)
{
	for (size_t column = 0; column + 7 <= width; column += 10) {
		char mark[24];

		snprintf(mark, sizeof(mark), pdf->scale < 0.1 ? "%.2f" : pdf->scale < 1 ? "%.1f" : "%.0f",
			 (double)column * pdf->scale);
		sheets_line(&pdf->sheets, column_x(pdf, at + column), pdf->y + 2, 0, pdf->line - 2, INK_GREY);
		sheets_text(&pdf->sheets, column_x(pdf, at + column) + 2, pdf->y + pdf->line * 0.74, pdf->pitch * 9,
			    FONT_FIXED, pdf->pitch, mark);
	}
}

/* Puts the heading lines of a table. */
static void put_heads(struct pdf *pdf, const struct table *table)
{
	size_t at = 0;

	if (put_groups(pdf, table))
		pdf->y += pdf->line;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		size_t width = width_of(pdf, table, i);

		if (!shows(pdf, table, i) || !width)
			continue;
		strbuf_reset(&pdf->text);
		text_add_field(&pdf->text, column->heading, width, is_right(column->type));
		if (column->type == COLUMN_BAR)
			put_scale(pdf, at, width);
		else if (column->flags & COLUMN_LEVELS)
			put_text(pdf, at, pdf->text.text, FONT_FIXED);
		else
			put_text(pdf, at, pdf->text.text, FONT_FIXED_BOLD);
		sheets_line(&pdf->sheets, column_x(pdf, at), pdf->y + pdf->line, pdf->pitch * (double)width, 0,
			    INK_BLACK);
		at += width + 1;
	}
	pdf->y += pdf->line + 2;
}

/* Puts a histogram's bar: SOLO dark, the rest of TOTAL light and hatched. */
static void put_bar(struct pdf *pdf, const struct table *table, const struct row *row, size_t column, size_t at)
{
	double room = pdf->pitch * (double)width_of(pdf, table, column), part = pdf->pitch / pdf->scale;
	double total = listing_real(table, row, table->columns[column].bar) * part;
	double solo = listing_real(table, row, table->columns[column].bar_solo) * part;
	double y = pdf->y + pdf->line * 0.14, height = pdf->line * 0.72;

	total = total > room ? room : total;
	solo = solo > total ? total : solo;
	if (row->kind > ROW_OTHER || !(total > 0))
		return;
	sheets_box(&pdf->sheets, column_x(pdf, at), y, total, height, INK_REST)->frame = INK_GREY;
	if (solo > 0)
		sheets_box(&pdf->sheets, column_x(pdf, at), y, solo, height, INK_SOLO);
}

/* Returns the height of a character's box, 0 to 1 (COLUMN_LEVELS). */
static double level_of(char level)
{
	return level == '+' ? 1 : level == '.' ? 0.06 : level >= '0' && level <= '9' ? (double)(level - '0') / 10 : 0;
}

/* Puts a strip of the time distribution: a box for each stretch of equal level. */
static void put_levels(struct pdf *pdf, const char *levels, size_t at)
{
	double base = pdf->y + pdf->line - 1.2, height = pdf->line - 2.4;
	size_t length = strlen(levels);

	for (size_t i = 0, end; i < length; i = end) {
		double level = level_of(levels[i]);

		for (end = i + 1; end < length && levels[end] == levels[i];)
			end++;
		if (level > 0)
			sheets_box(&pdf->sheets, column_x(pdf, at + i), base - height * level,
				   pdf->pitch * (double)(end - i), height * level, INK_SOLO);
	}
	sheets_line(&pdf->sheets, column_x(pdf, at), base, pdf->pitch * 100, 0, INK_GREY)->size = 0.4f;
}

/* Appends a cell as text, as wide as its column; nothing for a cell that is drawn. */
static void add_cell(struct pdf *pdf, const struct table *table, const struct row *row, size_t column,
		     struct strbuf *line)
{
	const struct column *of = &table->columns[column];

	strbuf_reset(&pdf->text);
	if (of->type != COLUMN_BAR && !(of->flags & COLUMN_LEVELS))
		device_value_add(&pdf->text, of->type, &row->values[column]);
	text_add_field(line, pdf->text.text, width_of(pdf, table, column), is_right(of->type));
}

/* Puts all cells as one text, so that it can be searched and copied. */
static void put_cells_as_text(struct pdf *pdf, const struct table *table, const struct row *row, enum sheet_font font)
{
	struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < table->column_count; i++) {
		if (!shows(pdf, table, i))
			continue;
		add_cell(pdf, table, row, i, &line);
		strbuf_addch(&line, ' ');
	}
	strbuf_rtrim(&line);
	put_text(pdf, 0, line.text, font);
	strbuf_release(&line);
}

/*
 * Puts each cell separately at its column, as the width of non-ASCII characters
 * depends on the font.
 */
static void put_cells_separately(struct pdf *pdf, const struct table *table, const struct row *row, enum sheet_font font)
{
	struct strbuf cell = STRBUF_INIT;
	size_t at = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		size_t blanks;

		if (!shows(pdf, table, i))
			continue;
		strbuf_reset(&cell);
		add_cell(pdf, table, row, i, &cell);
		strbuf_rtrim(&cell);
		blanks = strspn(cell.text, " ");
		if (cell.length)
			sheets_text(&pdf->sheets, column_x(pdf, at + blanks), pdf->y + pdf->line * 0.74,
				    pdf->pitch * (double)text_width(cell.text + blanks), font, pdf->pitch,
				    cell.text + blanks);
		at += width_of(pdf, table, i) + 1;
	}
	strbuf_release(&cell);
}

static bool is_ascii(const struct value *value)
{
	for (const char *at = value->text; at && *at; at++)
		if (*at & 0x80)
			return false;
	return true;
}

/* Puts a row: what is drawn, and its texts. */
static void put_cells(struct pdf *pdf, const struct table *table, const struct row *row, enum sheet_font font)
{
	bool whole = true;
	size_t at = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		if (!shows(pdf, table, i))
			continue;
		whole = whole && is_ascii(&row->values[i]);
		if (table->columns[i].type == COLUMN_BAR)
			put_bar(pdf, table, row, i, at);
		else if (table->columns[i].flags & COLUMN_LEVELS)
			put_levels(pdf, row->values[i].text, at);
		at += width_of(pdf, table, i) + 1;
	}
	if (whole)
		put_cells_as_text(pdf, table, row, font);
	else
		put_cells_separately(pdf, table, row, font);
}

static bool is_full(const struct pdf *pdf)
{
	return pdf->sheets.sheet_count - pdf->first >= SHEETS_MAX && pdf->y + 2 * pdf->line > bottom(pdf);
}

static void put_row(struct pdf *pdf, const struct table *table, const struct row *row)
{
	bool sum = row->kind >= ROW_SUBTOTAL, hot = !sum && listing_colour(row, row->share) == ROW_RED;

	if (is_full(pdf)) {
		pdf->left_out++;
		return;
	}
	need_lines(pdf, row->below ? 2.2 : 1.2);
	if (sum)
		sheets_line(&pdf->sheets, EDGE, pdf->y, inner_width(pdf), 0, INK_GREY);
	else if (pdf->row++ % 2)
		sheets_box(&pdf->sheets, EDGE, pdf->y, inner_width(pdf), pdf->line, INK_FAINT);
	put_cells(pdf, table, row, sum || hot ? FONT_FIXED_BOLD : FONT_FIXED);
	pdf->y += pdf->line;
	if (row->below) {
		struct strbuf below = STRBUF_INIT;

		strbuf_addchars(&below, ' ', BELOW_INDENT);
		strbuf_addstr(&below, row->below);
		listing_paragraph(below.text, BELOW_INDENT + 4, LISTING_WIDTH, put_line, pdf);
		strbuf_release(&below);
	}
	if (row->kind == ROW_SUBTOTAL)
		put_space(pdf);
}

static void put_rows(struct pdf *pdf, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		put_row(pdf, table, &table->rows[i]);
}

/* Begins a table: its title and headings. */
static void put_table_head(struct pdf *pdf, const struct table *table)
{
	struct strbuf title = STRBUF_INIT;

	need_lines(pdf, 6);
	listing_title(table, &title);
	strbuf_reset(&pdf->title);
	text_add_start(&pdf->title, title.text, LISTING_WIDTH);
	pdf->bold = true;
	if (title.length)
		listing_paragraph(title.text, 4, LISTING_WIDTH, put_line, pdf);
	pdf->bold = false;
	strbuf_release(&title);
	pdf->row = 0;
	pdf->table = NULL;
	if (!table->row_count)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].type == COLUMN_BAR)
			pdf->scale = device_bar_scale(listing_bar_highest(table, &table->columns[i]),
						      listing_bar_width(pdf->device.options, table));
	put_heads(pdf, table);
	pdf->table = table;
}

/* Prints a table, or the rest of one whose rows flow. */
static void put_table(struct pdf *pdf, const struct table *table)
{
	if (pdf->device.flowing != table)
		put_table_head(pdf, table);
	if (pdf->table)
		put_rows(pdf, table);
	else
		put_line(pdf, "  (none)");
	pdf->table = NULL;
	put_space(pdf);
}

static void put_note(struct pdf *pdf, enum severity severity, unsigned number, const char *text)
{
	struct strbuf note = STRBUF_INIT;

	if (number) {
		diag_format_id(&note, number, severity);
		strbuf_addch(&note, ' ');
	}
	strbuf_addstr(&note, text);
	listing_paragraph(note.text, number ? 10 : 4, LISTING_WIDTH, put_line, pdf);
	strbuf_release(&note);
}

static void put_block(struct pdf *pdf, const struct block *block)
{
	switch (block->kind) {
	case BLOCK_TABLE:
		put_table(pdf, block->table);
		break;
	case BLOCK_PAIRS:
		need_lines(pdf, 6);
		listing_pairs(block, LISTING_WIDTH, put_ruled, pdf);
		put_space(pdf);
		break;
	case BLOCK_TEXT:
		if (*block->text)
			listing_paragraph(block->text, 0, LISTING_WIDTH, put_line, pdf);
		else
			put_space(pdf);
		break;
	case BLOCK_NOTE:
		put_note(pdf, block->severity, block->number, block->text);
		break;
	}
}

/* Adds an entry for contents and outline, at the current position. */
static void put_entry(struct pdf *pdf, bool picture, const char *dest, const char *title)
{
	struct entry *entry;

	GROW(pdf->entries, pdf->entry_count + 1, pdf->entry_alloc);
	entry = &pdf->entries[pdf->entry_count++];
	entry->dest = xstrdup(dest);
	entry->title = xstrdup(title);
	entry->picture = picture;
	entry->sheet = pdf->sheets.sheet_count - 1;
	sheets_dest(&pdf->sheets, pdf->y - 4, dest);
}

static void open_document(struct pdf *pdf, const struct document *document)
{
	struct strbuf title = STRBUF_INIT;
	double room = bottom(pdf) - EDGE - HEAD;

	pdf->document = NULL;
	if (!pdf->entry_count || pdf->entries[pdf->entry_count - 1].picture ||
	    bottom(pdf) - pdf->y < MIN_FREE_TO_BEGIN * room)
		begin_sheet(pdf);
	else
		put_space(pdf);
	pdf->document = document;
	pdf->first = pdf->sheets.sheet_count - 1;
	pdf->left_out = 0;
	strbuf_addf(&title, "%s  %s", document->code, document->title);
	put_entry(pdf, false, document->code, title.text);
	put_title(pdf, false);
	strbuf_release(&title);
}

static void pdf_flow(struct device *device, const struct document *document, const struct table *table)
{
	struct pdf *pdf = (struct pdf *)device;

	if (!device->flowing) {
		open_document(pdf, document);
		for (size_t i = 0; document->blocks[i].table != table; i++)
			put_block(pdf, &document->blocks[i]);
		put_table_head(pdf, table);
		device->flowing = table;
	}
	put_rows(pdf, table);
}

/* Ends a document: explains its columns, and says what was left out. */
static void close_document(struct pdf *pdf)
{
	struct strbuf text = STRBUF_INIT;

	listing_legend(pdf->device.options, pdf->document, &text);
	if (text.length)
		listing_paragraph(text.text, 8, LISTING_WIDTH, put_line, pdf);
	strbuf_reset(&text);
	if (pdf->left_out) {
		text_add_number(&text, pdf->left_out);
		strbuf_addf(&text, " rows more are not printed: a PDF has at most %d pages of a report; text and CSV have all", SHEETS_MAX);
		put_note(pdf, SEVERITY_INFO, 6742, text.text);
	}
	put_space(pdf);
	strbuf_release(&text);
	pdf->document = NULL;
}

static void pdf_print(struct device *device, const struct document *document)
{
	struct pdf *pdf = (struct pdf *)device;
	bool seen = !device->flowing;

	if (!device->flowing)
		open_document(pdf, document);
	for (size_t i = 0; i < document->count; i++) {
		seen = seen || document->blocks[i].table == device->flowing;
		if (seen)
			put_block(pdf, &document->blocks[i]);
	}
	device->flowing = NULL;
	close_document(pdf);
}

/* Puts the pictures on separate sheets, several on one if they fit. */
static void put_pictures(struct pdf *pdf)
{
	const struct profile *profile = pdf->device.profile;
	struct strbuf title = STRBUF_INIT, dest = STRBUF_INIT;

	pdf->y = bottom(pdf);
	for (size_t i = 0; i < picture_count; i++) {
		const struct picture *picture = pictures[i];
		double height = picture->height(profile);
		struct picture_area area = { .x = EDGE, .width = inner_width(pdf) };

		if (height <= 0)
			continue;
		if (pdf->y + height + PICTURE_HEAD > bottom(pdf))
			begin_sheet(pdf);
		strbuf_reset(&title);
		strbuf_addf(&title, "Picture: %s", picture->title);
		strbuf_reset(&dest);
		strbuf_addf(&dest, "picture-%s", picture->name);
		put_entry(pdf, true, dest.text, title.text);
		sheets_text(&pdf->sheets, EDGE, pdf->y + 11, area.width, FONT_BOLD, 11, picture->title);
		area.y = pdf->y + PICTURE_HEAD - 4;
		area.height = area.y + height < bottom(pdf) ? height : bottom(pdf) - area.y;
		picture->draw(&pdf->sheets, profile, &area, pdf->device.options->resolution);
		pdf->y = area.y + area.height + 10;
	}
	strbuf_release(&title);
	strbuf_release(&dest);
}

static void pdf_begin(struct device *device)
{
	struct pdf *pdf = (struct pdf *)device;

	sheets_init(&pdf->sheets, device->options->width, device->options->height);
	strbuf_init(&pdf->title);
	strbuf_init(&pdf->text);
	pdf->pitch = inner_width(pdf) / LISTING_WIDTH;
	pdf->line = pdf->pitch * LEADING;
	if (device->profile)
		put_pictures(pdf);
}

/* Puts the statements and waits that take most of the run, with a bar each. */
static void put_findings(struct pdf *pdf)
{
	struct findings findings;

	findings_init(&findings, pdf->device.profile, FINDINGS_MAX);
	sheets_text(&pdf->sheets, EDGE, pdf->y + 11, inner_width(pdf), FONT_BOLD, 13, "Where to look first");
	pdf->y += 22;
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.items[i];
		double share = finding->run_percent < 100 ? finding->run_percent : 100;

		strbuf_reset(&pdf->text);
		strbuf_addf(&pdf->text, "%5.1f %%", finding->run_percent);
		put_text(pdf, 0, pdf->text.text, FONT_FIXED_BOLD);
		sheets_box(&pdf->sheets, column_x(pdf, 9), pdf->y + 2, pdf->pitch * 0.16 * share, pdf->line - 4,
			   finding->kind == FINDING_CPU ? INK_SOLO : INK_REST)->frame = INK_GREY;
		strbuf_reset(&pdf->text);
		strbuf_addf(&pdf->text, "%s: %s", finding->kind == FINDING_CPU ? "CPU time" : "Waiting", finding->what);
		put_text(pdf, 27, pdf->text.text, FONT_FIXED);
		pdf->y += pdf->line;
		put_text(pdf, 30, finding->where, FONT_FIXED);
		pdf->y += *finding->where ? pdf->line : 0;
	}
	if (!findings.count)
		put_line(pdf, "No statement and no wait holds one percent of the run.");
	put_space(pdf);
	findings_release(&findings);
}

/* Returns how many sheets the contents take, beginning at the current position, in two columns. */
static size_t contents_sheets(const struct pdf *pdf)
{
	/* 22 points are for the heading. */
	size_t here = 2 * (size_t)((bottom(pdf) - pdf->y - 22) / (pdf->line + 1));
	size_t each = 2 * (size_t)((bottom(pdf) - EDGE - HEAD) / (pdf->line + 1));

	return pdf->entry_count <= here ? 1 : 2 + (pdf->entry_count - here - 1) / each;
}

/* Puts one line of the contents: title, dots, sheet number; the whole line is a link. */
static void put_contents_line(struct pdf *pdf, size_t column, const struct entry *entry, size_t page)
{
	struct strbuf *line = &pdf->text;
	char number[24];
	size_t width;

	snprintf(number, sizeof(number), " %zu", page);
	strbuf_reset(line);
	text_add_start(line, entry->title, CONTENTS_WIDTH - 8);
	strbuf_addch(line, ' ');
	width = text_width(line->text) + strlen(number);
	strbuf_addchars(line, '.', width < CONTENTS_WIDTH ? CONTENTS_WIDTH - width : 0);
	strbuf_addstr(line, number);
	put_text(pdf, column, line->text, FONT_FIXED);
	sheets_link(&pdf->sheets, column_x(pdf, column), pdf->y, pdf->pitch * CONTENTS_WIDTH, pdf->line, entry->dest);
	pdf->y += pdf->line + 1;
}

/* Puts the contents on separate sheets, which are moved to the front. */
static void put_contents(struct pdf *pdf)
{
	size_t sheets, begun = 1, column = 0;
	double top;

	begin_sheet(pdf);
	if (pdf->device.profile)
		put_findings(pdf);
	sheets_dest(&pdf->sheets, pdf->y, "contents");
	sheets = contents_sheets(pdf);
	sheets_text(&pdf->sheets, EDGE, pdf->y + 11, inner_width(pdf), FONT_BOLD, 13, "Contents");
	top = pdf->y += 22;
	for (size_t i = 0; i < pdf->entry_count; i++) {
		if (pdf->y + pdf->line + 1 > bottom(pdf)) {
			if (column) {
				sheets_move(&pdf->sheets, begun++ - 1);
				begin_sheet(pdf);
				top = pdf->y;
			}
			column = column ? 0 : LISTING_WIDTH - CONTENTS_WIDTH;
			pdf->y = top;
		}
		put_contents_line(pdf, column, &pdf->entries[i], pdf->entries[i].sheet + 1 + sheets);
	}
	sheets_move(&pdf->sheets, begun - 1);
}

/*
 * Sets the date of the file to the start of the session, so that the same data set
 * gives the same file. If that is unknown, uses SOURCE_DATE_EPOCH, or no date if
 * that is not valid either.
 */
static size_t copy_moment(struct pdf *pdf, uint64_t moment)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t seconds = (time_t)(moment / NSEC_PER_SEC);
	struct tm tm;
	char date[64] = "1970-01-01T00:00:00Z";

	if (!moment && epoch)
		seconds = (time_t)strtoull(epoch, NULL, 10);
	if (gmtime_r(&seconds, &tm) && tm.tm_year < 8000)
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return sheets_copy(&pdf->sheets, date);
}

/* Sets the outline and the metadata of the file. */
static void describe(struct pdf *pdf)
{
	const struct listing *listing = pdf->device.listing;
	struct strbuf *text = &pdf->text;

	strbuf_reset(text);
	strbuf_addf(text, "%s of %s", listing->heading, listing->title);
	pdf->sheets.title = sheets_copy(&pdf->sheets, text->text);
	strbuf_reset(text);
	add_fact(text, "JOB", listing->job);
	add_fact(text, "STEP", listing->step);
	add_fact(text, "PROGRAM", listing->program);
	pdf->sheets.subject = sheets_copy(&pdf->sheets, text->text);
	pdf->sheets.date = copy_moment(pdf, listing->moment);
	sheets_outline(&pdf->sheets, "Contents", "contents");
	for (size_t i = 0; i < pdf->entry_count; i++)
		sheets_outline(&pdf->sheets, pdf->entries[i].title, pdf->entries[i].dest);
}

/* Sets the number of each sheet in its first item. */
static void number_sheets(struct pdf *pdf)
{
	for (size_t i = 0; i < pdf->sheets.sheet_count; i++) {
		strbuf_reset(&pdf->text);
		strbuf_addf(&pdf->text, "Page %zu of %zu", i + 1, pdf->sheets.sheet_count);
		pdf->sheets.items[pdf->sheets.firsts[i]].text = sheets_copy(&pdf->sheets, pdf->text.text);
	}
}

static int take(void *argument, const void *bytes, size_t length)
{
	strbuf_add(argument, bytes, length);
	return 0;
}

static void pdf_end(struct device *device)
{
	struct pdf *pdf = (struct pdf *)device;

	put_contents(pdf);
	describe(pdf);
	number_sheets(pdf);
	device->failure = device->options->painter->paint(&pdf->sheets, PAINT_PDF, 1, take, device->out);
	for (size_t i = 0; i < pdf->entry_count; i++) {
		free(pdf->entries[i].dest);
		free(pdf->entries[i].title);
	}
	free(pdf->entries);
	strbuf_release(&pdf->title);
	strbuf_release(&pdf->text);
	sheets_release(&pdf->sheets);
}

const struct device_class pdf_device = {
	.name = "pdf",
	.size = sizeof(struct pdf),
	.begin = pdf_begin,
	.print = pdf_print,
	.flow = pdf_flow,
	.end = pdf_end,
	.alone = "a PDF",
	.needs = DEVICE_NEEDS_WAITS,
	.drawn = true,
};
