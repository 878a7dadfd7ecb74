/* SPDX-License-Identifier: Apache-2.0 */
/* Transaction Usage Summary, and Transaction Usage by Control Section. */
#include "common/compat.h"
#include "records/record-types.h"
#include "reports/report-class.h"
#include "profile/label.h"
#include "profile/session-facts.h"

#define NAME_WIDTH 30

static const struct column summary_columns[] = {
	{ .id = "transaction",
	  .heading = "TRANSACTION",
	  .width = NAME_WIDTH,
	  .type = COLUMN_NAME,
	  .legend = "unit of work; names that begin with a period are overhead, .NOTRAN is time "
		    "outside any transaction" },
	{ .id = "count",
	  .heading = "COUNT",
	  .width = 10,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "number of times it began; >= where data collectors saw it in samples and no "
		    "exact count exists: transactions shorter than the time between two samples "
		    "may be missed" },
	{ .id = "count_kind",
	  .heading = "COUNT IS",
	  .width = 8,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "mean_ns",
	  .heading = "MEAN MS",
	  .width = 10,
	  .type = COLUMN_AVERAGE,
	  .legend = "mean time in force in milliseconds; - where COUNT is not exact" },
	{ .id = "elapsed_ns",
	  .group = "MM.SS.HH",
	  .heading = "IN FORCE",
	  .width = 10,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "time in force (mm.ss.hh), the sum over all tasks; CPU time and waits where data "
		    "collectors saw it" },
	{ .id = "wait_charged_ns",
	  .heading = "CHARGED",
	  .width = 10,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY },
	{ .id = "run_wait_percent",
	  .heading = "WAIT %",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "share of the run time in which the step waited on its behalf" },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

static const struct column section_columns[] = {
	{ .id = "module", .heading = "MODULE NAME", .width = 20, .type = COLUMN_NAME },
	{ .id = "section", .heading = "SECTION NAME", .width = 20, .type = COLUMN_NAME },
	{ .id = "function", .heading = "FUNCTION", .width = 26, .type = COLUMN_TEXT },
	{ .id = "wait_charged_ns",
	  .heading = "CHARGED",
	  .width = 10,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY },
	{ .id = "wait_total_ns",
	  .group = "WAIT",
	  .heading = "MM.SS.HH",
	  .width = 8,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "time (mm.ss.hh) that its tasks waited there, the sum over all tasks" },
	{ .id = "run_wait_percent",
	  .group = "WAIT",
	  .heading = "RUN %",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "share of the run time in which the step waited there" },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

enum amount { TOTAL, SOLO, PLACED, WAIT, WAITED, AMOUNTS };

/* How often a transaction began, as far as known. */
struct begun {
	uint64_t count, elapsed;
	bool at_least; /* data collectors saw it in samples: count is only a lower bound */
};

/* Compares transactions by name; argument is the profile. */
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
		values[PLACED] += profile_cpu_placed(&profile->cpu[i]);
		values[SOLO] += profile->cpu[i].flags & SAMPLE_SOLO ? profile->cpu[i].count : 0;
	}
	for (size_t i = 0; i < profile->wait_count; i++) {
		uint64_t *values = sums_at(sums, &profile->waits[i].transaction);

		values[WAIT] += profile->waits[i].charged;
		values[WAITED] += profile->waits[i].total;
	}
	sums_sort(sums, compare_transactions, (void *)profile);
}

static void put_row(struct context *context, struct table *table, enum row_kind kind,
		    const char *name, const struct begun *begun, const uint64_t *values)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, name);
	if (begun->at_least) {
		row_at_least(table, row, begun->count);
		row_text(table, row, "AT LEAST");
		row_unknown(table, row);
	} else {
		row_number(table, row, begun->count);
		row_text(table, row, "EXACT");
		row_number(table, row, begun->count ? begun->elapsed / begun->count : 0);
	}
	row_number(table, row, begun->elapsed);
	row_number(table, row, values[WAIT]);
	context_put_solo(context, table, row, profile_run_percent(context->profile, values[WAIT]));
	row_number(table, row, values[TOTAL]);
	context_put_cpu(context, table, row, values[SOLO], values[TOTAL], values[PLACED]);
}

/*
 * The transaction between two samples is not certain: for one that a data
 * collector named, the elapsed time is its CPU time plus its waits.
 */
static struct begun begun_of(const struct profile *profile, uint64_t id, const uint64_t *values)
{
	const struct record_transaction *row = id_table_get(&profile->transactions, id);

	if (!row)
		return (struct begun){ 0 };
	if (!row->seen && !row->told)
		return (struct begun){ row->count, row->elapsed, false };
	return (struct begun){ row->told > row->count ? row->told : row->count,
			       session_facts_sampled(profile, values[TOTAL]) + values[WAITED],
			       !row->told_exact || row->told < row->count };
}

static void build_summary(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "transactions", NULL, summary_columns,
					     ARRAY_SIZE(summary_columns));
	uint64_t total[AMOUNTS] = { 0 };
	struct begun all = { 0 };
	struct sums sums;

	context_cpu_histogram(context, table);
	sums_init(&sums, 1, AMOUNTS);
	sum_transactions(profile, &sums);
	for (size_t i = 0; i < sums.keys.count; i++) {
		uint64_t id = sums_key(&sums, sums.order[i])[0];
		const uint64_t *values = sums_values(&sums, sums.order[i]);
		struct begun begun = begun_of(profile, id, values);

		put_row(context, table, ROW_DETAIL, label_transaction(profile, id), &begun, values);
		for (size_t j = 0; j < AMOUNTS; j++)
			total[j] += values[j];
		all.count += begun.count;
		all.elapsed += begun.elapsed;
		all.at_least |= begun.at_least;
	}
	put_row(context, table, ROW_TOTAL, "TOTALS", &all, total);
	if (!profile->transactions.count)
		document_note(document, SEVERITY_INFO, 6007,
			      "the step named no transactions; a program can name them with "
			      "vigil_transaction() of vigil.h");
	sums_release(&sums);
}

/* Puts a row of waits, SAMPLES_COLUMN and CPU_COLUMNS after three names. */
static void put_section(struct context *context, struct table *table, enum row_kind kind,
			const char *const names[3], const uint64_t *amounts)
{
	struct row *row = table_row(table, kind);

	for (size_t i = 0; i < 3; i++)
		row_text(table, row, names[i]);
	row_number(table, row, amounts[WAIT]);
	if (session_facts_has_waits(context->profile))
		row_number(table, row, amounts[WAITED]);
	else
		row_unknown(table, row);
	context_put_solo(context, table, row, profile_run_percent(context->profile, amounts[WAIT]));
	row_number(table, row, amounts[TOTAL]);
	context_put_cpu(context, table, row, amounts[SOLO], amounts[TOTAL], amounts[PLACED]);
}

/* Returns the sums of the module, section and function that a stack is shown under. */
static uint64_t *sums_of_stack(const struct profile *profile, struct sums *sums, uint64_t stack)
{
	const struct place *place = attribution_place(&profile->attribution, stack);
	uint64_t key[] = { place->module, place->section, place->function };

	return sums_at(sums, key);
}

/* Sums up CPU time and waits of one transaction by module, section and function, in their order. */
static void sum_sections(const struct profile *profile, uint64_t id, struct sums *sums)
{
	sums_init(sums, 3, AMOUNTS);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		uint64_t *values;

		if (cpu->transaction != id)
			continue;
		values = sums_of_stack(profile, sums, cpu->stack);
		values[TOTAL] += cpu->count;
		values[PLACED] += profile_cpu_placed(cpu);
		values[SOLO] += cpu->flags & SAMPLE_SOLO ? cpu->count : 0;
	}
	for (size_t i = 0; i < profile->wait_count; i++) {
		uint64_t *values;

		if (profile->waits[i].transaction != id)
			continue;
		values = sums_of_stack(profile, sums, profile->waits[i].stack);
		values[WAIT] += profile->waits[i].charged;
		values[WAITED] += profile->waits[i].total;
	}
	sums_sort(sums, profile_compare_text_pairs, (void *)profile);
}

/* Puts the sections of one transaction, by module and section. */
static void put_sections(struct context *context, struct document *document, uint64_t id,
			 const uint64_t *amounts)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "sections", NULL, section_columns,
					     ARRAY_SIZE(section_columns));
	struct sums sums;

	table_context_name(table, "transaction", "TRANSACTION", label_transaction(profile, id),
			   NAME_WIDTH);
	context_cpu_histogram(context, table);
	sum_sections(profile, id, &sums);
	for (size_t i = 0; i < sums.keys.count; i++) {
		const uint64_t *key = sums_key(&sums, sums.order[i]);
		const char *const names[] = { profile_text(profile, key[0]),
					      profile_text(profile, key[1]),
					      profile_text(profile, key[2]) };

		put_section(context, table, ROW_DETAIL, names, sums_values(&sums, sums.order[i]));
	}
	put_section(context, table, ROW_TOTAL, (const char *const[]){ "TOTALS", "", "" }, amounts);
	sums_release(&sums);
}

/* Puts the last table: transactions that neither used CPU time nor waited, and the sum of all. */
static void put_end(struct context *context, struct document *document, const uint64_t *above,
		    size_t idle)
{
	static const uint64_t nothing[AMOUNTS];
	const struct profile *profile = context->profile;
	const uint64_t all[AMOUNTS] = { [TOTAL] = profile->samples,
					[SOLO] = profile->solo_samples,
					[WAIT] = above[WAIT],
					[WAITED] = above[WAITED] };
	struct table *table = document_table(document, "totals", "ALL TRANSACTIONS",
					     section_columns, ARRAY_SIZE(section_columns));
	struct strbuf label = STRBUF_INIT;

	if (!profile->samples && !idle && !above[WAITED])
		return;
	put_section(context, table, ROW_DETAIL,
		    (const char *const[]){ "TRANSACTIONS ABOVE", "", "" }, above);
	strbuf_addf(&label, ".OTHER (%zu)", idle);
	if (idle)
		put_section(context, table, ROW_OTHER,
			    (const char *const[]){ label.text, "", "without CPU and waits" }, nothing);
	put_section(context, table, ROW_TOTAL, (const char *const[]){ "TOTALS", "", "" }, all);
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

		if (values[TOTAL] || values[WAITED])
			put_sections(context, document, sums_key(&sums, sums.order[i])[0], values);
		else
			idle++;
		for (size_t j = 0; j < AMOUNTS; j++)
			above[j] += values[j];
	}
	put_end(context, document, above, idle);
	sums_release(&sums);
}

const struct report_class report_tus = { "TUS", "Transaction Usage Summary", build_summary, REPORT_OF_SAMPLES };
const struct report_class report_tuc = { "TUC", "Transaction Usage by Control Section",
					 build_sections, REPORT_OF_SAMPLES };
