/* SPDX-License-Identifier: Apache-2.0 */
/* Wait Time by Module: where the step waited, for what, and for which file. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/label.h"

#define WAIT_COLUMNS \
	{ \
		"waits",	   NULL, "WAITS", 10, COLUMN_NUMBER, COLUMN_ADDITIVE, \
		"number of waits", NULL, NULL \
	}, \
		{ "wait_total_ns", \
		  NULL, \
		  "ALL TASKS", \
		  10, \
		  COLUMN_TIME, \
		  COLUMN_ADDITIVE, \
		  "time blocked, mm.ss.hh, all tasks added", \
		  NULL, \
		  NULL }, \
		{ "wait_charged_ns", \
		  NULL, \
		  "CHARGED", \
		  9, \
		  COLUMN_TIME, \
		  COLUMN_ADDITIVE | COLUMN_DATA_ONLY, \
		  NULL, \
		  NULL, \
		  NULL }, \
		{ "run_page_percent",	   "RUN TIME %", "PAGE", 6, COLUMN_PERCENT, COLUMN_ADDITIVE, \
		  "waits for page faults", NULL,	 NULL }, \
		{ "run_solo_percent", \
		  "RUN TIME %", \
		  "SOLO", \
		  6, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of the run time in which the step waited for this alone", \
		  NULL, \
		  NULL }, \
		{ "run_total_percent", \
		  "RUN TIME %", \
		  "TOTAL", \
		  6, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of the run time in which no task executed and this wait was the cause " \
		  "(shared " \
		  "evenly when several tasks waited)", \
		  NULL, \
		  NULL }, \
	{ \
		"bar", NULL, "", 0, COLUMN_BAR, 0, "* solo, + the rest of total; | percent", \
			"run_total_percent", "run_solo_percent" \
	}

static const struct column module_columns[] = {
	{ "module", NULL, "MODULE NAME", 14, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "section", NULL, "SECTION NAME", 16, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "function", NULL, "FUNCTION", 22, COLUMN_TEXT, 0, NULL, NULL, NULL },
	WAIT_COLUMNS,
};

static const struct column reason_columns[] = {
	{ "reason", NULL, "REASON", 17, COLUMN_TEXT, 0,
	  "what was waited for; DISPATCH DELAY: ready, but other work had the processor", NULL,
	  NULL },
	{ "ddname", NULL, "DDNAME OR FILE", 14, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "data_set", NULL, "DATA SET OR PATH", 23, COLUMN_PATH, 0, NULL, NULL, NULL },
	{ "mean_ns", NULL, "MEAN MS", 9, COLUMN_AVERAGE, 0, "mean length of a wait, milliseconds",
	  NULL, NULL },
	WAIT_COLUMNS,
};

enum amount { COUNT, TIME, CHARGED, PAGE, SOLO, AMOUNTS };

static void add_wait(uint64_t *sums, const struct profile_wait *wait)
{
	sums[COUNT] += wait->count;
	sums[TIME] += wait->total;
	sums[CHARGED] += wait->charged;
	sums[PAGE] += wait->reason == WAIT_PAGE ? wait->charged : 0;
	sums[SOLO] += wait->solo;
}

static void put_amounts(struct context *context, struct table *table, struct row *row,
			const uint64_t *sums)
{
	row_number(table, row, sums[COUNT]);
	row_number(table, row, sums[TIME]);
	row_number(table, row, sums[CHARGED]);
	row_real(table, row, profile_run_percent(context->profile, sums[PAGE]));
	row_real(table, row, profile_run_percent(context->profile, sums[SOLO]));
	row_real(table, row, profile_run_percent(context->profile, sums[CHARGED]));
}

static void put_sum(struct context *context, struct table *table, enum row_kind kind,
		    const char *label, const uint64_t *sums)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_skip(table, row, 2);
	if (table->columns == reason_columns)
		row_number(table, row, sums[COUNT] ? sums[TIME] / sums[COUNT] : 0);
	put_amounts(context, table, row, sums);
}

/* Write the rows of sums in order, those too small in one, then the total. */
static void put_rows(struct context *context, struct table *table, const struct sums *sums,
		     void (*put)(struct context *context, struct table *table, struct row *row,
				 const uint64_t *key, const uint64_t *values))
{
	uint64_t other[AMOUNTS] = { 0 }, total[AMOUNTS] = { 0 };
	struct strbuf label = STRBUF_INIT;
	size_t folded = 0;

	table->bar_title = "RUN TIME HISTOGRAM";
	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *values = sums_values(sums, sums->order[i]);
		bool shown = sums->keys.count <= ROWS_ALWAYS_SHOWN ||
			     context_shows(context,
					   profile_run_percent(context->profile, values[CHARGED]));

		for (size_t j = 0; j < AMOUNTS; j++) {
			total[j] += values[j];
			other[j] += shown ? 0 : values[j];
		}
		if (shown) {
			struct row *row = table_row(table, ROW_DETAIL);

			put(context, table, row, sums_key(sums, sums->order[i]), values);
			put_amounts(context, table, row, values);
		}
		folded += !shown;
	}
	strbuf_addf(&label, ".OTHER (%zu)", folded);
	if (folded)
		put_sum(context, table, ROW_OTHER, label.text, other);
	put_sum(context, table, ROW_TOTAL, "TOTALS", total);
	strbuf_release(&label);
}

static void put_module(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key, const uint64_t *values UNUSED)
{
	context_put_string(context, table, row, key[0]);
	context_put_string(context, table, row, key[1]);
	context_put_string(context, table, row, key[2]);
}

static void put_reason(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key, const uint64_t *values)
{
	struct strbuf label = STRBUF_INIT;

	row_text(table, row, label_reason(key[0]));
	if (key[1])
		label_file(context->profile, key[1], &label);
	row_text(table, row, label.text);
	row_text(table, row, key[1] ? label_data_set(context->profile, key[1]) : "");
	row_number(table, row, values[COUNT] ? values[TIME] / values[COUNT] : 0);
	strbuf_release(&label);
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct sums modules, reasons;

	sums_init(&modules, 3, AMOUNTS);
	sums_init(&reasons, 2, AMOUNTS);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = attribution_place(&profile->attribution, wait->stack);
		uint64_t module[] = { place->module, place->section, place->function };
		uint64_t reason[] = { wait->reason, wait->file };

		add_wait(sums_at(&modules, module), wait);
		add_wait(sums_at(&reasons, reason), wait);
	}
	sums_sort(&modules, profile_compare_text_pairs, (void *)profile);
	sums_sort_falling(&reasons, CHARGED, NULL, NULL);
	put_rows(context,
		 document_table(document, "reasons", "BY REASON AND FILE", reason_columns,
				ARRAY_SIZE(reason_columns)),
		 &reasons, put_reason);
	put_rows(context,
		 document_table(document, "modules",
				"BY MODULE AND SECTION (see ACW for the callers)", module_columns,
				ARRAY_SIZE(module_columns)),
		 &modules, put_module);
	sums_release(&modules);
	sums_release(&reasons);
}

const struct report_class report_wtm = { "WTM", "Wait Time by Module", build };
