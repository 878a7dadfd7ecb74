/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LWS: reports on the texts shared by several producers (seed 003: a supporter
 * prepares and releases what several modules need). They are shared even if it
 * takes no part (metrics.c has them).
 */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "metrics/shared-texts.h"

enum { FILES, OPEN, READS, SAVED, BYTES, COUNT };

static const struct metric_item items[] = {
	LEVEL("files", "count", MADE, "Files that several producers of this collection read."),
	LEVEL("open", "count", MADE, "Such files that are open."),
	COUNTER("reads", "count", MADE, "Reads of these files."),
	COUNTER("reads_saved", "count", MADE,
		"Reads avoided because another producer had already read the text."),
	COUNTER("bytes", "bytes", MADE, "Bytes of these reads."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

static void read_all(struct metric_source *source)
{
	const struct shared_texts *texts = source->support->texts;
	uint64_t *values = source->values;

	memset(values, 0, COUNT * sizeof(*values));
	for (size_t i = 0; i < texts->count; i++) {
		values[FILES] += texts->list[i].readers > 1;
		values[OPEN] += texts->list[i].file.fd >= 0;
	}
	values[READS] = texts->reads;
	values[SAVED] = texts->saved;
	values[BYTES] = texts->bytes;
	metric_add(source);
}

const struct metric_kind shared_texts_kind = {
	.name = "LWS",
	.record = "lws",
	.summary = "supports others: reads what several of them need once per snapshot",
	.meaning = "The texts that several producers read, before this snapshot.",
	METRIC_ITEMS(items),
	.supports = true,
	.read = read_all,
};
