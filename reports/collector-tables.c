/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of data collectors. */
#include "common/compat.h"
#include "reports/collector-tables.h"
#include "profile/collector-facts.h"

static const struct column object_columns[] = {
	{ "collector", NULL, "COLLECTOR", 9, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "generation", NULL, "GENER", 5, COLUMN_TEXT, 0, "its generation, as its author gave it",
	  NULL, NULL },
	{ "origin", NULL, "FROM", 9, COLUMN_TEXT, 0,
	  "VIGIL: comes with vigil; FOUND: by its name; REQUEST: named by the request (DCC)", NULL,
	  NULL },
	{ "state", NULL, "STATE", 12, COLUMN_TEXT, 0,
	  "NOT CALLED: it was there, but not for a program of the step; NOT LOADED and SWITCHED "
	  "OFF: a note says why",
	  NULL, NULL },
	{ "path", NULL, "OBJECT", 93, COLUMN_PATH, 0, NULL, NULL, NULL },
	{ "problem", NULL, "PROBLEM", 0, COLUMN_TEXT, COLUMN_DATA_ONLY, NULL, NULL, NULL },
};

static const struct column call_columns[] = {
	{ "collector", NULL, "COLLECTOR", 9, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "calls", NULL, "CALLS", 10, COLUMN_NUMBER, COLUMN_ADDITIVE, NULL, NULL, NULL },
	{ "answers", NULL, "ANSWERS", 10, COLUMN_NUMBER, COLUMN_ADDITIVE, "that were taken over",
	  NULL, NULL },
	{ "outside", "REJECTED", "OUTSIDE", 8, COLUMN_NUMBER, COLUMN_ADDITIVE,
	  "the range named does not hold the address", NULL, NULL },
	{ "torn", "REJECTED", "TORN", 8, COLUMN_NUMBER, COLUMN_ADDITIVE,
	  "what the collector read did not belong together", NULL, NULL },
	{ "late", NULL, "LATE", 8, COLUMN_NUMBER, COLUMN_ADDITIVE,
	  "samples to which it did not answer in time", NULL, NULL },
	{ "held", NULL, "HELD", 8, COLUMN_NUMBER, COLUMN_ADDITIVE,
	  "calls during which the task stood still", NULL, NULL },
	{ "cost_ns", "COST", "MS", 10, COLUMN_AVERAGE, COLUMN_ADDITIVE,
	  "time in the collector, milliseconds", NULL, NULL },
	{ "call_cost_us", "COST", "US A CALL", 9, COLUMN_PERCENT, 0, "microseconds", NULL, NULL },
	{ "cost_run_percent", "COST", "% OF RUN", 8, COLUMN_PERCENT, COLUMN_ADDITIVE,
	  "share of the run time", NULL, NULL },
	{ "delay_us", "DELAY, US", "MEDIAN", 9, COLUMN_PERCENT, 0,
	  "from the sample to the collector's last read of live memory, microseconds", NULL, NULL },
	{ "delay_most_us", "DELAY, US", "MOST", 9, COLUMN_PERCENT, 0, NULL, NULL, NULL },
};

static const char *origin_name(uint64_t origin)
{
	static const char *const names[] = { "", "VIGIL", "FOUND", "REQUEST" };

	return names[origin < ARRAY_SIZE(names) ? origin : 0];
}

static const char *state_name(enum collector_state state)
{
	static const char *const names[] = {
		[COLLECTOR_CALLED] = "CALLED",
		[COLLECTOR_SWITCHED_OFF] = "SWITCHED OFF",
		[COLLECTOR_NOT_CALLED] = "NOT CALLED",
		[COLLECTOR_NOT_LOADED] = "NOT LOADED",
	};

	return names[state];
}

static void put_object(const struct context *context, struct table *table,
		       const struct record_collector *collector)
{
	struct row *row = table_row(table, ROW_DETAIL);

	context_put_string(context, table, row, collector->name);
	context_put_string(context, table, row, collector->generation);
	row_text(table, row, origin_name(collector->origin));
	row_text(table, row, state_name(collectors_state(context->profile, collector)));
	context_put_string(context, table, row, collector->path);
	context_put_string(context, table, row, collector->problem);
}

static double per_call(const struct record_collector *collector)
{
	return collector->calls ? (double)collector->cost / (double)collector->calls : 0;
}

static void put_calls(const struct context *context, struct table *table, enum row_kind kind,
		      const char *label, const struct record_collector *collector)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_number(table, row, collector->calls);
	row_number(table, row, collector->answers);
	row_number(table, row, collector->outside);
	row_number(table, row, collector->torn);
	row_number(table, row, collector->late);
	row_number(table, row, collector->held);
	row_number(table, row, collector->cost);
	row_real(table, row, per_call(collector) / 1e3);
	row_real(table, row, profile_run_percent(context->profile, collector->cost));
	if (kind == ROW_TOTAL)
		return;
	row_real(table, row, (double)collector->delay / 1e3);
	row_real(table, row, (double)collector->delay_most / 1e3);
}

static void add_calls(struct record_collector *sum, const struct record_collector *collector)
{
	sum->calls += collector->calls;
	sum->answers += collector->answers;
	sum->outside += collector->outside;
	sum->torn += collector->torn;
	sum->late += collector->late;
	sum->held += collector->held;
	sum->cost += collector->cost;
}

void collector_tables(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct record_collector sum = { 0 };
	struct table *objects, *calls;

	if (!profile->collectors.count)
		return;
	objects = document_table(document, "data_collectors", "DATA COLLECTORS", object_columns,
				 ARRAY_SIZE(object_columns));
	calls = document_table(document, "collector_calls", "CALLS OF DATA COLLECTORS",
			       call_columns, ARRAY_SIZE(call_columns));
	for (size_t i = 0; i < profile->collectors.count; i++) {
		const struct record_collector *collector = id_table_at(&profile->collectors, i);

		put_object(context, objects, collector);
		if (!collector->calls && !collector->late)
			continue;
		put_calls(context, calls, ROW_DETAIL, profile_text(profile, collector->name),
			  collector);
		add_calls(&sum, collector);
	}
	if (calls->row_count)
		put_calls(context, calls, ROW_TOTAL, "TOTALS", &sum);
}
