/* SPDX-License-Identifier: Apache-2.0 */
/* Stores rows of call-frame tables. */
#include "common/compat.h"
#include "program/unwind/frame-rows.h"

#include "common/lower-bound.h"
#include "common/xalloc.h"

void frame_rows_release(struct frame_rows *rows)
{
	free(rows->rows);
	free(rows->rules);
	free(rows->expressions);
}

void frame_rows_add(struct frame_rows *rows, const struct frame_row *row,
		    const struct frame_rule *rules)
{
	GROW(rows->rows, rows->row_count + 1, rows->row_alloc);
	GROW(rows->rules, rows->rule_count + row->rule_count, rows->rule_alloc);
	rows->rows[rows->row_count] = *row;
	rows->rows[rows->row_count++].first_rule = (uint32_t)rows->rule_count;
	if (row->rule_count)
		memcpy(rows->rules + rows->rule_count, rules, row->rule_count * sizeof(*rules));
	rows->rule_count += row->rule_count;
}

int32_t frame_rows_add_expression(struct frame_rows *rows, struct frame_expression expression)
{
	GROW(rows->expressions, rows->expression_count + 1, rows->expression_alloc);
	rows->expressions[rows->expression_count] = expression;
	return (int32_t)rows->expression_count++;
}

uint32_t frame_rows_find(const struct frame_rows *rows, uint32_t first, uint32_t count,
			 uint64_t address)
{
	size_t behind = LOWER_BOUND(count, at, rows->rows[first + at].start <= address);

	return behind ? first + (uint32_t)behind - 1 : FRAME_NO_ROW;
}
