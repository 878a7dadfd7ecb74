/* SPDX-License-Identifier: Apache-2.0 */
/* Justifies and squeezes fields. */
#include "common/compat.h"
#include "utilities/sort/squeeze.h"
#include "common/xalloc.h"

void squeeze_free(struct squeeze *squeeze)
{
	if (!squeeze)
		return;
	strbuf_release(&squeeze->lead);
	strbuf_release(&squeeze->trail);
	strbuf_release(&squeeze->middle);
	strbuf_release(&squeeze->blanks);
	free(squeeze);
}

static void parse_shift(struct scan *scan, struct squeeze *squeeze)
{
	squeeze->right = scan_keyword(scan, "RIGHT", '\0');
	if (!squeeze->right && !scan_keyword(scan, "LEFT", '\0'))
		scan_expected(scan, "LEFT or RIGHT");
}

static void parse_operand(struct scan *scan, struct squeeze *squeeze)
{
	const char *at = scan->at;

	if (scan_keyword(scan, "SHIFT", '='))
		parse_shift(scan, squeeze);
	else if (scan_keyword(scan, "LENGTH", '='))
		squeeze->length = scan_number(scan, 1, 32752, "a length");
	else if (scan_keyword(scan, "LEAD", '='))
		scan_bytes(scan, &squeeze->lead);
	else if (scan_keyword(scan, "TRAIL", '='))
		scan_bytes(scan, &squeeze->trail);
	else if (scan_keyword(scan, "PREBLANK", '='))
		scan_bytes(scan, &squeeze->blanks);
	else if (squeeze->all && scan_keyword(scan, "MID", '='))
		scan_bytes(scan, &squeeze->middle);
	else if (scan_keyword(scan, "PAIR", '='))
		scan_unsupported(scan, at, "PAIR");
	else
		scan_expected(scan, squeeze->all
					    ? "SHIFT=, LENGTH=, LEAD=, MID=, TRAIL= or PREBLANK="
					    : "SHIFT=, LENGTH=, LEAD=, TRAIL= or PREBLANK=");
}

struct squeeze *squeeze_parse(struct scan *scan, bool all, size_t length)
{
	struct squeeze *squeeze = xcalloc(1, sizeof(*squeeze));

	squeeze->all = all;
	squeeze->length = length;
	strbuf_init(&squeeze->lead);
	strbuf_init(&squeeze->trail);
	strbuf_init(&squeeze->middle);
	strbuf_init(&squeeze->blanks);
	scan_require(scan, '(');
	do
		parse_operand(scan, squeeze);
	while (!scan->failed && scan_accept(scan, ','));
	scan_require(scan, ')');
	return squeeze;
}

static bool is_blank(const struct squeeze *squeeze, char c)
{
	return c == ' ' || (squeeze->blanks.length > 0 &&
			    memchr(squeeze->blanks.text, c, squeeze->blanks.length) != NULL);
}

/* Appends the text between start and end. */
static void add_text(const struct squeeze *squeeze, const char *start, const char *end,
		     struct strbuf *text)
{
	bool gap = false;

	for (; start < end; start++) {
		if (!is_blank(squeeze, *start)) {
			if (gap)
				strbuf_addbuf(text, &squeeze->middle);
			strbuf_addch(text, *start);
			gap = false;
		} else if (squeeze->all) {
			gap = true;
		} else {
			strbuf_addch(text, ' ');
		}
	}
}

void squeeze_put(const struct squeeze *squeeze, const struct strbuf *bytes, struct strbuf *out)
{
	const char *start = bytes->text, *end = bytes->text + bytes->length;
	struct strbuf text = STRBUF_INIT;
	size_t cut;

	while (start < end && is_blank(squeeze, *start))
		start++;
	while (end > start && is_blank(squeeze, end[-1]))
		end--;
	strbuf_addbuf(&text, &squeeze->lead);
	add_text(squeeze, start, end, &text);
	strbuf_addbuf(&text, &squeeze->trail);
	cut = text.length > squeeze->length ? text.length - squeeze->length : 0;
	if (squeeze->right)
		strbuf_addchars(out, ' ', squeeze->length - (text.length - cut));
	strbuf_add(out, text.text + (squeeze->right ? cut : 0), text.length - cut);
	if (!squeeze->right)
		strbuf_addchars(out, ' ', squeeze->length - (text.length - cut));
	strbuf_release(&text);
}
