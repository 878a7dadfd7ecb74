/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the items of which records are built. */
#include "common/compat.h"
#include "utilities/sort/item.h"
#include "common/xalloc.h"
#include "utilities/sort/date.h"

#include <ctype.h>
#include <strings.h>

#define MASK_STANDARD 0
#define MASK_COUNT 10
#define MASK_SEQUENCE 11

static struct sort_item *add_item(struct item_list *list)
{
	struct sort_item *item;

	GROW(list->items, list->count + 1, list->alloc);
	item = &list->items[list->count++];
	*item = (struct sort_item){ .column = SIZE_MAX };
	strbuf_init(&item->bytes);
	strbuf_init(&item->last);
	edit_init(&item->edit);
	return item;
}

void item_list_release(struct item_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct sort_item *item = &list->items[i];

		for (size_t n = 0; n < item->change_count; n++) {
			strbuf_release(&item->changes[n].find);
			strbuf_release(&item->changes[n].set);
		}
		free(item->changes);
		strbuf_release(&item->bytes);
		strbuf_release(&item->last);
		edit_release(&item->edit);
		value_free(item->value);
		squeeze_free(item->squeeze);
	}
	free(list->items);
	*list = (struct item_list){ 0 };
}

/* Parses editing options, each after a comma. */
static void parse_editing(struct scan *scan, struct edit *edit)
{
	while (!scan->failed && *scan->at == ',') {
		scan->at++;
		if (!edit_scan(scan, edit)) {
			scan->at--;
			return;
		}
	}
}

/* Completes a number's editing; BI and FI have at most 8 bytes. */
static void finish_editing(struct scan *scan, const char *at, struct sort_item *item, int mask,
			   unsigned digits)
{
	if (scan->failed)
		return;
	edit_finish(&item->edit, mask, digits);
	item->length = item->edit.length;
	if ((item->edit.to.format == FORMAT_BI || item->edit.to.format == FORMAT_FI) &&
	    item->length > 8)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: a binary result has at most 8 bytes");
}

static void parse_number(struct scan *scan, struct sort_item *item, const struct sort_field *field)
{
	const char *at = scan->at;

	item->kind = ITEM_NUMBER;
	item->value = value_parse(scan, field);
	parse_editing(scan, &item->edit);
	if (!scan->failed)
		finish_editing(scan, at, item, MASK_STANDARD, value_digits(item->value));
}

/* Parses TRAN=name. */
static void parse_translation(struct scan *scan, struct sort_item *item)
{
	const char *at = scan->at;
	char word[SCAN_WORD];

	item->kind = ITEM_TRANSLATE;
	if (scan_keyword(scan, "LTOU", '\0')) {
		item->table = TABLE_UPPER;
	} else if (scan_keyword(scan, "UTOL", '\0')) {
		item->table = TABLE_LOWER;
	} else if (scan_keyword(scan, "ALTSEQ", '\0')) {
		item->table = TABLE_ALTSEQ;
	} else if (scan_keyword(scan, "HEX", '\0')) {
		item->kind = ITEM_HEX;
		item->length = item->field.length * 2;
	} else if (scan_keyword(scan, "UNHEX", '\0')) {
		item->kind = ITEM_UNHEX;
		item->length = (item->field.length + 1) / 2;
	} else if (scan_peek(scan, word) > 0) {
		scan_error_at(scan, at, 5540, "TRAN=%s is not supported", word);
	} else {
		scan_expected(scan, "LTOU, UTOL, HEX, UNHEX or ALTSEQ");
	}
}

/* Parses a constant of CHANGE, or position,length when field is not NULL. */
static void parse_change_value(struct scan *scan, struct strbuf *bytes, struct sort_field *field)
{
	if (field && isdigit((unsigned char)*scan->at)) {
		field_scan(scan, field);
		field->format = FORMAT_CH;
	} else {
		scan_bytes(scan, bytes);
	}
}

static struct item_change *add_change(struct sort_item *item)
{
	struct item_change *change;

	GROW(item->changes, item->change_count + 1, item->change_alloc);
	change = &item->changes[item->change_count++];
	*change = (struct item_change){ 0 };
	strbuf_init(&change->find);
	strbuf_init(&change->set);
	return change;
}

/*
 * Parses CHANGE=(v,find,set,...)[,NOMATCH=(set)]; NOMATCH becomes the last change,
 * with an empty find.
 */
static void parse_change(struct scan *scan, struct sort_item *item)
{
	item->kind = ITEM_CHANGE;
	scan_require(scan, '(');
	item->length = scan_number(scan, 1, 64, "the length of the result");
	while (!scan->failed && scan_accept(scan, ',')) {
		struct item_change *change = add_change(item);

		parse_change_value(scan, &change->find, NULL);
		scan_require(scan, ',');
		parse_change_value(scan, &change->set, &change->field);
	}
	scan_require(scan, ')');
	if (item->change_count == 0)
		scan_expected(scan, "what to find before this");
	if (*scan->at == ',' && strncasecmp(scan->at + 1, "NOMATCH=(", 9) == 0) {
		struct item_change *change = add_change(item);

		scan->at += 10;
		parse_change_value(scan, &change->set, &change->field);
		scan_require(scan, ')');
	}
}

/* Parses an option after "position,length,"; false: this is another item. */
static bool parse_field_option(struct scan *scan, struct sort_item *item, const char *start)
{
	static const char *const refused[] = { "H", "F", "D", "DT1", "TRANSLATE" };
	const char *at = scan->at;

	if (scan_keyword(scan, "HEX", '\0')) {
		item->kind = ITEM_HEX;
		item->length = item->field.length * 2;
		return true;
	}
	if (scan_keyword(scan, "TRAN", '=')) {
		parse_translation(scan, item);
		return true;
	}
	if (scan_keyword(scan, "CHANGE", '=')) {
		parse_change(scan, item);
		return true;
	}
	if (scan_keyword(scan, "JFY", '=') || scan_keyword(scan, "SQZ", '=')) {
		item->kind = ITEM_SQUEEZE;
		item->squeeze = squeeze_parse(scan, strchr("Ss", *at) != NULL, item->length);
		item->length = item->squeeze->length;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (scan_keyword(scan, refused[i], '\0'))
			scan_unsupported(scan, at, refused[i]);
	if (!field_format_scan(scan, &item->field.format))
		return false;
	if (!field_numeric(item->field.format))
		scan_error_at(scan, at, 5541, "ICE007A SYNTAX ERROR: expected a numeric format");
	field_check(scan, start, &item->field, FIELD_VALUE);
	parse_number(scan, item, &item->field);
	return true;
}

/* Parses "p,m" with its options, or "p" alone. */
static void parse_field(struct scan *scan, struct sort_item *item)
{
	const char *start = scan->at;

	item->kind = ITEM_FIELD;
	item->field.format = FORMAT_CH;
	item->field.position = scan_number(scan, 1, FIELD_HIGHEST, "a position") - 1;
	if (*scan->at == ')') {
		item->kind = ITEM_REST;
		return;
	}
	scan_require(scan, ',');
	if (scan_keyword(scan, "TRAN", '=')) {
		parse_translation(scan, item);
		if (item->kind != ITEM_TRANSLATE)
			scan_error_at(scan, start, 5541,
				      "ICE007A SYNTAX ERROR: HEX and UNHEX need a length");
		item->kind = ITEM_REST;
		item->translated = true;
		return;
	}
	item->field.length = scan_number(scan, 1, FIELD_HIGHEST, "a length");
	item->length = item->field.length;
	if (scan_accept(scan, ',') && !parse_field_option(scan, item, start))
		scan->at--;
}

/* Parses START=, INCR= and RESTART= of SEQNUM. */
static bool parse_sequence_option(struct scan *scan, struct sort_item *item)
{
	if (scan_keyword(scan, "START", '=')) {
		item->start = scan_decimal(scan);
	} else if (scan_keyword(scan, "INCR", '=')) {
		item->step = scan_decimal(scan);
	} else if (scan_keyword(scan, "RESTART", '=')) {
		scan_require(scan, '(');
		field_scan(scan, &item->restart);
		item->restart.format = FORMAT_CH;
		scan_require(scan, ')');
	} else {
		return false;
	}
	return true;
}

/* Parses SEQNUM,n,f,... */
static void parse_sequence(struct scan *scan, struct sort_item *item)
{
	const char *at = scan->at;

	item->kind = ITEM_SEQUENCE;
	item->start = item->step = 1;
	scan_require(scan, ',');
	item->edit.length = scan_number(scan, 1, 31, "a length");
	scan_require(scan, ',');
	if (!field_format_scan(scan, &item->edit.to.format) || item->edit.to.format < FORMAT_BI ||
	    item->edit.to.format > FORMAT_FS)
		scan_expected(scan, "BI, FI, ZD, PD or FS");
	while (!scan->failed && scan_accept(scan, ','))
		if (!parse_sequence_option(scan, item)) {
			scan->at--;
			break;
		}
	item->next = item->start;
	finish_editing(scan, at, item, MASK_SEQUENCE, 1);
}

/* Parses COUNT, COUNT=(editing), COUNT15 and SUBCOUNT. */
static void parse_count(struct scan *scan, struct sort_item *item, bool running, unsigned digits)
{
	item->kind = ITEM_COUNT;
	item->running = running;
	if (scan_accept(scan, '=')) {
		const char *at = scan->at;

		scan_require(scan, '(');
		while (!scan->failed && edit_scan(scan, &item->edit) && scan_accept(scan, ','))
			;
		scan_require(scan, ')');
		finish_editing(scan, at, item, MASK_COUNT, 15);
	} else {
		item->edit.length = digits;
		finish_editing(scan, scan->at, item, MASK_COUNT, digits);
	}
}

/* Parses TOTAL=(p,m,f,editing), MIN, MAX and AVG. */
static void parse_statistic(struct scan *scan, struct sort_item *item)
{
	const char *at = scan->at;
	unsigned digits;

	item->kind = ITEM_STATISTIC;
	scan_require(scan, '(');
	field_scan(scan, &item->field);
	scan_require(scan, ',');
	if (!field_format_scan(scan, &item->field.format) || !field_numeric(item->field.format))
		scan_expected(scan, "a numeric format");
	field_check(scan, at, &item->field, FIELD_VALUE);
	parse_editing(scan, &item->edit);
	scan_require(scan, ')');
	digits = scan->failed ? 1 : field_digits(&item->field);
	finish_editing(scan, at, item, MASK_STANDARD, digits <= 15 ? 15 : 31);
}

/* Parses an item that only reports have, if one is next; returns whether it was. */
static bool parse_report_item(struct scan *scan, struct sort_item *item)
{
	static const struct {
		const char *name;
		enum item_statistic statistic;
		bool running;
	} statistics[] = {
		{ "TOTAL", STATISTIC_TOTAL, false }, { "TOT", STATISTIC_TOTAL, false },
		{ "MIN", STATISTIC_MIN, false },     { "MAX", STATISTIC_MAX, false },
		{ "AVG", STATISTIC_AVG, false },     { "SUBTOTAL", STATISTIC_TOTAL, true },
		{ "SUBTOT", STATISTIC_TOTAL, true }, { "SUB", STATISTIC_TOTAL, true },
		{ "SUBMIN", STATISTIC_MIN, true },   { "SUBMAX", STATISTIC_MAX, true },
		{ "SUBAVG", STATISTIC_AVG, true },
	};
	const char *start = scan->at;

	for (size_t i = 0; i < ARRAY_SIZE(statistics); i++)
		if (scan_keyword(scan, statistics[i].name, '=')) {
			item->statistic = statistics[i].statistic;
			item->running = statistics[i].running;
			parse_statistic(scan, item);
			return true;
		}
	if (scan_keyword(scan, "COUNT", '\0')) {
		parse_count(scan, item, false, 8);
	} else if (scan_keyword(scan, "COUNT15", '\0')) {
		parse_count(scan, item, false, 15);
	} else if (scan_keyword(scan, "SUBCOUNT", '\0')) {
		parse_count(scan, item, true, 8);
	} else if (scan_keyword(scan, "SUBCOUNT15", '\0')) {
		parse_count(scan, item, true, 15);
	} else if ((scan_accept(scan, '&') && scan_peek_is(scan, "PAGE")) ||
		   scan_peek_is(scan, "PAGE")) {
		scan->at += strlen("PAGE");
		item->kind = ITEM_PAGE;
		item->edit.length = 6;
		finish_editing(scan, scan->at, item, MASK_COUNT, 6);
	} else {
		scan->at = start;
		return false;
	}
	return true;
}

/* Parses "nX", "nZ", "nC'..'", "n/", whose n is already read. */
static bool parse_repeated(struct scan *scan, struct sort_item *item, size_t times, bool report)
{
	struct strbuf bytes = STRBUF_INIT;

	if (scan_at_bytes(scan) || (report && *scan->at == '\'')) {
		scan_text(scan, &bytes);
		for (size_t i = 0;
		     i < times && !scan->failed && item->bytes.length <= FIELD_HIGHEST; i++)
			strbuf_addbuf(&item->bytes, &bytes);
		strbuf_release(&bytes);
	} else if (scan_keyword(scan, "X", '\0')) {
		strbuf_addchars(&item->bytes, ' ', times);
	} else if (scan_keyword(scan, "Z", '\0')) {
		strbuf_addchars(&item->bytes, '\0', times);
	} else if (scan_accept(scan, '/')) {
		item->kind = ITEM_LINE;
		item->field.length = times;
		return true;
	} else {
		return false;
	}
	item->kind = ITEM_BYTES;
	item->length = item->bytes.length;
	return true;
}

/* Parses "c:" before an item; returns whether an item follows. */
static bool parse_column(struct scan *scan, struct sort_item *item)
{
	size_t digits = strspn(scan->at, "0123456789");

	if (digits == 0 || scan->at[digits] != ':')
		return true;
	item->column = scan_number(scan, 1, FIELD_HIGHEST, "a column") - 1;
	scan_require(scan, ':');
	return *scan->at != ')' && *scan->at != ',';
}

static void parse_item(struct scan *scan, struct sort_item *item, bool report)
{
	size_t digits;
	const char *at;

	item->kind = ITEM_BYTES;
	if (!parse_column(scan, item) || scan->failed)
		return;
	at = scan->at;
	digits = strspn(at, "0123456789");
	if (digits > 0 && at[digits] != ',' && at[digits] != ')') {
		size_t times = scan_number(scan, 1, 4095, "a number of times");

		if (!parse_repeated(scan, item, times, report))
			scan_expected(scan, "X, Z, C'text', X'hexadecimal digits' or '/'");
	} else if (digits > 0) {
		parse_field(scan, item);
	} else if (parse_repeated(scan, item, 1, report) ||
		   (report && parse_report_item(scan, item))) {
		return;
	} else if (*at == '(' || ((*at == '+' || *at == '-') && scan_at_decimal(scan))) {
		parse_number(scan, item, NULL);
	} else if (scan_keyword(scan, "SEQNUM", '\0')) {
		parse_sequence(scan, item);
	} else if (date_scan(scan, &item->bytes)) {
		item->length = item->bytes.length;
	} else {
		scan_expected(scan, "a field, a constant, or another item of a record");
	}
}

void item_list_parse(struct scan *scan, struct item_list *list, bool report)
{
	scan_require(scan, '(');
	while (!scan->failed) {
		struct sort_item *item = add_item(list);

		parse_item(scan, item, report);
		/* no comma is needed around a new line */
		if (!scan_accept(scan, ',') && item->kind != ITEM_LINE && *scan->at != '/')
			break;
		if (*scan->at == ')')
			break;
	}
	scan_require(scan, ')');
}
