/* SPDX-License-Identifier: Apache-2.0 */
/* Most Intensively Executed Procedures: the hot lists. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/share.h"
#include "reports/text.h"
#include "profile/usage.h"

#define MEP_ROWS 20

#define CHARGED_COLUMNS \
	{ \
		"charged_samples", NULL, "SAMPLES", 8,	 COLUMN_NUMBER, \
		COLUMN_ADDITIVE,   NULL, NULL,	    NULL \
	}, \
		{ "cpu_own_percent", \
		  "CPU TIME %", \
		  "OWN", \
		  6, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of CPU time in the program's own instructions there", \
		  NULL, \
		  NULL }, \
		{ "cpu_charged_percent", \
		  "CPU TIME %", \
		  "CHARGED", \
		  7, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "OWN and the libraries and kernel that executed on its behalf", \
		  NULL, \
		  NULL }, \
		{ "cpu_margin_percent", \
		  "CPU TIME %", \
		  "+/-", \
		  5, \
		  COLUMN_PERCENT, \
		  COLUMN_MARGIN, \
		  "margin of error of CHARGED at 95 %, percent points", \
		  NULL, \
		  NULL }, \
		{ "cpu_cumulative_percent", \
		  "CPU TIME %", \
		  "CUMUL", \
		  6, \
		  COLUMN_PERCENT, \
		  0, \
		  "CHARGED of this row and all above", \
		  NULL, \
		  NULL }, \
	{ \
		"bar", NULL, "", 0, COLUMN_BAR, 0, "* own, + services charged; | percent", \
			"cpu_charged_percent", "cpu_own_percent" \
	}

static const struct column statement_columns[] = {
	{ "module", NULL, "MODULE", 10, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "section", NULL, "SECTION", 12, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "procedure", NULL, "PROCEDURE", 22, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "line", NULL, "LINE", 6, COLUMN_NUMBER, 0, NULL, NULL, NULL },
	{ "text", NULL, "SOURCE TEXT", 32, COLUMN_TEXT, 0, NULL, NULL, NULL },
	CHARGED_COLUMNS,
};

static const struct column charged_columns[] = {
	{ "module", NULL, "MODULE", 16, COLUMN_NAME, 0,
	  "object file of the program, or module as a data collector named it; .NOCALLER is time "
	  "whose "
	  "stack reaches no program",
	  NULL, NULL },
	{ "section", NULL, "SECTION", 18, COLUMN_NAME, 0,
	  "source file, or as a data collector named it", NULL, NULL },
	{ "procedure", NULL, "PROCEDURE", 30, COLUMN_NAME, 0,
	  "function, COBOL section or paragraph; +offset where there is no name; (place not "
	  "known): "
	  "no more than the module was seen",
	  NULL, NULL },
	CHARGED_COLUMNS,
};

static const struct column own_columns[] = {
	{ "module", NULL, "MODULE", 16, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "section", NULL, "SECTION", 18, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "procedure", NULL, "PROCEDURE", 30, COLUMN_NAME, 0, NULL, NULL, NULL },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	{ "cpu_cumulative_percent", "CPU TIME %", "CUMUL", 6, COLUMN_PERCENT, 0, NULL, NULL, NULL },
	CPU_BAR,
};

/* Fill the columns of CHARGED_COLUMNS. */
static void put_charged(struct context *context, struct table *table, struct row *row, uint64_t own,
			uint64_t charged, uint64_t cumulative)
{
	double percent = profile_cpu_percent(context->profile, charged);

	row_number(table, row, charged);
	row_real(table, row, profile_cpu_percent(context->profile, own));
	row_real(table, row, percent);
	row_real(table, row, share_margin(percent, context->profile->samples));
	row_real(table, row, profile_cpu_percent(context->profile, cumulative));
}

/* Fill the columns that name a row: module, section, procedure, and for statements line and text.
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
	text = profile_text(context->profile, key[USAGE_TEXT]);
	row_text(table, row, text + strspn(text, " \t"));
}

static struct row *put_label(struct table *table, enum row_kind kind, const char *label,
			     size_t name_columns)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_skip(table, row, name_columns - 1);
	return row;
}

/* What was not shown by itself in a list of charged time, and sums over all rows. */
struct rest {
	uint64_t own, charged; /* folded */
	uint64_t cumulative, program;
};

/* The rows below the list: what was folded, time that reaches no program, the total. */
static void put_charged_end(struct context *context, struct table *table, const struct usage *usage,
			    struct rest *rest, size_t names)
{
	struct row *row;

	if (rest->charged || rest->own) {
		rest->cumulative += rest->charged;
		row = put_label(table, ROW_OTHER, ".OTHER", names);
		put_charged(context, table, row, rest->own, rest->charged, rest->cumulative);
	}
	if (usage->unreached) {
		rest->cumulative += usage->unreached;
		row = put_label(table, ROW_OTHER, ".NOCALLER", names);
		put_charged(context, table, row, 0, usage->unreached, rest->cumulative);
	}
	row = put_label(table, ROW_TOTAL, "TOTAL", names);
	put_charged(context, table, row, rest->program, context->profile->samples,
		    rest->cumulative);
}

static void put_charged_list(struct context *context, struct table *table,
			     const struct usage *usage, struct sums *sums, bool statements)
{
	struct rest rest = { 0, 0, 0, 0 };
	size_t names = statements ? 5 : 3;

	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(context->profile);
	sums_sort_falling(sums, USAGE_CHARGED, profile_compare_text_pairs,
			  (void *)context->profile);
	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *key = sums_key(sums, sums->order[i]);
		const uint64_t *values = sums_values(sums, sums->order[i]);
		struct row *row;

		if (!values[USAGE_CHARGED])
			continue;
		rest.program += values[USAGE_TOTAL];
		if (i >= MEP_ROWS && !context->options->all) {
			rest.charged += values[USAGE_CHARGED];
			rest.own += values[USAGE_TOTAL];
			continue;
		}
		rest.cumulative += values[USAGE_CHARGED];
		row = table_row(table, ROW_DETAIL);
		put_names(context, table, row, key, statements);
		put_charged(context, table, row, values[USAGE_TOTAL], values[USAGE_CHARGED],
			    rest.cumulative);
	}
	put_charged_end(context, table, usage, &rest, names);
}

/* The list by where the time was executed, libraries and kernel included. */
static void put_own_list(struct context *context, struct table *table, struct sums *sums)
{
	const struct profile *profile = context->profile;
	uint64_t cumulative = 0, solo = 0;
	struct row *row;

	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(profile);
	sums_sort_falling(sums, USAGE_TOTAL, profile_compare_text_pairs, (void *)profile);
	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *values = sums_values(sums, sums->order[i]);

		if (!values[USAGE_TOTAL] || (i >= MEP_ROWS && !context->options->all))
			break;
		cumulative += values[USAGE_TOTAL];
		solo += values[USAGE_SOLO];
		row = table_row(table, ROW_DETAIL);
		put_names(context, table, row, sums_key(sums, sums->order[i]), false);
		row_number(table, row, values[USAGE_TOTAL]);
		context_put_cpu(context, table, row, values[USAGE_SOLO], values[USAGE_TOTAL]);
		row_real(table, row, profile_cpu_percent(context->profile, cumulative));
	}
	if (cumulative < profile->samples) {
		row = put_label(table, ROW_OTHER, ".OTHER", 3);
		row_number(table, row, profile->samples - cumulative);
		context_put_cpu(context, table, row, profile->solo_samples - solo,
				profile->samples - cumulative);
		row_real(table, row, profile->samples ? 100.0 : 0);
	}
	row = put_label(table, ROW_TOTAL, "TOTAL", 3);
	row_number(table, row, profile->samples);
	context_put_cpu(context, table, row, profile->solo_samples, profile->samples);
	row_real(table, row, profile->samples ? 100.0 : 0);
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

const struct report_class report_mep = { "MEP", "Most Intensively Executed Procedures", build };
