/* SPDX-License-Identifier: Apache-2.0 */
/* Edits numbers with masks and patterns, and converts them. */
#include "common/compat.h"
#include "utilities/sort/edit.h"

#include <ctype.h>

#define LONGEST_RESULT 256

/* A mask as rules that apply to any number of digits. */
struct mask {
	bool leading, trailing; /* has a sign before or after the number */
	char group, point;	/* characters between groups of three digits and before the last
				 * two; '\0': none */
	bool all;		/* leading zeros are printed */
	const char *signs;	/* leading positive, leading negative, trailing positive,
				 * trailing negative */
	const char *fixed;	/* the whole pattern for any number of digits; NULL: made from
				 * the rules */
};

static const struct mask masks[] = {
	{ false, true, 0, 0, false, "   -", NULL },
	{ false, true, 0, 0, true, "   -", NULL },
	{ false, true, ',', '.', false, "   -", NULL },
	{ false, false, ',', '.', false, "    ", NULL }, /* CR at the end */
	{ true, false, ',', '.', false, "+-  ", NULL },
	{ true, true, ',', '.', false, " ( )", NULL },
	{ false, false, 0, 0, false, "    ", "III-TTT-TTTT" },
	{ false, false, 0, 0, false, "    ", "TTT-TT-TTTT" },
	{ false, false, 0, 0, false, "    ", "IT:TT:TT" },
	{ false, false, 0, 0, false, "    ", "IT/TT/TT" },
	{ false, false, 0, 0, false, "    ", NULL },
	{ false, false, 0, 0, true, "    ", NULL },
	{ true, false, ',', 0, false, " -  ", NULL },
	{ true, false, '.', 0, false, " -  ", NULL },
	{ true, true, ' ', 0, false, " ( )", NULL },
	{ false, true, ' ', 0, false, "   -", NULL },
	{ true, false, ' ', 0, false, " -  ", NULL },
	{ true, false, '\'', 0, false, " -  ", NULL },
	{ true, false, ',', '.', false, " -  ", NULL },
	{ true, false, '.', ',', false, " -  ", NULL },
	{ true, true, ' ', ',', false, " ( )", NULL },
	{ false, true, ' ', ',', false, "   -", NULL },
	{ true, false, ' ', ',', false, " -  ", NULL },
	{ true, false, '\'', '.', false, " -  ", NULL },
	{ true, false, '\'', ',', false, " -  ", NULL },
	{ true, false, 0, 0, false, " -  ", NULL },
	{ true, false, 0, 0, true, "+-  ", NULL },
};

#define MASK_CREDIT 3 /* ends with CR instead of a sign */

static const struct {
	const char *name;
	enum field_format format;
	enum sign_style style;
} targets[] = {
	{ "ZD", FORMAT_ZD, SIGN_F },	      { "ZDF", FORMAT_ZD, SIGN_F },
	{ "ZDC", FORMAT_ZD, SIGN_PREFERRED }, { "PD", FORMAT_PD, SIGN_PREFERRED },
	{ "PDC", FORMAT_PD, SIGN_PREFERRED }, { "PDF", FORMAT_PD, SIGN_F },
	{ "BI", FORMAT_BI, SIGN_PREFERRED },  { "FI", FORMAT_FI, SIGN_PREFERRED },
	{ "FS", FORMAT_FS, SIGN_PREFERRED },  { "CSF", FORMAT_FS, SIGN_PREFERRED },
	{ "LS", FORMAT_LS, SIGN_PREFERRED },  { "CSL", FORMAT_LS, SIGN_PREFERRED },
	{ "TS", FORMAT_TS, SIGN_PREFERRED },  { "CST", FORMAT_TS, SIGN_PREFERRED },
};

void edit_init(struct edit *edit)
{
	*edit = (struct edit){ .mask = -1 };
	strbuf_init(&edit->pattern);
}

void edit_release(struct edit *edit)
{
	strbuf_release(&edit->pattern);
}

/* Parses SIGNS=(a,b,c,d): each a character, C'c' or X'hh', or omitted. */
static void scan_signs(struct scan *scan, struct edit *edit)
{
	scan_require(scan, '(');
	for (size_t i = 0; i < 4 && !scan->failed; i++) {
		struct strbuf bytes = STRBUF_INIT;

		if (scan_at_bytes(scan)) {
			scan_bytes(scan, &bytes);
			edit->signs[i] = bytes.text[0];
			strbuf_release(&bytes);
		} else if (*scan->at && *scan->at != ',' && (*scan->at != ')' || i == 3)) {
			edit->signs[i] = *scan->at++;
		}
		if (!scan_accept(scan, ','))
			break;
	}
	scan_require(scan, ')');
}

/* Parses EDIT=(pattern), up to the closing parenthesis. */
static void scan_pattern(struct scan *scan, struct edit *edit)
{
	const char *start = scan->at;
	size_t digits = 0;

	scan_require(scan, '(');
	strbuf_reset(&edit->pattern);
	for (; !scan->failed && *scan->at && *scan->at != ')'; scan->at++) {
		digits += *scan->at == 'I' || *scan->at == 'T';
		strbuf_addch(&edit->pattern, *scan->at);
	}
	scan_require(scan, ')');
	if (digits == 0 || digits > 31)
		scan_error_at(
			scan, start, 5541,
			"ICE007A SYNTAX ERROR: a pattern has from 1 to 31 of the letters I and T");
}

static void scan_target(struct scan *scan, struct edit *edit)
{
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);

	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		if (length > 0 && strcmp(word, targets[i].name) == 0) {
			edit->to = (struct number_form){ targets[i].format, targets[i].style,
							 signs_rule() };
			scan->at += length;
			return;
		}
	scan_expected(scan, "ZD, PD, BI, FI, FS, LS or TS");
}

/* Parses "M0" to "M26". */
static bool scan_mask(struct scan *scan, struct edit *edit)
{
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);
	unsigned long number;

	if (length < 2 || length > 3 || word[0] != 'M' || !isdigit((unsigned char)word[1]) ||
	    (length == 3 && !isdigit((unsigned char)word[2])))
		return false;
	number = strtoul(word + 1, NULL, 10);
	if (number >= ARRAY_SIZE(masks))
		scan_expected(scan, "a mask from M0 to M26");
	edit->mask = (int)number;
	scan->at += length;
	return true;
}

bool edit_scan(struct scan *scan, struct edit *edit)
{
	if (scan_keyword(scan, "EDIT", '='))
		scan_pattern(scan, edit);
	else if (scan_keyword(scan, "EDIT", '(')) {
		scan->at--;
		scan_pattern(scan, edit);
	} else if (scan_keyword(scan, "SIGNS", '='))
		scan_signs(scan, edit);
	else if (scan_keyword(scan, "LENGTH", '='))
		edit->length = scan_number(scan, 1, LONGEST_RESULT, "a length");
	else if (scan_keyword(scan, "TO", '='))
		scan_target(scan, edit);
	else
		return scan_mask(scan, edit);
	return true;
}

/* Makes the pattern of a mask for this many digits, from right to left. */
static void make_pattern(struct edit *edit, const struct mask *mask, unsigned digits)
{
	char text[96];
	size_t at = sizeof(text);
	unsigned decimals = mask->point ? 2 : 0, whole = decimals + 1;

	if (mask->fixed) {
		strbuf_addstr(&edit->pattern, mask->fixed);
		return;
	}
	if (mask->trailing)
		text[--at] = 'S';
	for (unsigned i = 1; i <= digits; i++) {
		if (mask->point && i == whole)
			text[--at] = mask->point;
		else if (mask->group && i > whole && (i - whole) % 3 == 0)
			text[--at] = mask->group;
		text[--at] = mask->all || i <= whole ? 'T' : 'I';
	}
	if (mask->leading)
		text[--at] = 'S';
	strbuf_add(&edit->pattern, text + at, sizeof(text) - at);
}

static size_t target_length(enum field_format to, unsigned digits)
{
	switch (to) {
	case FORMAT_PD:
		return digits / 2 + 1;
	case FORMAT_BI:
	case FORMAT_FI:
		return digits <= 9 ? 4 : 8;
	case FORMAT_ZD:
		return digits;
	default:
		return digits + 1;
	}
}

void edit_finish(struct edit *edit, int mask, unsigned digits)
{
	size_t length;

	if (edit->mask < 0 && edit->pattern.length == 0)
		edit->mask = mask;
	if (edit->to.format != FORMAT_NONE) {
		length = target_length(edit->to.format, digits);
	} else {
		if (edit->pattern.length == 0)
			make_pattern(edit, &masks[edit->mask], digits);
		for (size_t i = 0; i < 4; i++)
			if (!edit->signs[i])
				edit->signs[i] =
					edit->mask < 0 ? " - -"[i] : masks[edit->mask].signs[i];
		length = edit->pattern.length + (edit->mask == MASK_CREDIT ? 2 : 0);
	}
	if (edit->length == 0)
		edit->length = length;
}

/* Appends the number, formatted by the pattern. */
static void put_pattern(const struct edit *edit, sort_number value, struct strbuf *out)
{
	const char *pattern = edit->pattern.text;
	char digits[40];
	size_t count = field_number_digits(value, digits), places = 0, start = out->length;
	size_t first = SIZE_MAX, sign_at = SIZE_MAX; /* positions of the first digit and of the
						      * leading sign */
	bool negative = value < 0;

	for (const char *at = pattern; *at; at++)
		places += *at == 'I' || *at == 'T';
	for (const char *at = pattern; *at; at++) {
		bool place = *at == 'I' || *at == 'T';
		char digit = place && places <= count ? digits[count - places] : '0';

		places -= place;
		if (place && (*at == 'T' || digit != '0') && first == SIZE_MAX)
			first = out->length;
		if (*at == 'S' && first == SIZE_MAX)
			sign_at = out->length;
		if (*at == 'S')
			strbuf_addch(out, first == SIZE_MAX ? ' ' : edit->signs[2 + negative]);
		else if (place)
			strbuf_addch(out, first == SIZE_MAX ? ' ' : digit);
		else
			strbuf_addch(out, first == SIZE_MAX && at != pattern ? ' ' : *at);
	}
	if (edit->mask == MASK_CREDIT)
		strbuf_addstr(out, negative ? "CR" : "  ");
	if (sign_at != SIZE_MAX && first != SIZE_MAX && first > start)
		out->text[out->text[first - 1] == ' ' ? first - 1 : sign_at] =
			edit->signs[negative];
}

/* Returns how many values a format has in this many bytes, by its digits or bits. */
static sort_number capacity(enum field_format format, size_t length)
{
	bool binary = format == FORMAT_BI || format == FORMAT_FI;
	size_t places = format == FORMAT_PD		? length * 2 - 1
			: binary || format == FORMAT_ZD ? length
							: length - 1;
	sort_number limit = 1;

	for (size_t i = 0; i < places && i < (binary ? 15 : 37); i++)
		limit *= binary ? 256 : 10;
	return limit;
}

/* Appends the converted number; excess digits are lost at the left. */
static void put_converted(const struct edit *edit, sort_number value, enum sign_kind sign,
			  struct strbuf *out)
{
	struct number_form form = edit->to;
	size_t start = out->length;
	sort_number limit = capacity(edit->to.format, edit->length);

	if (sign != SIGN_NONE)
		form.sign = sign;
	strbuf_addchars(out, ' ', edit->length);
	if (field_put_number(value, &form, out->text + start, edit->length))
		return;
	value %= limit;
	if (edit->to.format == FORMAT_BI && value < 0)
		value += limit;
	else if (edit->to.format == FORMAT_FI && (value >= limit / 2 || value < -(limit / 2)))
		value += value < 0 ? limit : -limit;
	field_put_number(value, &form, out->text + start, edit->length);
}

void edit_put(const struct edit *edit, sort_number value, bool valid, enum sign_kind sign,
	      struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	if (!valid) {
		strbuf_addchars(out, '*', edit->length);
		return;
	}
	if (edit->to.format != FORMAT_NONE) {
		put_converted(edit, value, sign, out);
		return;
	}
	put_pattern(edit, value, &text);
	if (text.length < edit->length)
		strbuf_addchars(out, ' ', edit->length - text.length);
	strbuf_add(out, text.text + (text.length > edit->length ? text.length - edit->length : 0),
		   text.length < edit->length ? text.length : edit->length);
	strbuf_release(&text);
}
