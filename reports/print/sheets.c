/* SPDX-License-Identifier: Apache-2.0 */
/* Items on sheets. */
#include "common/compat.h"
#include "reports/print/sheets.h"
#include "common/xalloc.h"
#include "reports/text.h"

void sheets_init(struct sheets *sheets, double width, double height)
{
	memset(sheets, 0, sizeof(*sheets));
	sheets->width = width;
	sheets->height = height;
	strbuf_init(&sheets->texts);
	strbuf_addch(&sheets->texts, '\0');
}

void sheets_release(struct sheets *sheets)
{
	free(sheets->items);
	free(sheets->firsts);
	free(sheets->outlines);
	strbuf_release(&sheets->texts);
}

void sheets_begin(struct sheets *sheets)
{
	GROW(sheets->firsts, sheets->sheet_count + 1, sheets->sheet_alloc);
	sheets->firsts[sheets->sheet_count++] = sheets->count;
}

size_t sheets_end(const struct sheets *sheets, size_t sheet)
{
	return sheet + 1 < sheets->sheet_count ? sheets->firsts[sheet + 1] : sheets->count;
}

size_t sheets_copy(struct sheets *sheets, const char *text)
{
	size_t at = sheets->texts.length;

	text_clean(&sheets->texts, text);
	strbuf_addch(&sheets->texts, '\0');
	return at;
}

static struct sheet_item *put(struct sheets *sheets, enum sheet_kind kind, double x, double y,
			      double width, double height)
{
	struct sheet_item *item;

	assert(sheets->sheet_count);
	GROW(sheets->items, sheets->count + 1, sheets->alloc);
	item = &sheets->items[sheets->count++];
	memset(item, 0, sizeof(*item));
	item->kind = (unsigned char)kind;
	item->align = -1;
	item->x = (float)x;
	item->y = (float)y;
	item->width = (float)width;
	item->height = (float)height;
	return item;
}

struct sheet_item *sheets_text(struct sheets *sheets, double x, double y, double width,
			       enum sheet_font font, double size, const char *text)
{
	struct sheet_item *item = put(sheets, SHEET_TEXT, x, y, width, 0);

	item->font = (unsigned char)font;
	item->size = (float)size;
	item->ink = INK_BLACK;
	item->text = sheets_copy(sheets, text);
	return item;
}

struct sheet_item *sheets_box(struct sheets *sheets, double x, double y, double width,
			      double height, enum ink ink)
{
	struct sheet_item *item = put(sheets, SHEET_BOX, x, y, width, height);

	item->ink = (unsigned char)ink;
	return item;
}

struct sheet_item *sheets_line(struct sheets *sheets, double x, double y, double width,
			       double height, enum ink ink)
{
	struct sheet_item *item = put(sheets, SHEET_LINE, x, y, width, height);

	item->ink = (unsigned char)ink;
	item->size = 0.6f;
	return item;
}

struct sheet_item *sheets_wedge(struct sheets *sheets, double x, double y, double radius,
				double from, double to, enum ink ink)
{
	struct sheet_item *item = put(sheets, SHEET_WEDGE, x, y, radius, from);

	item->size = (float)to;
	item->ink = (unsigned char)ink;
	item->frame = INK_BLACK;
	return item;
}

void sheets_link(struct sheets *sheets, double x, double y, double width, double height,
		 const char *dest)
{
	put(sheets, SHEET_LINK, x, y, width, height)->text = sheets_copy(sheets, dest);
}

void sheets_dest(struct sheets *sheets, double y, const char *dest)
{
	put(sheets, SHEET_DEST, 0, y, 0, 0)->text = sheets_copy(sheets, dest);
}

void sheets_outline(struct sheets *sheets, const char *text, const char *dest)
{
	struct sheet_outline *outline;

	GROW(sheets->outlines, sheets->outline_count + 1, sheets->outline_alloc);
	outline = &sheets->outlines[sheets->outline_count++];
	outline->text = sheets_copy(sheets, text);
	outline->dest = sheets_copy(sheets, dest);
}

/*
 * Moves the members from middle to count of an array to position from; those from
 * there on follow.
 */
static void rotate(void *base, size_t from, size_t middle, size_t count, size_t size)
{
	char *bytes = base, *kept = xcalloc(count - middle + 1, size);

	memcpy(kept, bytes + middle * size, (count - middle) * size);
	memmove(bytes + (from + count - middle) * size, bytes + from * size, (middle - from) * size);
	memcpy(bytes + from * size, kept, (count - middle) * size);
	free(kept);
}

void sheets_move(struct sheets *sheets, size_t number)
{
	size_t last = sheets->sheet_count - 1, first = sheets->firsts[number], begin = sheets->firsts[last];
	size_t moved = sheets->count - begin;

	if (moved && number < last)
		rotate(sheets->items, first, begin, sheets->count, sizeof(*sheets->items));
	for (size_t i = last; i > number; i--)
		sheets->firsts[i] = sheets->firsts[i - 1] + moved;
	sheets->firsts[number] = first;
}
