/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether the totals of the reports on a profile match. */
#include "common/compat.h"
#include "reports/report-check.h"

#include <math.h>

/* The value that every total row with the column must show. */
struct expected {
	const char *code, *table, *column;
	double value;
};

/* Compares one total; a report without the table has nothing to compare. */
static size_t check_total(const struct document *document, const struct expected *expected,
			  struct strbuf *sb)
{
	const struct table *table;
	const struct row *row = document_total(document, expected->table, &table);
	size_t column = row ? table_column(table, expected->column) : SIZE_MAX;
	double value;

	if (strcmp(document->code, expected->code) != 0 || column == SIZE_MAX)
		return 0;
	value = row->values[column].type == VALUE_REAL ? row->values[column].real
						       : (double)row->values[column].number;
	if (fabs(value - expected->value) <= 1e-6 * (1 + fabs(expected->value)))
		return 0;
	strbuf_addf(sb, "%s %s: total of %s is %.6f, must be %.6f\n", document->code,
		    expected->table, expected->column, value, expected->value);
	return 1;
}

/* Checks that TOTAL is not below SOLO in any row. */
static size_t check_solo(const struct document *document, struct strbuf *sb)
{
	size_t wrong = 0;

	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = document->blocks[i].table;
		size_t solo = table ? table_column(table, "cpu_solo_percent") : SIZE_MAX;
		size_t total = table ? table_column(table, "cpu_total_percent") : SIZE_MAX;

		for (size_t j = 0; solo != SIZE_MAX && j < table->row_count; j++) {
			const struct value *values = table->rows[j].values;

			if (values[solo].real <= values[total].real + 1e-9)
				continue;
			strbuf_addf(sb, "%s %s: row %zu has SOLO above TOTAL\n", document->code,
				    table->id, j);
			wrong++;
		}
	}
	return wrong;
}

size_t report_check(const struct profile *profile, const struct report_options *options,
		    struct strbuf *sb)
{
	double samples = (double)profile->samples, all = samples > 0 ? 100 : 0;
	double services = 0, run = (double)profile_run_time(profile);
	double waits = run > 0 ? 100 * (double)profile->charged / run : 0;
	const char *calls = options->by == CALL_TREE_BY_TASK	      ? "threads"
			    : options->by == CALL_TREE_BY_TRANSACTION ? "transactions"
								      : "calls";
	struct context context;
	size_t wrong = 0;

	for (size_t i = 0; i < profile->cpu_count; i++)
		if (attribution_is_service(&profile->attribution, profile->cpu[i].stack))
			services += (double)profile->cpu[i].count;
	context_init(&context, profile, options);
	for (size_t i = 0; i < report_class_count; i++) {
		const struct expected expected[] = {
			{ "PSU", "sections", "samples", samples },
			{ "PSU", "sections", "cpu_total_percent", all },
			{ "MEP", "procedures_charged", "cpu_charged_percent", all },
			{ "MEP", "statements_charged", "charged_samples", samples },
			{ "MEP", "procedures_own", "samples", samples },
			{ "PUP", "totals", "samples", samples },
			{ "PUP", "totals", "cpu_charged_percent", all },
			{ "ACE", "services", "samples", services },
			{ "ACW", "services", "wait_charged_ns", (double)profile->charged },
			{ "ACW", "services", "run_total_percent", waits },
			{ "CTR", calls, "samples", samples },
			{ "CTR", calls, "wait_charged_ns", (double)profile->charged },
			{ "CTR", calls, "wait_total_ns", (double)profile->total_wait },
			{ "CTR", calls, "run_total_percent", waits },
			{ "CTR", calls, "run_own_percent", waits },
			{ "CTR", calls, "cumulative_samples", samples },
			{ "WTM", "reasons", "wait_charged_ns", (double)profile->charged },
			{ "WTM", "modules", "run_total_percent", waits },
			{ "RDD", "files", "wait_charged_ns", (double)profile->charged },
			{ "TUS", "transactions", "samples", samples },
			{ "TUC", "totals", "samples", samples },
		};
		struct document document;

		document_init(&document, report_classes[i]->code, report_classes[i]->title,
			      &context.tokens);
		report_classes[i]->build(&context, &document);
		wrong += document_check(&document, sb) + check_solo(&document, sb);
		for (size_t j = 0; j < ARRAY_SIZE(expected); j++)
			wrong += check_total(&document, &expected[j], sb);
		document_release(&document);
	}
	context_release(&context);
	return wrong;
}
