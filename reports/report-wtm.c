/* SPDX-License-Identifier: Apache-2.0 */
/* Wait Time by Module: where the step waited, for what, and for which file. */
#include "common/compat.h"
#include "profile/label.h"
#include "reports/fold.h"
#include "reports/wait-columns.h"

#define WAIT_COLUMNS \
	WAIT_COUNT_COLUMNS(10, 0), WAIT_PAGE_COLUMN, WAIT_SOLO_COLUMN, WAIT_SHARE_COLUMN, \
		BAR_COLUMN("run_total_percent", "run_solo_percent")

static const struct column module_columns[] = {
	{ .id = "module", .heading = "MODULE NAME", .width = 14, .type = COLUMN_NAME },
	{ .id = "section", .heading = "SECTION NAME", .width = 16, .type = COLUMN_NAME },
	{ .id = "function", .heading = "FUNCTION", .width = 22, .type = COLUMN_TEXT },
	WAIT_COLUMNS,
};

static const struct column reason_columns[] = {
	{ .id = "reason",
	  .heading = "REASON",
	  .width = 17,
	  .type = COLUMN_TEXT,
	  .legend = "what the tasks waited for; DISPATCH DELAY means ready to run while other work "
		    "used the processor" },
	{ .id = "ddname", .heading = "DDNAME OR FILE", .width = 14, .type = COLUMN_NAME },
	{ .id = "data_set", .heading = "DATA SET OR PATH", .width = 23, .type = COLUMN_PATH },
	{ .id = "mean_ns",
	  .heading = "MEAN MS",
	  .width = 9,
	  .type = COLUMN_AVERAGE,
	  .legend = "mean length of a wait in milliseconds" },
	WAIT_COLUMNS,
};

/* Fills the columns that name a row. */
typedef void (*put_names)(struct context *context, struct table *table, struct row *row,
			  const uint64_t *key);

static void put_module(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key)
{
	for (size_t i = 0; i < 3; i++)
		context_put_string(context, table, row, key[i]);
}

static void put_reason(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key)
{
	struct strbuf label = STRBUF_INIT;

	row_text(table, row, label_reason(key[0]));
	if (key[1])
		label_file(context->profile, key[1], &label);
	row_text(table, row, label.text);
	row_text(table, row, key[1] ? label_data_set(context->profile, key[1]) : "");
	strbuf_release(&label);
}

/* Fills the columns after the names: the mean, in the table that has it, and the amounts. */
static void put_amounts(struct context *context, struct table *table, struct row *row,
			const uint64_t *sums, const uint64_t *above)
{
	if (table->columns[row->filled].type == COLUMN_AVERAGE)
		row_number(table, row, wait_columns_mean(sums));
	wait_columns_put(context, table, row, sums, above);
}

/* Writes the rows of sums in order, small ones folded into one, then the total. */
static void put_rows(struct context *context, struct table *table, struct wait_rows *rows, put_names put)
{
	const struct sums *sums = rows->sums;
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = WAIT_AMOUNTS,
			     .names = 3,
			     .put = put_amounts };

	table->bar_title = "RUN TIME HISTOGRAM";
	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *values = sums_values(sums, sums->order[i]);
		double percent = profile_run_percent(context->profile, values[WAIT_AMOUNT_CHARGED]);
		struct row *row;

		if (!wait_rows_fold(rows, &fold, sums->order[i],
			       sums->keys.count <= ROWS_ALWAYS_SHOWN ||
				       context_shows(context, percent)))
			continue;
		row = table_row(table, ROW_DETAIL);
		put(context, table, row, sums_key(sums, sums->order[i]));
		fold_fill(&fold, row, values);
	}
	wait_rows_total(rows, &fold);
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct sums modules, reasons;
	struct wait_rows by_module, by_reason;

	if (context_without_waits(context, document))
		return;
	sums_init(&modules, 3, WAIT_AMOUNTS);
	sums_init(&reasons, 2, WAIT_AMOUNTS);
	wait_rows_init(&by_module, profile, &modules);
	wait_rows_init(&by_reason, profile, &reasons);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = attribution_place(&profile->attribution, wait->stack);
		uint64_t module[] = { place->module, place->section, place->function };
		uint64_t reason[] = { wait->reason, wait->file };

		wait_rows_add(&by_module, module, i);
		wait_rows_add(&by_reason, reason, i);
	}
	wait_rows_end(&by_module);
	wait_rows_end(&by_reason);
	sums_sort(&modules, profile_compare_text_pairs, (void *)profile);
	sums_sort_falling(&reasons, WAIT_AMOUNT_CHARGED, NULL, NULL);
	put_rows(context,
		 document_table(document, "reasons", "BY REASON AND FILE", reason_columns,
				ARRAY_SIZE(reason_columns)),
		 &by_reason, put_reason);
	put_rows(context,
		 document_table(document, "modules",
				"BY MODULE AND SECTION (see ACW for the callers)", module_columns,
				ARRAY_SIZE(module_columns)),
		 &by_module, put_module);
	wait_rows_release(&by_reason);
	wait_rows_release(&by_module);
	sums_release(&modules);
	sums_release(&reasons);
}

const struct report_class report_wtm = { "WTM", "Wait Time by Module", build, REPORT_OF_SAMPLES };
