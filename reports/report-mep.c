/* SPDX-License-Identifier: Apache-2.0 */
/* Most Intensively Executed Procedures: the hot lists. */
#include "common/compat.h"
#include "profile/share.h"
#include "profile/usage.h"
#include "reports/fold.h"

#define MEP_ROWS 20

#define CUMULATIVE_COLUMN(legend_) \
	FIGURE(COLUMN_PERCENT, "cpu_cumulative_percent", "CPU TIME %", "CUMUL", 6, \
	       .flags = COLUMN_MINOR, .legend = legend_)
#define CHARGED_COLUMNS \
	FIGURE(COLUMN_NUMBER, "charged_samples", NULL, "SAMPLES", 8, .flags = COLUMN_ADDITIVE | COLUMN_MINOR), \
		FIGURE(COLUMN_PERCENT, "cpu_own_percent", "CPU TIME %", "OWN", 6, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "share of CPU time in the program's own instructions"), \
		FIGURE(COLUMN_PERCENT, "cpu_charged_percent", "CPU TIME %", "CHARGED", 7, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "OWN plus the time of the libraries and the kernel that it " \
				 "called"), \
		FIGURE(COLUMN_PERCENT, "cpu_margin_percent", "CPU TIME %", "+/-", 5, \
		       .flags = COLUMN_MARGIN, \
		       .legend = "margin of error of CHARGED in percentage points, at 95 % " \
				 "confidence"), \
		CUMULATIVE_COLUMN("CHARGED of this row and all rows above"), \
	{ \
		.id = "bar", .heading = "", .type = COLUMN_BAR, \
		.legend = "* is OWN, + the rest of CHARGED; the scale is in percent", \
		.bar = "cpu_charged_percent", .bar_solo = "cpu_own_percent" \
	}

static const struct column statement_columns[] = {
	{ .id = "module", .heading = "MODULE", .width = 10, .type = COLUMN_NAME },
	{ .id = "section", .heading = "SECTION", .width = 12, .type = COLUMN_NAME },
	{ .id = "procedure", .heading = "PROCEDURE", .width = 22, .type = COLUMN_NAME },
	{ .id = "line", .heading = "LINE", .width = 6, .type = COLUMN_NUMBER },
	OTHER_FILE_COLUMN(NULL, 12),
	{ .id = "text",
	  .heading = "SOURCE TEXT",
	  .width = 32,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_YIELDS },
	CHARGED_COLUMNS,
};

static const struct column charged_columns[] = {
	{ .id = "module",
	  .heading = "MODULE",
	  .width = 16,
	  .type = COLUMN_NAME,
	  .legend = "object file of the program, or module named by a data collector; .NOCALLER is "
		    "time whose call stack does not reach the program" },
	{ .id = "section",
	  .heading = "SECTION",
	  .width = 18,
	  .type = COLUMN_NAME,
	  .legend = "source file, or section named by a data collector" },
	{ .id = "procedure",
	  .heading = "PROCEDURE",
	  .width = 30,
	  .type = COLUMN_NAME,
	  .legend = "function, COBOL section or paragraph; +offset when it has no name; (place not "
		    "known) when only the module is known" },
	CHARGED_COLUMNS,
};

static const struct column own_columns[] = {
	{ .id = "module", .heading = "MODULE", .width = 16, .type = COLUMN_NAME },
	{ .id = "section", .heading = "SECTION", .width = 18, .type = COLUMN_NAME },
	{ .id = "procedure", .heading = "PROCEDURE", .width = 30, .type = COLUMN_NAME },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CUMULATIVE_COLUMN(NULL),
	CPU_BAR,
};

/* Fills the columns of CHARGED_COLUMNS. */
static void put_charged(struct context *context, struct table *table, struct row *row,
			const uint64_t *amounts, const uint64_t *above)
{
	const struct profile *profile = context->profile;

	row_number(table, row, amounts[USAGE_CHARGED]);
	row_real(table, row, profile_cpu_percent(profile, amounts[USAGE_TOTAL]));
	row_real(table, row, profile_cpu_percent(profile, amounts[USAGE_CHARGED]));
	context_put_margin(context, table, row, amounts[USAGE_CHARGED],
			   amounts[USAGE_CHARGED_PLACED]);
	row_real(table, row, profile_cpu_percent(profile, above[USAGE_CHARGED]));
}

/* Fills the columns from SAMPLES on of the list by self time. */
static void put_own(struct context *context, struct table *table, struct row *row,
		    const uint64_t *amounts, const uint64_t *above)
{
	row_number(table, row, amounts[USAGE_TOTAL]);
	context_put_cpu(context, table, row, amounts[USAGE_SOLO], amounts[USAGE_TOTAL], 0);
	row_real(table, row, profile_cpu_percent(context->profile, above[USAGE_TOTAL]));
}

/*
 * Fills the columns that name a row: module, section, procedure, and for
 * statements line and text.
 */
static void put_names(struct context *context, struct table *table, struct row *row,
		      const uint64_t *key, bool statements)
{
	struct strbuf label = STRBUF_INIT;
	const char *text;

	context_put_string(context, table, row,
			   table->columns == own_columns ? key[USAGE_REAL_MODULE]
							 : key[USAGE_MODULE]);
	context_put_string(context, table, row, key[USAGE_SECTION]);
	usage_label(context->profile, key, &label);
	row_text(table, row, label.text);
	strbuf_release(&label);
	if (!statements)
		return;
	if (key[USAGE_LINE])
		row_number(table, row, key[USAGE_LINE]);
	else
		row_skip(table, row, 1);
	row_file(table, row, profile_text(context->profile, key[USAGE_FILE]),
		 profile_text(context->profile, key[USAGE_OTHER_FILE]));
	text = profile_text(context->profile, key[USAGE_TEXT]);
	row_text(table, row, text + strspn(text, " \t"));
}

/* Begins a list of the rows with the most of an amount. */
static struct fold begin_list(struct context *context, struct table *table, struct sums *sums,
			      enum usage_amount amount)
{
	context_cpu_histogram(context, table);
	sums_sort_falling(sums, amount, profile_compare_text_pairs, (void *)context->profile);
	return (struct fold){ .context = context,
			      .table = table,
			      .amounts = USAGE_AMOUNTS,
			      .other_label = ".OTHER" };
}

/* Writes the rows with a nonzero amount, largest first. */
static void put_list(struct fold *fold, const struct sums *sums, enum usage_amount amount)
{
	struct context *context = fold->context;

	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *values = sums_values(sums, sums->order[i]);
		struct row *row;

		if (!values[amount])
			break;
		if (!fold_take(fold, values, i < MEP_ROWS || context->options->all))
			continue;
		row = table_row(fold->table, ROW_DETAIL);
		put_names(context, fold->table, row, sums_key(sums, sums->order[i]),
			  fold->names > 3);
		fold_fill(fold, row, values);
	}
	fold_other(fold);
}

/* Puts the list by what procedures or statements are charged with. */
static void put_charged_list(struct context *context, struct table *table,
			     const struct usage *usage, struct sums *sums, bool statements)
{
	struct fold fold = begin_list(context, table, sums, USAGE_CHARGED);

	fold.names = statements ? 6 : 3;
	fold.put = put_charged;
	put_list(&fold, sums, USAGE_CHARGED);
	if (usage->unreached[USAGE_CHARGED])
		fold_extra(&fold, ".NOCALLER", usage->unreached);
	fold_total(&fold, "TOTAL");
}

/* Puts the list by where the time was executed, including libraries and kernel. */
static void put_own_list(struct context *context, struct table *table, struct sums *sums)
{
	struct fold fold = begin_list(context, table, sums, USAGE_TOTAL);

	fold.names = 3;
	fold.put = put_own;
	put_list(&fold, sums, USAGE_TOTAL);
	fold_total(&fold, "TOTAL");
}

static void build(struct context *context, struct document *document)
{
	struct usage usage;
	struct sums procedures;

	usage_init(&usage, context->profile, context->options->resolution);
	usage_procedures(&usage, &procedures);
	put_charged_list(context,
			 document_table(document, "procedures_charged",
					"PROGRAM PROCEDURES, WITH THE SERVICES THEY CALLED",
					charged_columns, ARRAY_SIZE(charged_columns)),
			 &usage, &procedures, false);
	put_charged_list(context,
			 document_table(document, "statements_charged",
					"PROGRAM STATEMENTS, WITH THE SERVICES THEY CALLED",
					statement_columns, ARRAY_SIZE(statement_columns)),
			 &usage, &usage.rows, true);
	put_own_list(context,
		     document_table(document, "procedures_own",
				    "ALL PROCEDURES, BY THEIR OWN INSTRUCTIONS", own_columns,
				    ARRAY_SIZE(own_columns)),
		     &procedures);
	sums_release(&procedures);
	usage_release(&usage);
}

const struct report_class report_mep = { "MEP", "Most Intensively Executed Procedures", build,
					 REPORT_OF_SAMPLES };
