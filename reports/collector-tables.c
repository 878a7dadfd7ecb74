/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of data collectors. */
#include "common/compat.h"
#include "reports/collector-tables.h"
#include "profile/collector-facts.h"
#include "records/record-types.h"

static const struct column object_columns[] = {
	{ .id = "collector", .heading = "COLLECTOR", .width = 9, .type = COLUMN_NAME },
	{ .id = "generation",
	  .heading = "GENER",
	  .width = 5,
	  .type = COLUMN_TEXT,
	  .legend = "generation, as set by its author" },
	{ .id = "origin",
	  .heading = "FROM",
	  .width = 9,
	  .type = COLUMN_TEXT,
	  .legend = "VIGIL = comes with vigil, FOUND = found by its name, REQUEST = named in the "
		    "request (DCC)" },
	{ .id = "state",
	  .heading = "STATE",
	  .width = 12,
	  .type = COLUMN_TEXT,
	  .legend = "NOT CALLED = no program of the step needed it; for NOT LOADED and SWITCHED "
		    "OFF a note gives the reason" },
	{ .id = "path", .heading = "OBJECT", .width = 93, .type = COLUMN_PATH },
	{ .id = "problem", .heading = "PROBLEM", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
};

static const struct column call_columns[] = {
	{ .id = "collector", .heading = "COLLECTOR", .width = 9, .type = COLUMN_NAME },
	{ .id = "calls",
	  .heading = "CALLS",
	  .width = 10,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE },
	{ .id = "answers",
	  .heading = "ANSWERS",
	  .width = 10,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "answers that were used" },
	{ .id = "outside",
	  .group = "REJECTED",
	  .heading = "OUTSIDE",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "the range in the answer does not contain the address of the sample" },
	{ .id = "torn",
	  .group = "REJECTED",
	  .heading = "TORN",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "the program changed while the collector read it" },
	{ .id = "late",
	  .heading = "LATE",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "samples that it did not answer in time" },
	{ .id = "held",
	  .heading = "HELD",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "calls for which the task was stopped" },
	{ .id = "cost_ns",
	  .group = "COST",
	  .heading = "MS",
	  .width = 10,
	  .type = COLUMN_AVERAGE,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "time spent in the collector in milliseconds" },
	{ .id = "call_cost_us",
	  .group = "COST",
	  .heading = "US A CALL",
	  .width = 9,
	  .type = COLUMN_PERCENT,
	  .legend = "mean time of a call in microseconds" },
	{ .id = "cost_run_percent",
	  .group = "COST",
	  .heading = "% OF RUN",
	  .width = 8,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "share of the run time" },
	{ .id = "delay_us",
	  .group = "DELAY, US",
	  .heading = "MEDIAN",
	  .width = 9,
	  .type = COLUMN_PERCENT,
	  .legend = "time from the sample to the collector's last read of the program's memory in "
		    "microseconds" },
	{ .id = "delay_most_us",
	  .group = "DELAY, US",
	  .heading = "MOST",
	  .width = 9,
	  .type = COLUMN_PERCENT },
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
	row_text(table, row, state_name(collector_facts_state(context->profile, collector)));
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
