/* SPDX-License-Identifier: Apache-2.0 */
/* Folds the small rows of a list into one. */
#include "common/compat.h"
#include "reports/fold.h"

static void add(uint64_t *sums, const uint64_t *amounts, size_t count)
{
	assert(count <= FOLD_AMOUNTS);
	for (size_t i = 0; i < count; i++)
		sums[i] += amounts[i];
}

bool fold_take(struct fold *fold, const uint64_t *amounts, bool shown)
{
	add(fold->total, amounts, fold->amounts);
	if (shown)
		return true;
	add(fold->other, amounts, fold->amounts);
	fold->folded++;
	return false;
}

void fold_fill(struct fold *fold, struct row *row, const uint64_t *amounts)
{
	add(fold->above, amounts, fold->amounts);
	fold->put(fold->context, fold->table, row, amounts, fold->above);
}

/* Begins a row that has a label instead of names. */
static struct row *label_row(const struct fold *fold, enum row_kind kind, const char *label)
{
	struct row *row = table_row(fold->table, kind);

	row_skip(fold->table, row, fold->label);
	row_text(fold->table, row, label);
	row_skip(fold->table, row, fold->names - fold->label - 1);
	return row;
}

void fold_other(struct fold *fold)
{
	struct strbuf label = STRBUF_INIT;

	if (fold->other_label)
		strbuf_addstr(&label, fold->other_label);
	else
		strbuf_addf(&label, ".OTHER (%zu)", fold->folded);
	if (fold->folded)
		fold_fill(fold, label_row(fold, ROW_OTHER, label.text), fold->other);
	strbuf_release(&label);
}

void fold_set(struct fold *fold, size_t amount, uint64_t other, uint64_t total)
{
	fold->other[amount] = other;
	fold->total[amount] = total;
}

void fold_extra(struct fold *fold, const char *label, const uint64_t *amounts)
{
	add(fold->total, amounts, fold->amounts);
	fold_fill(fold, label_row(fold, ROW_OTHER, label), amounts);
}

void fold_total(struct fold *fold, const char *label)
{
	fold->put(fold->context, fold->table, label_row(fold, ROW_TOTAL, label), fold->total,
		  fold->total);
}
