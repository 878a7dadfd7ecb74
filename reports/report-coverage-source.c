/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage Source Listing: sources and copybooks with the state and the count of each line. */
#include "common/compat.h"
#include "records/record-types.h"
#include "reports/coverage-tables.h"

/* Lines shown around missed lines, if only these are wanted. */
enum { AROUND = 3 };

static const struct column columns[] = {
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	COVERAGE_STATE_COLUMN("; blank: the line has no statement"),
	COVERAGE_COUNT_COLUMN(12),
	FIGURE(COLUMN_NUMBER, "statements", "STMTS", "OF", 4, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_NUMBER, "statements_executed", "STMTS", "EXEC", 4, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	FIGURE(COLUMN_NUMBER, "blocks", "BLOCKS", "OF", 4, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_NUMBER, "blocks_executed", "BLOCKS", "EXEC", 4, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	FIGURE(COLUMN_NUMBER, "places", "PLACES", "OF", 4, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	FIGURE(COLUMN_NUMBER, "places_executed", "PLACES", "EXEC", 4, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	{ .id = "text", .heading = "SOURCE TEXT", .width = 72, .type = COLUMN_TEXT },
};

/* The listing of one source under construction. */
struct listed {
	struct context *context;
	const struct coverage_view *view;
	const struct coverage_unit *unit;
	struct table *table;
	const char *path; /* where it is readable now */
	uint64_t next;	  /* its first line that was not processed yet */
	uint64_t gap;	  /* lines left out since the last one shown */
	struct coverage_counts shown;
};

/* Puts how many lines were left out. */
static void put_gap(struct listed *source)
{
	struct strbuf *text = &source->context->text;
	struct row *row;

	if (!source->gap)
		return;
	row = table_row(source->table, ROW_DETAIL);
	row_skip(source->table, row, 9);
	strbuf_reset(text);
	strbuf_addf(text, "... %" PRIu64 " lines", source->gap);
	row_text(source->table, row, text->text);
	source->gap = 0;
}

/* Fills the columns of STATEMENTS and BLOCKS. */
static void put_counts(const struct listed *source, struct row *row,
		       const struct coverage_counts *counts)
{
	row_number(source->table, row, counts->statements);
	row_number(source->table, row, counts->statements_executed);
	row_number(source->table, row, counts->blocks);
	row_number(source->table, row, counts->blocks_executed);
	row_number(source->table, row, counts->places);
	row_number(source->table, row, counts->places_executed);
}

/* Puts a line of the source, with its coverage if it has any. */
static void put_line(struct listed *source, uint64_t number, const struct coverage_line *line)
{
	struct row *row;

	put_gap(source);
	row = table_row(source->table, ROW_DETAIL);
	row_number(source->table, row, number);
	if (line) {
		struct coverage_counts counts = { .statements = line->statement_count,
						  .statements_executed = line->executed,
						  .blocks = line->blocks,
						  .blocks_executed = line->blocks_executed,
						  .places = line->places,
						  .places_executed = line->places_executed };

		row_text(source->table, row, coverage_state_word(line->state));
		row_number(source->table, row, line->count);
		put_counts(source, row, &counts);
		row->colour = coverage_state_colour(line->state);
		source->shown.statements += counts.statements;
		source->shown.statements_executed += counts.statements_executed;
		source->shown.blocks += counts.blocks;
		source->shown.blocks_executed += counts.blocks_executed;
		source->shown.places += counts.places;
		source->shown.places_executed += counts.places_executed;
	} else {
		row_skip(source->table, row, 8);
	}
	row_text(source->table, row,
		 source_texts_line(&source->context->sources, source->path, number));
}

/*
 * Returns whether a line, or one near it, is not fully executed; at: the first
 * line with coverage from it on.
 */
static bool is_near_missed(const struct listed *source, uint64_t number, size_t at)
{
	const struct coverage_line *lines = source->view->lines;
	size_t first = source->unit->line, end = first + source->unit->line_count;

	for (size_t i = at; i < end && lines[i].line <= number + AROUND; i++)
		if (lines[i].state != COVERAGE_EXECUTED)
			return true;
	for (size_t i = at; i-- > first && lines[i].line + AROUND >= number;)
		if (lines[i].state != COVERAGE_EXECUTED)
			return true;
	return false;
}

/* Shows a line, or leaves it out if it is not wanted. */
static void look_at(struct listed *source, uint64_t number, const struct coverage_line *line,
		    size_t at)
{
	if (source->context->options->coverage.missed && !is_near_missed(source, number, at))
		source->gap++;
	else
		put_line(source, number, line);
}

/*
 * Puts the lines of the text up to one that has statements; without a text only
 * those with statements.
 */
static void put_lines(struct listed *source, uint64_t count)
{
	size_t first = source->unit->line, end = first + source->unit->line_count;

	for (size_t i = first; i < end; i++) {
		const struct coverage_line *line = &source->view->lines[i];
		uint64_t stop = line->line <= count ? line->line : count + 1;

		for (; source->next < stop; source->next++)
			look_at(source, source->next, NULL, i);
		look_at(source, line->line, line, i);
		source->next = stop + (line->line <= count);
	}
	for (; source->next <= count; source->next++)
		look_at(source, source->next, NULL, end);
	put_gap(source);
}

/* Finds where a source is readable now; returns how many lines it has, 0 if it cannot be read. */
static uint64_t find_source(struct listed *source, const struct coverage_unit *unit)
{
	struct source_texts *texts = &source->context->sources;

	source->unit = unit;
	source->path = source_texts_find(texts, coverage_text(source->view, unit->source),
					 coverage_text(source->view, unit->library));
	return source_texts_count(texts, source->path);
}

/* Puts the listing of one source. */
static void put_source(struct listed *source, const struct coverage_unit *unit,
		       struct document *document)
{
	uint64_t count = find_source(source, unit);
	struct row *row;

	source->table =
		document_table(document, "coverage_source", NULL, columns, ARRAY_SIZE(columns));
	table_context(source->table, "file", "SOURCE", source->path);
	source->next = 1;
	memset(&source->shown, 0, sizeof(source->shown));
	put_lines(source, count);
	row = table_row(source->table, ROW_TOTAL);
	row_skip(source->table, row, 1);
	row_text(source->table, row, "TOTALS");
	row_skip(source->table, row, 1);
	put_counts(source, row, &source->shown);
	row_skip(source->table, row, 1);
}

/* Returns when the measured object was built, ns since 1970; 0: unknown. */
static uint64_t object_made(const struct listed *source, uint64_t start)
{
	struct strbuf *path = &source->context->text;
	uint64_t changed;

	strbuf_reset(path);
	strbuf_addf(path, "%s/%s", coverage_text(source->view, source->unit->library),
		    coverage_text(source->view, source->unit->object));
	changed = source_texts_file_changed(path->text);
	return changed <= start ? changed : 0;
}

/* Adds a note if the text may differ from the one that was compiled, or is not available. */
static void put_notes(struct listed *source, const struct coverage_unit *unit,
		      struct document *document)
{
	uint64_t count = find_source(source, unit);
	uint64_t start = profile_attribute_number(source->context->profile, ATTR_START_WALL);
	uint64_t changed = source_texts_changed(&source->context->sources, source->path);
	uint64_t made = object_made(source, start);

	if (!count)
		document_note(document, SEVERITY_INFO, 6525,
			      "%s cannot be read: its lines are shown without text", source->path);
	else if ((start && changed > start) || (made && changed > made))
		document_note(document, SEVERITY_WARNING, 6524,
			      "%s was changed after %s: its lines may not be those that were "
			      "executed",
			      source->path,
			      start && changed > start ? "the session had begun"
						       : "its program was compiled");
}

/* Adds notes on the selected programs that explain how their figures can mislead. */
static void put_program_notes(struct context *context, struct document *document)
{
	struct coverage_selection selection = { .program = context->options->events.program };
	struct coverage_view view;

	coverage_view_init(&view, &context->profile->coverage, COVERAGE_BY_PROGRAM, &selection);
	for (size_t i = 0; i < view.unit_count; i++)
		coverage_unit_notes(document, &view, &view.units[i]);
	coverage_view_release(&view);
}

/* Returns whether a source is listed: all are, or those with a line that was not fully executed. */
static bool is_listed(const struct context *context, const struct coverage_unit *unit)
{
	return !context->options->coverage.missed || unit->counts.lines_partly ||
	       unit->counts.lines_executed < unit->counts.lines;
}

static void build(struct context *context, struct document *document)
{
	struct listed source = { .context = context };
	struct coverage_view view;
	size_t *order;

	if (!coverage_begin(context, document, COVERAGE_BY_FILE, &view))
		return;
	source.view = &view;
	order = coverage_order(context, &view);
	for (size_t i = 0; i < view.unit_count; i++)
		if (is_listed(context, &view.units[order[i]]))
			put_source(&source, &view.units[order[i]], document);
	for (size_t i = 0; i < view.unit_count; i++)
		if (is_listed(context, &view.units[order[i]]))
			put_notes(&source, &view.units[order[i]], document);
	put_program_notes(context, document);
	free(order);
	coverage_view_release(&view);
}

const struct report_class report_csl = { "CSL", "Coverage Source Listing", build,
					 REPORT_ON_REQUEST };
