/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as text. */
#include "common/compat.h"
#include "common/json.h"
#include "common/utf8.h"

/* Appends one character, of length bytes, that must be escaped. */
static void add_special(struct strbuf *sb, const char *text, size_t length, uint32_t code)
{
	if (code == UINT32_MAX)
		strbuf_addstr(sb, "\xef\xbf\xbd");
	else if (code == '"' || code == '\\')
		strbuf_addf(sb, "\\%c", (char)code);
	else if (code < 0x20 || code == 0x7f)
		strbuf_addf(sb, "\\u%04x", code);
	else
		strbuf_add(sb, text, length);
}

void json_string(struct strbuf *sb, const char *text)
{
	uint32_t code;
	size_t length;

	strbuf_addch(sb, '"');
	while (*text) {
		size_t plain = 0;

		/* The common case: plain ASCII. */
		while (text[plain] >= 0x20 && text[plain] < 0x7f && text[plain] != '"' &&
		       text[plain] != '\\')
			plain++;
		strbuf_add(sb, text, plain);
		text += plain;
		if (!*text)
			break;
		code = utf8_decode(text, &length);
		add_special(sb, text, length, code);
		text += length;
	}
	strbuf_addch(sb, '"');
}

void json_key(struct strbuf *sb, const char *key, bool first)
{
	strbuf_addstr(sb, first ? "" : ",");
	json_string(sb, key);
	strbuf_addch(sb, ':');
}

void json_time(struct strbuf *sb, uint64_t ns, uint64_t unit)
{
	uint64_t part = ns % unit;

	strbuf_addnum(sb, ns / unit);
	if (!part)
		return;
	strbuf_addch(sb, '.');
	for (unit /= 10; part; unit /= 10) {
		strbuf_addch(sb, (char)('0' + part / unit));
		part %= unit;
	}
}
