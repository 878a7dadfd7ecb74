/* SPDX-License-Identifier: Apache-2.0 */
/* Program Usage by Procedure: CPU time in each procedure and source line. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "reports/report-class.h"
#include "profile/usage.h"

#define CHARGED_COLUMNS \
	FIGURE(COLUMN_NUMBER, "charged_samples", NULL, "CHARGED", 8, \
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_PERCENT, "cpu_charged_percent", "CPU TIME %", "CHARGED", 7, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "TOTAL plus the time of the libraries and the kernel that it " \
				 "called")

static const struct column program_columns[] = {
	{ .id = "line",
	  .heading = "LINE",
	  .width = 6,
	  .type = COLUMN_NUMBER,
	  .legend = "number of the source line" },
	{ .id = "procedure",
	  .heading = "PROCEDURE NAME",
	  .width = 22,
	  .type = COLUMN_NAME,
	  .legend = "function, COBOL section or paragraph; +offset for a block of code without a "
		    "name; (place not known) when only the module is known" },
	{ .id = "start",
	  .heading = "START",
	  .width = 7,
	  .type = COLUMN_HEX,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "length",
	  .heading = "LENGTH",
	  .width = 6,
	  .type = COLUMN_HEX,
	  .flags = COLUMN_DATA_ONLY },
	OTHER_FILE_COLUMN(NULL, 14),
	{ .id = "text",
	  .heading = "SOURCE TEXT",
	  .width = 46,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_YIELDS },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CHARGED_COLUMNS,
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .legend = "* is TOTAL, + the rest of CHARGED; the scale is in percent",
	  .bar = "cpu_charged_percent",
	  .bar_solo = "cpu_total_percent" },
};

static const struct column system_columns[] = {
	{ .id = "real_module", .heading = "MODULE", .width = 22, .type = COLUMN_NAME },
	{ .id = "procedure",
	  .heading = "PROCEDURE NAME",
	  .width = 32,
	  .type = COLUMN_NAME,
	  .legend = "function, COBOL section or paragraph; +offset for a block of code without a "
		    "name; (place not known) when only the module is known" },
	{ .id = "start",
	  .heading = "START",
	  .width = 16,
	  .type = COLUMN_HEX,
	  .legend = "offset in the object (hexadecimal)" },
	{ .id = "length",
	  .heading = "LENGTH",
	  .width = 6,
	  .type = COLUMN_HEX,
	  .legend = "bytes of code (hexadecimal)" },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

static const struct column folded_columns[] = {
	{ .id = "module", .heading = "MODULE", .width = 24, .type = COLUMN_NAME },
	{ .id = "section", .heading = "SECTION", .width = 38, .type = COLUMN_NAME },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CHARGED_COLUMNS,
};

/* The summed amounts of several rows. */
struct amounts {
	uint64_t values[USAGE_AMOUNTS];
	size_t rows;
};

static void amounts_add(struct amounts *amounts, const uint64_t *values)
{
	for (size_t i = 0; i < USAGE_AMOUNTS; i++)
		amounts->values[i] += values[i];
	amounts->rows++;
}

/* Fills the columns from SAMPLES on. */
static void put_amounts(struct context *context, struct table *table, struct row *row,
			const uint64_t *values)
{
	row_number(table, row, values[USAGE_TOTAL]);
	context_put_cpu(context, table, row, values[USAGE_SOLO], values[USAGE_TOTAL], 0);
	if (table->columns == system_columns)
		return;
	row_number(table, row, values[USAGE_CHARGED]);
	row_real(table, row, profile_cpu_percent(context->profile, values[USAGE_CHARGED]));
}

static bool is_system(const struct table *table)
{
	return table->columns == system_columns;
}

/*
 * Puts a row that represents several: label in the procedure's column, text in
 * that of the source.
 */
static void put_sum(struct context *context, struct table *table, enum row_kind kind,
		    const char *label, const char *text, const struct amounts *amounts)
{
	struct row *row = table_row(table, kind);

	row_skip(table, row, 1);
	row_text(table, row, label);
	row_skip(table, row, 2);
	if (!is_system(table)) {
		row_skip(table, row, 1);
		row_text(table, row, text);
	}
	put_amounts(context, table, row, amounts->values);
}

static void put_row(struct context *context, struct table *table, const uint64_t *key,
		    const uint64_t *values)
{
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf label = STRBUF_INIT;

	if (is_system(table))
		context_put_string(context, table, row, key[USAGE_REAL_MODULE]);
	else if (key[USAGE_LINE])
		row_number(table, row, key[USAGE_LINE]);
	else
		row_skip(table, row, 1);
	usage_label(context->profile, key, &label);
	row_text(table, row, label.text);
	if (key[USAGE_SIZE]) {
		row_number(table, row, key[USAGE_START]);
		row_number(table, row, key[USAGE_SIZE]);
	} else {
		row_skip(table, row, 2);
	}
	if (!is_system(table)) {
		const char *text = profile_text(context->profile, key[USAGE_TEXT]);

		row_file(table, row, profile_text(context->profile, key[USAGE_FILE]),
			 profile_text(context->profile, key[USAGE_OTHER_FILE]));
		row_text(table, row, text + strspn(text, " \t"));
	}
	put_amounts(context, table, row, values);
	strbuf_release(&label);
}

/* Adds notes on why addresses of an object have no name, once for each object of the section. */
static void put_object_notes(const struct context *context, struct document *document,
			     const uint64_t *section)
{
	const struct profile *profile = context->profile;

	for (size_t i = 0; i < profile->objects.count; i++) {
		const struct record_object *object = id_table_at(&profile->objects, i);
		const char *note = profile_text(profile, object->note);
		bool used = false;

		for (size_t j = 0; *note && !used && j < profile->attribution.place_count; j++) {
			const struct place *place = &profile->attribution.places[j];

			used = place->object == object->object && place->module == section[0] &&
			       place->section == section[1];
		}
		if (used)
			document_note(document, SEVERITY_INFO, 6005, "%s: %s",
				      profile_text(profile, object->path), note);
	}
}

/* Returns the larger of what a row executed and what it is charged with, in percent. */
static double weight(const struct context *context, const uint64_t *values)
{
	return profile_cpu_percent(context->profile, values[USAGE_CHARGED] > values[USAGE_TOTAL]
							     ? values[USAGE_CHARGED]
							     : values[USAGE_TOTAL]);
}

/* Returns the end of the rows of the procedure that begins at position at; its amounts in *sum. */
static size_t procedure_end(const struct sums *sums, size_t at, struct amounts *sum)
{
	const uint64_t *first = sums_key(sums, sums->order[at]);

	for (; at < sums->keys.count; at++) {
		if (memcmp(sums_key(sums, sums->order[at]), first, USAGE_FILE * sizeof(*first)) !=
		    0)
			break;
		amounts_add(sum, sums_values(sums, sums->order[at]));
	}
	return at;
}

/*
 * Writes the rows of one procedure; small procedures and small lines are folded.
 * Returns its end.
 */
static size_t put_procedure(struct context *context, struct table *table, const struct sums *sums,
			    size_t at, struct amounts *folded)
{
	struct amounts sum = { { 0 }, 0 }, lines = { { 0 }, 0 };
	size_t end = procedure_end(sums, at, &sum), shown = table->row_count;
	struct strbuf label = STRBUF_INIT;

	if (!context_shows(context, weight(context, sum.values))) {
		amounts_add(folded, sum.values);
		return end;
	}
	usage_label(context->profile, sums_key(sums, sums->order[at]), &label);
	table_begin_group(table);
	for (; at < end; at++) {
		const uint64_t *values = sums_values(sums, sums->order[at]);

		if (context_shows(context, weight(context, values)))
			put_row(context, table, sums_key(sums, sums->order[at]), values);
		else
			amounts_add(&lines, values);
	}
	if (lines.rows)
		put_sum(context, table, ROW_OTHER, label.text, "(other lines)", &lines);
	if (table->row_count - shown > 1)
		put_sum(context, table, ROW_SUBTOTAL, "PROCEDURE TOTALS", "", &sum);
	strbuf_release(&label);
	return end;
}

/* Puts the table of one section that is shown in detail. */
static void put_section(struct context *context, struct document *document,
			const struct usage *usage, const uint64_t *section, const uint64_t *values)
{
	const struct profile *profile = context->profile;
	const struct sums *sums = &usage->rows;
	bool system = strcmp(profile_text(profile, section[0]), ".SYSTEM") == 0;
	struct amounts folded = { { 0 }, 0 }, total = { { 0 }, 0 };
	struct strbuf label = STRBUF_INIT;
	struct table *table;

	table = document_table(document, system ? "system" : "program", NULL,
			       system ? system_columns : program_columns,
			       system ? ARRAY_SIZE(system_columns) : ARRAY_SIZE(program_columns));
	context_cpu_histogram(context, table);
	table_context(table, "module", "MODULE", profile_text(profile, section[0]));
	table_context(table, "section", "SECTION", profile_text(profile, section[1]));
	table_context(table, "function", "FUNCTION", profile_text(profile, section[2]));
	for (size_t i = 0; i < sums->keys.count;) {
		const uint64_t *key = sums_key(sums, sums->order[i]);

		if (key[USAGE_MODULE] == section[0] && key[USAGE_SECTION] == section[1])
			i = put_procedure(context, table, sums, i, &folded);
		else
			i++;
	}
	if (folded.rows) {
		strbuf_addf(&label, ".OTHER (%zu)", folded.rows);
		put_sum(context, table, ROW_OTHER, label.text, "(other procedures)", &folded);
	}
	amounts_add(&total, values);
	put_sum(context, table, ROW_TOTAL, "SECTION TOTALS", "", &total);
	put_object_notes(context, document, section);
	strbuf_release(&label);
}

/* Puts the last table: sections without details, and the sum of all. */
static void put_end(struct context *context, struct document *document, const struct usage *usage,
		    const bool *detailed)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "totals", "PROGRAM TOTALS", folded_columns,
					     ARRAY_SIZE(folded_columns));
	struct amounts above = { { 0 }, 0 }, all = { { 0 }, 0 };
	struct row *row;

	for (size_t i = 0; i < usage->sections.keys.count; i++) {
		const uint64_t *values = sums_values(&usage->sections, usage->sections.order[i]);
		const uint64_t *key = sums_key(&usage->sections, usage->sections.order[i]);

		amounts_add(&all, values);
		if (detailed[i]) {
			amounts_add(&above, values);
			continue;
		}
		row = table_row(table, ROW_DETAIL);
		context_put_string(context, table, row, key[0]);
		context_put_string(context, table, row, key[1]);
		put_amounts(context, table, row, values);
	}
	row = table_row(table, ROW_DETAIL);
	row_text(table, row, "SECTIONS ABOVE");
	row_skip(table, row, 1);
	put_amounts(context, table, row, above.values);
	if (usage->unreached[USAGE_CHARGED]) {
		row = table_row(table, ROW_DETAIL);
		row_text(table, row, ".NOCALLER");
		row_text(table, row, "stacks that reach no program");
		put_amounts(context, table, row, usage->unreached);
		amounts_add(&all, usage->unreached);
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "PROGRAM TOTALS");
	row_text(table, row, profile_program(profile));
	put_amounts(context, table, row, all.values);
}

static void build(struct context *context, struct document *document)
{
	struct usage usage;
	bool *detailed;

	usage_init(&usage, context->profile, context->options->resolution);
	detailed = xcalloc(usage.sections.keys.count + 1, sizeof(*detailed));
	for (size_t i = 0; i < usage.sections.keys.count; i++) {
		const uint64_t *key = sums_key(&usage.sections, usage.sections.order[i]);
		const uint64_t *values = sums_values(&usage.sections, usage.sections.order[i]);

		detailed[i] = context_details(context, weight(context, values));
		if (detailed[i])
			put_section(context, document, &usage, key, values);
	}
	put_end(context, document, &usage, detailed);
	free(detailed);
	usage_release(&usage);
}

const struct report_class report_pup = { "PUP", "Program Usage by Procedure", build,
					 REPORT_OF_SAMPLES };
