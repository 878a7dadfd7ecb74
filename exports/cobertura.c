/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cobertura's coverage.xml (coverage-04.dtd): packages are folders, classes are
 * sources, methods are procedures. Branches are the blocks of lines that have
 * several blocks, one condition per block.
 */
#include "common/compat.h"
#include "exports/export-form.h"
#include "common/clock.h"
#include "common/xalloc.h"

/* Counts of a part of the file, from which its rates follow. */
struct rates {
	uint64_t lines, lines_executed, branches, branches_executed;
};

/* State while the file is made. */
struct making {
	struct exporting *exporting;
	struct unit {
		const struct coverage_unit *unit;
		const char *path; /* relative to the root */
		size_t folder;	  /* length of the folder part of path */
		struct rates rates;
	} * units;   /* by path */
	size_t root; /* length of the common folder of all paths, with its slash; 0: none */
};

/* Appends an attribute's value or a text, escaped. */
static void add_text(struct strbuf *sb, const char *text)
{
	struct strbuf clean = STRBUF_INIT;

	export_text(&clean, text);
	for (const char *at = clean.text; *at; at++) {
		switch (*at) {
		case '&':
			strbuf_addstr(sb, "&amp;");
			break;
		case '<':
			strbuf_addstr(sb, "&lt;");
			break;
		case '>':
			strbuf_addstr(sb, "&gt;");
			break;
		case '"':
			strbuf_addstr(sb, "&quot;");
			break;
		default:
			strbuf_addch(sb, *at);
		}
	}
	strbuf_release(&clean);
}

/* Appends name="value", preceded by a blank. */
static void add_attribute(struct strbuf *sb, const char *name, const char *value)
{
	strbuf_addf(sb, " %s=\"", name);
	add_text(sb, value);
	strbuf_addch(sb, '"');
}

static double rate(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 1;
}

static void add_rates(struct strbuf *sb, const struct rates *rates)
{
	strbuf_addf(sb, " line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\"",
		    rate(rates->lines_executed, rates->lines),
		    rate(rates->branches_executed, rates->branches));
}

static void count_line(struct rates *rates, const struct coverage_line *line)
{
	if (!line->line)
		return;
	rates->lines++;
	rates->lines_executed += line->count > 0;
	rates->branches += export_branches(line);
	rates->branches_executed += export_branches(line) ? line->blocks_executed : 0;
}

static void count_rates(struct rates *sum, const struct rates *rates)
{
	sum->lines += rates->lines;
	sum->lines_executed += rates->lines_executed;
	sum->branches += rates->branches;
	sum->branches_executed += rates->branches_executed;
}

/* Appends the conditions of a line: its blocks. */
static void add_conditions(struct making *making, const struct coverage_line *line)
{
	const struct coverage_view *view = &making->exporting->view;
	struct strbuf *out = &making->exporting->out;
	uint64_t number = 0;

	strbuf_addstr(out, "<conditions>");
	for (size_t i = line->statement; i < line->statement + line->statement_count; i++) {
		const struct coverage_statement *statement = &view->statements[i];

		for (size_t j = 0; j < statement->block_count; j++)
			strbuf_addf(out,
				    "<condition number=\"%" PRIu64
				    "\" type=\"jump\" coverage=\"%s\"/>",
				    number++,
				    view->blocks[statement->block + j].executed ? "100%" : "0%");
	}
	strbuf_addstr(out, "</conditions>");
}

static void add_line(struct making *making, const struct coverage_line *line)
{
	struct strbuf *out = &making->exporting->out;
	uint64_t branches = export_branches(line);

	if (!line->line)
		return;
	strbuf_addf(out, "<line number=\"%" PRIu64 "\" hits=\"%" PRIu64 "\"", line->line,
		    line->count);
	if (!branches) {
		strbuf_addstr(out, " branch=\"false\"/>\n");
		return;
	}
	strbuf_addf(out,
		    " branch=\"true\" condition-coverage=\"%" PRIu64 "%% (%" PRIu64 "/%" PRIu64
		    ")\">",
		    line->blocks_executed * 100 / branches, line->blocks_executed, branches);
	add_conditions(making, line);
	strbuf_addstr(out, "</line>\n");
	export_flush_if_large(making->exporting);
}

/* A line of a unit that has a statement of the procedure. */
struct member {
	size_t procedure, line;
};

static int compare_members(const void *first, const void *second)
{
	const struct member *a = first, *b = second;

	if (a->procedure != b->procedure)
		return a->procedure < b->procedure ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/*
 * Returns the lines of each procedure of a unit, without duplicates, sorted by
 * procedure; the caller frees them.
 */
static struct member *make_members(const struct coverage_view *view,
				   const struct coverage_unit *unit, size_t *count)
{
	struct member *members = NULL;
	size_t alloc = 0;

	*count = 0;
	for (size_t i = unit->line; i < unit->line + unit->line_count; i++) {
		const struct coverage_line *line = &view->lines[i];

		for (size_t j = 0; j < line->statement_count; j++) {
			size_t procedure = view->statements[line->statement + j].of_procedure;
			const struct member *last = *count ? &members[*count - 1] : NULL;

			if (procedure == SIZE_MAX ||
			    (last && last->line == i && last->procedure == procedure))
				continue;
			GROW(members, *count + 1, alloc);
			members[(*count)++] = (struct member){ procedure, i };
		}
	}
	if (*count)
		qsort(members, *count, sizeof(*members), compare_members);
	return members;
}

/* Appends a method with its lines, members from to to. */
static void add_method(struct making *making, const struct member *members, size_t count,
		       struct strmap *names)
{
	const struct coverage_view *view = &making->exporting->view;
	struct strbuf *out = &making->exporting->out, name = STRBUF_INIT;
	struct rates rates = { 0 };

	for (size_t i = 0; i < count; i++)
		count_line(&rates, &view->lines[members[i].line]);
	export_procedure_name(making->exporting, &view->procedures[members->procedure], names,
			      &name);
	strbuf_addstr(out, "<method");
	add_attribute(out, "name", name.text);
	strbuf_addstr(out, " signature=\"\"");
	add_rates(out, &rates);
	strbuf_addstr(out, "><lines>\n");
	for (size_t i = 0; i < count; i++)
		if (!i || members[i].line != members[i - 1].line)
			add_line(making, &view->lines[members[i].line]);
	strbuf_addstr(out, "</lines></method>\n");
	strbuf_release(&name);
}

static void add_class(struct making *making, const struct unit *unit)
{
	const struct coverage_view *view = &making->exporting->view;
	struct strbuf *out = &making->exporting->out;
	struct member *members;
	size_t count, to;
	struct strmap names;

	members = make_members(view, unit->unit, &count);
	strmap_init(&names);
	strbuf_addstr(out, "<class");
	add_attribute(out, "name", unit->path + unit->folder);
	add_attribute(out, "filename", unit->path);
	add_rates(out, &unit->rates);
	strbuf_addstr(out, "><methods>\n");
	for (size_t from = 0; from < count; from = to) {
		for (to = from; to < count && members[to].procedure == members[from].procedure;)
			to++;
		add_method(making, members + from, to - from, &names);
	}
	strbuf_addstr(out, "</methods><lines>\n");
	for (size_t i = 0; i < unit->unit->line_count; i++)
		add_line(making, &view->lines[unit->unit->line + i]);
	strbuf_addstr(out, "</lines></class>\n");
	strmap_release(&names);
	free(members);
}

static bool same_folder(const struct unit *a, const struct unit *b)
{
	return a->folder == b->folder && memcmp(a->path, b->path, a->folder) == 0;
}

/* Appends the package of one folder. */
static void add_package(struct making *making, const struct unit *units, size_t count)
{
	struct strbuf *out = &making->exporting->out, name = STRBUF_INIT;
	struct rates rates = { 0 };

	for (size_t i = 0; i < count; i++)
		count_rates(&rates, &units[i].rates);
	strbuf_add(&name, units->path, units->folder ? units->folder - 1 : 0);
	for (char *at = name.text; *at; at++)
		*at = *at == '/' ? '.' : *at;
	strbuf_addstr(out, "<package");
	add_attribute(out, "name", name.text);
	add_rates(out, &rates);
	strbuf_addstr(out, "><classes>\n");
	for (size_t i = 0; i < count; i++)
		add_class(making, &units[i]);
	strbuf_addstr(out, "</classes></package>\n");
	strbuf_release(&name);
}

/* Returns the length of a path's folder part, with the slash. */
static size_t folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Compares by folder, then by name. */
static int compare_units(const void *first, const void *second)
{
	const struct unit *a = first, *b = second;
	size_t shorter = a->folder < b->folder ? a->folder : b->folder;
	int order = memcmp(a->path, b->path, shorter);

	if (!order && a->folder != b->folder)
		return a->folder < b->folder ? -1 : 1;
	return order ? order : strcmp(a->path, b->path);
}

/* Returns the length of the folder that all paths share; 0 if one of them is relative. */
static size_t common_root(const struct making *making, size_t count)
{
	size_t root = count ? folder_of(making->units[0].path) : 0;

	for (size_t i = 0; i < count; i++) {
		const char *path = making->units[i].path;

		if (*path != '/')
			return 0;
		while (root && (strncmp(path, making->units[0].path, root) != 0 ||
				making->units[0].path[root - 1] != '/'))
			root--;
	}
	return root;
}

/* Computes the units: path and counts of each source. */
static void make_units(struct making *making)
{
	const struct coverage_view *view = &making->exporting->view;

	making->units = xcalloc(view->unit_count + 1, sizeof(*making->units));
	for (size_t i = 0; i < view->unit_count; i++) {
		struct unit *unit = &making->units[i];

		unit->unit = &view->units[i];
		unit->path = export_path(making->exporting, unit->unit);
		for (size_t j = 0; j < unit->unit->line_count; j++)
			count_line(&unit->rates, &view->lines[unit->unit->line + j]);
	}
	making->root = common_root(making, view->unit_count);
}

static void add_head(struct making *making, const struct rates *rates)
{
	struct strbuf *out = &making->exporting->out, root = STRBUF_INIT;

	strbuf_addstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			   "<!DOCTYPE coverage SYSTEM "
			   "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
			   "<coverage");
	strbuf_addf(out,
		    " line-rate=\"%.4f\" branch-rate=\"%.4f\" lines-covered=\"%" PRIu64
		    "\" lines-valid=\"%" PRIu64 "\" branches-covered=\"%" PRIu64
		    "\" branches-valid=\"%" PRIu64
		    "\" complexity=\"0\" version=\"vigil %s\" timestamp=\"%" PRIu64
		    "\">\n<sources><source>",
		    rate(rates->lines_executed, rates->lines),
		    rate(rates->branches_executed, rates->branches), rates->lines_executed,
		    rates->lines, rates->branches_executed, rates->branches, PACKAGE_VERSION,
		    making->exporting->request->start / NSEC_PER_MSEC);
	strbuf_add(&root, making->units->path ? making->units->path : "",
		   making->root > 1 ? making->root - 1 : making->root);
	add_text(out, making->root ? root.text : ".");
	strbuf_addstr(out, "</source></sources>\n<packages>\n");
	strbuf_release(&root);
}

static void write_report(struct exporting *exporting)
{
	struct making making = { .exporting = exporting };
	size_t count = exporting->view.unit_count, to;
	struct rates rates = { 0 };

	make_units(&making);
	for (size_t i = 0; i < count; i++)
		count_rates(&rates, &making.units[i].rates);
	add_head(&making, &rates);
	for (size_t i = 0; i < count; i++) {
		making.units[i].path += making.root;
		making.units[i].folder = folder_of(making.units[i].path);
	}
	if (count)
		qsort(making.units, count, sizeof(*making.units), compare_units);
	for (size_t from = 0; from < count; from = to) {
		for (to = from; to < count && same_folder(&making.units[from], &making.units[to]);)
			to++;
		add_package(&making, making.units + from, to - from);
	}
	strbuf_addstr(&exporting->out, "</packages>\n</coverage>\n");
	free(making.units);
}

const struct export_form cobertura_form = { "cobertura", "coverage.xml of Cobertura",
					    EXPORT_COVERAGE, write_report };
