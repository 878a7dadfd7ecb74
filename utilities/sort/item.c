/* SPDX-License-Identifier: Apache-2.0 */
/* Builds output records from items. */
#include "common/compat.h"
#include "utilities/sort/item.h"
#include "common/xalloc.h"

#include <ctype.h>

void item_lines_end(struct item_lines *lines)
{
	GROW(lines->ends, lines->count + 1, lines->alloc);
	lines->ends[lines->count++] = lines->text.length;
}

void item_lines_reset(struct item_lines *lines)
{
	strbuf_reset(&lines->text);
	lines->count = 0;
}

void item_lines_release(struct item_lines *lines)
{
	strbuf_release(&lines->text);
	free(lines->ends);
	*lines = (struct item_lines){ .text = STRBUF_INIT };
}

size_t item_list_length(const struct item_list *list, size_t below, size_t input)
{
	size_t longest = below, at = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct sort_item *item = &list->items[i];

		if (item->kind == ITEM_LINE)
			at = 0;
		else
			at = (item->column == SIZE_MAX ? at : item->column) + item->length;
		if (item->kind == ITEM_REST && input > item->field.position)
			at += input - item->field.position;
		longest = at > longest ? at : longest;
	}
	return longest;
}

bool item_list_has(const struct item_list *list, enum item_kind kind)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == kind)
			return true;
	return false;
}

static int hex_value(unsigned char c)
{
	return isdigit(c) ? c - '0' : isxdigit(c) ? toupper(c) - 'A' + 10 : 0;
}

/* Appends a field's bytes; beyond the record's end, the context's fill. */
static void add_field(const struct sort_field *field, const struct sort_record *record,
		      const struct item_context *context, struct strbuf *out)
{
	size_t there = record->length > field->position ? record->length - field->position : 0;

	if (there > field->length)
		there = field->length;
	if (there > 0)
		strbuf_add(out, record->data + field->position, there);
	strbuf_addchars(out, context->fill, field->length - there);
}

static void translate(const struct sort_item *item, const struct item_context *context,
		      unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		switch (item->table) {
		case TABLE_UPPER:
			bytes[i] =
				(unsigned char)(bytes[i] >= 'a' && bytes[i] <= 'z' ? bytes[i] - 32
										   : bytes[i]);
			break;
		case TABLE_LOWER:
			bytes[i] =
				(unsigned char)(bytes[i] >= 'A' && bytes[i] <= 'Z' ? bytes[i] + 32
										   : bytes[i]);
			break;
		case TABLE_ALTSEQ:
			bytes[i] = context->altseq[bytes[i]];
			break;
		}
}

/* Appends all bytes from a position on. */
static void add_rest(const struct sort_item *item, const struct sort_record *record,
		     const struct item_context *context, struct strbuf *out)
{
	size_t start = out->length;

	if (record->length > item->field.position)
		strbuf_add(out, record->data + item->field.position,
			   record->length - item->field.position);
	if (item->translated)
		translate(item, context, (unsigned char *)out->text + start, out->length - start);
}

/* Appends the field's bytes as translated by HEX, UNHEX or TRAN. */
static void add_translated(const struct sort_item *item, const struct sort_record *record,
			   const struct item_context *context, struct strbuf *out)
{
	struct strbuf bytes = STRBUF_INIT;

	add_field(&item->field, record, context, &bytes);
	if (item->kind == ITEM_TRANSLATE) {
		translate(item, context, (unsigned char *)bytes.text, bytes.length);
		strbuf_addbuf(out, &bytes);
	}
	for (size_t i = 0; item->kind == ITEM_HEX && i < bytes.length; i++)
		strbuf_addf(out, "%02X", (unsigned)(unsigned char)bytes.text[i]);
	for (size_t i = 0; item->kind == ITEM_UNHEX && i < bytes.length; i += 2) {
		int low = i + 1 < bytes.length ? hex_value((unsigned char)bytes.text[i + 1]) : 0;

		strbuf_addch(out, (char)(hex_value((unsigned char)bytes.text[i]) << 4 | low));
	}
	strbuf_release(&bytes);
}

/* Returns whether the field begins with find; a short constant is padded with blanks. */
static bool change_matches(const struct item_change *change, const struct strbuf *bytes)
{
	size_t length = change->find.length < bytes->length ? change->find.length : bytes->length;

	if (change->find.length == 0) /* NOMATCH */
		return true;
	if (memcmp(change->find.text, bytes->text, length) != 0)
		return false;
	for (size_t i = length; i < bytes->length; i++)
		if (bytes->text[i] != ' ')
			return false;
	return true;
}

static void add_changed(const struct sort_item *item, const struct sort_record *record,
			const struct item_context *context, struct strbuf *out)
{
	struct strbuf bytes = STRBUF_INIT, set = STRBUF_INIT;
	const struct item_change *found = NULL;

	add_field(&item->field, record, context, &bytes);
	for (size_t i = 0; i < item->change_count && !found; i++)
		if (change_matches(&item->changes[i], &bytes))
			found = &item->changes[i];
	if (found && found->field.length > 0)
		add_field(&found->field, record, context, &set);
	else
		strbuf_addbuf(&set, found ? &found->set : &bytes);
	if (set.length < item->length)
		strbuf_addchars(&set, ' ', item->length - set.length);
	strbuf_add(out, set.text, item->length);
	strbuf_release(&bytes);
	strbuf_release(&set);
}

static void add_squeezed(const struct sort_item *item, const struct sort_record *record,
			 const struct item_context *context, struct strbuf *out)
{
	struct strbuf bytes = STRBUF_INIT;

	add_field(&item->field, record, context, &bytes);
	squeeze_put(item->squeeze, &bytes, out);
	strbuf_release(&bytes);
}

/* Appends the next sequence number; numbering restarts where RESTART's field changes. */
static void add_sequence(struct sort_item *item, const struct sort_record *record,
			 const struct item_context *context, struct strbuf *out)
{
	struct strbuf now = STRBUF_INIT;

	if (item->restart.length > 0) {
		add_field(&item->restart, record, context, &now);
		if (item->started && (now.length != item->last.length ||
				      memcmp(now.text, item->last.text, now.length) != 0))
			item->next = item->start;
		strbuf_reset(&item->last);
		strbuf_addbuf(&item->last, &now);
		strbuf_release(&now);
	}
	item->started = true;
	edit_put(&item->edit, item->next, true, SIGN_NONE, out);
	item->next += item->step;
}

static void add_statistic(const struct sort_item *item, struct strbuf *out)
{
	sort_number value = item->total;

	if (item->statistic == STATISTIC_MIN)
		value = item->least;
	else if (item->statistic == STATISTIC_MAX)
		value = item->most;
	else if (item->statistic == STATISTIC_AVG)
		value = item->count ? item->total / (sort_number)item->count : 0;
	edit_put(&item->edit, value, true, SIGN_NONE, out);
}

/* Appends an item's bytes. */
static void add_item(struct sort_item *item, const struct sort_record *record,
		     const struct item_context *context, struct strbuf *out)
{
	sort_number value = 0;
	bool valid;

	switch (item->kind) {
	case ITEM_BYTES:
		strbuf_addbuf(out, &item->bytes);
		break;
	case ITEM_FIELD:
		add_field(&item->field, record, context, out);
		break;
	case ITEM_REST:
		add_rest(item, record, context, out);
		break;
	case ITEM_TRANSLATE:
	case ITEM_HEX:
	case ITEM_UNHEX:
		add_translated(item, record, context, out);
		break;
	case ITEM_CHANGE:
		add_changed(item, record, context, out);
		break;
	case ITEM_SQUEEZE:
		add_squeezed(item, record, context, out);
		break;
	case ITEM_NUMBER:
		valid = value_evaluate(item->value, record, &value);
		edit_put(&item->edit, value, valid, value_sign(item->value, record), out);
		break;
	case ITEM_SEQUENCE:
		add_sequence(item, record, context, out);
		break;
	case ITEM_PAGE:
		edit_put(&item->edit, (sort_number)context->page, true, SIGN_NONE, out);
		break;
	case ITEM_COUNT:
		edit_put(&item->edit, (sort_number)item->count, true, SIGN_NONE, out);
		break;
	case ITEM_STATISTIC:
		add_statistic(item, out);
		break;
	case ITEM_LINE:
		break;
	}
}

/*
 * Puts an item's bytes at a column of the open line, which is padded with blanks
 * if it is too short.
 */
static size_t put_at(struct sort_item *item, const struct sort_record *record,
		     const struct item_context *context, struct item_lines *lines, size_t place)
{
	size_t at = (lines->count ? lines->ends[lines->count - 1] : 0) + place, length;
	struct strbuf bytes = STRBUF_INIT;

	if (at >= lines->text.length) {
		strbuf_addchars(&lines->text, ' ', at - lines->text.length);
		add_item(item, record, context, &lines->text);
		return lines->text.length - at;
	}
	add_item(item, record, context, &bytes);
	length = bytes.length;
	if (lines->text.length < at + length)
		strbuf_addchars(&lines->text, ' ', at + length - lines->text.length);
	memcpy(lines->text.text + at, bytes.text, length);
	strbuf_release(&bytes);
	return length;
}

void item_list_run(struct item_list *list, const struct sort_record *record,
		   const struct item_context *context, struct item_lines *lines)
{
	size_t at = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct sort_item *item = &list->items[i];

		if (item->kind == ITEM_LINE) {
			for (size_t n = 0; n < item->field.length; n++)
				item_lines_end(lines);
			at = 0;
			continue;
		}
		at = item->column == SIZE_MAX ? at : item->column;
		at += put_at(item, record, context, lines, at);
	}
}

void item_list_count(struct item_list *list, const struct sort_record *record)
{
	for (size_t i = 0; i < list->count; i++) {
		struct sort_item *item = &list->items[i];
		sort_number value;

		if (item->kind == ITEM_STATISTIC) {
			value = field_value(&item->field, record);
			item->total += value;
			item->least = item->count == 0 || value < item->least ? value : item->least;
			item->most = item->count == 0 || value > item->most ? value : item->most;
		}
		item->count++;
	}
}

void item_list_restart(struct item_list *list, bool all)
{
	for (size_t i = 0; i < list->count; i++) {
		struct sort_item *item = &list->items[i];

		if (!item->running || all)
			item->count = 0, item->total = item->least = item->most = 0;
	}
}
