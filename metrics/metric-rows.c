/* SPDX-License-Identifier: Apache-2.0 */
/* Records of system metrics in recordings. */
#include "common/compat.h"
#include "metrics/metric-rows.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/strbuf.h"
#include "common/varint.h"

struct metric_rows_mark metric_rows_mark(const struct recordset *set, const struct strmap *texts)
{
	return (struct metric_rows_mark){ .rows = set ? set->count : 0, .texts = texts->count };
}

/* Returns the number of a text in a row: a member of a record of 64-bit values. */
static uint64_t *text_in(const struct record_type *type, size_t field, void *row)
{
	return type->fields[field].type == FIELD_STRING
		       ? (uint64_t *)(void *)((char *)row + type->fields[field].offset)
		       : NULL;
}

/* Adds a row and its texts. */
static void add_row(struct strbuf *bytes, const struct recordset *set, size_t number, const struct strmap *texts)
{
	void *row = (void *)(uintptr_t)recordset_get(set, number);

	strbuf_add(bytes, row, set->type->size);
	for (size_t i = 0; i < set->type->field_count; i++) {
		const uint64_t *text = text_in(set->type, i, row);

		if (text && *text < texts->count) {
			strbuf_addvarint(bytes, strlen(strmap_text(texts, (uint32_t)*text)) + 1);
			strbuf_addstr(bytes, strmap_text(texts, (uint32_t)*text));
		} else if (text) {
			strbuf_addvarint(bytes, 0);
		}
	}
}

void metric_rows_note(const char *producer, const struct recordset *set, const struct strmap *texts,
		      struct metric_rows_mark mark)
{
	struct strbuf bytes = STRBUF_INIT;

	if (!outside_keeps_notes())
		return;
	strbuf_addvarint(&bytes, texts->count - mark.texts);
	for (size_t i = mark.texts; i < texts->count; i++) {
		const char *text = strmap_text(texts, (uint32_t)i);

		strbuf_addvarint(&bytes, strlen(text));
		strbuf_addstr(&bytes, text);
	}
	for (size_t i = mark.rows; set && i < set->count; i++)
		add_row(&bytes, set, i, texts);
	outside_note_of(OUTSIDE_METRICS, hash_bytes(producer, strlen(producer)), bytes.text, bytes.length);
	strbuf_release(&bytes);
}

/* Takes a text of this length; *number: its number. Returns false if it is not whole. */
static bool take_text(const unsigned char **at, const unsigned char *end, uint64_t length, struct strmap *texts,
		      uint64_t *number)
{
	RETURN_IF(length > (uint64_t)(end - *at), false);
	*number = strmap_put_n(texts, (const char *)*at, length);
	*at += length;
	return true;
}

/* Takes the texts that became known; returns false if they are not whole. */
static bool take_texts(const unsigned char **at, const unsigned char *end, struct strmap *texts)
{
	uint64_t count, length, number;

	RETURN_IF(!varint_read(at, end, &count), false);
	for (; count; count--)
		RETURN_IF(!varint_read(at, end, &length) || !take_text(at, end, length, texts, &number), false);
	return true;
}

/* Takes a row; returns false if it is not whole. */
static bool take_row(const unsigned char **at, const unsigned char *end, struct recordset *set, struct strmap *texts)
{
	uint64_t length;
	void *row;

	RETURN_IF((size_t)(end - *at) < set->type->size, false);
	row = recordset_extend(set, 1);
	memcpy(row, *at, set->type->size);
	*at += set->type->size;
	for (size_t i = 0; i < set->type->field_count; i++) {
		uint64_t *text = text_in(set->type, i, row);

		if (!text)
			continue;
		RETURN_IF(!varint_read(at, end, &length), false);
		RETURN_IF(length && !take_text(at, end, length - 1, texts, text), false);
	}
	return true;
}

bool metric_rows_recall(const char *producer, struct recordset *set, struct strmap *texts)
{
	const unsigned char *at, *end;
	size_t size;

	at = outside_recall_of(OUTSIDE_METRICS, hash_bytes(producer, strlen(producer)), &size);
	RETURN_IF(!at, false);
	end = at + size;
	RETURN_IF(!take_texts(&at, end, texts), true);
	while (set && at < end && take_row(&at, end, set, texts))
		;
	return true;
}
