/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and numbers in columns. */
#include "common/compat.h"
#include "reports/text.h"
#include "common/utf8.h"

/* Returns whether a character would move the cursor or change what follows. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0x61c || code == 0xfeff || code == 0xfffe || code == 0xffff ||
	       (code >= 0xe0000 && code <= 0xe007f) || code == UINT32_MAX;
}

/* Returns the columns of one character. */
static size_t code_width(uint32_t code)
{
	return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
			       (code >= 0xac00 && code <= 0xd7a3) ||
			       (code >= 0xf900 && code <= 0xfaff) ||
			       (code >= 0xfe30 && code <= 0xfe6f) ||
			       (code >= 0xff00 && code <= 0xff60) ||
			       (code >= 0xffe0 && code <= 0xffe6) ||
			       (code >= 0x1f300 && code <= 0x1faff) ||
			       (code >= 0x20000 && code <= 0x3fffd)
		       ? 2
		       : 1;
}

void text_clean(struct strbuf *sb, const char *text)
{
	size_t length;

	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		if (code == '\t')
			strbuf_addch(sb, ' ');
		else if (is_control(code))
			strbuf_addch(sb, '.');
		else
			strbuf_add(sb, text, length);
	}
}

size_t text_width(const char *text)
{
	size_t width = 0, length;

	for (; *text; text += length)
		width += code_width(utf8_decode(text, &length));
	return width;
}

/* Returns the number of bytes at the start of text that fit into width columns. */
static size_t fitting(const char *text, size_t width)
{
	size_t used = 0, length, at = 0;

	for (; text[at]; at += length) {
		used += code_width(utf8_decode(text + at, &length));
		if (used > width)
			break;
	}
	return at;
}

void text_add_start(struct strbuf *sb, const char *text, size_t width)
{
	strbuf_add(sb, text, fitting(text, width));
}

void text_add_end(struct strbuf *sb, const char *text, size_t width)
{
	size_t have = text_width(text), length;

	for (; have > width; text += length)
		have -= code_width(utf8_decode(text, &length));
	strbuf_addstr(sb, text);
}

void text_add_field(struct strbuf *sb, const char *text, size_t width, bool right)
{
	size_t start = sb->length, have = text_width(text);

	if (have <= width) {
		if (right)
			strbuf_addchars(sb, ' ', width - have);
		strbuf_addstr(sb, text);
		if (!right)
			strbuf_addchars(sb, ' ', width - have);
		return;
	}
	text_add_start(sb, text, width > 2 ? width - 2 : width);
	have = text_width(sb->text + start);
	strbuf_addchars(sb, width > 2 ? '.' : ' ', width - have);
}

size_t text_wrap(const char *text, size_t width)
{
	size_t end = fitting(text, width);

	if (!text[end] || text[end] == ' ')
		return end;
	for (size_t at = end; at > end / 3; at--)
		if (text[at - 1] == ' ')
			return at;
	return end ? end : strlen(text);
}

void text_add_number(struct strbuf *sb, uint64_t number)
{
	char digits[24];
	int count = snprintf(digits, sizeof(digits), "%" PRIu64, number);

	for (int i = 0; i < count; i++) {
		if (i && (count - i) % 3 == 0)
			strbuf_addch(sb, ',');
		strbuf_addch(sb, digits[i]);
	}
}

void text_add_bytes(struct strbuf *sb, uint64_t bytes)
{
	static const char units[] = "KMGTPE";
	double value = (double)bytes;
	size_t unit = 0;

	if (bytes < 10000) {
		strbuf_addf(sb, "%" PRIu64, bytes);
		return;
	}
	for (value /= 1024; value >= 999.5 && unit < 5; value /= 1024)
		unit++;
	strbuf_addf(sb, value < 99.95 ? "%.1f%c" : "%.0f%c", value, units[unit]);
}
