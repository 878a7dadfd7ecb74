/* SPDX-License-Identifier: Apache-2.0 */
/* Shows what became of the data collectors of a session. */
#include "common/compat.h"
#include "profile/collector-facts.h"
#include "records/record-types.h"
#include "session/commands/collectors.h"

static const struct column columns[] = {
	{ .id = "name", .heading = "NAME", .width = 8, .type = COLUMN_TEXT },
	{ .id = "generation", .heading = "GEN", .width = 4, .type = COLUMN_TEXT },
	{ .id = "from", .heading = "FROM", .width = 5, .type = COLUMN_TEXT },
	FIGURE(COLUMN_NUMBER, "calls", "CALLS", "ALL", 11),
	FIGURE(COLUMN_NUMBER, "answers", "CALLS", "ANSWERS", 11),
	FIGURE(COLUMN_NUMBER, "outside", "CALLS", "OUTSIDE", 9),
	FIGURE(COLUMN_NUMBER, "torn", "CALLS", "TORN", 9),
	FIGURE(COLUMN_NUMBER, "late", "CALLS", "LATE", 9),
	FIGURE(COLUMN_NUMBER, "held", "CALLS", "HELD", 9),
	FIGURE(COLUMN_NUMBER, "cost_call_ns", "COST", "NS/CALL", 11),
	FIGURE(COLUMN_AVERAGE, "cost_ns", "COST", "ALL MS", 12),
	FIGURE(COLUMN_AVERAGE, "delay_median_ns", "DELAY MS", "MEDIAN", 10),
	FIGURE(COLUMN_AVERAGE, "delay_most_ns", "DELAY MS", "MOST", 11),
	{ .id = "file", .type = COLUMN_PATH, .flags = COLUMN_DATA_ONLY },
	{ .id = "problem", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
};

static const char *origin_name(uint64_t origin)
{
	switch (origin) {
	case COLLECTOR_FEATURE:
		return "vigil";
	case COLLECTOR_FOUND:
		return "name";
	case COLLECTOR_NAMED:
		return "DCC";
	default:
		return "";
	}
}

static void show_one(struct table *table, const struct profile *profile,
		     const struct record_collector *one)
{
	struct row *row = table_row(table, ROW_DETAIL);

	row_text(table, row, profile_text(profile, one->name));
	row_text(table, row, profile_text(profile, one->generation));
	row_text(table, row, origin_name(one->origin));
	row_number(table, row, one->calls);
	row_number(table, row, one->answers);
	row_number(table, row, one->outside);
	row_number(table, row, one->torn);
	row_number(table, row, one->late);
	row_number(table, row, one->held);
	row_number(table, row, one->calls ? one->cost / one->calls : 0);
	row_number(table, row, one->cost);
	row_number(table, row, one->delay);
	row_number(table, row, one->delay_most);
	row_text(table, row, profile_text(profile, one->path));
	row_text(table, row, profile_text(profile, one->problem));
}

/* Reports where a collector is, and why it was never called or was switched off. */
static void report_collector(struct document *document, const struct profile *profile,
		     const struct record_collector *one)
{
	const char *name = profile_text(profile, one->name);
	const char *path = profile_text(profile, one->path);
	const char *problem = profile_text(profile, one->problem);

	document_text(document, "%s: %s", name, *path ? path : "no file");
	if (!*problem)
		return;
	if (collector_facts_state(profile, one) == COLLECTOR_NOT_CALLED)
		document_text(document, "%s was not called: %s", name, problem);
	else
		document_note(document, SEVERITY_WARNING, 3411, "data collector %s was %s: %s", name,
			      collector_facts_state(profile, one) == COLLECTOR_NOT_LOADED
				      ? "never called"
				      : "switched off",
			      problem);
}

void collectors_show_session(struct document *document, const struct profile *profile)
{
	struct table *table =
		document_table(document, "session", NULL, columns, ARRAY_SIZE(columns));
	const struct id_table *rows = &profile->collectors;

	for (size_t i = 0; i < rows->count; i++)
		show_one(table, profile, id_table_at(rows, i));
	for (size_t i = 0; i < rows->count; i++)
		report_collector(document, profile, id_table_at(rows, i));
	if (rows->count == 0)
		document_text(document, "No data collector was considered in this session.");
}
