/* SPDX-License-Identifier: Apache-2.0 */
/* Program Section Usage Summary: CPU time by module and section. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/usage.h"

static const struct column columns[] = {
	{ .id = "module",
	  .heading = "MODULE NAME",
	  .width = 20,
	  .type = COLUMN_NAME,
	  .legend = "object file that executed, or module named by a data collector; .SYSTEM holds "
		    "the libraries, the kernel and the pseudo-sections of data collectors" },
	{ .id = "section",
	  .heading = "SECTION NAME",
	  .width = 20,
	  .type = COLUMN_NAME,
	  .legend = "source file of the program, section named by a data collector, or "
		    "pseudo-section of .SYSTEM; blank when the module is below the baseline or has "
		    "no names" },
	{ .id = "function", .heading = "FUNCTION", .width = 26, .type = COLUMN_TEXT },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

/* The rows of one module, sorted by section. */
struct module_rows {
	uint64_t module;
	size_t from, to; /* range in the order */
	uint64_t total, solo;
};

static void put_row(struct context *context, struct table *table, enum row_kind kind,
		    uint64_t module, const char *section, const char *function, uint64_t solo,
		    uint64_t total)
{
	struct row *row = table_row(table, kind);

	context_put_string(context, table, row, module);
	row_text(table, row, section);
	row_text(table, row, function);
	row_number(table, row, total);
	context_put_cpu(context, table, row, solo, total, 0);
}

static void put_module(struct context *context, struct table *table, const struct usage *usage,
		       const struct module_rows *rows)
{
	const struct profile *profile = context->profile;
	const struct sums *sums = &usage->sections;
	bool system = strcmp(profile_text(profile, rows->module), ".SYSTEM") == 0;
	size_t start = table->row_count;

	if (!system &&
	    !context_details(context, profile_cpu_percent(context->profile, rows->total))) {
		put_row(context, table, ROW_DETAIL, rows->module, "", "below the baseline",
			rows->solo, rows->total);
		return;
	}
	table_begin_group(table);
	for (size_t i = rows->from; i < rows->to; i++) {
		const uint64_t *key = sums_key(sums, sums->order[i]);
		const uint64_t *values = sums_values(sums, sums->order[i]);

		if (values[USAGE_TOTAL] || context->options->all)
			put_row(context, table, ROW_DETAIL, key[0], profile_text(profile, key[1]),
				profile_text(profile, key[2]), values[USAGE_SOLO],
				values[USAGE_TOTAL]);
	}
	if (table->row_count - start > 1)
		put_row(context, table, ROW_SUBTOTAL, rows->module, "", "MODULE TOTALS", rows->solo,
			rows->total);
}

/*
 * Returns the rows from a position on that belong to one module; sections without
 * CPU time are left out.
 */
static struct module_rows next_module(const struct usage *usage, size_t from)
{
	const struct sums *sums = &usage->sections;
	struct module_rows rows = { .module = sums_key(sums, sums->order[from])[0], .from = from };

	for (rows.to = from; rows.to < sums->keys.count; rows.to++) {
		const uint64_t *values = sums_values(sums, sums->order[rows.to]);

		if (sums_key(sums, sums->order[rows.to])[0] != rows.module)
			break;
		rows.total += values[USAGE_TOTAL];
		rows.solo += values[USAGE_SOLO];
	}
	return rows;
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct table *table =
		document_table(document, "sections", NULL, columns, ARRAY_SIZE(columns));
	struct usage usage;
	struct strbuf program = STRBUF_INIT;
	struct row *row;

	context_cpu_histogram(context, table);
	usage_init(&usage, context->profile, context->options->resolution);
	for (size_t i = 0; i < usage.sections.keys.count;) {
		struct module_rows rows = next_module(&usage, i);

		if (rows.total)
			put_module(context, table, &usage, &rows);
		i = rows.to;
	}
	strbuf_addf(&program, "PROGRAM %s TOTALS", profile_program(profile));
	row = table_row(table, ROW_TOTAL);
	row_skip(table, row, 2);
	row_text(table, row, program.text);
	row_number(table, row, profile->samples);
	context_put_cpu(context, table, row, profile->solo_samples, profile->samples, 0);
	strbuf_release(&program);
	usage_release(&usage);
}

const struct report_class report_psu = { "PSU", "Program Section Usage Summary", build, REPORT_OF_SAMPLES };
