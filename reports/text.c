/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and numbers in columns. */
#include "common/compat.h"
#include "reports/text.h"

/* How many bytes follow a lead byte, or -1 when it cannot lead. */
static int following_bytes(unsigned char lead)
{
	if (lead < 0x80)
		return 0;
	if (lead >= 0xc2 && lead < 0xe0)
		return 1;
	if (lead >= 0xe0 && lead < 0xf0)
		return 2;
	return lead >= 0xf0 && lead < 0xf5 ? 3 : -1;
}

uint32_t text_decode(const char *text, size_t *length)
{
	static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
	static const uint32_t mask[] = { 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned char lead = (unsigned char)text[0];
	int more = following_bytes(lead);
	uint32_t code;

	*length = lead ? 1 : 0;
	if (more < 0)
		return UINT32_MAX;
	code = lead & mask[more];
	for (int i = 1; i <= more; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte & 0xc0) != 0x80)
			return UINT32_MAX;
		code = code << 6 | (byte & 0x3f);
	}
	if (code < smallest[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return UINT32_MAX;
	if (lead)
		*length = (size_t)more + 1;
	return code;
}

/* Whether a character would move the cursor or change what follows. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff || code == UINT32_MAX;
}

/* Columns of one character. */
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
		uint32_t code = text_decode(text, &length);

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
		width += code_width(text_decode(text, &length));
	return width;
}

/* Bytes at the start of text that fit into width columns. */
static size_t fitting(const char *text, size_t width)
{
	size_t used = 0, length, at = 0;

	for (; text[at]; at += length) {
		used += code_width(text_decode(text + at, &length));
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
		have -= code_width(text_decode(text, &length));
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

void text_add_utf8(struct strbuf *sb, const char *text)
{
	size_t length;

	for (; *text; text += length) {
		if (text_decode(text, &length) == UINT32_MAX)
			strbuf_addstr(sb, "\xef\xbf\xbd");
		else
			strbuf_add(sb, text, length);
	}
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
