/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracefile of lcov (geninfo(1), "Files"): functions, branches and lines of
 * each source. Branches are the blocks of lines that have several. A comma ends a
 * field of a tracefile, so commas in function names become semicolons.
 */
#include "common/compat.h"
#include "exports/export-form.h"

/* Appends a test's name, in which lcov allows only letters, digits and '_'. */
static void add_test_name(struct strbuf *sb, const char *name)
{
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9');

		strbuf_addch(sb, plain ? *name : '_');
	}
}

/* Appends FN, FNDA, FNF and FNH for the procedures that have at least one statement in the unit. */
static void add_functions(struct exporting *exporting, const struct coverage_unit *unit)
{
	const struct coverage_procedure *procedures = &exporting->view.procedures[unit->procedure];
	struct strbuf *out = &exporting->out, counts = STRBUF_INIT;
	uint64_t found = 0, executed = 0;
	struct strmap names;

	strmap_init(&names);
	for (size_t i = 0; i < unit->procedure_count; i++) {
		struct strbuf name = STRBUF_INIT;

		if (!procedures[i].line)
			continue;
		export_procedure_name(exporting, &procedures[i], &names, &name);
		for (char *at = name.text; *at; at++)
			*at = *at == ',' ? ';' : *at;
		strbuf_addf(out, "FN:%" PRIu64 ",%s\n", procedures[i].line, name.text);
		strbuf_addf(&counts, "FNDA:%" PRIu64 ",%s\n", procedures[i].count, name.text);
		found++;
		executed += procedures[i].count > 0;
		strbuf_release(&name);
	}
	strbuf_addbuf(out, &counts);
	strbuf_addf(out, "FNF:%" PRIu64 "\nFNH:%" PRIu64 "\n", found, executed);
	strmap_release(&names);
	strbuf_release(&counts);
}

/* Appends BRDA for a line: the blocks of each of its statements. */
static void add_branches(struct exporting *exporting, const struct coverage_line *line)
{
	const struct coverage_view *view = &exporting->view;

	for (size_t i = 0; i < line->statement_count; i++) {
		const struct coverage_statement *statement = &view->statements[line->statement + i];

		for (size_t j = 0; j < statement->block_count; j++)
			strbuf_addf(&exporting->out, "BRDA:%" PRIu64 ",%zu,%zu,%s\n", line->line, i,
				    j,
				    !line->count				  ? "-"
				    : view->blocks[statement->block + j].executed ? "1"
										  : "0");
	}
}

/* Appends BRDA, BRF, BRH, DA, LF and LH. */
static void add_lines(struct exporting *exporting, const struct coverage_unit *unit)
{
	const struct coverage_line *lines = &exporting->view.lines[unit->line];
	uint64_t branches = 0, taken = 0, found = 0, executed = 0;
	struct strbuf *out = &exporting->out;

	for (size_t i = 0; i < unit->line_count; i++) {
		if (!lines[i].line || !export_branches(&lines[i]))
			continue;
		add_branches(exporting, &lines[i]);
		branches += lines[i].blocks;
		taken += lines[i].blocks_executed;
		export_flush_if_large(exporting);
	}
	strbuf_addf(out, "BRF:%" PRIu64 "\nBRH:%" PRIu64 "\n", branches, taken);
	for (size_t i = 0; i < unit->line_count; i++) {
		if (!lines[i].line)
			continue;
		strbuf_addf(out, "DA:%" PRIu64 ",%" PRIu64 "\n", lines[i].line, lines[i].count);
		found++;
		executed += lines[i].count > 0;
		export_flush_if_large(exporting);
	}
	strbuf_addf(out, "LF:%" PRIu64 "\nLH:%" PRIu64 "\n", found, executed);
}

static void write_tracefile(struct exporting *exporting)
{
	for (size_t i = 0; i < exporting->view.unit_count; i++) {
		const struct coverage_unit *unit = &exporting->view.units[i];

		strbuf_addstr(&exporting->out, "TN:");
		add_test_name(&exporting->out, exporting->request->name);
		strbuf_addstr(&exporting->out, "\nSF:");
		export_text(&exporting->out, export_path(exporting, unit));
		strbuf_addch(&exporting->out, '\n');
		add_functions(exporting, unit);
		add_lines(exporting, unit);
		strbuf_addstr(&exporting->out, "end_of_record\n");
	}
}

const struct export_form lcov_form = { "lcov", "tracefile for lcov and genhtml", EXPORT_COVERAGE,
				       write_tracefile };
