/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage by program and by statement. */
#include "common/compat.h"
#include "profile/share.h"
#include "reports/coverage-tables.h"

#define COUNT_COLUMN(id_, group_, heading_, width_, ...) \
	FIGURE(COLUMN_NUMBER, id_, group_, heading_, width_, .flags = COLUMN_ADDITIVE, __VA_ARGS__)

static const struct column program_columns[] = {
	{ .id = "program",
	  .heading = "PROGRAM",
	  .width = 16,
	  .type = COLUMN_NAME,
	  .legend = "PROGRAM-ID, or the name of the source" },
	{ .id = "source", .heading = "SOURCE", .width = 20, .type = COLUMN_PATH },
	{ .id = "library", .heading = "LIBRARY", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "object", .heading = "OBJECT", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "language", .heading = "LANGUAGE", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "means", .heading = "MEANS", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	COUNT_COLUMN("statements", "STATEMENTS", "TOTAL", 8, .legend = NULL),
	COUNT_COLUMN("statements_executed", "STATEMENTS", "EXEC", 8,
		     .legend = "STATEMENTS that were executed, in full or in part"),
	FIGURE(COLUMN_PERCENT, "statements_percent", "STATEMENTS", "%", 6,
	       .legend = "share of the statements that were executed"),
	COUNT_COLUMN("lines", "LINES", "TOTAL", 6,
		     .legend = "LINES that have statements, copybooks included"),
	COUNT_COLUMN("lines_executed", "LINES", "EXEC", 6,
		     .legend = "LINES all of whose statements were executed in full"),
	COUNT_COLUMN("lines_partly", "LINES", "PART", 6,
		     .legend = "LINES of which some statements, blocks or places were executed"),
	COUNT_COLUMN("lines_missed", "LINES", "MISSED", 6,
		     .legend = "LINES of which no statement was executed"),
	FIGURE(COLUMN_PERCENT, "lines_percent", "LINES", "%", 6,
	       .legend = "share of the lines that were executed, in full or in part"),
	COUNT_COLUMN("procedures", "PROCEDURES", "TOTAL", 6,
		     .legend = "PROCEDURES, which are sections and paragraphs, or functions"),
	COUNT_COLUMN("procedures_never", "PROCEDURES", "NEVER", 6,
		     .legend = "PROCEDURES of which no statement was executed"),
	COUNT_COLUMN("blocks", "BLOCKS", "TOTAL", 6,
		     .legend = "BLOCKS within lines that the compiler distinguishes; 0 where it "
			       "does not"),
	COUNT_COLUMN("blocks_executed", "BLOCKS", "EXEC", 6, .legend = NULL),
	{ .id = "places",
	  .heading = "PLACES",
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_DATA_ONLY | COLUMN_ADDITIVE },
	{ .id = "places_executed",
	  .heading = "EXEC",
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_DATA_ONLY | COLUMN_ADDITIVE },
	{ .id = "flags",
	  .heading = "FLG",
	  .width = 3,
	  .type = COLUMN_TEXT,
	  .legend = "E counted by statement events, O compiled with optimisation, P in part: not "
		    "all statements are known" },
};

static const struct column never_columns[] = {
	{ .id = "program", .heading = "PROGRAM", .width = 20, .type = COLUMN_NAME },
	{ .id = "procedure", .heading = "PROCEDURE", .width = 40, .type = COLUMN_NAME },
	{ .id = "file", .heading = "SOURCE", .width = 48, .type = COLUMN_PATH },
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	COUNT_COLUMN("statements", NULL, "STATEMENTS", 10, .legend = NULL),
};

static const struct column line_columns[] = {
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	FIGURE(COLUMN_NUMBER, "to_line", NULL, "TO", 7,
	       .legend = "last of neighbouring lines that were all missed"),
	COVERAGE_STATE_COLUMN(""),
	COVERAGE_COUNT_COLUMN(13),
	COUNT_COLUMN("statements", "STATEMENTS", "TOTAL", 6, .legend = NULL),
	COUNT_COLUMN("statements_executed", "STATEMENTS", "EXEC", 6, .legend = NULL),
	COUNT_COLUMN("blocks", "BLOCKS", "TOTAL", 6, .legend = NULL),
	COUNT_COLUMN("blocks_executed", "BLOCKS", "EXEC", 6, .legend = NULL),
	COUNT_COLUMN("places", "PLACES", "TOTAL", 6,
		     .legend =
			     "PLACES in the code that were watched: contiguous instructions of the "
			     "line"),
	COUNT_COLUMN("places_executed", "PLACES", "EXEC", 6, .legend = NULL),
	{ .id = "procedure", .heading = "PROCEDURE", .width = 27, .type = COLUMN_NAME },
	{ .id = "verbs",
	  .heading = "STATEMENT",
	  .width = 23,
	  .type = COLUMN_TEXT,
	  .legend = "verbs of the statements of the line, where they are known" },
};

/* Fills the columns from STATEMENTS to BLOCKS of the program report. */
static void put_counts(struct table *table, struct row *row, const struct coverage_counts *counts)
{
	row_number(table, row, counts->statements);
	row_number(table, row, counts->statements_executed);
	row_real(table, row, coverage_statement_percent(counts));
	row_number(table, row, counts->lines);
	row_number(table, row, counts->lines_executed - counts->lines_partly);
	row_number(table, row, counts->lines_partly);
	row_number(table, row, counts->lines - counts->lines_executed);
	row_real(table, row, coverage_line_percent(counts));
	row_number(table, row, counts->procedures);
	row_number(table, row, counts->procedures - counts->procedures_executed);
	row_number(table, row, counts->blocks);
	row_number(table, row, counts->blocks_executed);
	row_number(table, row, counts->places);
	row_number(table, row, counts->places_executed);
}

static void put_program(struct table *table, const struct coverage_view *view,
			const struct coverage_unit *unit)
{
	struct row *row = table_row(table, ROW_DETAIL);
	char flags[4];

	row_text(table, row, coverage_text(view, unit->name));
	row_text(table, row, coverage_text(view, unit->source));
	row_text(table, row, coverage_text(view, unit->library));
	row_text(table, row, coverage_text(view, unit->object));
	row_text(table, row, coverage_text(view, unit->language));
	row_text(table, row, unit->events ? "events" : "places");
	put_counts(table, row, &unit->counts);
	snprintf(flags, sizeof(flags), "%s%s%s", unit->events ? "E" : "",
		 unit->optimised ? "O" : "", unit->partial ? "P" : "");
	row_text(table, row, flags);
}

/* Puts the procedures of a unit of which nothing was executed. */
static void put_never(struct table *table, const struct coverage_view *view,
		      const struct coverage_unit *unit, uint64_t *statements)
{
	for (size_t i = unit->procedure; i < unit->procedure + unit->procedure_count; i++) {
		const struct coverage_procedure *procedure = &view->procedures[i];
		struct row *row;

		if (procedure->executed)
			continue;
		row = table_row(table, ROW_DETAIL);
		row_text(table, row, coverage_text(view, unit->name));
		row_text(table, row, coverage_text(view, procedure->name));
		row_text(table, row, coverage_text(view, procedure->file));
		row_number(table, row, procedure->line);
		row_number(table, row, procedure->statements);
		*statements += procedure->statements;
	}
}

static void put_procedures(struct document *document, const struct coverage_view *view,
			   const size_t *order)
{
	uint64_t statements = 0;
	struct table *table;
	struct row *row;

	if (view->total.procedures == view->total.procedures_executed)
		return;
	table = document_table(document, "coverage_never", "PROCEDURES NEVER EXECUTED",
			       never_columns, ARRAY_SIZE(never_columns));
	for (size_t i = 0; i < view->unit_count; i++)
		put_never(table, view, &view->units[order[i]], &statements);
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTALS");
	row_skip(table, row, 3);
	row_number(table, row, statements);
}

static void build_programs(struct context *context, struct document *document)
{
	struct coverage_view view;
	struct table *table;
	struct row *row;
	size_t *order;

	if (!coverage_begin(context, document, COVERAGE_BY_PROGRAM, &view))
		return;
	order = coverage_order(context, &view);
	table = document_table(document, "coverage_programs", NULL, program_columns,
			       ARRAY_SIZE(program_columns));
	for (size_t i = 0; i < view.unit_count; i++)
		put_program(table, &view, &view.units[order[i]]);
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTALS");
	row_skip(table, row, 5);
	put_counts(table, row, &view.total);
	row_skip(table, row, 1);
	put_procedures(document, &view, order);
	for (size_t i = 0; i < view.unit_count; i++)
		coverage_unit_notes(document, &view, &view.units[order[i]]);
	free(order);
	coverage_view_release(&view);
}

/* The lines of one file of a program while they are listed. */
struct line_list {
	struct context *context;
	const struct coverage_view *view;
	struct table *table;
	struct coverage_counts total;
};

static const struct coverage_statement *first_statement(const struct coverage_view *view,
							size_t line)
{
	return &view->statements[view->lines[line].statement];
}

/* Appends the verbs of a line, each once. */
static void add_verbs(const struct coverage_view *view, const struct coverage_line *line,
		      struct strbuf *sb)
{
	for (size_t i = 0; i < line->statement_count; i++) {
		uint64_t verb = view->statements[line->statement + i].verb;
		bool again = !*coverage_text(view, verb);

		for (size_t j = 0; !again && j < i; j++)
			again = view->statements[line->statement + j].verb == verb;
		if (!again)
			strbuf_addf(sb, "%s%s", sb->length ? "," : "", coverage_text(view, verb));
	}
}

/*
 * Returns how many lines from `from` on make one row: adjacent lines of a
 * procedure that were all missed.
 */
static size_t row_lines(const struct line_list *list, size_t from, size_t end)
{
	const struct coverage_line *lines = list->view->lines;
	uint64_t procedure = first_statement(list->view, from)->procedure;
	size_t count = 1;

	if (lines[from].state != COVERAGE_MISSED || list->context->options->all)
		return 1;
	while (from + count < end && lines[from + count].state == COVERAGE_MISSED &&
	       first_statement(list->view, from + count)->procedure == procedure)
		count++;
	return count;
}

/* Puts a row for lines of which only the first may be executed. */
static void put_lines(struct line_list *list, size_t from, size_t count)
{
	const struct coverage_view *view = list->view;
	const struct coverage_line *line = &view->lines[from];
	struct row *row = table_row(list->table, ROW_DETAIL);
	struct coverage_counts sum = { 0 };
	struct strbuf *text = &list->context->text;

	for (size_t i = from; i < from + count; i++) {
		sum.statements += view->lines[i].statement_count;
		sum.statements_executed += view->lines[i].executed;
		sum.blocks += view->lines[i].blocks;
		sum.blocks_executed += view->lines[i].blocks_executed;
		sum.places += view->lines[i].places;
		sum.places_executed += view->lines[i].places_executed;
	}
	row_number(list->table, row, line->line);
	if (count > 1)
		row_number(list->table, row, line[count - 1].line);
	else
		row_skip(list->table, row, 1);
	row_text(list->table, row, coverage_state_word(line->state));
	row_number(list->table, row, line->count);
	row_number(list->table, row, sum.statements);
	row_number(list->table, row, sum.statements_executed);
	row_number(list->table, row, sum.blocks);
	row_number(list->table, row, sum.blocks_executed);
	row_number(list->table, row, sum.places);
	row_number(list->table, row, sum.places_executed);
	row_text(list->table, row, coverage_text(view, first_statement(view, from)->procedure));
	strbuf_reset(text);
	if (count == 1)
		add_verbs(view, line, text);
	row_text(list->table, row, text->text);
	row->colour = coverage_state_colour(line->state);
	list->total.statements += sum.statements;
	list->total.statements_executed += sum.statements_executed;
	list->total.blocks += sum.blocks;
	list->total.blocks_executed += sum.blocks_executed;
	list->total.places += sum.places;
	list->total.places_executed += sum.places_executed;
}

/* Puts the lines of one file of a program. */
static void put_file(struct line_list *list, struct document *document,
		     const struct coverage_unit *unit, size_t from, size_t end)
{
	const struct coverage_view *view = list->view;
	bool missed = list->context->options->coverage.missed;
	struct row *row;
	size_t count;

	list->table = NULL;
	memset(&list->total, 0, sizeof(list->total));
	for (size_t i = from; i < end; i += count) {
		count = row_lines(list, i, end);
		if (missed && view->lines[i].state == COVERAGE_EXECUTED)
			continue;
		if (!list->table) {
			list->table = document_table(document, "coverage_lines", NULL, line_columns,
						     ARRAY_SIZE(line_columns));
			table_context_name(list->table, "program", "PROGRAM",
					   coverage_text(view, unit->name), 20);
			table_context(list->table, "file", "SOURCE",
				      coverage_text(view, view->lines[i].file));
		}
		put_lines(list, i, count);
	}
	if (!list->table)
		return;
	row = table_row(list->table, ROW_TOTAL);
	row_skip(list->table, row, 2);
	row_text(list->table, row, "TOTALS");
	row_skip(list->table, row, 1);
	row_number(list->table, row, list->total.statements);
	row_number(list->table, row, list->total.statements_executed);
	row_number(list->table, row, list->total.blocks);
	row_number(list->table, row, list->total.blocks_executed);
	row_number(list->table, row, list->total.places);
	row_number(list->table, row, list->total.places_executed);
	row_skip(list->table, row, 2);
}

static void build_statements(struct context *context, struct document *document)
{
	struct line_list list = { .context = context };
	struct coverage_view view;
	size_t *order;

	if (!coverage_begin(context, document, COVERAGE_BY_PROGRAM, &view))
		return;
	list.view = &view;
	order = coverage_order(context, &view);
	for (size_t i = 0; i < view.unit_count; i++) {
		const struct coverage_unit *unit = &view.units[order[i]];
		size_t end = unit->line + unit->line_count, next;

		for (size_t from = unit->line; from < end; from = next) {
			next = from;
			while (next < end && view.lines[next].file == view.lines[from].file)
				next++;
			put_file(&list, document, unit, from, next);
		}
	}
	for (size_t i = 0; i < view.unit_count; i++)
		coverage_unit_notes(document, &view, &view.units[order[i]]);
	free(order);
	coverage_view_release(&view);
}

const struct report_class report_cps = { "CPS", "Coverage by Program", build_programs,
					 REPORT_OF_COVERAGE };
const struct report_class report_cst = { "CST", "Coverage by Statement", build_statements,
					 REPORT_OF_COVERAGE };
