/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sheets: the positions of all items on the pages of a print, before they are
 * drawn. Layouts put items on sheets; a painter (painter.h) draws them as PDF, SVG
 * or PNG. So a picture is laid out once for all three, and a layout can be tested
 * without a font.
 *
 * Lengths are points of 1/72 inch, from the upper left corner of a sheet. The y of
 * a text is its baseline. All texts are copied and made harmless: control
 * characters, and those that change how others are shown, become dots; the rest is
 * valid UTF-8. Names of link destinations (dest) consist of letters, digits and
 * '-'.
 */
#ifndef VIGIL_REPORTS_PRINT_SHEETS_H
#define VIGIL_REPORTS_PRINT_SHEETS_H

#include "common/strbuf.h"
#include "reports/print/ink.h"

enum sheet_font {
	FONT_FIXED, /* size is the width of a column; wide characters take two */
	FONT_FIXED_BOLD,
	FONT_PLAIN, /* size is the height */
	FONT_BOLD,
};

enum sheet_kind {
	SHEET_TEXT,
	SHEET_BOX,   /* filled with ink; framed if frame is an ink */
	SHEET_LINE,  /* from x, y to x + width, y + height */
	SHEET_WEDGE, /* sector of a circle around x, y with radius width, from turn height to
		      * turn size */
	SHEET_LINK,  /* the box links to the destination called text */
	SHEET_DEST,  /* x, y is the destination called text */
};

/*
 * For texts, width is the maximum: a wider FIXED text is condensed, others are
 * truncated. 0: no limit.
 */
struct sheet_item {
	unsigned char kind, ink, frame, font;
	signed char align; /* of a text: -1 begins at x, 0 is centred at x, 1 ends at x */
	float x, y, width, height, size;
	size_t text; /* offset in texts */
};

struct sheet_outline {
	size_t text, dest; /* offsets in texts */
};

struct sheets {
	double width, height; /* of each sheet */
	struct sheet_item *items;
	size_t count, alloc;
	size_t *firsts; /* first item of each sheet */
	size_t sheet_count, sheet_alloc;
	struct sheet_outline *outlines;
	size_t outline_count, outline_alloc;
	struct strbuf texts; /* each NUL-terminated; the first is "" */
	/* Metadata of the file: offsets in texts, 0: none; the date as "2026-11-23T05:10:00Z". */
	size_t title, subject, date;
};

void sheets_init(struct sheets *sheets, double width, double height);
void sheets_release(struct sheets *sheets);
/* Begins a sheet after all others. */
void sheets_begin(struct sheets *sheets);
/* Returns one past the last item of a sheet. */
size_t sheets_end(const struct sheets *sheets, size_t sheet);
/* Copies a text; returns its offset. */
size_t sheets_copy(struct sheets *sheets, const char *text);

/* Puts an item on the last sheet; the result is valid until the next is put. */
struct sheet_item *sheets_text(struct sheets *sheets, double x, double y, double width,
			       enum sheet_font font, double size, const char *text);
struct sheet_item *sheets_box(struct sheets *sheets, double x, double y, double width,
			      double height, enum ink ink);
struct sheet_item *sheets_line(struct sheets *sheets, double x, double y, double width,
			       double height, enum ink ink);
struct sheet_item *sheets_wedge(struct sheets *sheets, double x, double y, double radius,
				double from, double to, enum ink ink);
void sheets_link(struct sheets *sheets, double x, double y, double width, double height,
		 const char *dest);
void sheets_dest(struct sheets *sheets, double y, const char *dest);
void sheets_outline(struct sheets *sheets, const char *text, const char *dest);

/* Moves the last sheet to this number; those from there on follow it. */
void sheets_move(struct sheets *sheets, size_t number);

#endif
