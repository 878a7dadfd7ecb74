/* SPDX-License-Identifier: Apache-2.0 */
/* Labels, keys and inks of pictures. */
#include "common/compat.h"
#include "reports/print/picture-parts.h"
#include "records/record-types.h"
#include "reports/text.h"

enum ink picture_reason_ink(uint64_t reason)
{
	static const unsigned char inks[WAIT_REASON_COUNT] = {
		[WAIT_FILE_READ] = INK_FILE_READ,   [WAIT_FILE_WRITE] = INK_FILE_WRITE,
		[WAIT_FILE_SYNC] = INK_FILE_SYNC,   [WAIT_FILE_OTHER] = INK_FILE_OTHER,
		[WAIT_SOCKET] = INK_NETWORK,	    [WAIT_PIPE] = INK_NETWORK,
		[WAIT_TERMINAL] = INK_NETWORK,	    [WAIT_POLL] = INK_NETWORK,
		[WAIT_LOCK] = INK_LOCK,		    [WAIT_SLEEP] = INK_SLEEP,
		[WAIT_CHILD] = INK_CHILD,	    [WAIT_PAGE] = INK_PAGE,
		[WAIT_DISPATCH] = INK_DISPATCH,
	};

	return reason < WAIT_REASON_COUNT && inks[reason] ? (enum ink)inks[reason] : INK_OTHER;
}

struct sheet_item *picture_label(struct sheets *sheets, double x, double y, double width, const char *text)
{
	struct strbuf clean = STRBUF_INIT, cut = STRBUF_INIT;
	size_t columns = width > 0 ? (size_t)(width / PICTURE_PITCH) : 0;
	struct sheet_item *item;

	text_clean(&clean, text);
	if (text_width(clean.text) <= columns)
		strbuf_addbuf(&cut, &clean);
	else
		text_add_field(&cut, clean.text, columns, false);
	item = sheets_text(sheets, x, y, width, FONT_FIXED, PICTURE_PITCH, cut.text);
	strbuf_release(&clean);
	strbuf_release(&cut);
	return item;
}

double picture_key(struct sheets *sheets, double x, double y, enum ink ink, const char *text)
{
	double width = (double)text_width(text) * PICTURE_PITCH;

	sheets_box(sheets, x, y - 6.5, 12, 8, ink)->frame = INK_BLACK;
	sheets_text(sheets, x + 16, y, width + 1, FONT_FIXED, PICTURE_PITCH, text);
	return x + 16 + width + 14;
}

double picture_key_width(const char *text)
{
	return 16 + (double)text_width(text) * PICTURE_PITCH;
}

void picture_percent(struct strbuf *sb, double percent)
{
	strbuf_addf(sb, "%.1f %%", percent);
}
