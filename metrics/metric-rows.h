/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that a producer made in a snapshot, as bytes, for a session that is
 * recorded or replayed (OUTSIDE_METRICS): a recording has the records, and not what
 * they were made of.
 *
 * First come the texts that became known meanwhile, as their order determines their
 * numbers: how many, and each with its length before it; the numbers as in varint.h.
 * Each row follows as it is in memory, and behind it the texts of its items: 0 if one
 * is missing, otherwise the length plus 1 and the text.
 */
#ifndef VIGIL_METRICS_METRIC_ROWS_H
#define VIGIL_METRICS_METRIC_ROWS_H

#include "common/strmap.h"
#include "engine/record.h"

/* What there was before the producer was called. */
struct metric_rows_mark {
	size_t rows, texts;
};

struct metric_rows_mark metric_rows_mark(const struct recordset *set, const struct strmap *texts);
/* Notes what was added since then. */
void metric_rows_note(const char *producer, const struct recordset *set, const struct strmap *texts,
		      struct metric_rows_mark mark);
/* Adds what was noted; returns false if the session's source has to be asked by other means. */
bool metric_rows_recall(const char *producer, struct recordset *set, struct strmap *texts);

#endif
