/* SPDX-License-Identifier: Apache-2.0 */
/* Transaction Usage Summary, and Transaction Usage by Control Section. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/label.h"

#define NAME_WIDTH 30

static const struct column summary_columns[] = {
	{ "transaction", NULL, "TRANSACTION", NAME_WIDTH, COLUMN_NAME, 0,
	  "unit of work in force; names that begin with a point are overhead, .NOTRAN is time "
	  "outside any",
	  NULL, NULL },
	{ "count", NULL, "COUNT", 10, COLUMN_NUMBER, COLUMN_ADDITIVE, "times it began", NULL,
	  NULL },
	{ "mean_ns", NULL, "MEAN MS", 10, COLUMN_AVERAGE, 0, "mean time in force, milliseconds",
	  NULL, NULL },
	{ "elapsed_ns", NULL, "IN FORCE", 10, COLUMN_TIME, COLUMN_ADDITIVE,
	  "time in force, mm.ss.hh, all tasks added", NULL, NULL },
	{ "wait_charged_ns", NULL, "CHARGED", 10, COLUMN_TIME, COLUMN_ADDITIVE | COLUMN_DATA_ONLY,
	  NULL, NULL, NULL },
	{ "run_wait_percent", NULL, "WAIT %", 6, COLUMN_PERCENT, COLUMN_ADDITIVE,
	  "share of the run time in which the step waited on its behalf", NULL, NULL },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

static const struct column section_columns[] = {
	{ "module", NULL, "MODULE NAME", 20, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "section", NULL, "SECTION NAME", 20, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "function", NULL, "FUNCTION", 26, COLUMN_TEXT, 0, NULL, NULL, NULL },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

enum amount { TOTAL, SOLO, WAIT, AMOUNTS };

/* Transactions in order of their names; argument is the profile. */
static int compare_transactions(const uint64_t *first, const uint64_t *second, void *argument)
{
	return strcmp(label_transaction(argument, first[0]),
		      label_transaction(argument, second[0]));
}

static void sum_transactions(const struct profile *profile, struct sums *sums)
{
	for (size_t i = 0; i < profile->transactions.count; i++) {
		const struct record_transaction *row = id_table_at(&profile->transactions, i);

		sums_at(sums, &row->transaction);
	}
	for (size_t i = 0; i < profile->cpu_count; i++) {
		uint64_t *values = sums_at(sums, &profile->cpu[i].transaction);

		values[TOTAL] += profile->cpu[i].count;
		values[SOLO] += profile->cpu[i].flags & SAMPLE_SOLO ? profile->cpu[i].count : 0;
	}
	for (size_t i = 0; i < profile->wait_count; i++)
		sums_at(sums, &profile->waits[i].transaction)[WAIT] += profile->waits[i].charged;
	sums_sort(sums, compare_transactions, (void *)profile);
}

static void put_row(struct context *context, struct table *table, enum row_kind kind,
		    const char *name, uint64_t count, uint64_t elapsed, const uint64_t *values)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, name);
	row_number(table, row, count);
	row_number(table, row, count ? elapsed / count : 0);
	row_number(table, row, elapsed);
	row_number(table, row, values[WAIT]);
	row_real(table, row, profile_run_percent(context->profile, values[WAIT]));
	row_number(table, row, values[TOTAL]);
	context_put_cpu(context, table, row, values[SOLO], values[TOTAL]);
}

static void build_summary(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "transactions", NULL, summary_columns,
					     ARRAY_SIZE(summary_columns));
	uint64_t total[AMOUNTS] = { 0 }, count = 0, elapsed = 0;
	struct sums sums;

	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(profile);
	sums_init(&sums, 1, AMOUNTS);
	sum_transactions(profile, &sums);
	for (size_t i = 0; i < sums.keys.count; i++) {
		uint64_t id = sums_key(&sums, sums.order[i])[0];
		const uint64_t *values = sums_values(&sums, sums.order[i]);
		const struct record_transaction *row = id_table_get(&profile->transactions, id);

		put_row(context, table, ROW_DETAIL, label_transaction(profile, id),
			row ? row->count : 0, row ? row->elapsed : 0, values);
		for (size_t j = 0; j < AMOUNTS; j++)
			total[j] += values[j];
		count += row ? row->count : 0;
		elapsed += row ? row->elapsed : 0;
	}
	put_row(context, table, ROW_TOTAL, "TOTALS", count, elapsed, total);
	if (!profile->transactions.count)
		document_note(
			document, SEVERITY_INFO, 6007,
			"the step named no transactions (vigil_transaction() of vigil.h names "
			"them)");
	sums_release(&sums);
}

/* The sections of one transaction, by module and section. */
static void put_sections(struct context *context, struct document *document, uint64_t id,
			 const uint64_t *amounts)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "sections", NULL, section_columns,
					     ARRAY_SIZE(section_columns));
	struct sums sums;
	struct row *row;

	table_context_name(table, "transaction", "TRANSACTION", label_transaction(profile, id),
			   NAME_WIDTH);
	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(profile);
	sums_init(&sums, 3, AMOUNTS);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *place = attribution_place(&profile->attribution, cpu->stack);
		uint64_t key[] = { place->module, place->section, place->function };
		uint64_t *values;

		if (cpu->transaction != id)
			continue;
		values = sums_at(&sums, key);
		values[TOTAL] += cpu->count;
		values[SOLO] += cpu->flags & SAMPLE_SOLO ? cpu->count : 0;
	}
	sums_sort(&sums, profile_compare_text_pairs, (void *)profile);
	for (size_t i = 0; i < sums.keys.count; i++) {
		const uint64_t *key = sums_key(&sums, sums.order[i]);
		const uint64_t *values = sums_values(&sums, sums.order[i]);

		row = table_row(table, ROW_DETAIL);
		for (size_t j = 0; j < 3; j++)
			context_put_string(context, table, row, key[j]);
		row_number(table, row, values[TOTAL]);
		context_put_cpu(context, table, row, values[SOLO], values[TOTAL]);
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTALS");
	row_skip(table, row, 2);
	row_number(table, row, amounts[TOTAL]);
	context_put_cpu(context, table, row, amounts[SOLO], amounts[TOTAL]);
	sums_release(&sums);
}

/* The last table: transactions without CPU time, and the sum of all. */
static void put_end(struct context *context, struct document *document, const uint64_t *above,
		    size_t idle)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "totals", "ALL TRANSACTIONS",
					     section_columns, ARRAY_SIZE(section_columns));
	struct strbuf label = STRBUF_INIT;
	struct row *row;

	if (!profile->samples && !idle)
		return;
	row = table_row(table, ROW_DETAIL);
	row_text(table, row, "TRANSACTIONS ABOVE");
	row_skip(table, row, 2);
	row_number(table, row, above[TOTAL]);
	context_put_cpu(context, table, row, above[SOLO], above[TOTAL]);
	if (idle) {
		strbuf_addf(&label, ".OTHER (%zu)", idle);
		row = table_row(table, ROW_OTHER);
		row_text(table, row, label.text);
		row_skip(table, row, 1);
		row_text(table, row, "without CPU time");
		row_number(table, row, 0);
		context_put_cpu(context, table, row, 0, 0);
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTALS");
	row_skip(table, row, 2);
	row_number(table, row, profile->samples);
	context_put_cpu(context, table, row, profile->solo_samples, profile->samples);
	strbuf_release(&label);
}

static void build_sections(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	uint64_t above[AMOUNTS] = { 0 };
	size_t idle = 0;
	struct sums sums;

	sums_init(&sums, 1, AMOUNTS);
	sum_transactions(profile, &sums);
	for (size_t i = 0; i < sums.keys.count; i++) {
		const uint64_t *values = sums_values(&sums, sums.order[i]);

		if (values[TOTAL])
			put_sections(context, document, sums_key(&sums, sums.order[i])[0], values);
		else
			idle++;
		for (size_t j = 0; j < AMOUNTS; j++)
			above[j] += values[j];
	}
	put_end(context, document, above, idle);
	sums_release(&sums);
}

const struct report_class report_tus = { "TUS", "Transaction Usage Summary", build_summary };
const struct report_class report_tuc = { "TUC", "Transaction Usage by Control Section",
					 build_sections };
