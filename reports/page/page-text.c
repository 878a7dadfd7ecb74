/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in a page: any bytes, made harmless. */
#include "common/compat.h"
#include "reports/page/page-text.h"
#include "common/utf8.h"

/* Appends one character by its code, below U+10000. */
static void add_code(struct strbuf *sb, uint32_t code)
{
	strbuf_addch(sb, (char)(0xe0 | code >> 12));
	strbuf_addch(sb, (char)(0x80 | (code >> 6 & 0x3f)));
	strbuf_addch(sb, (char)(0x80 | (code & 0x3f)));
}

/* Returns whether a character is invisible and changes how others are shown. */
static bool is_hidden(uint32_t code)
{
	return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0x61c || code == 0xfeff ||
	       (code >= 0xe0000 && code <= 0xe007f) || code == 0xfffe || code == 0xffff;
}

/*
 * Appends the visible substitute of a special character; returns false if the
 * character is plain.
 */
static bool add_sign(struct strbuf *sb, uint32_t code)
{
	if (code == UINT32_MAX)
		add_code(sb, 0xfffd);
	else if (code < 0x20)
		add_code(sb, 0x2400 + code);
	else if (code == 0x7f)
		add_code(sb, 0x2421);
	else if ((code >= 0x80 && code < 0xa0) || is_hidden(code))
		strbuf_addf(sb, "[U+%04" PRIX32 "]", code);
	else
		return false;
	return true;
}

void page_text_html(struct strbuf *sb, const char *text)
{
	size_t length;

	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		if (add_sign(sb, code))
			continue;
		if (strchr("<>&\"'`", *text))
			strbuf_addf(sb, "&#%" PRIu32 ";", code);
		else
			strbuf_add(sb, text, length);
	}
}

static void add_json(struct strbuf *sb, const char *text, bool tabs)
{
	size_t length;

	strbuf_addch(sb, '"');
	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		if (code == '\t' && tabs)
			strbuf_addstr(sb, "\\t");
		else if (add_sign(sb, code))
			continue;
		else if (*text == '"' || *text == '\\')
			strbuf_addf(sb, "\\%c", *text);
		else if (strchr("<>&", *text))
			strbuf_addf(sb, "\\u%04" PRIx32, code);
		else
			strbuf_add(sb, text, length);
	}
	strbuf_addch(sb, '"');
}

void page_text_json(struct strbuf *sb, const char *text)
{
	add_json(sb, text, false);
}

void page_text_source(struct strbuf *sb, const char *text)
{
	add_json(sb, text, true);
}

void page_text_number(struct strbuf *sb, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	strbuf_add(sb, digits + at, sizeof(digits) - at);
}
