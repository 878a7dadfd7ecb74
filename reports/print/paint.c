/* SPDX-License-Identifier: Apache-2.0 */
/* The painter with cairo and pango: draws sheets as PDF, SVG and PNG. */
#include "common/compat.h"
#include "reports/print/painter.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>

#define SLANT_GAP 3.6 /* points between the lines of hatches */
#define WIDE_GAP 7.2
#define LETTER_SIZE 100.0 /* font size at which the advance of a letter is measured */

extern const struct painter vigil_painter __attribute__((visibility("default")));

struct brush {
	cairo_t *cairo;
	const struct sheets *sheets;
	PangoFontMap *map;
	PangoContext *context;
	double advance; /* of a column of the fixed font, per point of size */
	int (*write)(void *argument, const void *bytes, size_t length);
	void *argument;
};

static const char *text_of(const struct brush *brush, const struct sheet_item *item)
{
	return brush->sheets->texts.text + item->text;
}

static PangoFontDescription *describe(enum sheet_font font, double size)
{
	PangoFontDescription *description = pango_font_description_new();
	bool fixed = font == FONT_FIXED || font == FONT_FIXED_BOLD;

	pango_font_description_set_family_static(description, fixed ? "monospace" : "sans-serif");
	pango_font_description_set_weight(description, font == FONT_FIXED_BOLD || font == FONT_BOLD ?
					  PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
	pango_font_description_set_absolute_size(description, size * PANGO_SCALE);
	return description;
}

static void set_ink(cairo_t *cairo, enum ink ink, double shade)
{
	const struct ink_style *look = &ink_styles[ink];

	cairo_set_source_rgb(cairo, look->red * shade, look->green * shade, look->blue * shade);
}

/*
 * Draws lines of one direction over the clip area: x + y (rising) or x - y is a
 * multiple of the gap, so that the hatches of neighbours join.
 */
static void slant_lines(cairo_t *cairo, bool rising, double gap)
{
	double left, top, right, bottom, from, to;

	cairo_clip_extents(cairo, &left, &top, &right, &bottom);
	from = rising ? left + top : left - bottom;
	to = rising ? right + bottom : right - top;
	for (double at = ceil(from / gap) * gap; at < to; at += gap) {
		cairo_move_to(cairo, rising ? at - top : at + top, top);
		cairo_line_to(cairo, rising ? at - bottom : at + bottom, bottom);
	}
	cairo_stroke(cairo);
}

static void level_lines(cairo_t *cairo, bool upright)
{
	double left, top, right, bottom, gap = 2.6;

	cairo_clip_extents(cairo, &left, &top, &right, &bottom);
	for (double at = ceil((upright ? left : top) / gap) * gap; at < (upright ? right : bottom); at += gap) {
		cairo_move_to(cairo, upright ? at : left, upright ? top : at);
		cairo_line_to(cairo, upright ? at : right, upright ? bottom : at);
	}
	cairo_stroke(cairo);
}

/* Fills the path with an ink and its hatch; clears the path. */
static void fill(cairo_t *cairo, enum ink ink)
{
	enum hatch hatch = ink_styles[ink].hatch;

	set_ink(cairo, ink, 1);
	if (hatch == HATCH_NONE) {
		cairo_fill(cairo);
		return;
	}
	cairo_save(cairo);
	cairo_fill_preserve(cairo);
	cairo_clip(cairo);
	set_ink(cairo, ink, 0.68);
	cairo_set_line_width(cairo, 0.5);
	if (hatch == HATCH_DOTS)
		cairo_set_dash(cairo, (const double[]){ 0.7, 1.9 }, 2, 0);
	if (hatch == HATCH_RISING || hatch == HATCH_CROSS || hatch == HATCH_WIDE_RISING)
		slant_lines(cairo, true, hatch == HATCH_WIDE_RISING ? WIDE_GAP : SLANT_GAP);
	if (hatch == HATCH_FALLING || hatch == HATCH_CROSS || hatch == HATCH_WIDE_FALLING)
		slant_lines(cairo, false, hatch == HATCH_WIDE_FALLING ? WIDE_GAP : SLANT_GAP);
	if (hatch == HATCH_LEVEL || hatch == HATCH_GRID || hatch == HATCH_DOTS)
		level_lines(cairo, false);
	if (hatch == HATCH_UPRIGHT || hatch == HATCH_GRID)
		level_lines(cairo, true);
	cairo_restore(cairo);
}

static void frame(cairo_t *cairo, enum ink ink)
{
	set_ink(cairo, ink, 1);
	cairo_set_line_width(cairo, 0.4);
	cairo_stroke(cairo);
}

static void paint_box(struct brush *brush, const struct sheet_item *item)
{
	cairo_rectangle(brush->cairo, item->x, item->y, item->width, item->height);
	fill(brush->cairo, item->ink);
	if (!item->frame)
		return;
	cairo_rectangle(brush->cairo, item->x, item->y, item->width, item->height);
	frame(brush->cairo, item->frame);
}

static void wedge_path(cairo_t *cairo, const struct sheet_item *item)
{
	double from = 2 * M_PI * item->height - M_PI / 2, to = 2 * M_PI * item->size - M_PI / 2;

	cairo_new_path(cairo);
	if (item->size - item->height < 0.9999)
		cairo_move_to(cairo, item->x, item->y);
	cairo_arc(cairo, item->x, item->y, item->width, from, to);
	cairo_close_path(cairo);
}

static void paint_wedge(struct brush *brush, const struct sheet_item *item)
{
	wedge_path(brush->cairo, item);
	fill(brush->cairo, item->ink);
	wedge_path(brush->cairo, item);
	frame(brush->cairo, item->frame);
}

static void paint_line(struct brush *brush, const struct sheet_item *item)
{
	set_ink(brush->cairo, item->ink, 1);
	cairo_set_line_width(brush->cairo, item->size);
	cairo_move_to(brush->cairo, item->x, item->y);
	cairo_rel_line_to(brush->cairo, item->width, item->height);
	cairo_stroke(brush->cairo);
}

static bool is_fixed(const struct sheet_item *item)
{
	return item->font == FONT_FIXED || item->font == FONT_FIXED_BOLD;
}

/* Returns the font size in points that gives a column of the fixed font the required width. */
static double height_of(const struct brush *brush, const struct sheet_item *item)
{
	return is_fixed(item) ? item->size / brush->advance : item->size;
}

/* Returns the layout of a line of text; the caller unrefs it. */
static PangoLayout *lay_out(struct brush *brush, const struct sheet_item *item)
{
	PangoLayout *layout = pango_layout_new(brush->context);
	PangoFontDescription *description = describe(item->font, height_of(brush, item));

	pango_layout_set_font_description(layout, description);
	pango_layout_set_single_paragraph_mode(layout, TRUE);
	pango_layout_set_auto_dir(layout, FALSE);
	pango_layout_set_text(layout, text_of(brush, item), -1);
	if (!is_fixed(item) && item->width > 0) {
		pango_layout_set_width(layout, (int)(item->width * PANGO_SCALE));
		pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
	}
	pango_font_description_free(description);
	return layout;
}

/* Draws a text at an item's position; a fixed text that is too wide is condensed. */
static void paint_text(struct brush *brush, const struct sheet_item *item)
{
	PangoLayout *layout = lay_out(brush, item);
	PangoRectangle extents;
	double width, x = item->x;
	bool narrow;

	pango_layout_get_extents(layout, NULL, &extents);
	width = (double)extents.width / PANGO_SCALE;
	narrow = is_fixed(item) && item->width > 0 && width > item->width;
	if (item->align >= 0)
		x -= (narrow ? item->width : width) / (item->align ? 1 : 2);
	set_ink(brush->cairo, item->ink, 1);
	cairo_save(brush->cairo);
	cairo_translate(brush->cairo, x, item->y);
	if (narrow)
		cairo_scale(brush->cairo, item->width / width, 1);
	cairo_move_to(brush->cairo, 0, 0);
	pango_cairo_show_layout_line(brush->cairo, pango_layout_get_line_readonly(layout, 0));
	cairo_restore(brush->cairo);
	g_object_unref(layout);
}

static void paint_item(struct brush *brush, const struct sheet_item *item)
{
	char attributes[256];

	switch (item->kind) {
	case SHEET_TEXT:
		if (*text_of(brush, item))
			paint_text(brush, item);
		break;
	case SHEET_BOX:
		paint_box(brush, item);
		break;
	case SHEET_LINE:
		paint_line(brush, item);
		break;
	case SHEET_WEDGE:
		paint_wedge(brush, item);
		break;
	case SHEET_LINK:
		snprintf(attributes, sizeof(attributes), "dest='%s' rect=[%.2f %.2f %.2f %.2f]", text_of(brush, item),
			 item->x, item->y, item->width, item->height);
		cairo_tag_begin(brush->cairo, CAIRO_TAG_LINK, attributes);
		cairo_tag_end(brush->cairo, CAIRO_TAG_LINK);
		break;
	case SHEET_DEST:
		snprintf(attributes, sizeof(attributes), "name='%s' x=%.2f y=%.2f", text_of(brush, item), item->x, item->y);
		cairo_tag_begin(brush->cairo, CAIRO_TAG_DEST, attributes);
		cairo_tag_end(brush->cairo, CAIRO_TAG_DEST);
		break;
	}
}

static void paint_sheet(struct brush *brush, size_t sheet)
{
	size_t end = sheet + 1 < brush->sheets->sheet_count ? brush->sheets->firsts[sheet + 1] : brush->sheets->count;

	for (size_t i = brush->sheets->firsts[sheet]; i < end; i++)
		paint_item(brush, &brush->sheets->items[i]);
}

static cairo_status_t take(void *closure, const unsigned char *bytes, unsigned length)
{
	struct brush *brush = closure;

	return brush->write(brush->argument, bytes, length) < 0 ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

/* Sets the metadata of the file, and its outline. */
static void describe_file(const struct sheets *sheets, cairo_surface_t *surface)
{
	const char *texts = sheets->texts.text;

	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, texts + sheets->title);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, texts + sheets->subject);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "vigil " PACKAGE_VERSION);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, texts + sheets->date);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, texts + sheets->date);
	for (size_t i = 0; i < sheets->outline_count; i++) {
		const struct sheet_outline *outline = &sheets->outlines[i];
		char link[128];

		snprintf(link, sizeof(link), "dest='%s'", texts + outline->dest);
		cairo_pdf_surface_add_outline(surface, CAIRO_PDF_OUTLINE_ROOT, texts + outline->text, link,
					      CAIRO_PDF_OUTLINE_FLAG_OPEN);
	}
}

static cairo_surface_t *make_surface(struct brush *brush, enum paint_form form, double scale)
{
	double width = brush->sheets->width, height = brush->sheets->height;
	cairo_surface_t *surface;

	if (form == PAINT_PDF)
		return cairo_pdf_surface_create_for_stream(take, brush, width, height);
	if (form == PAINT_PNG)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * scale),
						  (int)lround(height * scale));
	surface = cairo_svg_surface_create_for_stream(take, brush, width, height);
	cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
	return surface;
}

static void begin(struct brush *brush, cairo_surface_t *surface, enum paint_form form, double scale)
{
	cairo_font_options_t *options = cairo_font_options_create();

	brush->cairo = cairo_create(surface);
	brush->context = pango_font_map_create_context(brush->map);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	pango_cairo_context_set_font_options(brush->context, options);
	pango_context_set_round_glyph_positions(brush->context, FALSE);
	cairo_font_options_destroy(options);
	if (form == PAINT_PDF)
		return;
	cairo_scale(brush->cairo, scale, scale);
	cairo_set_source_rgb(brush->cairo, 1, 1, 1);
	cairo_paint(brush->cairo);
}

/* Returns the advance of a letter of the fixed font at size 1, 0 if no font has it. */
static double measure(PangoFontMap *map)
{
	PangoContext *context = pango_font_map_create_context(map);
	PangoFontDescription *description = describe(FONT_FIXED, LETTER_SIZE);
	PangoLayout *layout;
	double advance = 0;
	int width = 0;

	pango_context_set_round_glyph_positions(context, FALSE);
	layout = pango_layout_new(context);
	pango_layout_set_font_description(layout, description);
	pango_layout_set_text(layout, "M", 1);
	if (pango_layout_get_unknown_glyphs_count(layout) == 0) {
		pango_layout_get_size(layout, &width, NULL);
		advance = (double)width / PANGO_SCALE / LETTER_SIZE;
	}
	g_object_unref(layout);
	pango_font_description_free(description);
	g_object_unref(context);
	return advance;
}

static bool has_families(PangoFontMap *map)
{
	PangoFontFamily **families;
	int count;

	pango_font_map_list_families(map, &families, &count);
	g_free(families);
	return count > 0;
}

static const char *check(void)
{
	PangoFontMap *map = pango_cairo_font_map_new();
	bool found = has_families(map) && measure(map) > 0;

	g_object_unref(map);
	return found ? NULL : "no font with Latin letters is installed";
}

static const char *paint(const struct sheets *sheets, enum paint_form form, double scale,
			 int (*write)(void *argument, const void *bytes, size_t length), void *argument)
{
	struct brush brush = { .sheets = sheets, .write = write, .argument = argument };
	cairo_surface_t *surface = make_surface(&brush, form, scale);
	cairo_status_t status;

	brush.map = pango_cairo_font_map_new();
	brush.advance = measure(brush.map);
	begin(&brush, surface, form, form == PAINT_PNG ? scale : 1);
	for (size_t sheet = 0; sheet < sheets->sheet_count; sheet++) {
		paint_sheet(&brush, sheet);
		if (form == PAINT_PDF)
			cairo_show_page(brush.cairo);
	}
	if (form == PAINT_PDF)
		describe_file(sheets, surface);
	status = cairo_status(brush.cairo);
	cairo_destroy(brush.cairo);
	if (form == PAINT_PNG && !status)
		status = cairo_surface_write_to_png_stream(surface, take, &brush);
	cairo_surface_finish(surface);
	status = status ? status : cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	g_object_unref(brush.context);
	g_object_unref(brush.map);
	return status ? cairo_status_to_string(status) : NULL;
}

const struct painter vigil_painter = { PAINTER_VERSION, check, paint };
