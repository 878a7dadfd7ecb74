/* SPDX-License-Identifier: Apache-2.0 */
/* Procedure: its callers, callees, statements, waits and source. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "reports/procedure-sums.h"

#define NAMES \
	FIGURE(COLUMN_NAME, "procedure", NULL, "PROCEDURE", 34, .flags = 0), \
		FIGURE(COLUMN_NAME, "module", NULL, "MODULE", 12, .flags = 0), \
		FIGURE(COLUMN_NAME, "section", NULL, "SECTION", 14, .flags = 0), \
		FIGURE(COLUMN_TEXT, "file", NULL, "FILE", 0, .flags = COLUMN_DATA_ONLY)
#define SHARES(group_) \
	FIGURE(COLUMN_PERCENT, "cpu_total_percent", group_, "TOTAL", 6, .flags = COLUMN_ADDITIVE, \
	       .legend = "share of all CPU samples of the run, with all that was called"), \
		FIGURE(COLUMN_PERCENT, "cpu_margin_percent", group_, "+/-", 5, \
		       .flags = COLUMN_MARGIN, \
		       .legend = "margin of error of TOTAL in percentage points, at 95 % " \
				 "confidence"), \
		WAIT_COUNT_COLUMNS(9, 0), WAIT_PAGE_COLUMN, WAIT_SHARE_COLUMN

static const struct column side_columns[] = { NAMES, SAMPLES_COLUMN, SHARES("CPU %") };

static const struct column reason_columns[] = {
	FIGURE(COLUMN_TEXT, "reason", NULL, "REASON", 17,
	       .legend = "what was waited for, in the procedure and in all that it called"),
	FIGURE(COLUMN_NAME, "ddname", NULL, "DDNAME OR FILE", 18, .flags = 0),
	FIGURE(COLUMN_PATH, "data_set", NULL, "DATA SET OR PATH", 42, .flags = 0),
	WAIT_COUNT_COLUMNS(9, 0),
	WAIT_PAGE_COLUMN,
	WAIT_SHARE_COLUMN,
};

static const struct column statement_columns[] = {
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 6, .legend = NULL),
	OTHER_FILE_COLUMN(NULL, 12),
	FIGURE(COLUMN_TEXT, "text", NULL, "SOURCE TEXT", 44, .flags = COLUMN_YIELDS),
	FIGURE(COLUMN_NUMBER, "own_samples", NULL, "OWN SAMPLES", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	SAMPLES_COLUMN,
	FIGURE(COLUMN_PERCENT, "cpu_own_percent", "CPU TIME %", "OWN", 6, .flags = COLUMN_ADDITIVE,
	       .legend = "the statement or line itself; TOTAL includes all that it called"),
	SHARES("CPU TIME %"),
};

/* Fills the first columns of a row; each kind of table has its own. */
typedef void (*put_names)(struct procedure *procedure, struct table *table, struct row *row,
			  const uint64_t *key);

static void put_place(struct procedure *procedure, struct table *table, struct row *row,
		      const struct call_place *place)
{
	struct strbuf label = STRBUF_INIT;

	call_place_label(procedure->context->profile, place, &label);
	row_text(table, row, label.text);
	context_put_string(procedure->context, table, row, place->module);
	context_put_string(procedure->context, table, row, place->section);
	context_put_string(procedure->context, table, row, place->file);
	strbuf_release(&label);
}

/* Puts the other procedure of a row. key: its number, BUTTERFLY_SELF: the procedure itself. */
static void put_side(struct procedure *procedure, struct table *table, struct row *row,
		     const uint64_t *key, const char *self)
{
	if (key[0] != BUTTERFLY_SELF) {
		put_place(procedure, table, row,
			  butterfly_place(&procedure->butterfly, (size_t)key[0]));
		return;
	}
	row_text(table, row, self);
	row_skip(table, row, 3);
}

static void put_caller(struct procedure *procedure, struct table *table, struct row *row,
		       const uint64_t *key)
{
	put_side(procedure, table, row, key, "(no caller known)");
}

static void put_callee(struct procedure *procedure, struct table *table, struct row *row,
		       const uint64_t *key)
{
	put_side(procedure, table, row, key, "(itself)");
}

static void put_reason(struct procedure *procedure, struct table *table, struct row *row,
		       const uint64_t *key)
{
	const struct profile *profile = procedure->context->profile;
	struct strbuf label = STRBUF_INIT;

	row_text(table, row, label_reason(key[0]));
	if (key[1])
		label_file(profile, key[1], &label);
	row_text(table, row, label.text);
	row_text(table, row, key[1] ? label_data_set(profile, key[1]) : "");
	strbuf_release(&label);
}

static void put_statement(struct procedure *procedure, struct table *table, struct row *row,
			  const uint64_t *key)
{
	const struct profile *profile = procedure->context->profile;
	const struct call_place *place = &procedure->butterfly.tree.places.items[key[0]];
	const char *text = profile_text(profile, place->text);

	if (place->line)
		row_number(table, row, place->line);
	else
		row_skip(table, row, 1);
	row_file(table, row, profile_text(profile, place->file),
		 profile_text(profile, place->other_file));
	text += strspn(text, " \t");
	row_text(table, row, place->line ? text : "(line not known)");
}

static void put_waits(struct context *context, struct table *table, struct row *row,
		      const uint64_t *sums, const uint64_t *above)
{
	wait_columns_put(context, table, row, sums, above);
}

static void put_totals(struct context *context, struct table *table, struct row *row,
		       const uint64_t *sums, const uint64_t *above)
{
	row_real(table, row, profile_cpu_percent(context->profile, sums[PROCEDURE_SAMPLES]));
	context_put_margin(context, table, row, sums[PROCEDURE_SAMPLES], sums[PROCEDURE_PLACED]);
	wait_columns_put(context, table, row, sums, above);
}

static void put_shares(struct context *context, struct table *table, struct row *row,
		       const uint64_t *sums, const uint64_t *above)
{
	row_number(table, row, sums[PROCEDURE_SAMPLES]);
	put_totals(context, table, row, sums, above);
}

static void put_statement_shares(struct context *context, struct table *table, struct row *row,
				 const uint64_t *sums, const uint64_t *above)
{
	row_number(table, row, sums[PROCEDURE_OWN_SAMPLES]);
	row_number(table, row, sums[PROCEDURE_SAMPLES]);
	row_real(table, row, profile_cpu_percent(context->profile, sums[PROCEDURE_OWN_SAMPLES]));
	put_totals(context, table, row, sums, above);
}

/* A table of the report. */
struct kind {
	const char *id, *title;
	enum procedure_view view;
	const struct column *columns;
	size_t count;
	size_t names, label; /* columns before the amounts; which of them has the label of a sum */
	put_names put;
	void (*amounts)(struct context *context, struct table *table, struct row *row,
			const uint64_t *sums, const uint64_t *above);
};

static const struct kind kinds[] = {
	{ "callers", "CALLERS", PROCEDURE_CALLERS, side_columns, ARRAY_SIZE(side_columns), 4, 0,
	  put_caller, put_shares },
	{ "callees", "CALLEES", PROCEDURE_CALLEES, side_columns, ARRAY_SIZE(side_columns), 4, 0,
	  put_callee, put_shares },
	{ "waits", "WAITS BY REASON AND FILE", PROCEDURE_WAITS, reason_columns,
	  ARRAY_SIZE(reason_columns), 3, 0, put_reason, put_waits },
	{ "statements", "STATEMENTS", PROCEDURE_STATEMENTS, statement_columns,
	  ARRAY_SIZE(statement_columns), 3, 2, put_statement, put_statement_shares },
};

/* Writes the rows of a table, largest first. */
static void put_table(struct procedure *procedure, struct document *document,
		      const struct kind *kind)
{
	struct context *context = procedure->context;
	const struct profile *profile = context->profile;
	struct procedure_sums rows;
	struct table *table =
		document_table(document, kind->id, kind->title, kind->columns, kind->count);
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = PROCEDURE_AMOUNTS,
			     .names = kind->names,
			     .label = kind->label,
			     .put = kind->amounts };

	procedure_sums_init(&rows, procedure, kind->view);
	for (size_t i = 0; i < rows.sums.keys.count; i++) {
		size_t number = rows.sums.order[i];
		const uint64_t *values = sums_values(&rows.sums, number);
		bool shown =
			i < ROWS_ALWAYS_SHOWN ||
			context_shows(context,
				      profile_cpu_percent(profile, values[PROCEDURE_SAMPLES])) ||
			context_shows(context,
				      profile_run_percent(profile, values[WAIT_AMOUNT_CHARGED]));
		struct row *row;

		if (!wait_rows_fold(&rows.waits, &fold, number, shown))
			continue;
		row = table_row(table, ROW_DETAIL);
		kind->put(procedure, table, row, sums_key(&rows.sums, number));
		fold_fill(&fold, row, values);
	}
	wait_rows_total(&rows.waits, &fold);
	procedure_sums_release(&rows);
}

/* Puts the facts at the head. */
static void put_head(struct procedure *procedure, struct document *document)
{
	const struct profile *profile = procedure->context->profile;
	const struct butterfly *butterfly = &procedure->butterfly;
	const struct call_place *place = butterfly_place(butterfly, butterfly->procedure);
	const struct call_tree_sum *sum = &butterfly->sums[butterfly->procedure];
	struct pair_group *groups = document_pairs(document, 2);
	struct strbuf label = STRBUF_INIT;

	groups[0].id = "procedure";
	groups[0].title = "PROCEDURE";
	groups[1].id = "sums";
	groups[1].title = "CPU TIME AND WAITS";
	call_place_label(profile, place, &label);
	pair_text(&groups[0], "procedure", "PROCEDURE", label.text);
	pair_text(&groups[0], "module", "MODULE", profile_text(profile, place->module));
	pair_text(&groups[0], "object", "OBJECT", profile_text(profile, place->real_module));
	pair_text(&groups[0], "section", "SECTION", profile_text(profile, place->section));
	pair_text(&groups[0], "file", "SOURCE", profile_text(profile, place->file));
	pair_real(&groups[1], "cpu_own_percent", "CPU TIME %, OWN",
		  profile_cpu_percent(profile, sum->own[CALL_TREE_SAMPLES]));
	pair_real(&groups[1], "cpu_total_percent", "CPU TIME %, WITH CALLEES",
		  profile_cpu_percent(profile, sum->all[CALL_TREE_SAMPLES]));
	pair_real(&groups[1], "run_own_percent", "RUN TIME % WAITED, OWN",
		  profile_run_percent(profile, sum->own[CALL_TREE_CHARGED]));
	pair_real(&groups[1], "run_total_percent", "RUN TIME % WAITED, WITH CALLEES",
		  profile_run_percent(profile, sum->all[CALL_TREE_CHARGED]));
	pair_number(&groups[1], "waits", "WAITS, WITH CALLEES", COLUMN_NUMBER,
		    sum->all[CALL_TREE_WAITS]);
	strbuf_release(&label);
}

static const struct column list_columns[] = {
	NAMES,
	FIGURE(COLUMN_PATH, "source", NULL, "SOURCE", 40, .flags = 0),
	FIGURE(COLUMN_PERCENT, "cpu_own_percent", "CPU TIME %", "OWN", 6, .flags = 0),
	FIGURE(COLUMN_PERCENT, "cpu_total_percent", "CPU TIME %", "TOTAL", 6,
	       .legend = "with all that it called"),
	FIGURE(COLUMN_PERCENT, "run_total_percent", "RUN %", "TOTAL", 6,
	       .legend = "share of the run time in which no task executed because it, or what it "
			 "called, waited"),
};

/* Puts the procedures that a name may mean. */
static void put_list(struct procedure *procedure, struct document *document, const size_t *numbers,
		     size_t count)
{
	const struct profile *profile = procedure->context->profile;
	struct table *table = document_table(document, "procedures", NULL, list_columns,
					     ARRAY_SIZE(list_columns));

	document_note(document, SEVERITY_INFO, 6642,
		      "%zu procedures are called %s; --procedure MODULE:NAME or FILE:NAME chooses "
		      "one",
		      count, procedure->context->options->procedure);
	for (size_t i = 0; i < count; i++) {
		const struct call_place *place = butterfly_place(&procedure->butterfly, numbers[i]);
		const struct call_tree_sum *sum = &procedure->butterfly.sums[numbers[i]];
		struct row *row = table_row(table, ROW_DETAIL);

		put_place(procedure, table, row, place);
		context_put_string(procedure->context, table, row, place->file);
		row_real(table, row, profile_cpu_percent(profile, sum->own[CALL_TREE_SAMPLES]));
		row_real(table, row, profile_cpu_percent(profile, sum->all[CALL_TREE_SAMPLES]));
		row_real(table, row, profile_run_percent(profile, sum->all[CALL_TREE_CHARGED]));
	}
}

static void put_unknown(const struct procedure *procedure, struct document *document)
{
	struct strbuf why = STRBUF_INIT;

	if (butterfly_has_none(&procedure->butterfly, procedure->context->options->procedure, &why))
		document_note(document, SEVERITY_WARNING, 6641, "%s", why.text);
	strbuf_release(&why);
}

static void build(struct context *context, struct document *document)
{
	struct procedure procedure = { .context = context };
	size_t *numbers, count;

	if (!context->options->procedure) {
		document_note(document, SEVERITY_INFO, 6640,
			      "no procedure was requested; use --procedure NAME");
		return;
	}
	butterfly_init(&procedure.butterfly, context->profile, context->options->resolution);
	count = butterfly_find(&procedure.butterfly, context->options->procedure, &numbers);
	if (count == 0) {
		put_unknown(&procedure, document);
	} else if (count > 1) {
		put_list(&procedure, document, numbers, count);
	} else {
		butterfly_choose(&procedure.butterfly, numbers[0]);
		put_head(&procedure, document);
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			put_table(&procedure, document, &kinds[i]);
		procedure_source_put(&procedure, document);
	}
	free(numbers);
	butterfly_release(&procedure.butterfly);
}

const struct report_class report_prc = { "PRC", "Procedure", build, REPORT_ON_REQUEST };
