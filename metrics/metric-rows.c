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

static void add_number(struct strbuf *bytes, uint64_t number)
{
	unsigned char coded[VARINT_MAX];

	strbuf_add(bytes, coded, (size_t)(varint_write(coded, number) - coded));
}

void metric_rows_note(const char *producer, const struct recordset *set, const struct strmap *texts,
		      struct metric_rows_mark mark)
{
	struct strbuf bytes = STRBUF_INIT;

	if (!outside_keeps_notes())
		return;
	add_number(&bytes, texts->count - mark.texts);
	for (size_t i = mark.texts; i < texts->count; i++) {
		const char *text = strmap_text(texts, (uint32_t)i);

		add_number(&bytes, strlen(text));
		strbuf_addstr(&bytes, text);
	}
	if (set && set->count > mark.rows)
		strbuf_add(&bytes, recordset_get(set, mark.rows), (set->count - mark.rows) * set->type->size);
	outside_note_of(OUTSIDE_METRICS, hash_bytes(producer, strlen(producer)), bytes.text, bytes.length);
	strbuf_release(&bytes);
}

/* Adds the texts; returns what is behind them, or end if they are not whole. */
static const unsigned char *recall_texts(const unsigned char *at, const unsigned char *end, struct strmap *texts)
{
	uint64_t count, length;

	if (!varint_read(&at, end, &count))
		return end;
	for (; count; count--) {
		if (!varint_read(&at, end, &length) || length > (uint64_t)(end - at))
			return end;
		strmap_put_n(texts, (const char *)at, length);
		at += length;
	}
	return at;
}

bool metric_rows_recall(const char *producer, struct recordset *set, struct strmap *texts)
{
	const unsigned char *at, *end;
	size_t size;

	at = outside_recall_of(OUTSIDE_METRICS, hash_bytes(producer, strlen(producer)), &size);
	RETURN_IF(!at, false);
	end = at + size;
	at = recall_texts(at, end, texts);
	for (; set && (size_t)(end - at) >= set->type->size; at += set->type->size)
		memcpy(recordset_extend(set, 1), at, set->type->size);
	return true;
}
